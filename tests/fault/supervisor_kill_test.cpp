// SPDX-License-Identifier: GPL-2.0-or-later
// Real processes, killed at random moments: whatever dies, nothing that was measured is lost or measured
// twice.
#include "base/child.hpp"
#include "environment.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "supervisor/process_table.hpp"
#include "supervisor/supervisor.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <poll.h>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

std::string actor() {
    return from_environment("SKAMPI_INVENTED_ACTOR");
}

using Points = std::map<std::pair<std::string, std::int64_t>, double>;

/// All finished measurements of all runs; none may be there twice, and all runs must have ended.
Points points_of(const std::string& path) {
    const Database database = Database::open(path);
    database.check_integrity();
    Points points;
    for (const RunId run : database.runs()) {
        CHECK_FALSE(database.run(run).ended_utc.empty());
        for (const StoredSuite& suite : database.suites(run)) {
            CHECK(suite.state == SuiteState::finished);
            for (const StoredMeasurement& m : database.measurements(suite.id)) {
                CHECK(m.finished);
                CHECK(
                    points.emplace(std::pair(suite.suite.name, m.measurement.argument), m.measurement.value_s)
                        .second);
                CHECK(database.batches(m.id).size() == 1);
            }
        }
    }
    return points;
}

Command supervise(const std::string& database) {
    Command command;
    command.argv = {actor(), "supervise", database};
    command.timeout_s = 120;
    return command;
}

/// Runs a supervisor and calls back with each line its job writes.
ChildResult follow(const std::string& database, const std::function<void(Child&, int line)>& on_line,
                   const std::map<std::string, std::string>& environment = {}) {
    Command command = supervise(database);
    command.environment = environment;
    int lines = 0;
    command.on_line = [&lines](std::string_view) { ++lines; };
    Child child(command);
    int seen = 0;
    while (!child.advance()) {
        for (; seen < lines; ++seen)
            on_line(child, seen);
        std::vector<pollfd> entries;
        for (const int descriptor : child.descriptors())
            entries.push_back({descriptor, POLLIN, 0});
        ::poll(entries.data(), entries.size(), 1000);
    }
    return child.result();
}

std::vector<ProcessEntry> marked(const std::string& database) {
    return processes_of(supervised_mark(database), actor());
}

/// Kills one random process of the job: the launcher or the rank.
void kill_one(const std::string& database, std::mt19937& random) {
    const std::vector<ProcessEntry> all = marked(database);
    if (!all.empty())
        ::kill(all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random)].pid, SIGKILL);
}

} // namespace

TEST_CASE("200 kills at random moments lose nothing and measure nothing twice") {
    const ScratchFolder folder;
    const std::string undisturbed = folder / "undisturbed.db";
    REQUIRE(run(supervise(undisturbed)).ok());
    const Points expected = points_of(undisturbed);
    REQUIRE(expected.size() == 4 * 8);

    std::mt19937 random(20261121);
    int kills = 0;
    for (int round = 0; kills < 200; ++round) {
        REQUIRE(round < 100);
        const std::string database = folder / ("round" + std::to_string(round) + ".db");
        ChildResult result;
        do {
            // The supervisor is started again as often as it was killed itself.
            int next_kill = std::uniform_int_distribution(0, 15)(random);
            result = follow(database, [&](Child& supervisor, int line) {
                if (line != next_kill || kills >= 200)
                    return;
                next_kill += std::uniform_int_distribution(1, 15)(random);
                ++kills;
                if (std::uniform_int_distribution(0, 2)(random) == 0)
                    ::kill(supervisor.pid(), SIGKILL);
                else
                    kill_one(database, random);
            });
        } while (result.signal == SIGKILL);
        CAPTURE(result.err);
        CHECK(result.exit_status == 0);
        CHECK(points_of(database) == expected);
        CHECK(marked(database).empty());
    }
    CHECK(kills == 200);
}

