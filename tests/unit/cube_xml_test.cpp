// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "cube/cube_xml.hpp"

#include "scratch_folder.hpp"
#include "well_formed.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <stdexcept>

using namespace skampi;
using namespace skampi::cube;

namespace {

Experiment small() {
    Experiment experiment;
    experiment.attributes = {{"statisticfile", "x.stat"}};
    experiment.machine = "cluster";
    experiment.metrics = {{"Bcast/8", "Bcast, 8 bytes", "MPI_Bcast"}, {"Barrier", "Barrier", ""}};
    experiment.call_paths = {{"Bcast", "", {}}, {"8 bytes", "", 0}, {"Barrier", "", {}}};
    experiment.processes = {{"a", 0}, {"b", 1}, {"a", 2}};
    experiment.severities = {{0, 1, {0.1, 0, 1e-7}}, {1, 2, {0.5, 0.25, 0}}};
    return experiment;
}

} // namespace

TEST_CASE("a CUBE 3 file has its elements in the order that Cube's reader wants, as a golden file shows it") {
    Golden golden("cube_xml");
    golden.add("two metrics of three call paths on two hosts", write_cube3(small()));
    golden.check();
}

TEST_CASE("it is well-formed XML whatever the names hold") {
    Experiment experiment = small();
    const std::string names[] = {
        "<&>\"' ]]> <!-- --> <?x?> &amp; </name>", std::string("\0\x01\x1b[31m\x7f\xff\xc3(", 11),
        "line\nfeed\r\ttab", "\xEF\xBF\xBF \xEF\xBF\xBE \xC2\x85 \xED\xA0\x80", "Caf\xC3\xA9 \xE2\x80\xAE"};
    for (const std::string& name : names) {
        experiment.attributes.emplace_back(name, name);
        experiment.machine = name;
        experiment.metrics.push_back({name, name, name});
        experiment.call_paths.push_back({name, name, 0});
        experiment.processes.push_back({name, 7});
    }
    for (Severity& severity : experiment.severities)
        severity.seconds.resize(experiment.processes.size());
    const ScratchFolder scratch;
    const std::string path = scratch / "x.cube";
    std::ofstream(path, std::ios::binary) << write_cube3(experiment);
    CHECK(xml_complaint(path) == "");
}

TEST_CASE("what no CUBE file can say is not written") {
    const auto refused = [](auto change) {
        Experiment experiment = small();
        change(experiment);
        CHECK_THROWS_AS((void)write_cube3(experiment), std::invalid_argument);
    };
    refused([](Experiment& e) { e.metrics.clear(); });
    refused([](Experiment& e) { e.call_paths.clear(); });
    refused([](Experiment& e) { e.processes.clear(); });
    refused([](Experiment& e) { e.severities[0].metric = 2; });
    refused([](Experiment& e) { e.severities[0].call_path = 3; });
    refused([](Experiment& e) { e.severities[0].seconds.pop_back(); });
    refused([](Experiment& e) { e.severities[0].seconds[0] = std::numeric_limits<double>::quiet_NaN(); });
    refused([](Experiment& e) { e.call_paths[1].parent = 1; });
}
