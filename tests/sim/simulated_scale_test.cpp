// SPDX-License-Identifier: GPL-2.0-or-later
// skampi-run on simulated clusters: many ranks, and what coordinating them costs.
#include "capture_binding.hpp"
#include "simulated_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <sstream>

using namespace skampi;
using namespace skampi::sim;

TEST_CASE("every collective completes on 64 hosts, also varied over the number of ranks") {
    const ScratchFolder scratch;
    std::string text = std::string(short_limits) + "@MEMORY 1MiB\n@MEASUREMENTS\n";
    // From one rank, among all, to all.
    for (const int type : {17, 20, 36})
        text += fmt::format("length {0} {{ Type = {0}; Scale = Fixed_log; End_Argument = 1KiB; "
                            "Stepwidth = 32; Passes = 1; }}\n",
                            type);
    for (const int type : {17, 19, 20, 21, 33, 34, 35, 36, 41})
        text += fmt::format("nodes {0} {{ Type = {0}; Variation = Nodes; Scale = Fixed_log; Stepwidth = 4; "
                            "Default_Message_length = 64; Passes = 1; }}\n",
                            type);
    text += "barrier { Type = 18; Variation = Nodes; Scale = Fixed_log; Passes = 1; }\n"
            "split { Type = 22; Variation = Nodes; Scale = Fixed_log; Stepwidth = 8; Passes = 1; }\n";
    const ChildResult result = run(
        simulated(scratch, "one-switch.xml", numbered("n", 64), {write_file(scratch, text), "-d", "c.db"}));
    INFO(result.err);
    REQUIRE(result.ok());
    const auto all = results(scratch / "c.db");
    CHECK(all.size() == 14);
    CHECK(all.at("barrier").count(64) == 1);
    // Every rank sends to every other: 16 times the ranks, many times the cost.
    CHECK(all.at("nodes 20").at(32).value_s > 2 * all.at("nodes 20").at(2).value_s);
    for (const auto& [suite, points] : all)
        for (const auto& [argument, m] : points) {
            CAPTURE_BINDING(suite);
            CAPTURE_BINDING(argument);
            CHECK(m.value_s > 0);
            CHECK_FALSE(has(m.flags, Flag::wrong_result));
        }
}

TEST_CASE("collectives complete on a fat tree and on a dragonfly, and with a partner on another node") {
    const auto cluster = [](const char* topology) {
        return std::string("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                           "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                           "<cluster id=\"c\" prefix=\"n\" radical=\"0-63\" suffix=\"\" speed=\"1Gf\" "
                           "bw=\"1.25GBps\" lat=\"1us\" ") +
               topology + "/>\n</platform>\n";
    };
    for (const char* const topology : {R"(topology="FAT_TREE" topo_parameters="2;16,4;1,8;1,1")",
                                       R"(topology="DRAGONFLY" topo_parameters="4,1;4,1;4,1;1")"}) {
        const ScratchFolder scratch;
        std::ofstream(scratch / "cluster.xml") << cluster(topology);
        std::string text = std::string(short_limits) +
                           "@MEMORY 1MiB\n@MEASUREMENTS\npp { Type = 1; End_Argument = 1; Passes = 1; "
                           "Partner = other node; }\n";
        for (const int type : {17, 18, 20, 36})
            text +=
                fmt::format("nodes {0} {{ Type = {0}; Variation = Nodes; Scale = Fixed_log; Stepwidth = 8; "
                            "Passes = 1; }}\n",
                            type);
        const ChildResult result = run(simulated(scratch, scratch / "cluster.xml", numbered("n", 64),
                                                 {write_file(scratch, text), "-d", "k.db"}));
        INFO(topology << "\n" << result.err);
        REQUIRE(result.ok());
        const auto all = results(scratch / "k.db");
        CHECK(all.size() == 5);
        for (const auto& [suite, points] : all)
            for (const auto& [argument, m] : points) {
                CAPTURE_BINDING(suite);
                CAPTURE_BINDING(argument);
                CHECK(m.value_s > 0);
                CHECK_FALSE(has(m.flags, Flag::wrong_result));
            }
        const Database database = Database::open(scratch / "k.db");
        const StoredSuite ping_pong = database.suites(database.runs().back()).front();
        CHECK(ping_pong.facts.at(fact_partner_place).starts_with("crosses the network, from n0 to n"));
    }
}

