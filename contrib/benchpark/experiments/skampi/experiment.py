# SPDX-License-Identifier: GPL-2.0-or-later
from benchpark.directives import maintainers, variant
from benchpark.experiment import Experiment
from benchpark.programming_model import ProgrammingModel, ProgrammingModelType


class Skampi(Experiment, ProgrammingModel(ProgrammingModelType.Mpionly)):
    variant("workload", default="standard", values=("standard",), description="workload of Ramble's application skampi")
    variant("version", default="0.2.0", values=("0.2.0", "latest"), description="version of SKaMPI")
    variant("parameter_file", default="none", description="parameter file; none = the built-in quick measurements")

    maintainers("skampi")

    def compute_applications_section(self):
        chosen = self.spec.variants["parameter_file"][0]
        self.add_experiment_variable("parameter_file", "" if chosen == "none" else chosen)
        # Two ranks on one node, and on two.
        self.add_experiment_variable("n_ranks", [2, 2], True)
        self.add_experiment_variable("n_nodes", [1, 2], True)
        self.set_required_variables(n_resources="{n_ranks}", process_problem_size="", total_problem_size="")

    def compute_package_section(self):
        self.add_package_spec(self.name, [f"skampi{self.determine_version()}"])
