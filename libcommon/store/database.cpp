// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/database.hpp"

#include "base/utc.hpp"
#include "store/commits.hpp"
#include "store/database_file.hpp"
#include "store/row.hpp"
#include "store/store.hpp"

#include <utility>

namespace skampi {

Database::Database(std::unique_ptr<Store> store)
    : store_(std::move(store)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

namespace {

/// A stored run with what changes of it.
Run updated(Run run, const Run& facts) {
    run.clock_resolution_s = facts.clock_resolution_s;
    run.clock_cost_s = facts.clock_cost_s;
    run.reference_probe_s = facts.reference_probe_s;
    run.lowest_probe_s = facts.lowest_probe_s;
    run.highest_probe_s = facts.highest_probe_s;
    run.reference_core_speed = facts.reference_core_speed;
    run.reference_core_throughput = facts.reference_core_throughput;
    run.measuring_share = facts.measuring_share;
    run.merged_runs = facts.merged_runs;
    run.facts = facts.facts;
    run.rank_facts = facts.rank_facts;
    run.differing_facts = facts.differing_facts;
    run.forced_differences = facts.forced_differences;
    run.detours = facts.detours;
    return run;
}

void must_have_changed(const Connection& connection, SuiteId suite) {
    if (connection.changes() == 0)
        connection.fail("there is no suite " + std::to_string(suite));
}

} // namespace

// --- writing

RunId Database::begin_run(const Run& run, const std::vector<Suite>& plan) {
    (void)store_->begin_writing("begin a run");
    store_->file->use_working_journal();
    RunId id = 0;
    store_->commits.durably([&] {
        id = store_->runs.insert_run(run);
        store_->commits.run_changed(id);
        int ordinal = 0;
        for (const Suite& suite : plan)
            store_->commits.suite_changed(store_->runs.insert_suite(id, ordinal++, suite));
    });
    return id;
}

std::optional<RunId> Database::find_open_run(const Series& series, std::vector<std::string>* why_not) const {
    Connection& connection = store_->begin("look for an unfinished run");
    const Snapshot snapshot(connection);
    std::vector<RunId> unfinished;
    {
        Query query =
            connection.query("SELECT id FROM run WHERE kind = 'raw' AND ended_utc IS NULL ORDER BY id DESC");
        while (query.next())
            unfinished.push_back(query.integer());
    }
    std::vector<std::string> of_newest;
    for (const RunId id : unfinished) {
        std::vector<std::string> differences = Series(store_->runs.run(id)).differences(series);
        if (differences.empty())
            return id;
        if (of_newest.empty())
            of_newest = std::move(differences);
    }
    if (why_not != nullptr)
        *why_not = std::move(of_newest);
    return std::nullopt;
}

void Database::update_run(RunId id, const Run& facts) {
    (void)store_->begin_writing("update a run");
    Commits::Change change(store_->commits);
    store_->commits.seal(); // what was written before in the same commit is part of what is read
    store_->runs.replace_run(id, updated(store_->runs.run(id), facts));
    store_->commits.run_changed(id);
    change.commit();
}

void Database::end_run(RunId id, const Run& facts) {
    (void)store_->begin_writing("end a run");
    store_->commits.durably([&] {
        store_->commits.seal(); // as above
        Run run = updated(store_->runs.run(id), facts);
        run.ended_utc = facts.ended_utc.empty() ? utc_now() : facts.ended_utc;
        store_->runs.replace_run(id, run);
        store_->commits.run_changed(id);
    });
    store_->file->leave_one_file();
}

void Database::begin_suite(SuiteId suite) {
    Connection& connection = store_->begin_writing("begin a suite");
    store_->commits.durably([&] {
        connection.query("UPDATE suite SET in_progress = 1, attempts = attempts + 1 WHERE id = ?").run(suite);
        must_have_changed(connection, suite);
        store_->commits.suite_changed(suite);
    });
}

void Database::hand_over(std::optional<SuiteId> from, SuiteId to) {
    Connection& connection = store_->begin_writing("hand over from one suite to another");
    {
        Commits::Change change(store_->commits);
        if (from) {
            connection
                .query("UPDATE suite SET attempts = attempts - in_progress, in_progress = 0 WHERE id = ?")
                .run(*from);
            must_have_changed(connection, *from);
            store_->commits.suite_changed(*from);
        }
        connection.query("UPDATE suite SET in_progress = 1, attempts = attempts + 1 WHERE id = ?").run(to);
        must_have_changed(connection, to);
        store_->commits.suite_changed(to);
        change.commit();
    }
    store_->commits.end_gathering();
}

void Database::set_suite_facts(SuiteId suite, const std::map<std::string, std::string>& facts) {
    (void)store_->begin_writing("store what was found out about a suite");
    Commits::Change change(store_->commits);
    store_->runs.replace_suite_facts(suite, facts);
    store_->commits.suite_changed(suite);
    change.commit();
}

void Database::set_suite_merge(SuiteId suite, const SuiteMerge& merge) {
    Connection& connection = store_->begin_writing("store what merging found of a suite");
    Commits::Change change(store_->commits);
    {
        Query update = connection.query(update_sql<SuiteMerge>("suite", {}));
        RowWriter(update).write(merge);
        update.run(suite);
    }
    must_have_changed(connection, suite);
    store_->commits.suite_changed(suite);
    change.commit();
}

void Database::add_clock_estimates(SuiteId suite, const std::vector<ClockEstimate>& estimates) {
    (void)store_->begin_writing("store estimates of the global clock");
    if (estimates.empty())
        return;
    Commits::Change change(store_->commits);
    store_->runs.add_clock_estimates(suite, estimates);
    store_->commits.suite_changed(suite);
    change.commit();
}

void Database::end_suite(SuiteId suite, SuiteState state, const std::string& reason) {
    Connection& connection = store_->begin_writing("end a suite");
    Commits::Change change(store_->commits);
    // Open again means stopped on the user's order: the attempt does not count.
    const int taken_back = state == SuiteState::open ? 1 : 0;
    connection
        .query("UPDATE suite SET attempts = attempts - in_progress * ?, in_progress = 0, state = ?, "
               "reason = ? WHERE id = ?")
        .run(taken_back, to_text(state), reason, suite);
    must_have_changed(connection, suite);
    store_->commits.suite_changed(suite);
    change.commit();
}

MeasurementId Database::begin_measurement(SuiteId suite, const Measurement& planned) {
    (void)store_->begin_writing("begin a measurement");
    MeasurementId id = 0;
    {
        Commits::Change change(store_->commits);
        if (const auto begun = store_->measurements.at(suite, planned.argument))
            return *begun;
        id = store_->measurements.insert(suite, {0, false, planned, {}});
        store_->commits.suite_changed(suite);
        change.commit();
    }
    store_->commits.end_gathering();
    return id;
}

void Database::add_batches(MeasurementId measurement, const std::vector<Batch>& batches,
                           const Measurement& summary, bool finished) {
    (void)store_->begin_writing("store a measurement");
    Commits::Change change(store_->commits);
    MeasurementRows::Place place = store_->measurements.place_of(measurement);
    store_->measurements.insert_batches(measurement, place, summary.argument, batches);
    place.batches += std::ssize(batches);
    store_->measurements.replace(measurement, {measurement, finished, summary, {}}, place);
    change.commit();
}

void Database::update_measurements(const std::vector<StoredMeasurement>& measurements) {
    (void)store_->begin_writing("update measurements");
    Commits::Change change(store_->commits);
    for (StoredMeasurement stored : measurements) {
        const MeasurementRows::Place place = store_->measurements.place_of(stored.id);
        stored.finished = place.finished;
        store_->measurements.replace(stored.id, stored, place);
    }
    change.commit();
}

MeasurementId Database::add_merged(SuiteId suite, const Measurement& merged, const MergeFacts& facts) {
    (void)store_->begin_writing("store a merged measurement");
    Commits::Change change(store_->commits);
    const MeasurementId id = store_->measurements.insert(suite, {0, true, merged, facts});
    store_->commits.suite_changed(suite);
    change.commit();
    return id;
}

void Database::drop_samples(SuiteId suite) {
    (void)store_->begin_writing("remove the single measurements of a suite");
    Commits::Change change(store_->commits);
    for (const StoredMeasurement& stored : measurements(suite))
        store_->measurements.drop_batches(suite, stored);
    change.commit();
}

std::int64_t Database::drop_unfinished(SuiteId suite) {
    Connection& connection = store_->begin_writing("remove the unfinished measurements of a suite");
    Commits::Change change(store_->commits);
    connection.query("DELETE FROM measurement WHERE suite = ? AND NOT finished").run(suite);
    const std::int64_t dropped = connection.changes();
    store_->commits.suite_changed(suite);
    change.commit();
    return dropped;
}

void Database::add_event(RunId run, const Event& event) {
    (void)store_->begin_writing("store an event");
    Commits::Change change(store_->commits);
    store_->runs.insert_event(run, event);
    store_->commits.run_changed(run);
    change.commit();
}

void Database::in_one_commit(const std::function<void()>& writes) {
    Connection& connection = store_->begin_writing("write several things at once");
    Commits::Change change(store_->commits);
    writes();
    connection.doing("write several things at once");
    change.commit();
}

void Database::gather_commits(std::chrono::steady_clock::duration time) {
    store_->commits.gather(time);
}

// --- sessions

void Database::begin_session(const Session& session) {
    (void)store_->begin_writing("begin a session");
    store_->file->use_working_journal();
    store_->commits.durably([&] { store_->sessions.insert(session); });
}

void Database::end_session(const std::string& uuid, SessionEnd end) {
    (void)store_->begin_writing("end a session");
    store_->commits.durably([&] {
        store_->sessions.change(uuid, [&](Session& session) {
            session.end = end;
            session.ended_utc = utc_now();
        });
    });
    store_->file->leave_one_file();
}

void Database::reopen_session(const std::string& uuid, double time_limit_s) {
    (void)store_->begin_writing("go on with a session");
    Commits::Change change(store_->commits);
    store_->sessions.change(uuid, [&](Session& session) {
        session.end = SessionEnd::not_yet;
        session.ended_utc.clear();
        session.time_limit_s = time_limit_s;
    });
    change.commit();
}

void Database::add_session_failure(const std::string& uuid, const SessionFailure& failure) {
    (void)store_->begin_writing("store that a launch failed");
    store_->commits.durably([&] { store_->sessions.insert_failure(uuid, failure); });
}

std::vector<Session> Database::sessions() const {
    (void)store_->begin("read the sessions");
    return store_->sessions.all();
}

std::vector<SessionFailure> Database::session_failures(const std::string& uuid) const {
    (void)store_->begin("read the failures of a session");
    return store_->sessions.failures(uuid);
}

// --- tuning files

void Database::add_tuning_file(const TuningFile& file) {
    (void)store_->begin_writing("store a tuning file");
    store_->file->use_working_journal();
    store_->commits.durably([&] { store_->tuning.insert(file); });
    store_->file->leave_one_file();
}

std::vector<TuningFile> Database::tuning_files() const {
    (void)store_->begin("read the tuning files");
    return store_->tuning.all();
}

// --- pairs of ranks

void Database::add_pair_map(RunId run, const PairMap& map) {
    (void)store_->begin_writing("store a pair map");
    Commits::Change change(store_->commits);
    store_->pairs.insert(run, map);
    change.commit();
}

std::vector<PairMap> Database::pair_maps(RunId run) const {
    (void)store_->begin("read pair maps");
    return store_->pairs.of_run(run);
}

// --- reading

void Database::in_one_state(const std::function<void()>& reads) const {
    const Snapshot snapshot(store_->begin("read several things at once"));
    reads();
}

std::vector<RunId> Database::runs() const {
    Connection& connection = store_->begin("read the runs");
    Query query = connection.query("SELECT id FROM run ORDER BY id");
    std::vector<RunId> runs;
    while (query.next())
        runs.push_back(query.integer());
    return runs;
}

Run Database::run(RunId run) const {
    (void)store_->begin("read a run");
    return store_->runs.run(run);
}

RunContents Database::contents(RunId run) const {
    Connection& connection = store_->begin("count the measurements of a run");
    const Snapshot snapshot(connection);
    RunContents contents;
    {
        // Only from the rows of suites: no measurement is read.
        Query count =
            connection.query("SELECT coalesce(sum(measurements), 0), (SELECT kind = 'merged' FROM run WHERE "
                             "id = ?1) FROM suite WHERE run = ?1");
        count.bind(run);
        if (!count.next())
            return contents;
        contents.points = count.integer();
        if (count.integer() == 0)
            return contents;
    }
    const char* const of_run = "FROM suite JOIN measurement ON measurement.suite = suite.id ";
    Query without = connection.query(
        std::string("SELECT count(*) ") + of_run +
        "WHERE suite.run = ? AND measurement.value_s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM source WHERE "
        "source.measurement = measurement.id)");
    without.bind(run);
    contents.all_have_sources = without.next() && without.integer() == 0;
    Query sources = connection.query(
        std::string("SELECT source.run, sum(source.value_s IS NOT NULL AND NOT source.interpolated AND NOT "
                    "source.other_mode) ") +
        of_run +
        "JOIN source ON source.measurement = measurement.id WHERE suite.run = ? GROUP BY source.run");
    sources.bind(run);
    while (sources.next()) {
        const std::string uuid = sources.text();
        contents.points_of_source[uuid] = sources.integer();
    }
    return contents;
}

StoredSuite Database::suite(SuiteId suite) const {
    (void)store_->begin("read a suite");
    return store_->runs.suite(suite);
}

std::vector<StoredSuite> Database::suites(RunId run) const {
    (void)store_->begin("read the suites of a run");
    return store_->runs.suites(run);
}

std::vector<StoredMeasurement> Database::measurements(SuiteId suite) const {
    std::vector<StoredMeasurement> measurements;
    for_each_measurement(suite,
                         [&](StoredMeasurement&& stored) { measurements.push_back(std::move(stored)); });
    return measurements;
}

void Database::for_each_measurement(SuiteId suite,
                                    const std::function<void(StoredMeasurement&&)>& take) const {
    (void)store_->begin("read the measurements of a suite");
    store_->measurements.for_each(suite, take);
}

std::vector<Batch> Database::batches(MeasurementId measurement) const {
    (void)store_->begin("read the single measurements");
    return store_->measurements.batches(measurement);
}

std::vector<Event> Database::events(RunId run) const {
    (void)store_->begin("read the events of a run");
    return store_->runs.events(run);
}

void Database::for_each_result(const std::function<void(const ResultRow&)>& row,
                               const std::optional<std::string>& uuid) const {
    // The view ignores checksums: compare them first, by reading what it is made from.
    for (const RunId id : runs()) {
        if (uuid && run(id).uuid != *uuid)
            continue;
        for (const StoredSuite& stored : suites(id))
            for_each_measurement(stored.id, [](const StoredMeasurement&) {});
    }
    Connection& connection = store_->begin("read the results");
    // Not the cached statement: the callback may well read results, too.
    Query query = connection.fresh_query(select_sql<ResultRow>("", uuid ? "result WHERE run = ?" : "result"));
    if (uuid)
        query.bind(*uuid);
    while (query.next())
        row(RowReader(connection, query).read<ResultRow>());
}

const std::string& Database::path() const {
    return store_->file->path();
}

void Database::check_integrity() const {
    constexpr const char* what = "check this file";
    Connection& connection = store_->begin(what);
    if (const std::string finding = connection.text("PRAGMA integrity_check(1)"); finding != "ok")
        connection.fail("the file is damaged (" + finding + "); it is left as it is");
    {
        Query orphans = connection.fresh_query("PRAGMA foreign_key_check");
        if (orphans.next())
            connection.fail_damaged("table " + orphans.text() + " has rows that belong to nothing");
    }
    for (const RunId id : runs())
        check_run(id);
    (void)sessions();
    (void)tuning_files();
}

void Database::check_run(RunId run) const {
    // Reading compares all checksums and counts.
    (void)this->run(run);
    (void)events(run);
    (void)pair_maps(run);
    for (const StoredSuite& suite : suites(run))
        for (const StoredMeasurement& measurement : measurements(suite.id))
            (void)batches(measurement.id);
}

std::int64_t Database::bytes_in_use() const {
    Connection& connection = store_->begin("look at the size of this file");
    const std::int64_t pages =
        connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count");
    return pages * connection.integer("PRAGMA page_size");
}

} // namespace skampi
