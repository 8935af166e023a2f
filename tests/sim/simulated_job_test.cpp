// skampi-run on simulated clusters, whose truth is known: the platform file says what everything costs, and
// the clock repeats exactly.
#include "base/child.hpp"
#include "close_to.hpp"
#include "environment.hpp"
#include "killed_job.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

using namespace skampi;

namespace {

std::vector<std::string> numbered(const std::string& prefix, int count) {
    std::vector<std::string> hosts;
    for (int i = 0; i < count; ++i)
        hosts.push_back(prefix + std::to_string(i));
    return hosts;
}

Command simulated(const ScratchFolder& scratch, const std::string& platform,
                  const std::vector<std::string>& hosts, std::vector<std::string> arguments,
                  const std::vector<std::string>& configuration = {}) {
    std::ofstream list(scratch / "hosts");
    for (const std::string& host : hosts)
        list << host << "\n";
    Command command;
    // Nothing in the program is a mutable global, so one copy of it serves all ranks; a copy for each, which
    // SimGrid would make, is written to disk and takes 30 s for a thousand ranks.
    command.argv = {from_environment("SKAMPI_SMPIRUN"),
                    "-no-privatize",
                    "-np",
                    std::to_string(hosts.size()),
                    "-platform",
                    platform.starts_with("/") ? platform
                                              : std::string(SKAMPI_SOURCE_ROOT) + "/tests/data/" + platform,
                    "-hostfile",
                    scratch / "hosts",
                    "--cfg=smpi/simulate-computation:no",
                    "--log=root.thres:critical"};
    for (const std::string& item : configuration)
        command.argv.push_back("--cfg=" + item);
    command.argv.push_back(from_environment("SKAMPI_RUN_SIM"));
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.directory = scratch.path();
    command.timeout_s = 200;
    return command;
}

std::string write_file(const ScratchFolder& scratch, const std::string& text) {
    std::ofstream(scratch / "plan.skampi") << text;
    return scratch / "plan.skampi";
}

std::map<std::string, std::map<std::int64_t, Measurement>> results(const std::string& path) {
    const Database database = Database::open(path);
    std::map<std::string, std::map<std::int64_t, Measurement>> all;
    for (const StoredSuite& suite : database.suites(database.runs().back())) {
        CHECK(suite.state == SuiteState::finished);
        for (const StoredMeasurement& m : database.measurements(suite.id))
            if (m.finished)
                CHECK(all[suite.suite.name].emplace(m.measurement.argument, m.measurement).second);
    }
    return all;
}

const char* const short_limits = "@MAXREPDEFAULT 4\n@MINREPDEFAULT 2\n";

} // namespace

TEST_CASE("every operation of the list is measured with 16 ranks and delivers right data") {
    const ScratchFolder scratch;
    const ChildResult list = run(simulated(scratch, "one-switch.xml", numbered("n", 1), {"list", "--json"}));
    REQUIRE(list.ok());
    std::string text = std::string(short_limits) + "@MEMORY 64KiB\n@MEASUREMENTS\n";
    std::size_t operations = 0;
    const nlohmann::json listed = nlohmann::json::parse(list.out);
    for (const nlohmann::json& row : listed["operations"]) {
        const std::string name = row["name"];
        const nlohmann::json& parameters = row["parameters"];
        const bool has_datatype =
            std::find(parameters.begin(), parameters.end(), "Datatype") != parameters.end();
        if (name.find("eighbor") != std::string::npos)
            continue; // SimGrid 3.32 declares neighbourhood collectives, but calling one ends the simulation
        text += fmt::format(
            "{0} {{ Type = {0}; Scale = Fixed_log; Stepwidth = 16; Start_Argument = 4; Multiple_of = 4; "
            "Max_Steps = 4; Passes = 1; Time_Suite = 1s; Default_Message_length = 4; {1} }}\n",
            name, has_datatype ? "Datatype = MPI_INT;" : "");
        ++operations;
    }
    CHECK(operations > 90);
    const std::string file = write_file(scratch, text);
    const ChildResult result =
        run(simulated(scratch, "one-switch.xml", numbered("n", 16), {file, "-d", "r.db"}));
    CAPTURE(result.err);
    CHECK(result.ok());
    const Database database = Database::open(scratch / "r.db");
    const std::vector<StoredSuite> suites = database.suites(database.runs().back());
    CHECK(suites.size() == operations);
    for (const StoredSuite& suite : suites) {
        CAPTURE(suite.suite.name);
        CHECK(suite.state == SuiteState::finished);
        const std::vector<StoredMeasurement> measurements = database.measurements(suite.id);
        CHECK_FALSE(measurements.empty());
        for (const StoredMeasurement& m : measurements) {
            CHECK_FALSE(has(m.measurement.flags, Flag::wrong_result));
            CHECK_FALSE(std::isnan(m.measurement.value_s));
        }
        const double messages = measurements.front().measurement.messages;
        if (suite.suite.name == "Multi_pair_bandwidth")
            CHECK(messages == 8 * 64);
        else if (suite.suite.name == "MPI_Put-lock")
            CHECK(messages == 1);
        else if (suite.suite.name == "MPI_Send-MPI_Recv")
            CHECK(messages == 2);
    }
}

