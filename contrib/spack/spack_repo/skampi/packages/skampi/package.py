# SPDX-License-Identifier: GPL-2.0-or-later
from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Skampi(MesonPackage):
    """SKaMPI measures what each operation of an MPI library costs on a machine, and how well each value is known."""

    # Set homepage, url and git to where the release is kept; until then: spack develop skampi@0.2.0, in a checkout.
    homepage = "https://skampi.example.org"
    url = "https://skampi.example.org/skampi-0.2.0.tar.xz"

    license("GPL-2.0-or-later AND LGPL-2.1-or-later")

    version("0.2.0")

    variant("mpi", default=True, description="skampi-run, which measures MPI operations")
    variant("report", default=False, description="skampi-report (gnuplot-iostream must be a package of another repository)")
    variant("hwloc", default=True, description="Record sockets, caches and NUMA nodes")
    variant("tests", default=False, description="Build the tests")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@0.63:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("sqlite@3.37:")
    depends_on("fmt@8:")
    depends_on("boost+math", when="~report")
    depends_on("boost+math+iostreams+system+filesystem", when="+report")
    depends_on("gnuplot-iostream", type="build", when="+report")
    depends_on("gnuplot+cairo", type="run", when="+report")
    depends_on("mpi", when="+mpi")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("doctest", type="build", when="+tests")

    conflicts("%gcc@:10", msg="C++20 is needed")

    def meson_args(self):
        def feature(name, variant):
            return f"-D{name}=" + ("enabled" if self.spec.satisfies(f"+{variant}") else "disabled")

        args = [feature("run", "mpi"), feature("report", "report"), feature("hwloc", "hwloc"), feature("tests", "tests")]
        if self.spec.satisfies("+mpi"):
            args.append(f"-Dmpi={self.spec['mpi'].mpicc}")
        return args

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        # The programs under the names of OSU's, where Spack's package of these has them.
        for folder in ("startup", "pt2pt", "one-sided", "collective"):
            env.append_path("PATH", join_path(self.prefix.libexec, "osu-micro-benchmarks", "mpi", folder))
