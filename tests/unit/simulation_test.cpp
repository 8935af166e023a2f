#include "host/simulation.hpp"

#include "scratch_folder.hpp"
#include "text_file.hpp"

#include <doctest/doctest.h>

using namespace skampi;

namespace {
std::vector<std::string> command_line(const std::string& platform, const std::string& algorithm) {
    return {"/usr/lib/simgrid/smpimain",
            "skampi-run-sim.so",
            "--cfg=smpi/np:4",
            "--cfg=smpi/hostfile:/tmp/x",
            "--cfg=smpi/bcast:default",
            "--cfg=smpi/bcast:" + algorithm,
            "--log=root.thres:critical",
            platform,
            "--cfg=not/of:simgrid",
            "-d",
            "r.db"};
}
} // namespace

TEST_CASE("a simulation is told apart by what its times depend on") {
    const ScratchFolder folder;
    write(folder / "a.xml", "<platform/>");
    write(folder / "copy.xml", "<platform/>");
    write(folder / "b.xml", "<platform version='4.1'/>");
    const Simulation one = simulation_of(command_line(folder / "a.xml", "binomial_tree"));
    CHECK(one.platform == folder / "a.xml");
    CHECK(one.settings.size() == 2);
    CHECK(one.settings.at("smpi/bcast") == "binomial_tree");
    CHECK(simulation_of(command_line(folder / "copy.xml", "binomial_tree")).settings == one.settings);
    CHECK(simulation_of(command_line(folder / "b.xml", "binomial_tree")).settings != one.settings);
    CHECK(simulation_of(command_line(folder / "a.xml", "flattree")).settings != one.settings);
    CHECK(simulation_of({"mpiexec"}).settings.empty());
    CHECK(own_simulation().settings.empty());
}
