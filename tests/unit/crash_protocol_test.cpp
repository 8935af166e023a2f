// SPDX-License-Identifier: GPL-2.0-or-later
#include "interruption/crash_protocol.hpp"

#include "invented_run.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace skampi;

namespace {

const std::string now = "2026-11-21T10:00:00Z";

StoredSuite stored(int ordinal, SuiteState state, int attempts) {
    StoredSuite suite;
    suite.id = 100 + ordinal;
    suite.ordinal = ordinal;
    suite.state = state;
    suite.attempts = attempts;
    return suite;
}

SuiteId next_id(const std::vector<StoredSuite>& suites, int retries) {
    const StoredSuite* next = next_suite(suites, retries);
    return next != nullptr ? next->id : 0;
}

struct File {
    ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    RunId run;
    explicit File(const std::vector<std::string>& names) {
        std::vector<Suite> plan;
        for (const std::string& name : names)
            plan.push_back(invented::suite(name));
        run = database.begin_run(invented::run("one"), plan);
    }
    [[nodiscard]] StoredSuite suite(std::size_t index) const { return database.suites(run).at(index); }
};

} // namespace

TEST_CASE("open suites come in plan order, whatever the order of the list") {
    CHECK(next_id({stored(2, SuiteState::open, 0), stored(0, SuiteState::finished, 1),
                   stored(1, SuiteState::open, 0)},
                  2) == 101);
}

TEST_CASE("suites put off come after all open ones, fewest attempts first") {
    std::vector<StoredSuite> suites{stored(0, SuiteState::put_off, 2), stored(1, SuiteState::put_off, 1),
                                    stored(2, SuiteState::put_off, 1), stored(3, SuiteState::open, 0)};
    CHECK(next_id(suites, 2) == 103);
    suites.pop_back();
    CHECK(next_id(suites, 2) == 101);
    suites.erase(suites.begin() + 1);
    CHECK(next_id(suites, 2) == 102);
}

TEST_CASE("there is nothing to do when all is finished, failed or out of attempts") {
    CHECK(next_id({}, 2) == 0);
    CHECK(next_id({stored(0, SuiteState::finished, 1), stored(1, SuiteState::failed, 3),
                   stored(2, SuiteState::put_off, 3)},
                  2) == 0);
    CHECK(next_id({stored(0, SuiteState::put_off, 1)}, 0) == 0);
    CHECK(next_id({stored(0, SuiteState::put_off, 1)}, 1) == 100);
}

TEST_CASE("the suite in progress is put off with what was seen, the others stay as they are") {
    File file({"a", "ab", "abc"});
    file.database.begin_suite(file.suite(0).id);
    file.database.end_suite(file.suite(0).id, SuiteState::finished);
    file.database.begin_suite(file.suite(1).id);

    const std::vector<StoredSuite> culprits =
        note_interrupted(file.database, file.run, "crash", "signal 11 (Segmentation fault)", 2, now);
    REQUIRE(culprits.size() == 1);
    CHECK(culprits[0].suite.name == "ab");
    CHECK(culprits[0].state == SuiteState::put_off);
    CHECK(file.suite(0).state == SuiteState::finished);
    CHECK(file.suite(1).state == SuiteState::put_off);
    CHECK(file.suite(1).reason == "signal 11 (Segmentation fault)");
    CHECK_FALSE(file.suite(1).in_progress);
    CHECK(file.suite(2).state == SuiteState::open);
    CHECK(file.suite(2).attempts == 0);

    const std::vector<Event> events = file.database.events(file.run);
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == "crash");
    CHECK(events[0].suite == "ab");
    CHECK(events[0].text == "signal 11 (Segmentation fault); attempt 1 of 3, put off");
}

TEST_CASE("the end of a job is told once, and once in a run each variable that nothing used") {
    File file({"a"});
    const SeenJob job{.started_utc = now,
                      .lasted = "1.3 s",
                      .kind = "info",
                      .seen = "exit status 0",
                      .unused_variables = {"UCX_A", "UCX_B"}};
    note_job_end(file.database, file.run, job, now);
    note_job_end(file.database, file.run, job, now);
    std::vector<std::string> told;
    for (const Event& event : file.database.events(file.run))
        told.push_back(event.kind + ": " + event.text);
    const std::string end = std::string("info: job started ") + now + ", ran 1.3 s; exit status 0";
    CHECK(told == std::vector<std::string>{"unused-setting: UCX_A", "unused-setting: UCX_B", end, end});
}

TEST_CASE("a suite is marked failed after its retries, its finished measurements stay") {
    File file({"a"});
    std::mt19937_64 random(1);
    for (int attempt = 1; attempt <= 3; ++attempt) {
        file.database.begin_suite(file.suite(0).id);
        const Measurement m = invented::measurement(attempt, random);
        file.database.add_batches(file.database.begin_measurement(file.suite(0).id, m), {}, m, true);
        CHECK(note_interrupted(file.database, file.run, "hang", "no progress for 5 s", 2, now).size() == 1);
        CHECK(file.suite(0).state == (attempt < 3 ? SuiteState::put_off : SuiteState::failed));
    }
    CHECK(file.suite(0).reason == "no progress for 5 s");
    CHECK(file.database.measurements(file.suite(0).id).size() == 3);
    CHECK(next_suite(file.database.suites(file.run), 2) == nullptr);
}

