// SPDX-License-Identifier: GPL-2.0-or-later
// Algorithms chosen within one simulated launch: each takes the time that it takes in a launch of its own,
// where SimGrid's configuration chooses it.
#include "capture_binding.hpp"
#include "simulated_run.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace skampi;
using namespace skampi::sim;

namespace {

constexpr int ranks = 16;

std::vector<std::string> offered(const std::string& operation) {
    const ScratchFolder scratch;
    const ChildResult list =
        run(simulated(scratch, "one-switch.xml", numbered("n", 1), {"algorithms", operation, "--json"}));
    INFO(list.err);
    REQUIRE(list.ok());
    std::vector<std::string> words;
    const nlohmann::json listed = nlohmann::json::parse(list.out);
    CHECK(listed["may_be_incomplete"] == false);
    for (const nlohmann::json& row : listed["algorithms"]) {
        CHECK(row["operation"] == operation);
        CHECK(row["acts"] == "call");
        if (row["needs"] == "")
            words.push_back(row["word"]);
    }
    return words;
}

/// Times by algorithm and length. @param algorithms of one block
std::map<std::string, std::map<std::int64_t, double>> times(const std::string& operation,
                                                            const std::string& algorithms,
                                                            const std::vector<std::string>& configuration,
                                                            const std::vector<int>& lengths = {1024, 65536}) {
    const ScratchFolder scratch;
    std::string plan = std::string(short_limits) + "@MEASUREMENTS\n";
    for (const int bytes : lengths)
        plan += fmt::format("{0}-{1} {{ Type = {0}; Variation = No_Variation; Default_Message_length = {1}; "
                            "Passes = 1; Algorithm = {2}; }}\n",
                            operation, bytes, algorithms);
    const ChildResult result = run(simulated(scratch, "one-switch.xml", numbered("n", ranks),
                                             {write_file(scratch, plan), "-d", "a.db"}, configuration));
    INFO(result.out);
    INFO(result.err);
    REQUIRE(result.ok());
    const Database database = Database::open(scratch / "a.db");
    std::map<std::string, std::map<std::int64_t, double>> found;
    for (const StoredSuite& suite : database.suites(database.runs().back()))
        for (const StoredMeasurement& m : database.measurements(suite.id)) {
            CHECK_FALSE(has(m.measurement.flags, Flag::wrong_result));
            found[suite.suite.algorithm][suite.suite.message_bytes] = m.measurement.value_s;
        }
    return found;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text = "default";
    for (const std::string& word : words)
        text += ", " + word;
    return text;
}

} // namespace

TEST_CASE("each algorithm takes the time that it takes in a launch of its own") {
    const std::vector<std::string> words = offered("MPI_Bcast");
    REQUIRE(words.size() >= 10);
    const auto together = times("MPI_Bcast", joined(words), {});
    CHECK(together.size() == words.size() + 1);
    double slowest = 0;
    double fastest = 1;
    for (const auto& [word, in_turns] : together) {
        CAPTURE_BINDING(word);
        const std::vector<std::string> chosen =
            word.empty() ? std::vector<std::string>() : std::vector<std::string>{"smpi/bcast:" + word};
        const auto alone = times("MPI_Bcast", "default", chosen);
        REQUIRE(alone.size() == 1);
        REQUIRE(in_turns.size() == 2);
        for (const auto& [bytes, time_s] : alone.begin()->second) {
            CAPTURE_BINDING(bytes);
            CHECK(std::abs(in_turns.at(bytes) / time_s - 1) < 0.01);
        }
        slowest = std::max(slowest, in_turns.at(65536));
        fastest = std::min(fastest, in_turns.at(65536));
    }
    CHECK(slowest > 2 * fastest); // or nothing was chosen
}

TEST_CASE("what an algorithm leaves behind in the library does not change the default") {
    const std::vector<std::string> mpich{"smpi/coll-selector:mpich"};
    const std::vector<int> lengths{1112, 1224, 1344};
    const auto together = times("MPI_Allreduce", "default, mvapich2", mpich, lengths);
    const auto alone = times("MPI_Allreduce", "default", mpich, lengths);
    REQUIRE(together.contains("mvapich2"));
    for (const int bytes : lengths) {
        CAPTURE(bytes);
        CHECK(std::abs(together.at("").at(bytes) / alone.at("").at(bytes) - 1) < 0.01);
        CHECK(together.at("mvapich2").at(bytes) > 1.1 * alone.at("").at(bytes));
    }
}
