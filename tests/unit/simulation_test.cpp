// SPDX-License-Identifier: GPL-2.0-or-later
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

TEST_CASE("of two platforms their networks are told, not only that they differ") {
    const ScratchFolder folder;
    const auto fat_tree = [](const std::string& levels) {
        return "<platform version='4.1'>\n<cluster id='c' prefix=\"n\" radical=\"0-63\" suffix='' speed='1Gf' "
               "bw='1.25GBps' lat='2us'\n topology='FAT_TREE' topo_parameters='" +
               levels + "'/>\n</platform>\n";
    };
    CHECK(network_in_short(fat_tree("2;8,8;1,4;1,2")) == "n0-63 (FAT_TREE 2;8,8;1,4;1,2), 1.25GBps, 2us");
    write(folder / "a.xml", fat_tree("2;8,8;1,4;1,2"));
    write(folder / "b.xml", fat_tree("2;16,4;1,2;1,2"));
    const Simulation a = simulation_of(command_line(folder / "a.xml", "x"));
    CHECK(a.network == network_in_short(fat_tree("2;8,8;1,4;1,2")));
    CHECK(a.settings.at("simulated platform").starts_with(a.network + " ("));
    CHECK(simulation_of(command_line(folder / "b.xml", "x")).network != a.network);
    CHECK(network_in_short("<host id='a'/><host id='b'/>") == "2 hosts");
    CHECK(network_in_short("") == "0 hosts");
    std::string many;
    for (int i = 0; i < 100; ++i)
        many += "<cluster prefix='" + std::string(300, 'n') + "' radical='0-1'/>";
    CHECK(network_in_short(many).size() < 100);
    CHECK(network_in_short("<cluster prefix='n' radical='0-3' " + many.substr(0, 3)).starts_with("n0-3"));
}