TEST_CASE("without large counts messages end where an int counts no further, and the run says so") {
    const ScratchFolder scratch;
    const std::string file =
        write_file(scratch, "@MEMORY 64GiB\n@MEASUREMENTS\n"
                            "long { Type = 1; Start_Argument = 4GiB; End_Argument = 8GiB; }\n"
                            "many { Type = MPI_Alltoallv; Variation = Nodes; Default_Message_length = 1GiB; "
                            "Start_Argument = 4; }\n"
                            "short { Type = 1; End_Argument = 1; }\n");
    const ChildResult result =
        run(simulated(scratch, "one-switch.xml", numbered("n", 4), {file, "-d", "l.db"}));
    INFO(result.err);
    CHECK(result.exit_status == 1);
    const auto says = [&](const char* text) { return result.err.find(text) != std::string::npos; };
    CHECK(says(
        "long: arguments end at 2147483647 instead of 8589934592: calls count elements up to 2147483647"));
    CHECK(says(
        "suite \"long\" failed: rank 0: messages of 4294967296 bytes are too long: calls count elements"));
    CHECK(says("suite \"many\" failed: rank 0: messages of 1073741824 bytes are too long: "
               "calls displace messages by elements up to 2147483647 with this MPI library, "
               "which has none with large counts (MPI 4), which ends them at 715827882"));
    const Database database = Database::open(scratch / "l.db");
    for (const StoredSuite& suite : database.suites(database.runs().back()))
        CHECK((suite.state == SuiteState::finished) == (suite.suite.name == "short"));
}

TEST_CASE("every collective completes on 64 hosts, also varied over the number of ranks") {
    const ScratchFolder scratch;
    std::string text = std::string(short_limits) + "@MEMORY 1MiB\n@MEASUREMENTS\n";
    for (const int type : {17, 19, 20, 21, 33, 34, 35, 36, 41})
        text += fmt::format("length {0} {{ Type = {0}; Scale = Fixed_log; End_Argument = 1KiB; "
                            "Stepwidth = 32; Passes = 1; }}\n"
                            "nodes {0} {{ Type = {0}; Variation = Nodes; Scale = Fixed_log; Stepwidth = 4; "
                            "Default_Message_length = 64; Passes = 1; }}\n",
                            type);
    text += "barrier { Type = 18; Variation = Nodes; Scale = Fixed_log; Passes = 1; }\n"
            "split { Type = 22; Variation = Nodes; Scale = Fixed_log; Stepwidth = 8; Passes = 1; }\n";
    const ChildResult result = run(
        simulated(scratch, "one-switch.xml", numbered("n", 64), {write_file(scratch, text), "-d", "c.db"}));
    INFO(result.err);
    REQUIRE(result.ok());
    const auto all = results(scratch / "c.db");
    CHECK(all.size() == 20);
    CHECK(all.at("barrier").count(64) == 1);
    // Every rank sends to every other: 16 times the ranks, many times the cost.
    CHECK(all.at("nodes 20").at(32).value_s > 2 * all.at("nodes 20").at(2).value_s);
    for (const auto& [suite, points] : all)
        for (const auto& [argument, m] : points) {
            INFO(suite << " at " << argument);
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
                INFO(suite << " at " << argument);
                CHECK(m.value_s > 0);
                CHECK_FALSE(has(m.flags, Flag::wrong_result));
            }
        const Database database = Database::open(scratch / "k.db");
        const StoredSuite ping_pong = database.suites(database.runs().back()).front();
        CHECK(ping_pong.facts.at(fact_partner_place).starts_with("crosses the network, from n0 to n"));
    }
}