TEST_CASE("a job that outlives its killed supervisor is ended by the next one, not doubled") {
    const ScratchFolder folder;
    const std::string database = folder / "x.db";
    const ChildResult first = follow(database,
                                     [](Child& supervisor, int line) {
                                         if (line == 3)
                                             ::kill(supervisor.pid(), SIGKILL);
                                     },
                                     {{"INVENTED_WAIT_AT", "3"}});
    CHECK(first.signal == SIGKILL);
    // The death signal reaches the launcher; the job itself goes on waiting at its third line.
    CHECK_FALSE(marked(database).empty());
    CHECK(run(supervise(database)).exit_status == 0);
    CHECK(points_of(database).size() == 4 * 8);
    CHECK(marked(database).empty());
}

TEST_CASE("a supervisor killed together with its job: the suite that was being measured is not blamed") {
    const ScratchFolder folder;
    const std::string database = folder / "x.db";
    const ChildResult first = follow(database,
                                     [&](Child& supervisor, int line) {
                                         if (line != 3)
                                             return;
                                         ::kill(supervisor.pid(), SIGKILL);
                                         for (const ProcessEntry& process : marked(database))
                                             ::kill(process.pid, SIGKILL);
                                     },
                                     {{"INVENTED_WAIT_AT", "3"}});
    CHECK(first.signal == SIGKILL);
    const auto suites = [&database] {
        const Database stored = Database::open(database);
        return stored.suites(stored.runs().at(0));
    };
    REQUIRE(suites().at(0).in_progress);
    CHECK(run(supervise(database)).exit_status == 0);
    CHECK(points_of(database).size() == 4 * 8);
    for (const StoredSuite& suite : suites())
        CHECK(suite.attempts == 1);
}

TEST_CASE("a supervisor whose output nobody reads any more goes on to its end") {
    const ScratchFolder folder;
    const std::string database = folder / "x.db";
    Command command;
    command.argv = {"sh", "-c", "{ \"$0\" supervise \"$1\"; echo $? >\"$1.status\"; } | head -n 1", actor(),
                    database};
    command.timeout_s = 120;
    const ChildResult result = run(command);
    CAPTURE(result.err);
    CHECK(result.ok());
    CHECK(result.out == "{\"event\":\"start\"}\n");
    std::string status;
    std::getline(std::ifstream(database + ".status"), status);
    CHECK(status == "0");
    CHECK(points_of(database).size() == 4 * 8);
    const Database stored = Database::open(database);
    for (const StoredSuite& suite : stored.suites(stored.runs().at(0)))
        CHECK(suite.attempts == 1);
}

TEST_CASE("two supervisors at once: the second one names the first and does nothing") {
    const ScratchFolder folder;
    const std::string database = folder / "x.db";
    std::string said;
    int second_status = -1;
    pid_t first_pid = 0;
    const ChildResult first = follow(database,
                                     [&](Child& supervisor, int line) {
                                         if (line != 5)
                                             return;
                                         first_pid = supervisor.pid();
                                         const ChildResult second = run(supervise(database));
                                         second_status = second.exit_status;
                                         said = second.err;
                                         ::kill(first_pid, SIGTERM);
                                     },
                                     {{"INVENTED_WAIT_AT", "5"}});
    CHECK(first.exit_status == 128 + SIGTERM);
    CHECK(second_status == 3);
    CHECK(said.find("process " + std::to_string(first_pid)) != std::string::npos);
}

TEST_CASE("SIGTERM ends the supervisor with 143 after the current measurement, and leaves no process") {
    const ScratchFolder folder;
    const std::string database = folder / "x.db";
    const ChildResult stopped = follow(database,
                                       [](Child& supervisor, int line) {
                                           if (line == 7)
                                               ::kill(supervisor.pid(), SIGTERM);
                                       },
                                       {{"INVENTED_WAIT_AT", "7"}});
    CHECK(stopped.exit_status == 128 + SIGTERM);
    CHECK(marked(database).empty());
    {
        const Database unfinished = Database::open(database);
        for (const StoredSuite& suite : unfinished.suites(unfinished.runs().at(0))) {
            CHECK_FALSE(suite.in_progress);
            CHECK(suite.state != SuiteState::put_off);
        }
    }
    CHECK(run(supervise(database)).exit_status == 0);
    CHECK(points_of(database).size() == 4 * 8);
}
