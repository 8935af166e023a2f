// SPDX-License-Identifier: GPL-2.0-or-later
// skampi-report history as a user has it: databases of many days, or one that a daemon fills.

#include "base/child.hpp"
#include "base/utc.hpp"
#include "contains.hpp"
#include "environment.hpp"
#include "invented_results.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "text_file.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

using namespace skampi;
using namespace skampi::test;
namespace fs = std::filesystem;

namespace {

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

ChildResult history(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {from_environment("SKAMPI_REPORT"), "history"});
    Command command;
    command.argv = std::move(arguments);
    command.timeout_s = 100;
    return run(std::move(command));
}

/// 1 % of noise between the days.
double of_day(int day) {
    std::mt19937 random(static_cast<unsigned>(1000 + day));
    return 1 + 0.01 * std::normal_distribution<double>()(random);
}

struct Days {
    int first = 0;
    int last = 0;          ///< the one behind
    int slower_from = 999; ///< MPI_Bcast takes 1.3 times as long, with another library
    std::string machine = "Cluster of Invented Machines";
};

void write_days(const std::string& path, const Days& days) {
    Database database = Database::open_for_writing(path);
    for (int day = days.first; day < days.last; ++day) {
        std::vector<InventedSuite> plan;
        for (const InventedSuite& invented : full_plan({.factor = of_day(day)}))
            if (invented.suite.name == "MPI_Send-MPI_Recv" || invented.suite.name == "MPI_Bcast") {
                plan.push_back(invented);
                plan.back().arguments = {0, 4096, 1048576};
                if (invented.suite.name == "MPI_Bcast" && day >= days.slower_from)
                    plan.back().time_s = [time_s = invented.time_s](std::int64_t argument) {
                        return 1.3 * time_s(argument);
                    };
            }
        Run run = invented_run(days.machine + std::to_string(day), day);
        run.machine = days.machine;
        run.started_utc = utc_text(*utc_seconds("2026-03-01T10:00:00Z") + 86400.0 * day);
        if (day >= days.slower_from)
            run.mpi_library = "MPICH Version:\t4.1.0";
        write_run(database, run, plan, static_cast<unsigned>(day + 1), 0.002);
    }
}

} // namespace

TEST_CASE("a step in the runs that a daemon collected fails a gate in the runs asked for, in every format") {
    const ScratchFolder scratch;
    const std::string daemon = scratch / "daemon.db";
    write_days(daemon, {.last = 30, .slower_from = 18});
    const std::vector<std::string> gate{daemon, "--fail-if", "MPI_Bcast > 1.1", "--last", "12"};
    for (const char* format : {"txt", "csv", "json", "html"}) {
        INFO(format);
        std::vector<std::string> arguments = gate;
        arguments.insert(arguments.end(), {"--format", format});
        const ChildResult failed = history(std::move(arguments));
        CHECK(failed.exit_status == 1);
        CHECK(lines_in(failed.err) == 3); // all arguments of MPI_Bcast, and no other suite
        CHECK(contains(failed.err, "2026-03-19 10:00"));
        CHECK_FALSE(contains(failed.out, "SKAMPI:")); // where the report itself goes
        CHECK(failed.out.size() > 1000);
    }
    const ChildResult file = history(
        {daemon, "--fail-if", "MPI_Bcast significantly slower", "--last", "12", "-o", scratch / "x.csv"});
    CHECK(file.exit_status == 1);
    CHECK(file.out == "SKAMPI: FAILED figures=0 pages=0 failed=3\n");
    CHECK(fs::exists(scratch / "x.csv"));
    // The step was found some runs ago; other suites have none; nothing became faster.
    CHECK(history({daemon, "--fail-if", "MPI_Bcast > 1.1"}).ok());
    CHECK(history({daemon, "--fail-if", "MPI_Bcast > 1.1", "--since", "2026-03-19"}).exit_status == 1);
    CHECK(history({daemon, "--fail-if", "MPI_Bcast > 1.1", "--since", "2026-03-30T00:00:00Z"}).ok());
    CHECK(history({daemon, "--since", "yesterday"}).exit_status == 2);
    CHECK(history({daemon, "--since", "2026-02-29"}).exit_status == 2);
    CHECK(history({daemon, "--since", "2026-03-19", "--last", "2"}).exit_status == 2);
    CHECK(history({daemon, "--fail-if", "MPI_Send* > 1.1", "--last", "12"}).ok());
    CHECK(history({daemon, "--fail-if", "significantly faster", "--last", "12"}).ok());
    const ChildResult nothing = history({daemon, "--fail-if", "MPI_Nothing > 1.1"});
    CHECK(nothing.exit_status == 2);
    CHECK(contains(nothing.err, "--fail-if 'MPI_Nothing > 1.1'"));
}

TEST_CASE("too few runs pass a gate with a warning; no runs are refused") {
    const ScratchFolder scratch;
    write_days(scratch / "one.db", {.last = 1});
    const ChildResult gate =
        history({scratch / "one.db", "--fail-if", "significantly slower", "--format", "json"});
    CHECK(gate.ok());
    CHECK(lines_in(gate.err) == 1); // not for each line of the history
    for (const char* const condition : {"too few runs", "older than 26h"}) {
        CAPTURE(condition);
        CHECK(history({scratch / "one.db", "--fail-if", condition}).exit_status == 1);
    }
    CHECK(history({scratch / "one.db", "--fail-if", "older than yesterday"}).exit_status == 2);
    CHECK(nlohmann::json::parse(gate.out)["series"][0]["runs"].size() == 1);

    { const Database empty = Database::open_for_writing(scratch / "empty.db"); }
    const ChildResult none = history({scratch / "empty.db"});
    CHECK(none.exit_status == 2);
    CHECK(contains(none.err, "empty.db: "));
    CHECK(history({scratch / "empty.db", scratch / "one.db"}).ok());
    CHECK(history({scratch / "missing.db"}).exit_status == 2);
    CHECK(history({}).exit_status == 2);
}

TEST_CASE("two machines are two histories, and a step of one is not looked for in the other") {
    const ScratchFolder scratch;
    write_days(scratch / "a.db", {.last = 30, .slower_from = 18, .machine = "first machine"});
    write_days(scratch / "b.db", {.last = 30, .machine = "second machine"});
    const ChildResult gate =
        history({scratch / "b.db", scratch / "a.db", "--fail-if", "MPI_Bcast > 1.1", "--last", "12"});
    CHECK(gate.exit_status == 1);
    CHECK(lines_in(gate.err) == 3);
    CHECK(contains(gate.err, "(first machine)"));
    CHECK_FALSE(contains(gate.err, "second machine"));
    REQUIRE(history({scratch / "a.db", scratch / "b.db", "-o", scratch / "x.html"}).ok());
    CHECK(contains(read(scratch / "x.html"), "<svg class=\"plot\""));
}
