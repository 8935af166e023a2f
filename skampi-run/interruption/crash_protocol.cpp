// SPDX-License-Identifier: LGPL-2.1-or-later
#include "interruption/crash_protocol.hpp"

#include "model/measured_value.hpp"
#include "model/session.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace skampi {

namespace {

std::vector<StoredSuite> in_progress(const Database& database, RunId run) {
    std::vector<StoredSuite> suites = database.suites(run);
    std::erase_if(suites, [](const StoredSuite& suite) { return !suite.in_progress; });
    return suites;
}

/// Within a commit: otherwise a restart after a kill between the suite and its event would find neither
/// culprit nor trace.
void blame(Database& database, RunId run, StoredSuite& suite, Event event, int retries) {
    suite.state = suite.attempts > retries ? SuiteState::failed : SuiteState::put_off;
    suite.in_progress = false;
    suite.reason = event.text;
    if (suite.state == SuiteState::failed)
        finish_part(database, suite.id);
    database.end_suite(suite.id, suite.state, suite.reason);
    event.suite = suite.suite.name;
    event.text += "; attempt " + std::to_string(suite.attempts) + " of " +
                  std::to_string(std::max(suite.attempts, retries + 1)) + ", " +
                  (suite.state == SuiteState::failed ? "marked failed" : "put off");
    database.add_event(run, event);
}

/// How far a suite has come. Single measurements count, too, for no argument may be finished before the last
/// pass.
std::string extent_of(const Database& database, SuiteId suite) {
    std::int64_t finished = 0;
    std::int64_t single = 0;
    for (const StoredMeasurement& measurement : database.measurements(suite)) {
        finished += measurement.finished ? 1 : 0;
        single += measurement.measurement.summary.count;
    }
    return std::to_string(finished) + (finished == 1 ? " point finished, " : " points finished, ") +
           std::to_string(single) + " single measurements";
}

} // namespace

void finish_part(Database& database, SuiteId suite) {
    database.in_one_commit([&] {
        for (StoredMeasurement& stored : database.measurements(suite)) {
            if (stored.finished || stored.measurement.summary.count == 0 || !has_value(stored.measurement))
                continue;
            set(stored.measurement.flags, Flag::timed_out);
            database.add_batches(stored.id, {}, stored.measurement, true);
        }
    });
}

std::vector<StoredSuite> note_interrupted(Database& database, RunId run, const std::string& kind,
                                          const std::string& what, int retries, const std::string& time_utc) {
    std::vector<StoredSuite> culprits = in_progress(database, run);
    database.in_one_commit([&] {
        for (StoredSuite& suite : culprits)
            blame(database, run, suite, {.time_utc = time_utc, .kind = kind, .suite = {}, .text = what},
                  retries);
    });
    return culprits;
}

void note_job_end(Database& database, RunId run, const SeenJob& job, const std::string& time_utc) {
    const std::vector<Event> events = database.events(run);
    // A job that was asked to end has mostly recorded the signal itself.
    const bool recorded = std::ranges::any_of(events, [&](const Event& event) {
        return event.text == job.seen && event.time_utc >= job.started_utc;
    });
    for (const std::string& variable : job.unused_variables)
        if (std::ranges::none_of(events, [&](const Event& event) {
                return event.kind == event_unused_setting && event.text == variable;
            }))
            database.add_event(
                run, {.time_utc = time_utc, .kind = event_unused_setting, .suite = {}, .text = variable});
    database.add_event(run, {.time_utc = time_utc,
                             .kind = recorded ? "info" : job.kind,
                             .suite = {},
                             .text = "job started " + job.started_utc + ", ran " + job.lasted +
                                     (recorded ? "" : "; " + job.seen)});
}

std::vector<StoredSuite> note_unseen_end(Database& database, RunId run, int retries,
                                         const std::string& time_utc) {
    std::vector<StoredSuite> culprits;
    std::vector<StoredSuite> interrupted = in_progress(database, run);
    database.in_one_commit([&] {
        for (StoredSuite& suite : interrupted) {
            // The reason kept shows next time whether the suite has come further since.
            const std::string what = "the job ended while the suite was measured, cause unknown (" +
                                     extent_of(database, suite.id) + ")";
            Event event{.time_utc = time_utc, .kind = "crash", .suite = {}, .text = what};
            if (suite.reason == what) {
                blame(database, run, suite, event, retries);
                culprits.push_back(std::move(suite));
                continue;
            }
            database.end_suite(suite.id, SuiteState::open, what);
            event.kind = "warning";
            event.suite = suite.suite.name;
            event.text += "; not counted as an attempt";
            database.add_event(run, event);
        }
    });
    return culprits;
}

void open_again(Database& database, RunId run, const std::string& what) {
    for (const StoredSuite& suite : database.suites(run))
        if (suite.in_progress)
            database.end_suite(suite.id, SuiteState::open, what);
}

void note_stopped(Database& database, RunId run, const std::string& what, const std::string& time_utc) {
    database.in_one_commit([&] {
        open_again(database, run, what);
        database.add_event(run, {.time_utc = time_utc, .kind = "signal", .suite = {}, .text = what});
    });
}

const StoredSuite* next_suite(const std::vector<StoredSuite>& suites, int retries,
                              std::optional<int> launch) {
    std::vector<const StoredSuite*> in_turn;
    for (const StoredSuite& suite : suites)
        in_turn.push_back(&suite);
    std::ranges::sort(in_turn, {}, &StoredSuite::ordinal);
    if (launch) {
        std::mt19937 random(static_cast<unsigned>(*launch));
        std::shuffle(in_turn.begin(), in_turn.end(), random);
    }
    std::erase_if(in_turn, [&](const StoredSuite* suite) {
        return suite->state != SuiteState::open &&
               !(suite->state == SuiteState::put_off && suite->attempts <= retries);
    });
    // One put off and then interrupted on the user's order is open again, but its attempts are known.
    const auto next = std::ranges::min_element(in_turn, {}, &StoredSuite::attempts);
    return next == in_turn.end() ? nullptr : *next;
}

} // namespace skampi