TEST_CASE("ranks join node by node or round-robin, whatever order the launcher has put them in") {
    // Eight ranks on each of four hosts; the launcher numbers them in a third way.
    std::vector<std::string> hosts;
    for (const int host : {0, 1, 0, 2, 1, 3, 2, 3})
        hosts.insert(hosts.end(), 4, "n" + std::to_string(host));
    const ScratchFolder scratch;
    const std::string text =
        std::string(short_limits) +
        "@MEASUREMENTS\nbc { Type = MPI_Bcast; Variation = No_Variation; Passes = 1; Nodes = 8; "
        "Join = rank, node, round-robin; Default_Message_length = 64KiB; }\n"
        "near { Type = 1; Variation = No_Variation; Partner = rank 9; }\n"
        "none { Type = 1; Variation = No_Variation; Partner = rank 32; }\n"
        "socket { Type = 1; Variation = No_Variation; Partner = same socket; }\n";
    const ChildResult result =
        run(simulated(scratch, "one-switch.xml", hosts, {write_file(scratch, text), "-d", "n.db"}));
    INFO(result.err);
    CHECK(result.exit_status == 1); // two suites have no partner
    CHECK(result.err.find("suite \"none\" failed: Partner = rank 32, but the run's last rank is 31") !=
          std::string::npos);
    CHECK(result.err.find("suite \"socket\" failed: Partner = same socket, but it is not known") !=
          std::string::npos);
    const Database database = Database::open(scratch / "n.db");
    std::map<std::string, double> time_s;
    for (const StoredSuite& suite : database.suites(database.runs().back())) {
        if (suite.state != SuiteState::finished)
            continue;
        for (const StoredMeasurement& m : database.measurements(suite.id))
            time_s[suite.suite.name] = m.measurement.value_s;
        if (suite.suite.name == "near") {
            CHECK(suite.facts.at(fact_partner) == "9");
            CHECK(suite.facts.at(fact_partner_place) == "shares n0; sockets and caches are not known");
        }
    }
    REQUIRE(time_s.size() == 4);
    // On one host there is no switch between them; by number they are on two, round-robin on all four.
    CHECK(time_s.at("bc (Join = node)") != close_to(time_s.at("bc (Join = rank)")));
    CHECK(time_s.at("bc (Join = node)") != close_to(time_s.at("bc (Join = round-robin)")));
    CHECK(time_s.at("bc (Join = rank)") != close_to(time_s.at("bc (Join = round-robin)")));
}