TEST_CASE("a suite that failed for good reports the values it has, marked as a part") {
    File file({"a"});
    const SuiteId suite = file.suite(0).id;
    Measurement measured;
    measured.argument = 8;
    measured.value_s = 1e-6;
    measured.summary.count = 20;
    Measurement begun;
    begun.argument = 16;
    begun.value_s = std::numeric_limits<double>::quiet_NaN();
    for (const Measurement& m : {measured, begun})
        file.database.add_batches(file.database.begin_measurement(suite, m), {}, m, false);
    for (int attempt = 0; attempt < 2; ++attempt) {
        for (const StoredMeasurement& m : file.database.measurements(suite))
            CHECK_FALSE(m.finished); // it may go on
        file.database.begin_suite(suite);
        note_interrupted(file.database, file.run, "crash", "signal 11", 1, now);
    }
    REQUIRE(file.suite(0).state == SuiteState::failed);
    for (const StoredMeasurement& m : file.database.measurements(suite)) {
        CHECK(m.finished == (m.measurement.argument == 8));
        CHECK(has(m.measurement.flags, Flag::timed_out) == m.finished);
    }
}

TEST_CASE("without retries the first crash is the last") {
    File file({"a"});
    file.database.begin_suite(file.suite(0).id);
    CHECK(note_interrupted(file.database, file.run, "crash", "x", 0, now).at(0).state == SuiteState::failed);
}

TEST_CASE("noting the same crash twice changes nothing") {
    File file({"a", "b"});
    file.database.begin_suite(file.suite(0).id);
    CHECK(note_interrupted(file.database, file.run, "crash", "x", 2, now).size() == 1);
    CHECK(note_interrupted(file.database, file.run, "crash", "y", 2, now).empty());
    CHECK(file.suite(0).reason == "x");
    CHECK(file.database.events(file.run).size() == 1);
}

TEST_CASE("an end nobody saw costs nothing the first time, an attempt where nothing new was measured since") {
    File file({"a", "b"});
    std::mt19937_64 random(1);
    const auto interrupted_after = [&](std::int64_t measurements) {
        file.database.begin_suite(file.suite(0).id);
        for (std::int64_t argument = 1; argument <= measurements; ++argument) {
            const Measurement m = invented::measurement(argument, random);
            file.database.add_batches(file.database.begin_measurement(file.suite(0).id, m), {}, m, true);
        }
        return note_unseen_end(file.database, file.run, 1, now).size();
    };
    CHECK(interrupted_after(1) == 0);
    CHECK(file.suite(0).state == SuiteState::open);
    CHECK(file.suite(0).attempts == 0);
    CHECK_FALSE(file.suite(0).in_progress);
    CHECK(interrupted_after(2) == 0); // one more than before
    CHECK(file.suite(0).attempts == 0);
    CHECK(interrupted_after(0) == 1);
    CHECK(file.suite(0).state == SuiteState::put_off);
    CHECK(file.suite(0).attempts == 1);
    CHECK(interrupted_after(0) == 1);
    CHECK(file.suite(0).state == SuiteState::failed);
    CHECK(file.suite(0).reason.starts_with(
        "the job ended while the suite was measured, cause unknown (2 points"));
    CHECK(file.suite(1).attempts == 0);

    const std::vector<Event> events = file.database.events(file.run);
    REQUIRE(events.size() == 4);
    CHECK(events[0].kind == "warning");
    CHECK(events[0].suite == "a");
    CHECK(events[0].text.ends_with("; not counted as an attempt"));
    CHECK(events[2].kind == "crash");
    CHECK(events[2].text.ends_with("; attempt 1 of 2, put off"));
    CHECK(events[3].text.ends_with("; attempt 2 of 2, marked failed"));
}

TEST_CASE("single measurements are progress, too: no argument may be finished before the last pass") {
    File file({"a"});
    std::mt19937_64 random(1);
    Measurement m = invented::measurement(1, random);
    for (int start = 1; start <= 5; ++start) {
        file.database.begin_suite(file.suite(0).id);
        m.summary.count = 10 * start;
        file.database.add_batches(file.database.begin_measurement(file.suite(0).id, m), {}, m, false);
        CHECK(note_unseen_end(file.database, file.run, 0, now).empty());
    }
}

TEST_CASE("an end that was seen in between makes the next unseen one a first one again") {
    File file({"a"});
    const auto begin = [&] { file.database.begin_suite(file.suite(0).id); };
    begin();
    CHECK(note_unseen_end(file.database, file.run, 9, now).empty());
    begin();
    CHECK(note_interrupted(file.database, file.run, "crash", "signal 11", 9, now).size() == 1);
    begin();
    CHECK(note_unseen_end(file.database, file.run, 9, now).empty());
    CHECK(file.suite(0).attempts == 1);
}

TEST_CASE("a suite that was put off stays behind the others after an interruption that costs it nothing") {
    File file({"a", "b"});
    file.database.begin_suite(file.suite(0).id);
    CHECK(note_interrupted(file.database, file.run, "crash", "signal 11", 9, now).size() == 1);
    file.database.begin_suite(file.suite(0).id);
    note_stopped(file.database, file.run, "ended by SIGTERM", now);
    CHECK(next_id(file.database.suites(file.run), 9) == file.suite(1).id);
}

TEST_CASE("being stopped on the user's order costs a suite no attempt, however often") {
    File file({"a"});
    for (int stop = 0; stop < 10; ++stop) {
        file.database.begin_suite(file.suite(0).id);
        note_stopped(file.database, file.run, "ended by SIGTERM", now);
        CHECK(file.suite(0).state == SuiteState::open);
        CHECK(file.suite(0).attempts == 0);
        CHECK_FALSE(file.suite(0).in_progress);
    }
    file.database.begin_suite(file.suite(0).id);
    CHECK(note_interrupted(file.database, file.run, "crash", "x", 2, now).at(0).state == SuiteState::put_off);
    CHECK(file.suite(0).attempts == 1);
}
