# SPDX-License-Identifier: GPL-2.0-or-later
from ramble.appkit import *


class Skampi(ExecutableApplication):
    """Times of MPI operations, measured by SKaMPI"""

    name = "skampi"

    tags("synthetic-benchmarks", "mpi")

    software_spec("skampi", pkg_spec="skampi@0.2.0", package_manager="spack*")
    required_package("skampi", package_manager="spack*")

    # Ramble's launcher starts the ranks; the next start of the same command goes on where this one was interrupted.
    executable("measure", "skampi-run {parameter_file} -d {experiment_run_dir}/skampi.db --progress off", use_mpi=True)
    workload("standard", executable="measure")
    workload_variable("parameter_file", default="", description="Parameter file; empty: the built-in quick measurements",
                      workloads=["standard"])

    figure_of_merit("Points measured", log_file="{log_file}", fom_regex=r"^SKAMPI: \w+ points=(?P<points>[0-9]+)",
                    group_name="points", units="")
    # The table that a run prints where its output is no terminal: suite argument value_us low_us high_us ...
    figure_of_merit_context("point", regex=r"^(?P<suite>\S+) +(?P<argument>[0-9]+|nan) +[0-9.e+-]+ ",
                            output_format="{suite}, {argument}")
    figure_of_merit("Time", log_file="{log_file}", contexts=["point"],
                    fom_regex=r"^\S+ +(?:[0-9]+|nan) +(?P<value_us>[0-9.e+-]+) ", group_name="value_us", units="us")

    success_criteria("measured", mode="string", match=r"^SKAMPI: OK", file="{log_file}")
