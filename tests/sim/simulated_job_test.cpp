// SPDX-License-Identifier: GPL-2.0-or-later
// skampi-run on simulated clusters: what it measures is right.
#include "base/text.hpp"
#include "capture_binding.hpp"
#include "close_to.hpp"
#include "killed_job.hpp"
#include "model/placement.hpp"
#include "simulated_run.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

using namespace skampi;
using namespace skampi::sim;

TEST_CASE("every operation of the list is measured with 8 ranks and delivers right data") {
    // More ranks: "every collective completes on 64 hosts".
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
        if (name.ends_with("-begin"))
            continue; // what a call does before it communicates takes no simulated time
        if (name == "Halo_2D-Send_init" || name == "Halo_3D-Send_init")
            continue; // it sends what a datatype with gaps had when the request was made
        text += fmt::format(
            "{0} {{ Type = {0}; Scale = Fixed_log; Stepwidth = 64; Start_Argument = 4; Multiple_of = 4; "
            "Max_Steps = 4; Passes = 1; Time_Suite = 1s; Default_Message_length = 4; {1} }}\n",
            name, has_datatype ? "Datatype = MPI_INT;" : "");
        ++operations;
    }
    CHECK(operations > 90);
    const std::string file = write_file(scratch, text);
    const ChildResult result =
        run(simulated(scratch, "one-switch.xml", numbered("n", 8), {file, "-d", "r.db"}));
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
            CHECK(messages == 4 * 64);
        else if (suite.suite.name == "MPI_Put-lock")
            CHECK(messages == 1);
        else if (suite.suite.name == "MPI_Send-MPI_Recv")
            CHECK(messages == 2);
    }
}

TEST_CASE("a launcher that simulates gets the program for simulations, and other settings another series") {
    const ScratchFolder scratch;
    write_file(scratch,
               std::string(short_limits) +
                   "@MEASUREMENTS\nb { Type = MPI_Bcast; Scale = Fixed_log; End_Argument = 1KiB; }\n");
    const auto measure = [&](const std::string& algorithm) {
        const Command words =
            simulated(scratch, "one-switch.xml", numbered("n", 4), {}, {"smpi/bcast:" + algorithm});
        std::string launch;
        for (std::size_t i = 0; i + 1 < words.argv.size(); ++i) // all but the program
            launch += for_shell(words.argv[i]) + " ";
        Command command;
        command.argv = {
            from_environment("SKAMPI_RUN"), "plan.skampi", "-n", "4", "-d", "x.db", "--launch", launch};
        command.directory = scratch.path();
        command.timeout_s = 200;
        return run(command);
    };
    const ChildResult first = measure("binomial_tree");
    CAPTURE(first.err);
    CHECK(first.ok());
    CHECK(first.err.find("another series") == std::string::npos);
    const ChildResult second = measure("flattree");
    CAPTURE(second.err);
    CHECK(second.ok());
    CHECK(second.err.find("smpi/bcast differs: \"binomial_tree\" and \"flattree\"") != std::string::npos);
    const Database database = Database::open(scratch / "x.db");
    REQUIRE(database.runs().size() == 2);
    for (const RunId id : database.runs())
        CHECK(database.run(id).facts.contains(fact_simulation));
}

TEST_CASE("one simulated rank lists the algorithms, also asked through a launcher, and says what is wrong") {
    const ScratchFolder scratch;
    const Command words = simulated(scratch, "one-switch.xml", numbered("n", 4), {"algorithms", "MPI_Bcast"});
    const ChildResult direct = run(words);
    REQUIRE(direct.ok());
    CHECK(direct.out.find("flattree ") != std::string::npos);
    CHECK(direct.out.find("flattree ") == direct.out.rfind("flattree "));
    std::string launch;
    for (std::size_t i = 0; i + 3 < words.argv.size(); ++i) // all but the program and its words
        launch += for_shell(words.argv[i]) + " ";
    const auto ask = [&](const std::string& operation) {
        Command command;
        command.argv = {from_environment("SKAMPI_RUN"), "algorithms", operation, "--launch", launch};
        command.directory = scratch.path();
        command.timeout_s = 200;
        return run(command);
    };
    CHECK(ask("MPI_Bcast").out == direct.out);
    const ChildResult unknown = ask("MPI_Bcst");
    CHECK(unknown.exit_status == 2);
    CHECK(unknown.err.starts_with("skampi-run: found MPI_Bcst"));
    CHECK(std::ranges::count(unknown.err, '\n') == 1);
}