namespace {

/// Messages and bytes that one rank sent and received.
struct Traffic {
    std::int64_t sent = 0;
    std::int64_t received = 0;
    std::int64_t sent_bytes = 0;
};

/// The control traffic of a simulation of ping-pongs, from SimGrid's own trace: all messages but those of the
/// ping-pongs (`ignored` tags). By rank.
std::map<int, Traffic> control_traffic(const std::string& trace, const std::set<int>& ignored) {
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
        if (std::sscanf(key.c_str(), "%d_%d_%d_", &from, &to, &tag) != 3 || ignored.contains(tag))
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
    };
    const auto cost_with = [](int ranks) {
        const ScratchFolder scratch;
        const std::string text =
            std::string(short_limits) +
            "@MEASUREMENTS\npp { Type = 1; Scale = Fixed_log; Stepwidth = 2; End_Argument = 64KiB; Passes = 1; }\n";
        const std::string trace = scratch / "messages.trace";
        const ChildResult result = run(simulated(
            scratch, "large-switch.xml", numbered("n", ranks), {write_file(scratch, text), "-d", "t.db"},
            // SimGrid's own default reduces by a message from each rank to the root.
            {"smpi/reduce:binomial", "smpi/allreduce:rdb", "smpi/bcast:binomial_tree", "tracing:yes",
             "tracing/filename:" + trace, "tracing/smpi:yes", "tracing/smpi/internals:yes",
             "tracing/smpi/display-sizes:yes"}));
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
        std::set<int> ignored = {measured, search, -445, -2223, -223};
        for (const auto& [rank, traffic] : control_traffic(trace, ignored)) {
            cost.messages = std::max(cost.messages, static_cast<double>(traffic.sent + traffic.received));
            cost.bytes = std::max(cost.bytes, static_cast<double>(traffic.sent_bytes));
        }
        cost.messages /= static_cast<double>(cost.orders);
        cost.bytes /= static_cast<double>(cost.orders);
        ignored.erase(search);
        const auto searched = control_traffic(trace, ignored);
        cost.searched = searched.at(1).sent;
        return cost;
    };
    const Cost few = cost_with(16);
    const Cost many = cost_with(256);
    MESSAGE(
        fmt::format("16 ranks: {:.1f} messages, {:.0f} bytes an order of {}; 256 ranks: {:.1f}, {:.0f} of {}",
                    few.messages, few.bytes, few.orders, many.messages, many.bytes, many.orders));
    CHECK(std::abs(few.orders - many.orders) <= few.orders / 4); // they do not grow with the ranks
    CHECK(few.messages <= 3 * std::log2(16));
    CHECK(many.messages <= 3 * std::log2(256));
    CHECK(many.messages <= 2.05 * few.messages); // twice the logarithm
    CHECK(many.bytes <= 1024 * std::log2(256));
    CHECK(many.searched - few.searched < 28 * 256);
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

TEST_CASE("the ping-pong partner is in the other cabinet, wherever the ranks are placed") {
    std::vector<std::string> hosts = numbered("a", 8);
    const std::vector<std::string> others = numbered("b", 8);
    hosts.insert(hosts.end(), others.begin(), others.end());
    std::mt19937 random(7);
    for (int placement = 0; placement < 4; ++placement) {
        const ScratchFolder scratch;
        const std::string text = std::string(short_limits) +
                                 "@MEASUREMENTS\nfar { Type = 1; End_Argument = 1; Passes = 1; }\n"
                                 "near { Type = 1; End_Argument = 1; Passes = 1; Partner = nearest; }\n";
        const ChildResult result =
            run(simulated(scratch, "two-cabinets.xml", hosts, {write_file(scratch, text), "-d", "p.db"}));
        INFO(result.err);
        REQUIRE(result.ok());
        const Database database = Database::open(scratch / "p.db");
        for (const StoredSuite& suite : database.suites(database.runs().back())) {
            const int partner = std::stoi(suite.facts.at("partner"));
            const bool same_cabinet = hosts[static_cast<std::size_t>(partner)][0] == hosts[0][0];
            CHECK(same_cabinet == (suite.suite.name == "near"));
        }
        std::shuffle(hosts.begin(), hosts.end(), random);
    }
}

TEST_CASE("each jump of the network is put between two neighbouring arguments, at little cost") {
    const ScratchFolder scratch;
    const std::string text =
        std::string(short_limits) +
        "@MEASUREMENTS\njumps { Type = 1; End_Argument = 1MiB; Min_Distance = 16; Max_Steps = 200; "
        "Passes = 1; Standard_error = 1; }\n";
    // The network's own truth: bandwidth and latency change at these lengths and nowhere else. The simulator
    // counts 16 bytes of header to each message.
    constexpr std::int64_t header = 16;
    const std::vector<std::int64_t> jumps = {3000, 20000, 150000};
    const ChildResult result =
        run(simulated(scratch, "two-cabinets.xml", {"a0", "b0"}, {write_file(scratch, text), "-d", "j.db"},
                      {"smpi/bw-factor:150000:0.9;20000:0.6;3000:0.5;0:0.8",
                       "smpi/lat-factor:150000:3.0;20000:2.0;3000:1.5;0:1.0", "smpi/async-small-thresh:0",
                       "smpi/send-is-detached-thresh:0"}));
    INFO(result.err);
    REQUIRE(result.ok());
    const auto points = results(scratch / "j.db").at("jumps");
    for (const std::int64_t jump : jumps) {
        const std::int64_t truth = jump - header;
        const auto after = points.upper_bound(truth);
        REQUIRE(after != points.begin());
        REQUIRE(after != points.end());
        const auto before = std::prev(after);
        INFO(truth << " lies between " << before->first << " and " << after->first);
        // Min_Distance forbids a closer look than twice itself.
        CHECK(after->first - before->first <= 32);
        CHECK(std::abs(after->second.value_s / before->second.value_s - 1) > 0.05);
    }
    const double first_pass = 21;
    const double per_jump = 1.5 * std::log2(150000.0 / 16) + 2;
    CHECK(static_cast<double>(points.size()) <= first_pass + per_jump * static_cast<double>(jumps.size()));
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

TEST_CASE("killed again and again, a simulated run ends with the very values of an uninterrupted one") {
    const std::string text =
        std::string(short_limits) +
        "@MEASUREMENTS\npp { Type = 1; End_Argument = 64KiB; Min_Distance = 64; Passes = 2; }\n"
        "bc { Type = 17; End_Argument = 4KiB; Passes = 2; }\n";
    const ScratchFolder calm;
    REQUIRE(run(simulated(calm, "one-switch.xml", numbered("n", 8), {write_file(calm, text), "-d", "r.db"}))
                .ok());
    const auto expected = results(calm / "r.db");

    const ScratchFolder scratch;
    // Beside it smpirun copies programs.
    const std::string folder = scratch / "results";
    std::filesystem::create_directory(folder);
    const std::string database_path = folder + "/r.db";
    const std::string file = write_file(scratch, text);
    std::mt19937 random(11);
    bool complete = false;
    int kills = 0;
    for (int start = 0; start < 60 && !complete; ++start) {
        const int writes = start < 12 ? 1 + static_cast<int>(random() % 600) : killed_job::never;
        kills += killed_job::run_and_kill(simulated(scratch, "one-switch.xml", numbered("n", 8),
                                                    {file, "-d", database_path, "--retries", "1000"}),
                                          folder, writes)
                     ? 1
                     : 0;
        // Killed after the last measurement, a run is complete too.
        if (killed_job::has_been_begun(database_path)) {
            const Database database = Database::open(database_path);
            complete = !database.runs().empty() && !database.run(database.runs().back()).ended_utc.empty();
        }
    }
    REQUIRE(complete);
    CHECK(kills > 0);
    const Database database = Database::open(database_path);
    CHECK(database.runs().size() == 1);
    const auto after = results(database_path);
    REQUIRE(after.size() == expected.size());
    for (const auto& [suite, points] : expected) {
        REQUIRE(after.at(suite).size() == points.size());
        for (const auto& [argument, m] : points) {
            INFO(suite << " at " << argument);
            REQUIRE(after.at(suite).count(argument) == 1);
            // The clock is simulated, to a nanosecond (surf/precision of smpirun), and a time is the
            // difference of two large numbers.
            CHECK(std::abs(after.at(suite).at(argument).value_s - m.value_s) <= 1e-9 + 1e-6 * m.value_s);
        }
    }
}
