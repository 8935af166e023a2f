// SPDX-License-Identifier: GPL-2.0-or-later
// Real sessions of two variants: killed again and again, begun twice at once, and with a variant whose MPI
// library fails.
#include "base/child.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "environment.hpp"
#include "full_disk.hpp"
#include "runs/earlier_launches.hpp"
#include "scratch_folder.hpp"
#include "session/rounds.hpp"
#include "session/session_run.hpp"
#include "store/database.hpp"
#include "store/session_lock.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <poll.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

constexpr int rounds = 3;

void write_plan(const std::string& path) {
    std::ofstream(path) << "@TIMESUITEDEFAULT 0.005\n@MEASUREMENTS\n"
                           "p { Type = MPI_Send-MPI_Recv; Variation = Length; Scale = Fixed_log;\n"
                           "    Start_Argument = 1KiB; End_Argument = 4KiB; }\n"
                           "refining { Type = MPI_Send-MPI_Recv; Variation = Length; Time_Suite = 0.2 s;\n"
                           "    Start_Argument = 1KiB; End_Argument = 64KiB; Max_Steps = 16; }\n";
}

Command compare(const std::string& folder) {
    Command command;
    command.argv = {from_environment("SKAMPI_RUN"),
                    "compare",
                    folder + "/f.skampi",
                    "-n",
                    "2",
                    "--launch",
                    from_environment("SKAMPI_MPIEXEC") + " -n {n}",
                    "--variant",
                    "old:",
                    "--variant",
                    "new: SOMETHING='a b' unset=OTHER",
                    "--rounds",
                    std::to_string(rounds),
                    "--seed",
                    "5",
                    "-d",
                    folder + "/x.db",
                    "--progress",
                    "off"};
    command.timeout_s = 120;
    return command;
}

/// @param after_s then the supervisor is killed; 0 = it is left alone
ChildResult run_or_kill(const std::string& folder, double after_s) {
    Child child(compare(folder));
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(after_s);
    while (!child.advance()) {
        if (after_s > 0 && std::chrono::steady_clock::now() >= until)
            ::kill(child.pid(), SIGKILL);
        std::vector<pollfd> entries;
        for (const int descriptor : child.descriptors())
            entries.push_back({descriptor, POLLIN, 0});
        ::poll(entries.data(), entries.size(), 50);
    }
    return child.result();
}

} // namespace

TEST_CASE("a report that could not be written is refused before anything is measured") {
    const ScratchFolder scratch;
    write_plan(scratch / "f.skampi");
    for (const auto& [output, why] :
         {std::pair("x.doc", "unknown kind of report"), std::pair("none/x.html", "no folder")}) {
        Command command = compare(scratch.path().string());
        command.argv.insert(command.argv.end(), {"-o", scratch / output});
        const ChildResult result = run(std::move(command));
        INFO(result.err);
        CHECK(result.exit_status == 2);
        CHECK(result.err.find(why) != std::string::npos);
        CHECK(result.err.find("job 1 starts") == std::string::npos);
    }
}

TEST_CASE("a session that is killed five times makes every launch once") {
    const ScratchFolder folder;
    write_plan(folder / "f.skampi");
    std::mt19937 random(7);
    for (int kill = 0; kill < 5; ++kill)
        (void)run_or_kill(folder.path(), std::uniform_real_distribution(0.2, 3.0)(random));
    const ChildResult result = run_or_kill(folder.path(), 0);
    CAPTURE(result.err);
    CHECK(result.signal == 0);
    CHECK(result.exit_status <= 1); // starved suites lack arguments

    const Database database = Database::open(folder / "x.db");
    database.check_integrity();
    REQUIRE(database.sessions().size() == 1);
    const Session session = database.sessions().front();
    CHECK(session.end == SessionEnd::rounds);
    CHECK(session.seed == 5);
    CHECK(progress_of_session(database, session.uuid).done.size() == 2 * rounds);
    std::map<std::string, int> ended;
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        const SessionPlace& place = run.session_place;
        CHECK(place.session == session.uuid);
        // It is what it says: the variant whose turn it was.
        const std::size_t turn = order_of_round(5, place.round, 2)[static_cast<std::size_t>(place.place)];
        CHECK(run.variant == session.variants[turn].name);
        if (!run.ended_utc.empty())
            ++ended[session_place_text(place)];
    }
    CHECK(ended.size() == 2 * rounds);
    for (const auto& [place, runs] : ended)
        CHECK(runs == 1);

    const std::vector<EndedLaunch> launches = launches_of_session(database, session.uuid);
    const auto common = arguments_of_session(database, launches, session.variants, rounds);
    REQUIRE(common.size() == 1); // of the suite that refines
    const std::vector<std::int64_t>& arguments = common.at("refining");
    CHECK(arguments.size() > 7); // more than its first pass
    for (const EndedLaunch& launch : launches)
        if (launch.place.round > 1)
            for (const StoredMeasurement& each : database.measurements(database.suites(launch.id)[1].id))
                CHECK(std::ranges::binary_search(arguments, each.measurement.argument));
}

