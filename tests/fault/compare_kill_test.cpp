// A real session of two variants that is killed again and again: each launch is made, none is counted twice,
// and the order of the rounds stays that of the seed.
#include "base/child.hpp"
#include "environment.hpp"
#include "scratch_folder.hpp"
#include "session/rounds.hpp"
#include "store/database.hpp"

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

TEST_CASE("a session that is killed five times makes every launch once") {
    const ScratchFolder folder;
    std::ofstream(folder / "f.skampi")
        << "@TIMESUITEDEFAULT 0.005\n@MEASUREMENTS\n"
           "p { Type = MPI_Send-MPI_Recv; Variation = Length; Scale = Fixed_log;\n"
           "    Start_Argument = 1KiB; End_Argument = 4KiB; }\n";
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
        REQUIRE(run.facts.contains(fact_session_place));
        const auto place = parse_session_place(run.facts.at(fact_session_place));
        REQUIRE(place);
        CHECK(place->session == session.uuid);
        // It is what it says: the variant whose turn it was.
        const std::size_t turn = order_of_round(5, place->round, 2)[static_cast<std::size_t>(place->place)];
        CHECK(run.variant == session.variants[turn].name);
        if (!run.ended_utc.empty())
            ++ended[run.facts.at(fact_session_place)];
    }
    CHECK(ended.size() == 2 * rounds);
    for (const auto& [place, runs] : ended)
        CHECK(runs == 1);
}
