// SPDX-License-Identifier: GPL-2.0-or-later
// Application kernels on simulated clusters: right data among any number of ranks, and times that follow from
// what the platform file says of a link and from the messages that a kernel sends.
#include "capture_binding.hpp"
#include "close_to.hpp"
#include "simulated_run.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace skampi;
using namespace skampi::sim;

namespace {

/// Whether SimGrid 3.32 simulates it right. Its neighbourhood collectives end the simulation, and a
/// persistent message that is not contiguous has the data of the moment when its request was made.
bool simulated_right(const std::string& name) {
    return name.find("eighbor") == std::string::npos && name != "Halo_2D-Send_init" &&
           name != "Halo_3D-Send_init";
}
std::vector<std::string> kernels() {
    const ScratchFolder scratch;
    const ChildResult list = run(simulated(scratch, "one-switch.xml", numbered("n", 1), {"list", "--json"}));
    REQUIRE(list.ok());
    std::vector<std::string> names;
    const nlohmann::json listed = nlohmann::json::parse(list.out);
    for (const nlohmann::json& row : listed["operations"]) {
        const std::string name = row["name"];
        for (const char* family : {"Halo_", "Transpose-", "Ring-", "Sparse-"})
            if (name.starts_with(family) && simulated_right(name) && name != "Ring-shift") // a step of one
                names.push_back(name);
    }
    return names;
}

} // namespace

TEST_CASE("every kernel delivers right data among one, a prime, no square and a cube of ranks") {
    const std::vector<std::string> names = kernels();
    REQUIRE(names.size() == 20);
    // 1, 7 and 120 elements: neither squares nor multiples of four rows; 25: a square without partitions.
    const auto plan = [&](const std::vector<int>& lengths) {
        std::string text = std::string(short_limits) + "@MEMORY 4MiB\n@MEASUREMENTS\n";
        for (const std::string& name : names)
            for (const int elements : lengths)
                text += fmt::format("{0} {1} {{ Type = {0}; Variation = No_Variation; Datatype = MPI_DOUBLE; "
                                    "Default_Message_length = {2}; Passes = 1; }}\n",
                                    name, elements, 8 * elements);
        return text;
    };
    for (const int ranks : {1, 6, 7, 8, 64}) {
        const std::vector<int> lengths = ranks == 64 ? std::vector<int>{7} : std::vector<int>{1, 7, 25, 120};
        CAPTURE(ranks);
        const ScratchFolder scratch;
        const ChildResult result = run(simulated(scratch, "one-switch.xml", numbered("n", ranks),
                                                 {write_file(scratch, plan(lengths)), "-d", "k.db"}));
        INFO(result.err);
        CHECK((ranks == 1 || result.ok()));
        const auto all = results(scratch / "k.db");
        CHECK(all.size() == lengths.size() * names.size());
        for (const auto& [suite, points] : all) {
            CAPTURE_BINDING(suite);
            REQUIRE(points.size() == 1);
            const Measurement& m = points.begin()->second;
            CHECK_FALSE(has(m.flags, Flag::wrong_result));
            CHECK((ranks == 1 || m.value_s > 0)); // one rank's messages cost no simulated time
            if (suite.starts_with("Halo_"))
                CHECK(m.messages == 2 * (suite[5] - '0'));
            else if (suite.starts_with("Sparse-"))
                CHECK(m.messages == (ranks == 1 ? 0 : ranks == 64 ? 4 : 3));
            else if (suite.starts_with("Ring-pipeline"))
                CHECK(m.messages == 1);
            else
                CHECK(m.messages == ranks - 1);
        }
    }
}

TEST_CASE("kernels take as long as their messages need on links of known latency and bandwidth") {
    constexpr double latency_s = 10e-6; // of two links
    constexpr double seconds_per_byte = 1e-9;
    constexpr double within = 0.01;
    constexpr int ranks = 64; // 4 in each of 3 dimensions: all neighbours are different ranks
    constexpr int segment_bytes = 8 * 1024;
    const ScratchFolder scratch;
    std::ofstream(scratch / "switch.xml")
        << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n"
           "<cluster id=\"c\" prefix=\"n\" radical=\"0-63\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" lat=\"5us\" "
           "sharing_policy=\"FULLDUPLEX\"/>\n</platform>\n";
    std::string text = std::string(short_limits) + "@MEMORY 4MiB\n@MEASUREMENTS\n";
    for (const char* name : {"Halo_1D-Isend", "Halo_2D-Isend", "Halo_3D-Isend", "Halo_1D-Send_init",
                             "Halo_1D-Sendrecv", "Halo_2D-Sendrecv", "Halo_3D-Sendrecv", "Halo_2D-packed",
                             "Transpose-Isend", "Ring-Sendrecv", "Ring-Isend", "Ring-pipeline"})
        text += fmt::format("{0} {{ Type = {0}; Datatype = MPI_DOUBLE; Scale = Fixed_log; Stepwidth = 16; "
                            "Start_Argument = 8; End_Argument = {1}; Passes = 1; }}\n",
                            name, std::string(name) == "Ring-pipeline" ? "32KiB" : "2KiB");
    const ChildResult result = run(simulated(
        scratch, scratch / "switch.xml", numbered("n", ranks), {write_file(scratch, text), "-d", "t.db"},
        // the textbook's network, as in cost_model_truth_test; whoever sends waits
        {"network/model:CM02", "network/crosstraffic:no", "smpi/send-is-detached-thresh:0",
         "smpi/async-small-thresh:0"}));
    INFO(result.err);
    REQUIRE(result.ok());
    const auto all = results(scratch / "t.db");
    const auto check = [&](const std::string& name, auto&& truth_s) {
        const auto points = all.find(name);
        REQUIRE(points != all.end());
        CHECK(points->second.size() >= 3);
        for (const auto& [bytes, m] : points->second) {
            CAPTURE(name);
            CAPTURE_BINDING(bytes);
            CHECK(m.value_s == close_to(truth_s(static_cast<double>(bytes))).epsilon(within));
        }
    };
    for (const int dimensions : {1, 2, 3}) {
        // One direction after the other; or all at once, sharing the link.
        check(fmt::format("Halo_{}D-Sendrecv", dimensions),
              [&](double m) { return 2 * dimensions * (latency_s + m * seconds_per_byte); });
        check(fmt::format("Halo_{}D-Isend", dimensions),
              [&](double m) { return latency_s + 2 * dimensions * m * seconds_per_byte; });
    }
    check("Halo_1D-Send_init", [&](double m) { return latency_s + 2 * m * seconds_per_byte; });
    check("Halo_2D-packed", [&](double m) { return latency_s + 4 * m * seconds_per_byte; });
    for (const char* name : {"Ring-Sendrecv", "Ring-Isend"})
        check(name, [&](double m) { return (ranks - 1) * (latency_s + m * seconds_per_byte); });
    // What each block costs; that all begin at once, and one of them at home, takes up to 1.1 µs in addition.
    const auto& transpose = all.at("Transpose-Isend");
    CHECK(transpose.at(2048).value_s - transpose.at(8).value_s ==
          close_to(ranks * (2048 - 8) * seconds_per_byte).epsilon(within));
    CHECK(transpose.at(8).value_s - latency_s - ranks * 8 * seconds_per_byte < 1.1e-6);
    check("Ring-pipeline", [&](double m) {
        const double segments = std::ceil(m / segment_bytes);
        return (ranks - 2 + segments) * (latency_s + std::min<double>(m, segment_bytes) * seconds_per_byte);
    });
}