namespace {

/// Messages and bytes that one rank sent and received.
struct Traffic {
    std::int64_t sent = 0;
    std::int64_t received = 0;
    std::int64_t sent_bytes = 0;
};

/// What a simulation sent, from SimGrid's own trace, of messages with wanted tags. By rank, from 1.
std::map<int, Traffic> traffic_of(const std::string& trace, const std::function<bool(int)>& wanted) {
    std::map<int, Traffic> traffic;
    std::ifstream file(trace);
    for (std::string line; std::getline(file, line);) {
        // 15 TIME TYPE CONTAINER PTP SENDER SENDER_RECEIVER_TAG_NUMBER BYTES: a message begins
        std::istringstream words(line);
        int event = 0;
        std::string time, type, container, kind, sender, key;
        std::int64_t bytes = 0;
        if (!(words >> event >> time >> type >> container >> kind >> sender >> key >> bytes) || event != 15)
            continue;
        int from = 0;
        int to = 0;
        int tag = 0;
        if (std::sscanf(key.c_str(), "%d_%d_%d_", &from, &to, &tag) != 3 || !wanted(tag))
            continue;
        ++traffic[from].sent;
        traffic[from].sent_bytes += bytes;
        ++traffic[to].received;
    }
    return traffic;
}

} // namespace

TEST_CASE("an order costs each rank messages in proportion to the logarithm of the ranks, and few bytes") {
    struct Cost {
        double messages = 0; ///< sent and received per order, of the rank with most
        double bytes = 0;
        std::int64_t orders = 0;
        std::int64_t searched = 0; ///< messages of rank 0 in the search for its partner
        double known_bytes = 0;    ///< of what each rank tells of itself, in all
    };
    const auto cost_with = [](int ranks) {
        const ScratchFolder scratch;
        const std::string text =
            std::string(short_limits) +
            "@MEASUREMENTS\npp { Type = 1; Scale = Fixed_log; Stepwidth = 2; End_Argument = 64KiB; Passes = 1; }\n";
        const std::string trace = scratch / "messages.trace";
        std::vector<std::string> hosts = numbered("n", 256);
        hosts.insert(hosts.end(), hosts.begin(), hosts.end());
        hosts.resize(static_cast<std::size_t>(ranks));
        const ChildResult result =
            run(simulated(scratch, "large-switch.xml", hosts, {write_file(scratch, text), "-d", "t.db"},
                          // SimGrid's own default reduces by a message from each rank to the root.
                          {"smpi/reduce:binomial", "smpi/allreduce:rdb", "smpi/bcast:binomial_tree",
                           "tracing:yes", "tracing/filename:" + trace, "tracing/smpi:yes",
                           "tracing/smpi/internals:yes", "tracing/smpi/display-sizes:yes"}));
        INFO(result.err);
        REQUIRE(result.ok());
        const Database database = Database::open(scratch / "t.db");
        const Run run = database.run(database.runs().back());
        Cost cost;
        cost.orders = std::stoll(run.facts.at("ledger: orders to all ranks"));
        constexpr int measured = 0;
        constexpr int search = 4712;
        // SimGrid's tags of MPI_Gather (also for MPI_Comm_split), MPI_Gatherv and MPI_Scatter: what is known
        // of each rank goes to rank 0 when the run begins and when a suite ends. That is no decision.
        const std::set<int> known = {-445, -2223, -223};
        for (const auto& [rank, traffic] : traffic_of(
                 trace, [&](int tag) { return tag != measured && tag != search && !known.contains(tag); })) {
            cost.messages = std::max(cost.messages, static_cast<double>(traffic.sent + traffic.received));
            cost.bytes = std::max(cost.bytes, static_cast<double>(traffic.sent_bytes));
        }
        cost.messages /= static_cast<double>(cost.orders);
        cost.bytes /= static_cast<double>(cost.orders);
        const Traffic searched = traffic_of(trace, [&](int tag) { return tag == search; }).at(1);
        cost.searched = searched.sent + searched.received;
        for (const auto& [rank, traffic] : traffic_of(trace, [&](int tag) { return known.contains(tag); }))
            cost.known_bytes += static_cast<double>(traffic.sent_bytes) / ranks;
        return cost;
    };
    const Cost few = cost_with(16);
    const Cost many = cost_with(512);
    for (const Cost& cost : {few, many})
        MESSAGE(fmt::format("{:.1f} messages, {:.0f} bytes an order of {}; {} messages in the search, {:.0f} "
                            "bytes known of a rank",
                            cost.messages, cost.bytes, cost.orders, cost.searched, cost.known_bytes));
    CHECK(std::abs(few.orders - many.orders) <= few.orders / 4); // they do not grow with the ranks
    CHECK(few.messages <= 3 * std::log2(16));
    CHECK(many.messages <= 3 * std::log2(512));
    CHECK(many.messages <= 1.05 * few.messages * std::log2(512) / std::log2(16));
    CHECK(many.bytes <= 1024 * std::log2(512));
    // In proportion to the ranks, 256 of them at most; and what they tell when a run begins and a suite ends.
    CHECK(few.searched == 28 * 15);
    CHECK(many.searched == 28 * 256);
    CHECK(few.known_bytes <= 512);
    CHECK(many.known_bytes <= 512);
}

