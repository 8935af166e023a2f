// SPDX-License-Identifier: GPL-2.0-or-later
#include "invented_run.hpp"
#include "model/run.hpp"
#include "runs/run_end.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace skampi;

namespace {

struct Ended {
    ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    RunId run = 0;

    explicit Ended(const std::vector<Suite>& suites) {
        Run begun;
        begun.uuid = "u";
        run = database.begin_run(begun, suites);
    }
    void add(std::size_t suite, std::int64_t argument, Flags flags, std::int64_t count, bool value,
             bool finished = true) {
        Measurement point;
        point.argument = argument;
        point.flags = flags;
        point.summary.count = count;
        point.value_s = value ? 1e-6 : std::numeric_limits<double>::quiet_NaN();
        const MeasurementId id = database.begin_measurement(database.suites(run)[suite].id, point);
        database.add_batches(id, {}, point, finished);
    }
    void end_suite(std::size_t suite, SuiteState state, const std::string& reason = {}) {
        database.end_suite(database.suites(run)[suite].id, state, reason);
    }
};

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("a run says where values are missing, and why") {
    Suite none = invented::suite("a barrier");
    none.varied = Varied::none;
    Ended ended({invented::suite("MPI_Bcast"), none, invented::suite("third")});
    CHECK(missing_values(ended.database, ended.run).empty());
    ended.add(0, 8, 0, 8, true);
    ended.add(0, 512 << 10, static_cast<Flags>(Flag::timed_out), 0, false);
    ended.add(0, 1 << 20, static_cast<Flags>(Flag::timed_out), 4, false);
    ended.add(1, 0, 0, 8, false);
    for (const std::int64_t argument : {1, 2, 4, 8, 16})
        ended.add(2, argument, 0, 0, false);
    CHECK(
        missing_values(ended.database, ended.run) ==
        Lines{
            "2 of 9 points have no value (the time was over): MPI_Bcast at 512 KiB and MPI_Bcast at 1 MiB",
            "5 of 9 points have no value (no single measurement could be kept): third at 1 B, third at 2 B, "
            "third at 4 B and 2 more",
            "1 of 9 points has no value (nothing was left once the overhead was subtracted): a barrier"});
}

TEST_CASE("wrong data, impossible arguments and those without time are no points without a value") {
    Ended ended({invented::suite("MPI_Bcast")});
    ended.add(0, 8, static_cast<Flags>(Flag::wrong_result), 8, false);
    ended.add(0, 16, 0, 8, false, false);
    const SuiteId suite = ended.database.suites(ended.run)[0].id;
    ended.database.set_suite_facts(suite, {{fact_left_out, "3"}});
    ended.end_suite(0, SuiteState::finished);
    const Lines lines = missing_values(ended.database, ended.run);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == "1 point received wrong data and no time");
    CHECK(lines[1].starts_with("1 argument could not be measured"));
    CHECK(lines[2].starts_with("no time was left for 3 of 5 points"));
    CHECK(unfinished_suites(ended.database, ended.run).empty());
}

TEST_CASE("suites that failed are named with their reason, whatever text it is") {
    Ended ended({invented::suite("a\x1b[2J"), invented::suite("fine")});
    ended.end_suite(0, SuiteState::failed, "rank 1: \x1b]0;x\x07 died");
    ended.end_suite(1, SuiteState::finished);
    const Lines lines = unfinished_suites(ended.database, ended.run);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].find("died") != std::string::npos);
    CHECK(lines[0].find('\x1b') == std::string::npos);
}