TEST_CASE("the same command beside a session that runs ends at once, and harms it in nothing") {
    const ScratchFolder folder;
    write_plan(folder / "f.skampi");
    const std::string lock = FileLock::path_for(folder / "x.db", session_lock_ending);
    Child first(compare(folder.path()));
    ChildResult second;
    while (!first.advance()) {
        if (second.exit_status == 0 && FileLock::holder(lock))
            second = run(compare(folder.path()));
        std::vector<pollfd> entries;
        for (const int descriptor : first.descriptors())
            entries.push_back({descriptor, POLLIN, 0});
        ::poll(entries.data(), entries.size(), 50);
    }
    CAPTURE(second.err);
    CHECK(second.exit_status == static_cast<int>(ExitStatus::impossible));
    CHECK(second.err.find("in use by another process") != std::string::npos);
    CAPTURE(first.result().err);
    CHECK(first.result().exit_status <= 1);
    const Database database = Database::open(folder / "x.db");
    REQUIRE(database.sessions().size() == 1);
    CHECK(database.sessions().front().end == SessionEnd::rounds);
    CHECK(database.session_failures(database.sessions().front().uuid).empty());
    CHECK(database.runs().size() == 2 * rounds);
}

TEST_CASE("a full disk is no fault of a variant: with more room the same command completes the session") {
    call_on_full_disk(
        {260, 400}, // in the beginning of a run, in the middle of one
        [](const std::string& folder) {
            write_plan(folder + "/f.skampi");
            return compare(folder);
        },
        [](const ScratchFolder& folder) {
            const Database database = Database::open(folder / "x.db");
            database.check_integrity();
            REQUIRE(database.sessions().size() == 1);
            const std::string session = database.sessions().front().uuid;
            CHECK(database.session_failures(session).empty());
            CHECK(progress_of_session(database, session).done.size() == 2 * rounds);
        });
}

TEST_CASE("what fails in one variant is told of it alone") {
    struct Case {
        const char* kind;
        SuiteState state; ///< of the suite in the variant that fails
        bool wrong;
    };
    for (const Case& each :
         {Case{"segfault", SuiteState::failed, false}, Case{"hang", SuiteState::failed, false},
          Case{"error", SuiteState::failed, false}, Case{"wrong", SuiteState::finished, true}}) {
        CAPTURE(each.kind);
        const ScratchFolder folder;
        std::ofstream(folder / "f.skampi")
            << "@ABSOLUTE yes\n@TIMESUITEDEFAULT 1 s\n@MEASUREMENTS\n"
               "whole { Type = MPI_Bcast; Start_Argument = 1000; End_Argument = 1000; Max_Repetition = 8; }\n"
               "alltoall { Type = MPI_Alltoall; Start_Argument = 1000; End_Argument = 1000;\n"
               "    Max_Repetition = 8; }\n";
        const std::string mpiexec = for_shell(from_environment("SKAMPI_MPIEXEC")) + " -n {n}";
        const std::string faulty =
            mpiexec + " env LD_PRELOAD=" + for_shell(from_environment("SKAMPI_INTERPOSER")) +
            " SKAMPI_FAULT_TIMES=0 SKAMPI_FAULT=MPI_Alltoall:1:1:" + each.kind + ":1000";
        Command command;
        command.argv = {from_environment("SKAMPI_RUN"),
                        "compare",
                        folder / "f.skampi",
                        "-n",
                        "2",
                        "--launch",
                        mpiexec,
                        "--variant",
                        "old:",
                        "--variant",
                        "new: launch=" + for_shell(faulty),
                        "--rounds",
                        "1",
                        "--retries",
                        "0",
                        "--hang-after",
                        "3s",
                        "-d",
                        folder / "x.db",
                        "--progress",
                        "off"};
        command.timeout_s = 120;
        const ChildResult result = run(std::move(command));
        CAPTURE(result.err);
        CHECK(result.exit_status == static_cast<int>(ExitStatus::incomplete));
        const Database database = Database::open(folder / "x.db");
        REQUIRE(database.runs().size() == 2);
        for (const RunId id : database.runs()) {
            const bool is_new = database.run(id).variant == "new";
            CAPTURE(is_new);
            CHECK_FALSE(database.run(id).ended_utc.empty());
            for (const StoredSuite& suite : database.suites(id)) {
                const bool fails = is_new && suite.suite.name == "alltoall";
                CHECK(suite.state == (fails ? each.state : SuiteState::finished));
                for (const StoredMeasurement& point : database.measurements(suite.id))
                    CHECK(has(point.measurement.flags, Flag::wrong_result) == (fails && each.wrong));
            }
        }
    }
}