TEST_CASE("no window is missed where nothing disturbs, also behind roots that end long before the others") {
    const ScratchFolder scratch;
    std::string text = "@MAXREPDEFAULT 8\n@MEASUREMENTS\n";
    for (const char* operation : {"MPI_Bcast", "MPI_Scatter", "MPI_Scan", "MPI_Allreduce", "MPI_Gather"})
        text +=
            fmt::format("{0} by length {{ Type = {0}; Scale = Fixed_log; Start_Argument = 8; End_Argument = "
                        "4KiB; Stepwidth = 22; Passes = 1; }}\n"
                        "{0} by nodes {{ Type = {0}; Variation = Nodes; Scale = Fixed_log; Stepwidth = 4; "
                        "Passes = 1; }}\n"
                        "{0} at the root {{ Type = {0}; Variation = No_Variation; Reported_Time = root; "
                        "Passes = 2; }}\n",
                        operation);
    const ChildResult result =
        run(simulated(scratch, "fat-tree.xml", numbered("n", 16), {write_file(scratch, text), "-d", "w.db"}));
    INFO(result.err);
    REQUIRE(result.ok());
    const Database database = Database::open(scratch / "w.db");
    const Run measured = database.run(database.runs().back());
    CHECK(measured.facts.at("ledger: windows missed, discarded") == "0");
    for (const StoredSuite& suite : database.suites(database.runs().back())) {
        CAPTURE(suite.suite.name);
        for (const StoredMeasurement& m : database.measurements(suite.id)) {
            CHECK_FALSE(has(m.measurement.flags, Flag::unsynchronised));
            for (const Batch& batch : database.batches(m.id))
                CHECK(batch.synchronization == Synchronization::window);
        }
        for (const ClockEstimate& estimate : suite.clock_estimates)
            CHECK(estimate.clocks == 1); // simulated time is one
    }
}

TEST_CASE("coordination takes at most a tenth of a run of 256 ranks") {
    const ScratchFolder scratch;
    const std::string text =
        "@MAXREPDEFAULT 16\n@MEASUREMENTS\n"
        "broadcast { Type = 17; Scale = Fixed_log; Start_Argument = 256KiB; End_Argument = 256KiB; "
        "Stepwidth = 16; Passes = 1; }\n";
    const ChildResult result = run(simulated(scratch, "large-switch.xml", numbered("n", 256),
                                             {write_file(scratch, text), "-d", "w.db"}));
    INFO(result.err);
    REQUIRE(result.ok());
    const Database database = Database::open(scratch / "w.db");
    CHECK(database.run(database.runs().back()).measuring_share >= 0.9);
}
