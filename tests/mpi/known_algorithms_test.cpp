// SPDX-License-Identifier: GPL-2.0-or-later
// Algorithms whose times are known (known_algorithms.cpp), chosen in turns within one launch of two ranks.
// How exactly their ratios are found is measured by bench/algorithms: a test must pass on a busy machine.
#include "base/child.hpp"
#include "environment.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <string>

using namespace skampi;

namespace {

bool has_mpich() {
    Command command;
    command.argv = {from_environment("SKAMPI_RUN"), "--version"};
    return run(command).out.find("with MPICH Version:") != std::string::npos;
}

ChildResult measure(const ScratchFolder& scratch, const std::map<std::string, std::string>& environment) {
    std::ofstream(scratch / "a.skampi")
        << "@ABSOLUTE yes\n@TIMESUITEDEFAULT 3 s\n@MEASUREMENTS\n"
           "Bcast { Type = MPI_Bcast; Algorithm = default, scatter_ring_allgather, binomial, nb;"
           " Variation = No_Variation; Default_Message_length = 8; Max_Repetition = 40; }\n";
    Command command;
    command.argv = {from_environment("SKAMPI_MPIEXEC"), "-n", "2", "env",
                    "LD_PRELOAD=" + from_environment("SKAMPI_KNOWN_ALGORITHMS")};
    for (const auto& [name, value] : environment)
        command.argv.push_back(name + "=" + value);
    for (const char* const word : {"a.skampi", "-d", "a.db", "--retries", "0"})
        command.argv.emplace_back(word);
    command.argv.insert(command.argv.end() - 5, from_environment("SKAMPI_RUN"));
    command.directory = scratch.path();
    command.timeout_s = 120;
    return run(command);
}

std::vector<StoredSuite> suites_of(const Database& database) {
    return database.suites(database.runs().back());
}

Measurement value_of(const Database& database, const StoredSuite& suite) {
    const std::vector<StoredMeasurement> measured = database.measurements(suite.id);
    REQUIRE(measured.size() == 1);
    CHECK_FALSE(has(measured.front().measurement.flags, Flag::wrong_result));
    return measured.front().measurement;
}

/// Calls of a rank by what its variable held.
std::map<int, long> calls_of(const ScratchFolder& scratch, int rank) {
    std::map<int, long> calls;
    std::ifstream file(scratch / ("calls." + std::to_string(rank)));
    int number = 0;
    for (long count = 0; file >> number >> count;)
        calls[number] = count;
    return calls;
}

} // namespace

TEST_CASE("algorithms of known times get them, switched within one launch, each proven on all ranks") {
    if (!has_mpich())
        return;
    const ScratchFolder scratch;
    constexpr double default_s = 200e-6;
    const ChildResult result =
        measure(scratch, {{"SKAMPI_BCAST_US", "200"}, {"SKAMPI_BCAST_CALLS", "calls"}});
    INFO(result.out);
    INFO(result.err);
    CHECK((result.exit_status == 0 || result.exit_status == 1));
    const Database database = Database::open(scratch / "a.db");
    const std::vector<StoredSuite> suites = suites_of(database);
    REQUIRE(suites.size() == 4);
    const std::map<int, long> calls = calls_of(scratch, 0);
    CHECK(calls == calls_of(scratch, 1));
    CHECK(calls.size() == 4);
    for (const StoredSuite& suite : suites) {
        INFO(suite.suite.name);
        CHECK(suite.state == SuiteState::finished);
        int number = 0;
        if (!suite.suite.algorithm.empty()) {
            number = std::stoi(suite.facts.at(fact_algorithm_number));
            CHECK(suite.facts.at(fact_algorithm_read_back) ==
                  fmt::format("MPIR_CVAR_BCAST_INTRA_ALGORITHM = {} on all ranks", number));
        }
        const Measurement m = value_of(database, suite);
        const double truth_s = default_s * (number == 0 ? 1 : (2.0 + number) / 2);
        REQUIRE(calls.contains(number));
        CHECK(calls.at(number) >= m.summary.count);
        CHECK(m.summary.minimum > 0.99 * truth_s);
        // Where other processes took the ranks' cores, calls are as much longer.
        if ((m.flags & (Flag::disturbed | Flag::unreliable)) == 0 && !has(m.flags, Flag::timed_out))
            CHECK(m.value_s < 1.2 * truth_s);
    }
}

TEST_CASE("a choice that one rank does not take is no value, and is named with the rank") {
    if (!has_mpich())
        return;
    const ScratchFolder scratch;
    const ChildResult result = measure(scratch, {{"SKAMPI_BCAST_US", "20"}, {"SKAMPI_DEAF_RANK", "1"}});
    INFO(result.out);
    INFO(result.err);
    CHECK(result.exit_status == 1);
    const Database database = Database::open(scratch / "a.db");
    for (const StoredSuite& suite : suites_of(database)) {
        INFO(suite.suite.name);
        CHECK_FALSE(suite.facts.contains(fact_algorithm_read_back));
        if (suite.suite.algorithm.empty()) {
            CHECK(suite.state == SuiteState::finished);
            CHECK(value_of(database, suite).value_s > 0);
            continue;
        }
        CHECK(suite.state == SuiteState::failed);
        CHECK(suite.reason.find("rank 1") != std::string::npos);
        for (const StoredMeasurement& m : database.measurements(suite.id))
            CHECK_FALSE(m.measurement.value_s > 0);
    }
}