TEST_CASE("one simulated rank says what is wrong with the command line, for all of them") {
    const ScratchFolder scratch;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--no-such-option"}, {"one.skampi", "two.skampi"}, {"check", "--fresh"}}) {
        const ChildResult result = run(simulated(scratch, "one-switch.xml", numbered("n", 4), words));
        CAPTURE(result.err);
        CHECK_FALSE(result.ok());
        const std::size_t first = result.err.find("skampi-run: ");
        REQUIRE(first != std::string::npos);
        CHECK(result.err.find("skampi-run: ", first + 1) == std::string::npos);
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

TEST_CASE("node times are those of the run's ranks, whatever places they join at") {
    // Ranks 0 and 2 are on one host, the others in the other cabinet.
    const ScratchFolder scratch;
    const std::string text =
        std::string(short_limits) +
        "@MEASUREMENTS\nbc { Type = MPI_Bcast; Variation = No_Variation; Passes = 1; Join = rank, node; "
        "Default_Message_length = 8; Node_Times = yes; }\n"
        "root { Type = MPI_Bcast; Variation = No_Variation; Join = node; Node_Times = yes; Root = 1; }\n"
        "far { Type = 1; Variation = No_Variation; Partner = rank 2; Node_Times = yes; }\n";
    const ChildResult result = run(simulated(scratch, "two-cabinets.xml", {"a0", "b0", "a0", "b0"},
                                             {write_file(scratch, text), "-d", "n.db"}));
    INFO(result.err);
    REQUIRE(result.ok());
    const Database database = Database::open(scratch / "n.db");
    std::map<std::string, std::map<int, double>> time_s;
    for (const StoredSuite& suite : database.suites(database.runs().back())) {
        for (const StoredMeasurement& m : database.measurements(suite.id)) {
            for (const NodeTime& time : m.measurement.node_times)
                time_s[suite.suite.name][time.rank] = time.value_s;
            const std::vector<Batch> batches = database.batches(m.id);
            REQUIRE_FALSE(batches.empty());
            for (const Batch& batch : batches)
                CHECK(batch.node_durations.size() == (suite.suite.name == "far" ? 2 : 4));
        }
        if (suite.suite.name == "root")
            CHECK(suite.facts.at(fact_root_rank) == "2");
    }
    REQUIRE(time_s["far"].size() == 2);
    CHECK(time_s["far"].contains(2));
    for (const char* const name : {"bc (Join = rank)", "bc (Join = node)"}) {
        CAPTURE(name);
        REQUIRE(time_s[name].size() == 4);
        CHECK(time_s[name][2] < time_s[name][1] / 3); // 2 is beside the root
        CHECK(time_s[name][2] < time_s[name][3] / 3);
    }
}

namespace {

/// What of a complete run was there when its suites had been begun.
/// @param change a suite's facts and the batches of its first pass
void interrupt(const std::string& whole, const std::string& begun,
               const std::function<void(std::map<std::string, std::string>&, std::vector<Batch>&)>& change) {
    const Database from = Database::open(whole);
    Database to = Database::open_for_writing(begun);
    Run unfinished = from.run(from.runs().back());
    unfinished.ended_utc.clear();
    std::vector<Suite> plan;
    const std::vector<StoredSuite> suites = from.suites(from.runs().back());
    for (const StoredSuite& stored : suites)
        plan.push_back(stored.suite);
    const RunId id = to.begin_run(unfinished, plan);
    for (std::size_t i = 0; i < suites.size(); ++i) {
        const SuiteId suite = to.suites(id).at(i).id;
        const StoredMeasurement point = from.measurements(suites[i].id).at(0);
        std::map<std::string, std::string> facts = suites[i].facts;
        std::vector<Batch> batches = from.batches(point.id);
        std::erase_if(batches, [](const Batch& batch) { return batch.pass > 0; });
        change(facts, batches);
        to.begin_suite(suite);
        to.set_suite_facts(suite, facts);
        to.add_batches(to.begin_measurement(suite, point.measurement), batches, point.measurement, false);
        to.end_suite(suite, SuiteState::open);
    }
}

} // namespace

TEST_CASE("a ping-pong that goes on keeps its partner, though another one would be found now") {
    const ScratchFolder scratch;
    const std::string text = std::string(short_limits) +
                             "@MEASUREMENTS\nfar { Type = 1; Variation = No_Variation; Passes = 2; "
                             "Node_Times = yes; Partner = farthest; }\n";
    const std::vector<std::string> hosts = {"a0", "b0", "b1", "b2"};
    const auto measured = [&](const std::string& database) {
        return run(
            simulated(scratch, "two-cabinets.xml", hosts, {write_file(scratch, text), "-d", database}));
    };
    REQUIRE(measured("whole.db").ok());
    std::string found;
    std::string other;
    bool elsewhere = false;
    const auto gone_on = [&](const std::string& name) {
        interrupt(scratch / "whole.db", scratch / name,
                  [&](std::map<std::string, std::string>& facts, std::vector<Batch>& batches) {
                      found = facts.at(fact_partner);
                      other = found == "1" ? "3" : "1";
                      facts[fact_partner] = other;
                      if (elsewhere)
                          facts[fact_measured_on] = "c0: 0-3";
                      for (Batch& batch : batches)
                          batch.node_durations.at(1).rank = std::stoi(other);
                  });
        const ChildResult result = measured(name);
        INFO(result.err);
        REQUIRE(result.ok());
        const Database database = Database::open(scratch / name);
        REQUIRE(database.runs().size() == 1);
        const StoredSuite suite = database.suites(database.runs().front()).at(0);
        std::set<std::string> partners;
        for (const Batch& batch : database.batches(database.measurements(suite.id).at(0).id))
            partners.insert(std::to_string(batch.node_durations.at(1).rank));
        return std::pair(suite.facts.at(fact_partner), partners);
    };
    const auto here = gone_on("here.db");
    CHECK(here.first == other);
    CHECK(here.second == std::set{other});
    elsewhere = true; // there the rank of this number is another one
    const auto there = gone_on("elsewhere.db");
    CHECK(there.first == other + " | " + found);
    CHECK(there.second == std::set{found}); // no value is of two partners
}

TEST_CASE("of a ping-pong with one of many ranks the two ranks' single measurements are kept, and no more") {
    const ScratchFolder scratch;
    const std::string text =
        std::string(short_limits) +
        "@MEASUREMENTS\nfar { Type = 1; Variation = No_Variation; Passes = 1; "
        "Node_Times = yes; Partner = rank 299; }\n"
        "all { Type = MPI_Bcast; Variation = No_Variation; Passes = 1; Node_Times = yes; }\n";
    std::vector<std::string> hosts;
    for (int rank = 0; rank < 300; ++rank)
        hosts.push_back("n" + std::to_string(rank / 10));
    const ChildResult result =
        run(simulated(scratch, "one-switch.xml", hosts, {write_file(scratch, text), "-d", "m.db"},
                      {"smpi/coll-selector:mpich", "smpi/bcast:binomial_tree"}));
    INFO(result.err);
    REQUIRE(result.ok());
    const Database database = Database::open(scratch / "m.db");
    for (const StoredSuite& suite : database.suites(database.runs().back())) {
        CAPTURE(suite.suite.name);
        const StoredMeasurement point = database.measurements(suite.id).at(0);
        const std::vector<NodeTime>& times = point.measurement.node_times;
        const bool far = suite.suite.name == "far";
        if (far) {
            REQUIRE(times.size() == 2);
            CHECK(times[0].value_s == close_to(point.measurement.value_s));
            CHECK(times[1].rank == 299);
        }
        for (const Batch& batch : database.batches(point.id)) {
            REQUIRE(batch.node_durations.size() == (far ? 2 : 0));
            if (far) {
                CHECK(batch.node_durations[1].rank == 299);
                CHECK(batch.node_durations[1].duration_s.size() == batch.duration_s.size());
            }
        }
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
    // A whole run makes some 350: where nobody reads them at once, several that are alike count as one.
    constexpr int most_writes = 150;
    bool complete = false;
    int kills = 0;
    for (int start = 0; start < 60 && !complete; ++start) {
        const int writes = start < 12 ? 1 + static_cast<int>(random() % most_writes) : killed_job::never;
        kills += killed_job::run_and_kill(simulated(scratch, "one-switch.xml", numbered("n", 8),
                                                    {file, "-d", database_path, "--retries", "1000"}),
                                          folder, writes)
                     ? 1
                     : 0;
        // Killed after the last measurement, a run is complete too.
        if (killed_job::has_been_begun(database_path)) {
            const Database database = Database::open(database_path);
            complete = !database.runs().empty() && !database.run(database.runs().back()).ended_utc.empty();
            // It is known whose times these are, wherever it was killed.
            for (const RunId id : database.runs())
                for (const StoredSuite& suite : database.suites(id))
                    if (suite.suite.name == "pp" && !database.measurements(suite.id).empty() &&
                        !database.batches(database.measurements(suite.id).front().id).empty())
                        CHECK(suite.facts.contains(fact_partner));
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
            CAPTURE_BINDING(suite);
            CAPTURE_BINDING(argument);
            REQUIRE(after.at(suite).count(argument) == 1);
            // The clock is simulated, to a nanosecond (surf/precision of smpirun), and a time is the
            // difference of two large numbers.
            CHECK(std::abs(after.at(suite).at(argument).value_s - m.value_s) <= 1e-9 + 1e-6 * m.value_s);
        }
    }
}

TEST_CASE("algorithms in turns in one simulated launch take the times of a launch of each") {
    const std::vector<std::string> words = {"binomial_tree", "flattree", "scatter_LR_allgather"};
    const std::string block = "@MEASUREMENTS\nB { Type = MPI_Bcast; Scale = Fixed_log; Stepwidth = 32; "
                              "Start_Argument = 64; End_Argument = 64KiB; Passes = 2; ";
    const ScratchFolder scratch;
    const std::string group =
        write_file(scratch, std::string(short_limits) + block +
                                fmt::format("Algorithm = {}; }}", fmt::join(words, ", ")));
    const ChildResult together =
        run(simulated(scratch, "one-switch.xml", numbered("n", 16), {group, "-d", "g.db"}));
    CAPTURE(together.err);
    REQUIRE(together.ok());
    const auto in_turns = results(scratch / "g.db");
    REQUIRE(in_turns.size() == words.size());
    const std::string single = write_file(scratch, std::string(short_limits) + block + "}");
    for (const std::string& word : words) {
        CAPTURE(word);
        const ChildResult alone = run(simulated(scratch, "one-switch.xml", numbered("n", 16),
                                                {single, "-d", word + ".db"}, {"smpi/bcast:" + word}));
        REQUIRE(alone.ok());
        const auto of_launch = results(scratch / (word + ".db"));
        for (const auto& [argument, m] : of_launch.at("B")) {
            CAPTURE_BINDING(argument);
            CHECK(in_turns.at("B (Algorithm = " + word + ")").at(argument).value_s ==
                  close_to(m.value_s).epsilon(0.01));
        }
    }
}
