#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the recipes of contrib/ against small stand-ins of the classes of Spack, EasyBuild, ReFrame, Ramble and Benchpark,
and compares the options they name with meson_options.txt and the version with meson.build.

usage: contrib_test.py SOURCE VERSION"""

import json
import pathlib
import re
import sys
import tempfile
import types

SOURCE = pathlib.Path(sys.argv[1])
VERSION = sys.argv[2]
CONTRIB = SOURCE / "contrib"
OPTIONS = set(re.findall(r"^option\('(\w+)'", (SOURCE / "meson_options.txt").read_text(), re.MULTILINE)) | {"buildtype"}


def module(name, **members):
    """A module of this name, and of those above it."""
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        sys.modules.setdefault(".".join(parts[:count]), types.ModuleType(".".join(parts[:count])))
    for member, value in members.items():
        setattr(sys.modules[name], member, value)
    sys.modules[name].__all__ = list(members)


class Calls:
    """Notes each call: a directive of the framework."""

    def __init__(self):
        self.seen = []

    def __call__(self, *arguments, **named):
        self.seen.append((arguments, named))

    def first(self):
        return [arguments[0] for arguments, _ in self.seen]


def run(path):
    space = {"__name__": "recipe"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
    return space


def check_options(words):
    for option in re.findall(r"-D(\w+)=", words):
        assert option in OPTIONS, f"-D{option} is no option of meson_options.txt"


class Spec(dict):
    def __init__(self, variants, **packages):
        super().__init__(**packages)
        self.chosen = variants

    def satisfies(self, wanted):
        return wanted in self.chosen


def spack():
    directives = {name: Calls() for name in ("license", "version", "variant", "depends_on", "conflicts")}
    module("spack.package", join_path=lambda *parts: "/".join(map(str, parts)), EnvironmentModifications=object,
           **directives)
    module("spack_repo.builtin.build_systems.meson", MesonPackage=object)
    package = run(CONTRIB / "spack/spack_repo/skampi/packages/skampi/package.py")["Skampi"]()
    assert directives["version"].first() == [VERSION]
    assert {"mpi", "report", "hwloc", "tests"} <= set(directives["variant"].first())
    assert {"mpi", "sqlite@3.37:", "fmt@8:", "cli11", "nlohmann-json"} <= set(directives["depends_on"].first())
    package.spec = Spec({"+mpi", "+hwloc"}, mpi=types.SimpleNamespace(mpicc="/mpi/bin/mpicc"))
    arguments = package.meson_args()
    assert arguments == ["-Drun=enabled", "-Dreport=disabled", "-Dhwloc=enabled", "-Dtests=disabled", "-Dmpi=/mpi/bin/mpicc"]
    check_options(" ".join(arguments))


def easybuild():
    values = run(CONTRIB / "easybuild" / f"SKaMPI-{VERSION}-gompi-2025b.eb")
    for key in ("easyblock", "name", "homepage", "description", "toolchain", "sources", "builddependencies",
                "dependencies", "sanity_check_paths", "moduleclass"):
        assert values[key], key
    assert values["version"] == VERSION
    assert set(values["sanity_check_paths"]) == {"files", "dirs"}
    check_options(values["configopts"])


def reframe():
    def decorated(*_):
        return lambda function: function

    lines = []
    module("reframe", simple_test=lambda each: each, RunOnlyRegressionTest=object)
    module("reframe.core.backends", getlauncher=lambda name: lambda: name)
    module("reframe.core.builtins", run_before=decorated, sanity_function=lambda function: function,
           variable=lambda kind, value: value)
    module("reframe.utility.sanity", defer=lambda value: value, make_performance_function=lambda value, unit: (value, unit),
           assert_found=lambda expression, text, message="": lines.append(expression), all=all)
    check = run(CONTRIB / "reframe/skampi_check.py")["skampi_check"]()
    check.job = types.SimpleNamespace(launcher="mpirun")
    check.baseline = "/data/base line.db"
    check.launch_by_skampi()
    assert check.job.launcher == "local"
    assert check.executable_opts[:4] == ["-n", "2", "--launches", "6"]
    assert "'/data/base line.db'" in check.postrun_cmds[1]
    check.stdout = ""
    check.measured()
    assert re.search(lines[0], "SKAMPI: OK points=3") and re.search(lines[1], "comparison: 4")
    with tempfile.TemporaryDirectory() as folder:
        check.stagedir = folder
        headline = {"kind": "latency", "suite": "ping-pong", "message_bytes": 1, "unit": "s", "value": 1e-6}
        report = {"subjects": [{"headlines": [headline, {**headline, "kind": "peak", "value": None}]}]}
        (pathlib.Path(folder) / "report.json").write_text(json.dumps(report))
        check.headlines()
    assert check.perf_variables == {"latency_ping-pong_1": (1e-6, "s")}


def ramble():
    names = ("tags", "software_spec", "required_package", "executable", "workload", "workload_variable",
             "figure_of_merit", "figure_of_merit_context", "success_criteria")
    directives = {name: Calls() for name in names}
    module("ramble.appkit", ExecutableApplication=object, **directives)
    run(CONTRIB / "ramble/applications/skampi/application.py")
    (_, command), _ = directives["executable"].seen[0]
    variables = set(directives["workload_variable"].first()) | {"experiment_run_dir"}
    assert set(re.findall(r"{(\w+)}", command)) <= variables, command
    for (_, *_), named in directives["figure_of_merit"].seen:
        assert named["group_name"] in re.compile(named["fom_regex"]).groupindex
    table = directives["figure_of_merit"].seen[1][1]["fom_regex"]
    assert re.search(table, "MPI_Bcast 1024 0.531 0.525 0.54 1.928e+09 none repeatability")["value_us"] == "0.531"


def benchpark():
    directives = {name: Calls() for name in ("maintainers", "variant")}
    module("benchpark.directives", **directives)
    module("benchpark.experiment", Experiment=type("Experiment", (), {}))
    module("benchpark.programming_model", ProgrammingModel=lambda *_: type("Model", (), {}),
           ProgrammingModelType=types.SimpleNamespace(Mpionly="mpionly"))
    experiment = run(CONTRIB / "benchpark/experiments/skampi/experiment.py")["Skampi"]()
    experiment.name = "skampi"
    experiment.spec = types.SimpleNamespace(variants={"parameter_file": ["none"]})
    experiment.add_experiment_variable, experiment.add_package_spec = Calls(), Calls()
    experiment.set_required_variables = Calls()
    experiment.determine_version = lambda: "@" + VERSION
    experiment.compute_applications_section()
    experiment.compute_package_section()
    assert "parameter_file" in experiment.add_experiment_variable.first()
    assert experiment.add_package_spec.seen == [(("skampi", ["skampi@" + VERSION]), {})]


def texts():
    """Recipes that are no Python."""
    for name in ("rpm/skampi.spec", "apptainer/skampi.def"):
        text = (CONTRIB / name).read_text()
        assert VERSION in text, name
        check_options(text)
    for name, line in (("debian/changelog", f"skampi ({VERSION}-"), ("CITATION.cff", f"version: {VERSION}\n")):
        if (SOURCE / name).exists():
            assert line in (SOURCE / name).read_text(), name


for part in (spack, easybuild, reframe, ramble, benchpark, texts):
    part()
    print(part.__name__, "ok")
