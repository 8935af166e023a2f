// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture_binding.hpp"
#include "store/database.hpp"
#include "store/schema.hpp"

#include "../golden.hpp"
#include "import/result_csv.hpp"
#include "invented_run.hpp"
#include "model/session.hpp"
#include "scratch_folder.hpp"
#include "store/file_lock.hpp"
#include "text_file.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <sqlite3.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace skampi;
using namespace invented;
using namespace std::chrono_literals;

namespace {

void write_file(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}

std::set<std::string> names_in(const ScratchFolder& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        names.insert(entry.path().filename().string());
    return names;
}

/// SQL beside our own layer: all rows, columns separated by '|'.
std::vector<std::string> rows_of(const std::string& path, const std::string& sql) {
    sqlite3* raw = nullptr;
    const int result = sqlite3_open(path.c_str(), &raw);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle(raw, sqlite3_close);
    REQUIRE(result == SQLITE_OK);
    std::vector<std::string> rows;
    char* message = nullptr;
    const auto collect = [](void* into, int count, char** values, char**) {
        std::string row;
        for (int i = 0; i < count; ++i)
            row += (i == 0 ? "" : "|") + std::string(values[i] ? values[i] : "NULL");
        static_cast<std::vector<std::string>*>(into)->push_back(row);
        return 0;
    };
    const int done = sqlite3_exec(raw, sql.c_str(), collect, &rows, &message);
    const std::string text = message ? message : "";
    sqlite3_free(message);
    INFO(sql << ": " << text);
    REQUIRE(done == SQLITE_OK);
    return rows;
}

std::vector<ResultRow> results_of(const Database& database) {
    std::vector<ResultRow> rows;
    database.for_each_result([&](const ResultRow& row) { rows.push_back(row); });
    return rows;
}

/// A finished run with two suites of three measurements each.
void write_small_run(const std::string& path) {
    std::mt19937_64 random(1);
    Database database = Database::open_for_writing(path);
    const RunId id = database.begin_run(run("small"), {suite("first"), suite("second")});
    for (const StoredSuite& stored : database.suites(id)) {
        database.begin_suite(stored.id);
        for (const std::int64_t argument : {1, 2, 4}) {
            const Measurement value = measurement(argument, random);
            const MeasurementId measured = database.begin_measurement(stored.id, value);
            database.add_batches(measured, {batch(50, random)}, value, true);
        }
        database.end_suite(stored.id, SuiteState::finished);
    }
    database.end_run(id, run("small"));
}

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

} // namespace

// --- what goes in comes out

TEST_CASE("a suite comes back with every setting") {
    const ScratchFolder folder;
    const std::vector<Suite> plan = {suite("plain"), unusual_suite(), suite("")};
    RunId id = 0;
    {
        Database database = Database::open_for_writing(folder / "x.db");
        id = database.begin_run(run("r"), plan);
    }
    const std::vector<StoredSuite> back = Database::open(folder / "x.db").suites(id);
    REQUIRE(back.size() == plan.size());
    for (std::size_t i = 0; i < plan.size(); ++i) {
        CHECK(same(back[i].suite, plan[i]));
        CHECK(back[i].ordinal == static_cast<int>(i));
        CHECK(back[i].state == SuiteState::open);
        CHECK(back[i].attempts == 0);
        CHECK_FALSE(back[i].in_progress);
        CHECK(back[i].reason.empty());
        CHECK(back[i].facts.empty());
    }
}

TEST_CASE("what nobody told of a suite is NULL, and comes back unknown") {
    const ScratchFolder folder;
    Suite told = unusual_suite();
    forget_settings(told);
    learn(told, "datatype");
    {
        Database database = Database::open_for_writing(folder / "x.db");
        (void)database.begin_run(run("r"), {told});
    }
    const Database reader = Database::open(folder / "x.db");
    reader.check_integrity();
    const Suite back = reader.suites(reader.runs().front()).front().suite;
    CHECK(back.unknown_fields == told.unknown_fields);
    CHECK(back.datatype == told.datatype);
    CHECK_FALSE(knows(back, "synchronization"));
    CHECK(rows_of(folder / "x.db",
                  "SELECT synchronization IS NULL, max_count IS NULL, datatype IS NULL FROM suite") ==
          std::vector<std::string>{"1|1|0"});
}

TEST_CASE("a run comes back with everything a reader needs to trust it") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId plain = database.begin_run(run("plain"), {});
    const RunId unusual = database.begin_run(unusual_run(), {});
    const Database reader = Database::open(folder / "x.db");
    CHECK(reader.runs() == std::vector<RunId>{plain, unusual});
    CHECK(same(reader.run(plain), run("plain")));
    CHECK(same(reader.run(unusual), unusual_run()));
    CHECK(same(reader.run(unusual).rank_facts, unusual_run().rank_facts));
}

TEST_CASE("measurements and their single measurements come back bit by bit") {
    const ScratchFolder folder;
    std::mt19937_64 random(2);
    std::vector<Measurement> values;
    std::vector<std::vector<Batch>> batches;
    SuiteId id = 0;
    {
        Database database = Database::open_for_writing(folder / "x.db");
        id = database.suites(database.begin_run(run("r"), {suite("s")})).front().id;
        for (std::int64_t i = 0; i < 20; ++i) {
            values.push_back(measurement(i * 100, random));
            batches.push_back({batch(30, random), Batch{}, batch(1, random)});
            const MeasurementId measured = database.begin_measurement(id, values.back());
            database.add_batches(measured, {batches.back()[0]}, values.back(), false);
            database.add_batches(measured, {batches.back()[1], batches.back()[2]}, values.back(), true);
        }
    }
    const Database reader = Database::open(folder / "x.db");
    const std::vector<StoredMeasurement> back = reader.measurements(id);
    REQUIRE(back.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(same(back[i].measurement, values[i]));
        CHECK(same(back[i].measurement.modes, values[i].modes));
        CHECK(same(back[i].measurement.node_times, values[i].node_times));
        CHECK(back[i].finished);
        CHECK_FALSE(back[i].merge.has_value());
        CHECK(same(reader.batches(back[i].id), batches[i]));
    }
}

TEST_CASE("extreme numbers survive, and what is not a number stays so") {
    const ScratchFolder folder;
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> numbers = {0,
                                         std::numeric_limits<double>::denorm_min(),
                                         std::numeric_limits<double>::max(),
                                         std::numeric_limits<double>::lowest(),
                                         1.0 / 3,
                                         9007199254740993.0,
                                         1e15,
                                         std::nextafter(1.0, 2.0)};
    Database database = Database::open_for_writing(folder / "x.db");
    const SuiteId id = database.suites(database.begin_run(run("r"), {suite("s")})).front().id;
    Measurement value;
    value.value_s = std::numeric_limits<double>::quiet_NaN();
    value.standard_error_s = infinity;
    value.probe_s = -0.0;
    value.argument = std::numeric_limits<std::int64_t>::max();
    value.message_bytes = std::numeric_limits<std::int64_t>::min();
    Batch batch;
    batch.duration_s = numbers;
    batch.duration_s.push_back(std::numeric_limits<double>::quiet_NaN());
    const MeasurementId measured = database.begin_measurement(id, value);
    database.add_batches(measured, {batch}, value, true);
    const StoredMeasurement back = database.measurements(id).front();
    CHECK(std::isnan(back.measurement.value_s));
    CHECK(back.measurement.standard_error_s == infinity);
    CHECK(back.measurement.probe_s == 0);
    CHECK(back.measurement.argument == value.argument);
    CHECK(back.measurement.message_bytes == value.message_bytes);
    const std::vector<double> durations = database.batches(measured).front().duration_s;
    REQUIRE(durations.size() == numbers.size() + 1);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        CHECK(same_bits(durations[i], as_stored(numbers[i])));
    CHECK(std::isnan(durations.back()));
    database.check_integrity();
}

TEST_CASE("merged measurements come back with their sources") {
    const ScratchFolder folder;
    std::mt19937_64 random(3);
    Run merged = run("merged");
    merged.kind = "merged";
    Database database = Database::open_for_writing(folder / "x.db");
    const SuiteId id = database.suites(database.begin_run(merged, {suite("s")})).front().id;
    const Measurement value = measurement(64, random);
    const MergeFacts facts = merge_facts(random);
    (void)database.add_merged(id, value, facts);
    CHECK_THROWS_AS((void)database.add_merged(id, value, facts), StoreError); // an argument has one value
    const std::vector<StoredMeasurement> back = database.measurements(id);
    REQUIRE(back.size() == 1);
    CHECK(back.front().finished);
    CHECK(same(back.front().measurement, value));
    REQUIRE(back.front().merge.has_value());
    CHECK(same(*back.front().merge, facts));
    CHECK(same(back.front().merge->sources, facts.sources));
    for (std::size_t i = 0; i < facts.sources.size(); ++i)
        CHECK(same(back.front().merge->sources[i].own.node_times, facts.sources[i].own.node_times));
    CHECK(results_of(database).size() == 1);
    database.check_integrity();
}

TEST_CASE("events come back in the order they happened") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId one = database.begin_run(run("one"), {});
    const RunId two = database.begin_run(run("two"), {});
    const std::vector<Event> events = {{"2026-11-21T10:00:01Z", "crash", nasty, nasty},
                                       {"2026-11-21T10:00:00Z", "info", "", ""}};
    for (const Event& event : events)
        database.add_event(one, event);
    CHECK(same(database.events(one), events));
    CHECK(database.events(two).empty());
}

// --- the life of a run

TEST_CASE("an argument begun before gives the same measurement, with what was stored of it") {
    const ScratchFolder folder;
    std::mt19937_64 random(4);
    Database database = Database::open_for_writing(folder / "x.db");
    const std::vector<StoredSuite> suites =
        database.suites(database.begin_run(run("r"), {suite("s"), suite("t")}));
    const Measurement planned = measurement(8, random);
    const MeasurementId first = database.begin_measurement(suites[0].id, planned);
    CHECK_FALSE(database.measurements(suites[0].id).front().finished);
    database.add_batches(first, {batch(3, random)}, planned, false);
    Measurement again;
    again.argument = 8;
    CHECK(database.begin_measurement(suites[0].id, again) == first);
    CHECK(same(database.measurements(suites[0].id).front().measurement, planned));
    CHECK(database.batches(first).size() == 1);
    CHECK(database.begin_measurement(suites[1].id, planned) != first);
}

TEST_CASE("only finished measurements are results, by run, plan and argument") {
    const ScratchFolder folder;
    std::mt19937_64 random(5);
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId one = database.begin_run(run("b"), {suite("z"), suite("a")});
    const RunId two = database.begin_run(run("a"), {suite("z")});
    const std::vector<StoredSuite> suites = database.suites(one);
    const auto finish = [&](SuiteId id, std::int64_t argument, bool finished) {
        const Measurement value = measurement(argument, random);
        database.add_batches(database.begin_measurement(id, value), {}, value, finished);
    };
    finish(database.suites(two)[0].id, 1, true);
    finish(suites[1].id, 1, true);
    finish(suites[0].id, 100, true);
    finish(suites[0].id, 20, true);
    finish(suites[0].id, 50, false);
    std::vector<std::string> order;
    for (const ResultRow& row : results_of(database))
        order.push_back(row.run + row.suite.name + std::to_string(row.measurement.argument));
    CHECK(order == std::vector<std::string>{"bz20", "bz100", "ba1", "az1"});
}

TEST_CASE("a result row says what the measurement and its suite say") {
    const ScratchFolder folder;
    std::mt19937_64 random(6);
    Database database = Database::open_for_writing(folder / "x.db");
    const SuiteId id = database.suites(database.begin_run(run("r"), {suite("s")})).front().id;
    const Measurement m = measurement(8, random);
    database.add_batches(database.begin_measurement(id, m), {}, m, true);
    const ResultRow row = results_of(database).at(0);
    CHECK(row.run == "r");
    CHECK(row.suite.name == "s");
    CHECK(row.suite.operation.type == 17);
    CHECK(row.suite.operation.name == "MPI_Bcast");
    CHECK(row.suite.operation.pattern == Pattern::collective);
    CHECK(row.suite.varied == Varied::message_length);
    const Measurement& told = row.measurement;
    CHECK(told.ranks == m.ranks);
    CHECK(told.message_bytes == m.message_bytes);
    CHECK(told.chunks == m.chunks);
    CHECK(told.argument == m.argument);
    CHECK(told.value_s == m.value_s);
    CHECK(told.standard_error_s == m.standard_error_s);
    CHECK(told.summary.count == m.summary.count);
    CHECK(told.summary.minimum == m.summary.minimum);
    CHECK(told.summary.quartile25 == m.summary.quartile25);
    CHECK(told.summary.median == m.summary.median);
    CHECK(told.summary.quartile75 == m.summary.quartile75);
    CHECK(told.summary.maximum == m.summary.maximum);
    CHECK(told.flags == m.flags);
    CHECK(told.mode == m.mode);
    CHECK(told.mode_share == m.mode_share);
    CHECK(told.adjusted_s == m.adjusted_s);
}

TEST_CASE("a suite is in progress from its beginning to its end, and its attempts are counted") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId id = database.begin_run(run("r"), {suite("s"), suite("t")});
    const SuiteId s = database.suites(id)[0].id;
    database.begin_suite(s);
    CHECK(Database::open(folder / "x.db").suites(id)[0].in_progress);
    database.end_suite(s, SuiteState::put_off, nasty);
    database.set_suite_facts(s, {{"partner", "3"}, {"old", "x"}});
    database.set_suite_facts(s, {{"partner", "5"}, {nasty, nasty}});
    StoredSuite stored = database.suites(id)[0];
    CHECK(stored.state == SuiteState::put_off);
    CHECK(stored.reason == nasty);
    CHECK_FALSE(stored.in_progress);
    CHECK(stored.attempts == 1);
    CHECK(stored.facts == std::map<std::string, std::string>{{"partner", "5"}, {nasty, nasty}});
    database.begin_suite(s);
    stored = database.suites(id)[0];
    CHECK(stored.in_progress);
    CHECK(stored.attempts == 2);
    CHECK(stored.state == SuiteState::put_off);
    for (const SuiteState state : {SuiteState::finished, SuiteState::failed, SuiteState::open}) {
        database.end_suite(s, state);
        CHECK(database.suites(id)[0].state == state);
        CHECK(database.suites(id)[0].reason.empty());
    }
    CHECK(database.suites(id)[1].attempts == 0);
}

TEST_CASE("estimates of the global clock are kept with their suite, in the order made") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId id = database.begin_run(run("r"), {suite("s"), suite("t")});
    const SuiteId t = database.suites(id)[1].id;
    const ClockEstimate first{1.5, 3, 11, 1.01, 4e-6, 2e-6, 5e-5, 0, 0, 0, true};
    const ClockEstimate second{7.5, 3, 12, 7.01, 5e-6, 1e-6, 5e-5, 6, 3e-5, 2e-5, false};
    database.add_clock_estimates(t, {first});
    database.add_clock_estimates(t, {});
    database.add_clock_estimates(t, {second});
    CHECK(database.suites(id)[0].clock_estimates.empty());
    const std::vector<ClockEstimate> stored = database.suite(t).clock_estimates;
    REQUIRE(stored.size() == 2);
    CHECK(invented::same(stored, {first, second}));
    CHECK(invented::same(Database::open(folder / "x.db").suites(id)[1].clock_estimates, stored));
    for (const char* sql :
         {"UPDATE clock_estimate SET bound_s = 1e-9 WHERE ordinal = 0",
          "DELETE FROM clock_estimate WHERE ordinal = 1", "UPDATE clock_estimate SET suite = 1"}) {
        CAPTURE(sql);
        std::filesystem::copy_file(folder / "x.db", folder / "y.db",
                                   std::filesystem::copy_options::overwrite_existing);
        std::filesystem::copy_file(folder / "x.db-wal", folder / "y.db-wal",
                                   std::filesystem::copy_options::overwrite_existing);
        rows_of(folder / "y.db", sql);
        CHECK_THROWS_AS(Database::open(folder / "y.db").check_run(id), StoreError);
    }
}

TEST_CASE("the run to go on with is the newest raw one of its series that has not ended") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const Series ours(run("ours"));
    std::vector<std::string> why_not;
    CHECK_FALSE(database.find_open_run(ours, &why_not).has_value());
    CHECK(why_not.empty());
    const RunId older = database.begin_run(run("older"), {});
    const RunId newer = database.begin_run(run("newer"), {});
    Run other = run("merged");
    other.kind = "merged";
    (void)database.begin_run(other, {});
    other = run("other plan");
    other.plan_hash = "other";
    (void)database.begin_run(other, {});
    other = run("other library");
    other.mpi_library = "Open MPI v4.1.4";
    (void)database.begin_run(other, {});
    CHECK(database.find_open_run(ours, &why_not) == newer);
    CHECK(why_not.empty());
    database.end_run(newer, run("newer"));
    CHECK(database.find_open_run(ours) == older);
    database.end_run(older, run("older"));
    CHECK_FALSE(database.find_open_run(ours, &why_not).has_value());
    CHECK(why_not == Series(other).differences(ours));
    CHECK(why_not.size() == 1);
    CHECK(database.find_open_run(Series(ours).forget("mpi_library")).has_value());
}

TEST_CASE("updating a run replaces what changes and keeps what identifies it") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId id = database.begin_run(run("r"), {});
    Run facts = unusual_run();
    facts.ended_utc = "2026-11-22T00:00:00Z";
    database.update_run(id, facts);
    Run expected = run("r");
    expected.clock_resolution_s = facts.clock_resolution_s;
    expected.clock_cost_s = facts.clock_cost_s;
    expected.reference_probe_s = facts.reference_probe_s;
    expected.lowest_probe_s = facts.lowest_probe_s;
    expected.highest_probe_s = facts.highest_probe_s;
    expected.reference_core_speed = facts.reference_core_speed;
    expected.reference_core_throughput = facts.reference_core_throughput;
    expected.measuring_share = facts.measuring_share;
    expected.merged_runs = facts.merged_runs;
    expected.facts = facts.facts;
    expected.rank_facts = facts.rank_facts;
    expected.differing_facts = facts.differing_facts;
    expected.forced_differences = facts.forced_differences;
    expected.detours = facts.detours;
    CHECK(same(database.run(id), expected));
    database.end_run(id, facts);
    expected.ended_utc = facts.ended_utc;
    CHECK(same(database.run(id), expected));
}

TEST_CASE("a run ends with facts that nobody stored before, beside events in the same commit") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId id = database.begin_run(run("r"), {suite("s")});
    Run facts = run("r");
    database.in_one_commit([&] {
        database.add_event(id, {"2026-11-21T10:00:01Z", "info", "", "about to end"});
        facts.facts["one"] = "1";
        database.update_run(id, facts);
        facts.facts["two"] = "2";
        facts.measuring_share = 0.5;
        database.end_run(id, facts);
    });
    const Run back = database.run(id);
    CHECK(back.facts == facts.facts);
    CHECK(back.measuring_share == 0.5);
    CHECK_FALSE(back.ended_utc.empty());
    database.check_integrity();
}

TEST_CASE("one suite is read as it stands among the others, and after a commit that was undone") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    CHECK_THROWS_AS(database.in_one_commit([&] {
        const RunId undone = database.begin_run(run("undone"), {suite("undone")});
        (void)database.begin_measurement(database.suites(undone).front().id, Measurement{});
        throw std::runtime_error("enough");
    }),
                    std::runtime_error);
    const RunId id = database.begin_run(run("r"), {suite("s"), suite("t")});
    const SuiteId t = database.suites(id)[1].id;
    (void)database.begin_measurement(database.suites(id)[0].id, Measurement{});
    database.begin_suite(t);
    database.set_suite_facts(t, {{"partner", "3"}});
    const StoredSuite alone = database.suite(t);
    const StoredSuite among = database.suites(id)[1];
    CHECK(same(alone.suite, among.suite));
    CHECK(alone.facts == among.facts);
    CHECK(alone.in_progress);
    CHECK(alone.ordinal == 1);
    CHECK_THROWS_AS((void)database.suite(4711), StoreError);
    database.check_integrity();
}

TEST_CASE("a run ended without a time gets one") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId id = database.begin_run(run("r"), {});
    database.end_run(id, run("r"));
    CHECK(database.run(id).ended_utc.size() == std::strlen("2026-11-21T10:00:00Z"));
}

TEST_CASE("summaries of several measurements are replaced together") {
    const ScratchFolder folder;
    std::mt19937_64 random(7);
    Database database = Database::open_for_writing(folder / "x.db");
    const SuiteId id = database.suites(database.begin_run(run("r"), {suite("s")})).front().id;
    for (const std::int64_t argument : {1, 2, 3}) {
        const Measurement value = measurement(argument, random);
        database.add_batches(database.begin_measurement(id, value), {batch(2, random)}, value, true);
    }
    std::vector<StoredMeasurement> changed = database.measurements(id);
    for (StoredMeasurement& stored : changed) {
        stored.measurement = measurement(stored.measurement.argument, random);
        stored.measurement.modes.pop_back();
    }
    database.update_measurements(changed);
    const std::vector<StoredMeasurement> back = database.measurements(id);
    for (std::size_t i = 0; i < changed.size(); ++i) {
        CHECK(same(back[i].measurement, changed[i].measurement));
        CHECK(same(back[i].measurement.modes, changed[i].measurement.modes));
        CHECK(back[i].finished);
        CHECK(database.batches(back[i].id).size() == 1);
    }
    // One that is not there: none is changed.
    std::vector<StoredMeasurement> wrong = back;
    wrong[0].measurement.value_s = 42;
    wrong[2].id = 4711;
    CHECK_THROWS_AS(database.update_measurements(wrong), StoreError);
    CHECK(same(database.measurements(id)[0].measurement, back[0].measurement));
}

TEST_CASE("dropping the single measurements of a suite keeps its values and those of others") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    Database database = Database::open_for_writing(folder / "x.db");
    const std::vector<StoredSuite> suites = database.suites(database.runs().front());
    database.drop_samples(suites[0].id);
    for (const StoredMeasurement& stored : database.measurements(suites[0].id)) {
        CHECK(stored.finished);
        CHECK(database.batches(stored.id).empty());
    }
    for (const StoredMeasurement& stored : database.measurements(suites[1].id))
        CHECK(database.batches(stored.id).front().duration_s.size() == 50);
    CHECK(rows_of(folder / "x.db", "SELECT count(*) FROM sample_flat") ==
          std::vector<std::string>{std::to_string(3 * 50 * 3)});
    database.check_integrity();
}

TEST_CASE("dropping the unfinished measurements of a suite leaves the others whole") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    Database database = Database::open_for_writing(folder / "x.db");
    const SuiteId suite = database.suites(database.runs().front())[0].id;
    const std::vector<StoredMeasurement> points = database.measurements(suite);
    REQUIRE(points.size() > 1);
    CHECK(database.drop_unfinished(suite) == 0);
    database.add_batches(points[0].id, {}, points[0].measurement, false);
    CHECK(database.drop_unfinished(suite) == 1);
    database.check_integrity();
    const std::vector<StoredMeasurement> left = database.measurements(suite);
    REQUIRE(left.size() == points.size() - 1);
    CHECK(left[0].id == points[1].id);
    CHECK(database.batches(left[0].id).size() == database.batches(points[1].id).size());
    CHECK(rows_of(folder / "x.db", "SELECT count(*) FROM batch WHERE measurement = " +
                                       std::to_string(points[0].id)) == std::vector<std::string>{"0"});
}

TEST_CASE("what belongs to nothing is refused") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const Measurement value;
    CHECK_THROWS_AS(database.begin_suite(7), StoreError);
    CHECK_THROWS_AS(database.end_suite(7, SuiteState::finished), StoreError);
    CHECK_THROWS_AS(database.set_suite_facts(7, {{"a", "b"}}), StoreError);
    CHECK_THROWS_AS((void)database.begin_measurement(7, value), StoreError);
    CHECK_THROWS_AS((void)database.add_merged(7, value, {}), StoreError);
    CHECK_THROWS_AS(database.add_batches(7, {Batch{}}, value, true), StoreError);
    CHECK_THROWS_AS(database.add_event(7, {}), StoreError);
    CHECK_THROWS_AS((void)database.run(7), StoreError);
    CHECK_THROWS_AS(database.end_run(7, {}), StoreError);
    const RunId id = database.begin_run(run("r"), {});
    CHECK_THROWS_AS((void)database.begin_run(run("r"), {}), StoreError); // a uuid names one run
    CHECK_THROWS_AS((void)database.begin_run(run("q"), {suite("s"), suite("s")}), StoreError);
    CHECK(database.runs() == std::vector<RunId>{id});
    database.check_integrity();
}

// --- commits

TEST_CASE("an exception inside one commit leaves the former state") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId first = database.begin_run(run("first"), {suite("s")});
    const Database reader = Database::open(folder / "x.db");
    CHECK_THROWS_AS(database.in_one_commit([&] {
        (void)database.begin_run(run("second"), {suite("s")});
        database.begin_suite(database.suites(first)[0].id);
        throw std::runtime_error("stop");
    }),
                    std::runtime_error);
    CHECK(database.runs() == std::vector<RunId>{first});
    CHECK(database.suites(first)[0].attempts == 0);
    CHECK(reader.runs() == std::vector<RunId>{first});
    database.check_integrity();
}

TEST_CASE("a part of one commit that fails is undone alone when the caller goes on") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    database.in_one_commit([&] {
        (void)database.begin_run(run("a"), {});
        CHECK_THROWS_AS((void)database.begin_run(run("b"), {suite("s"), suite("s")}), StoreError);
        (void)database.begin_run(run("c"), {});
    });
    std::vector<std::string> uuids;
    for (const RunId id : database.runs())
        uuids.push_back(database.run(id).uuid);
    CHECK(uuids == std::vector<std::string>{"a", "c"});
}

TEST_CASE("a reader sees each commit while a run is written, and nothing of an unfinished one") {
    for (const char* journal : {"wal", "delete"}) {
        CAPTURE(journal);
        REQUIRE(setenv("SKAMPI_JOURNAL", journal, 1) == 0);
        const ScratchFolder folder;
        std::mt19937_64 random(8);
        Database writer = Database::open_for_writing(folder / "x.db");
        const RunId id = writer.begin_run(run("r"), {suite("s")});
        const Database reader = Database::open(folder / "x.db");
        const SuiteId s = reader.suites(id).front().id;
        for (std::int64_t argument = 1; argument <= 10; ++argument) {
            const Measurement value = measurement(argument, random);
            writer.add_batches(writer.begin_measurement(s, value), {batch(100, random)}, value, true);
            CHECK(results_of(reader).size() == static_cast<std::size_t>(argument));
            CHECK(results_of(Database::open(folder / "x.db")).size() == static_cast<std::size_t>(argument));
        }
        if (std::string(journal) == "wal") // with a rollback journal, readers would have to wait
            writer.in_one_commit([&] {
                writer.drop_samples(s);
                writer.end_suite(s, SuiteState::finished);
                CHECK(reader.suites(id).front().state == SuiteState::open);
                CHECK(reader.batches(reader.measurements(s).front().id).size() == 1);
            });
        reader.check_integrity();
    }
    unsetenv("SKAMPI_JOURNAL");
}

TEST_CASE("changes that are gathered become one commit, with what must be on disk or when gathering ends") {
    const ScratchFolder folder;
    std::mt19937_64 random(8);
    Database writer = Database::open_for_writing(folder / "x.db");
    const RunId id = writer.begin_run(run("r"), {suite("s"), suite("t")});
    const Database reader = Database::open(folder / "x.db");
    const SuiteId s = reader.suites(id).front().id;
    const Measurement value = measurement(1, random);
    const MeasurementId measured = writer.begin_measurement(s, value);
    const auto visit = [&] { writer.add_batches(measured, {batch(100, random)}, value, true); };
    const auto seen = [&] { return reader.batches(measured).size(); };
    writer.gather_commits(1h);
    visit();
    visit();
    CHECK(seen() == 0);
    CHECK(writer.batches(measured).size() == 2);
    CHECK(writer.suite(s).suite.name == "s");

    writer.begin_suite(s);
    CHECK(seen() == 2);
    CHECK(reader.suite(s).attempts == 1);

    // What fails is undone alone, and what was gathered before it stays.
    visit();
    CHECK_THROWS_AS(writer.in_one_commit([&] {
        visit();
        throw std::runtime_error("stop");
    }),
                    std::runtime_error);
    CHECK(writer.batches(measured).size() == 3);
    CHECK(seen() == 2);
    CHECK(writer.begin_measurement(s, measurement(2, random)) != measured);
    CHECK(seen() == 3);

    visit();
    writer.gather_commits(0s);
    CHECK(seen() == 4);
    visit();
    CHECK(seen() == 5);

    writer.gather_commits(1ns); // so soon after the last commit there is nothing
    visit();
    CHECK(seen() == 6);

    writer.gather_commits(1h);
    visit();
    writer.end_run(id, writer.run(id));
    CHECK(seen() == 7);
    visit();
    { const Database ended = std::move(writer); }
    CHECK(seen() == 8);
    reader.check_integrity();
}

TEST_CASE("what was gathered by a process that is killed is lost, and nothing before it") {
    const ScratchFolder folder;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::mt19937_64 random(8);
        Database writer = Database::open_for_writing(folder / "x.db");
        const SuiteId s = writer.suites(writer.begin_run(run("r"), {suite("s")})).front().id;
        const Measurement value = measurement(1, random);
        const MeasurementId measured = writer.begin_measurement(s, value);
        writer.add_batches(measured, {batch(100, random)}, value, true);
        writer.gather_commits(1h);
        writer.add_batches(measured, {batch(100, random)}, value, true);
        std::raise(SIGKILL);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    const Database again = Database::open_for_writing(folder / "x.db");
    const RunId id = again.runs().front();
    CHECK(again.batches(again.measurements(again.suites(id).front().id).front().id).size() == 1);
    again.check_integrity();
}

TEST_CASE("reading in the middle of reading is possible") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    const Database database = Database::open(folder / "x.db");
    std::size_t inner = 0;
    database.for_each_result([&](const ResultRow&) { inner += results_of(database).size(); });
    CHECK(inner == 36);
    CHECK_THROWS_AS(database.for_each_result([](const ResultRow&) { throw std::runtime_error("enough"); }),
                    std::runtime_error);
    CHECK(results_of(database).size() == 6);
}

// --- the file

TEST_CASE("a finished run is one file that any SQLite can read") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    CHECK(names_in(folder) == std::set<std::string>{"x.db"});
    const std::string header = read(folder / "x.db").substr(0, 100);
    CHECK(header[18] == 1); // no write-ahead log
    CHECK(header[19] == 1);
    CHECK(header.substr(68, 4) == "SKPI");
    CHECK(rows_of(folder / "x.db", "PRAGMA user_version") ==
          std::vector<std::string>{std::to_string(schema_version)});
    CHECK(rows_of(folder / "x.db", "PRAGMA integrity_check") == std::vector<std::string>{"ok"});
    CHECK(rows_of(folder / "x.db", "SELECT count(*) FROM result") == std::vector<std::string>{"6"});
    CHECK(rows_of(folder / "x.db", "SELECT suites, suites_finished, measurements FROM run_summary") ==
          std::vector<std::string>{"2|2|6"});
    CHECK(rows_of(folder / "x.db", "SELECT count(*), count(rank), count(time_s) FROM sample_flat") ==
          std::vector<std::string>{"900|600|900"});
    CHECK(rows_of(folder / "x.db", "SELECT DISTINCT rank FROM sample_flat ORDER BY rank") ==
          std::vector<std::string>{"NULL", "0", "2", "300"});
    CHECK(rows_of(folder / "x.db", "SELECT DISTINCT listed_ranks, node_ranks FROM batch JOIN stretch "
                                   "ON stretch.id = batch.stretch ORDER BY node_ranks") ==
          std::vector<std::string>{"0       300     |2", "|3"});
}

TEST_CASE("the file is one already when a run has ended, before it is closed") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const RunId id = database.begin_run(run("r"), {});
    CHECK(names_in(folder).count("x.db-wal") == 1);
    database.end_run(id, run("r"));
    CHECK(names_in(folder) == std::set<std::string>{"x.db", "x.db.lock"});
    (void)database.begin_run(run("s"), {});
    CHECK(names_in(folder).count("x.db-wal") == 1);
}

TEST_CASE("the environment chooses the journal") {
    const ScratchFolder folder;
    REQUIRE(setenv("SKAMPI_JOURNAL", "delete", 1) == 0);
    {
        Database database = Database::open_for_writing(folder / "x.db");
        (void)database.begin_run(run("r"), {});
        CHECK(names_in(folder) == std::set<std::string>{"x.db", "x.db.lock"});
    }
    REQUIRE(setenv("SKAMPI_JOURNAL", "truncate", 1) == 0);
    CHECK_THROWS_AS((void)Database::open_for_writing(folder / "y.db"), InputError);
    CHECK(names_in(folder) == std::set<std::string>{"x.db"});
    unsetenv("SKAMPI_JOURNAL");
}

TEST_CASE("any name is only a name") {
    const ScratchFolder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    for (const std::string name : {":memory:", "file:x?mode=memory", "a b%20c#d?e'f\"g\nh"}) {
        CAPTURE(name);
        write_small_run(name);
        CHECK(std::filesystem::is_regular_file(folder.path() / name));
        CHECK(results_of(Database::open(name)).size() == 6);
        CHECK(Database::open(name).path() == name);
    }
    std::filesystem::current_path(before);
}

TEST_CASE("a damaged table is noticed before anything is written, whatever tables there are besides") {
    const ScratchFolder folder;
    write_small_run(folder / "good.db");
    CHECK(rows_of(folder / "good.db", "CREATE TABLE \"of (mine\"\" ; x\" (a)").empty());
    { const Database database = Database::open_for_writing(folder / "good.db"); }
    const std::string root =
        rows_of(folder / "good.db", "SELECT rootpage FROM sqlite_schema WHERE name = 'measurement'").at(0);
    const std::string size = rows_of(folder / "good.db", "PRAGMA page_size").at(0);
    std::string bad = read(folder / "good.db");
    std::fill_n(bad.begin() + (std::stol(root) - 1) * std::stol(size), std::stol(size), '\x5a');
    write_file(folder / "bad.db", bad);
    CHECK_THROWS_AS((void)Database::open_for_writing(folder / "bad.db"), StoreError);
    CHECK(read(folder / "bad.db") == bad);
}

TEST_CASE("an existing file is gone on with") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    {
        Database database = Database::open_for_writing(folder / "x.db");
        (void)database.begin_run(run("next"), {suite("s")});
    }
    CHECK(Database::open(folder / "x.db").runs().size() == 2);
    write_file(folder / "empty.db", ""); // made by mktemp, say
    write_small_run(folder / "empty.db");
    CHECK(results_of(Database::open(folder / "empty.db")).size() == 6);
}

// --- the writer's lock

TEST_CASE("a second writer is told who writes") {
    const ScratchFolder folder;
    {
        const Database first = Database::open_for_writing(folder / "x.db");
        std::filesystem::create_symlink("x.db", folder / "other name.db");
        const std::string holder = "process " + std::to_string(getpid()) + ", since 20";
        CHECK_THROWS_WITH_AS((void)Database::open_for_writing(folder / "x.db"),
                             doctest::Contains(holder.c_str()), SystemError);
        CHECK_THROWS_WITH_AS((void)Database::open_for_writing(folder / "other name.db"),
                             doctest::Contains(holder.c_str()), SystemError);
        CHECK(FileLock::holder(folder / "x.db.lock").value_or("").find(holder) != std::string::npos);
        CHECK(names_in(folder).count("x.db.lock") == 1);
    }
    CHECK(names_in(folder).count("x.db.lock") == 0);
    CHECK_FALSE(FileLock::holder(folder / "x.db.lock").has_value());
    (void)Database::open_for_writing(folder / "other name.db");
}

TEST_CASE("a lock file left behind by a killed process means nothing") {
    const ScratchFolder folder;
    write_file(folder / "x.db.lock",
               "host gone, process 1, since 2001-01-01T00:00:00Z, and more text than ours\n");
    CHECK_FALSE(FileLock::holder(folder / "x.db.lock").has_value());
    const Database database = Database::open_for_writing(folder / "x.db");
    CHECK(read(folder / "x.db.lock").find("gone") == std::string::npos);
    CHECK(read(folder / "x.db.lock").find("more") == std::string::npos);
}

TEST_CASE("files beside a database that are links, or no lock, stay as they are") {
    const ScratchFolder folder;
    for (const std::string beside : {".lock", "-wal", "-journal", "-shm"})
        for (const bool dangling : {false, true}) {
            CAPTURE(beside);
            CAPTURE(dangling);
            write_file(folder / "theirs", "keep");
            const std::string link = folder / ("x.db" + beside);
            std::filesystem::create_symlink(dangling ? "nothing" : "theirs", link);
            bool refused = false; // of the others, SQLite removes those that it does not need
            try {
                write_small_run(folder / "x.db");
            } catch (const Error&) {
                refused = true;
            }
            CHECK((refused || beside != ".lock"));
            CHECK(read(folder / "theirs") == "keep");
            CHECK_FALSE(std::filesystem::exists(folder / "nothing"));
            std::filesystem::remove(link);
            std::filesystem::remove(folder / "x.db");
        }
    write_file(folder / "x.db.lock", "my thesis");
    CHECK_THROWS_WITH_AS(write_small_run(folder / "x.db"),
                         doctest::Contains("x.db.lock: found a file that is no lock of SKaMPI"), InputError);
    CHECK(read(folder / "x.db.lock") == "my thesis");
    CHECK_FALSE(FileLock::holder(folder / "x.db.lock").has_value());
}

TEST_CASE("a lock whose file was removed and made anew does not exclude, the one in the new file does") {
    const ScratchFolder folder;
    const FileLock old(folder / "l", "thing");
    std::filesystem::remove(folder / "l");
    {
        const FileLock fresh(folder / "l", "thing");
        CHECK_THROWS_AS(FileLock(folder / "l", "thing"), SystemError);
    }
}

TEST_CASE("what the lock's holder wrote is shown without its control characters") {
    const ScratchFolder folder;
    const FileLock lock(folder / "l", "thing");
    write_file(folder / "l", "evil \x1b[2J\n");
    CHECK_THROWS_WITH_AS(FileLock(folder / "l", "thing"), doctest::Contains("(evil \\x1b[2J)"), SystemError);
}

TEST_CASE("a lock moves with its owner") {
    const ScratchFolder folder;
    auto first = std::make_unique<FileLock>(folder / "l", "thing");
    const auto second = std::make_unique<FileLock>(std::move(*first));
    first.reset();
    CHECK(FileLock::holder(folder / "l").has_value());
}

// --- refused

namespace {

/// A text without the name of the folder that differs from run to run.
std::string without(const std::string& folder, std::string text) {
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
        text.erase(at, folder.size());
    return text;
}

} // namespace

TEST_CASE("what is no result file is refused with one line and left as it is") {
    const ScratchFolder folder;
    write_small_run(folder / "good.db");
    const std::string good = read(folder / "good.db");

    Golden golden("store");
    const auto refused = [&](const std::string& name, bool readable, bool writable, ExitStatus status) {
        CAPTURE(name);
        const std::string path = folder / name;
        const bool existed = std::filesystem::is_regular_file(path);
        const std::string before = existed ? read(path) : "";
        const std::set<std::string> names = names_in(folder);
        for (const bool writing : {false, true}) {
            if (writing ? !writable : !readable)
                continue;
            CAPTURE(writing);
            try {
                (void)(writing ? Database::open_for_writing(path) : Database::open(path));
                FAIL("was accepted");
            } catch (const StoreError& error) {
                const std::string what = error.what();
                INFO(what);
                CHECK(what.find(path) == 0);
                CHECK(what.find('\n') == std::string::npos);
                CHECK(error.status() == status);
                if (what.find("***") == std::string::npos) // which SQLite says, each version otherwise
                    golden.add(name + (writing ? ", written" : ", read"), without(folder / "", what));
            }
        }
        CHECK(names_in(folder) == names);
        if (existed)
            CHECK(read(path) == before);
    };

    using enum ExitStatus;
    refused("missing.db", true, false, bad_input);
    refused("no/folder/x.db", true, false, bad_input);
    refused("no/folder/x.db", false, true, impossible);
    std::filesystem::create_directory(folder / "folder");
    refused("folder", true, true, bad_input);
    write_file(folder / "empty", "");
    refused("empty", true, false, bad_input);
    write_file(folder / "text", "hello\n");
    refused("text", true, true, bad_input);
    write_file(folder / "long text", std::string(100'000, 'x'));
    refused("long text", true, true, bad_input);
    write_file(folder / "plan.skampi", "# a comment\n@USER me\n@MEASUREMENTS\n");
    refused("plan.skampi", true, true, bad_input);
    write_file(folder / "table.csv", "a,b,c\n1,2,3\n");
    refused("table.csv", true, true, bad_input);
    write_file(folder / "result.csv", result_csv_header() + "\n");
    refused("result.csv", false, true, bad_input);
    rows_of(folder / "foreign.db", "CREATE TABLE t(x); INSERT INTO t VALUES (1)");
    refused("foreign.db", true, true, bad_input);
    rows_of(folder / "foreign2.db", "PRAGMA application_id = 1; CREATE TABLE run(x)");
    refused("foreign2.db", true, true, bad_input);
    write_file(folder / "newer.db", good);
    rows_of(folder / "newer.db", "PRAGMA user_version = 2");
    refused("newer.db", true, true, bad_input);
    for (const std::string version : {"1", "2", "7"}) {
        const std::string name = "prerelease" + version + ".db";
        write_file(folder / name, good);
        rows_of(folder / name, "PRAGMA application_id = " + std::to_string(prerelease_application_id) +
                                   "; PRAGMA user_version = " + version);
        refused(name, true, true, bad_input);
    }
    write_file(folder / "zero.db", good);
    rows_of(folder / "zero.db", "PRAGMA user_version = 0");
    refused("zero.db", true, true, impossible);
    write_file(folder / "cut.db", good.substr(0, 50));
    refused("cut.db", true, true, impossible);
    write_file(folder / "cut2.db", good.substr(0, good.size() - 4096));
    refused("cut2.db", true, true, impossible);
    std::string zeroed = good;
    std::fill(zeroed.begin() + 4096, zeroed.begin() + 3 * 4096, '\0');
    write_file(folder / "zeroed.db", zeroed);
    refused("zeroed.db", false, true, impossible);
    golden.check();
}

TEST_CASE("a bit that fell over is noticed wherever it makes a difference") {
    const ScratchFolder folder;
    write_small_run(folder / "good.db");
    const std::string good = read(folder / "good.db");
    const auto everything = [](const Database& database) {
        std::ostringstream text;
        text.precision(17);
        for (const RunId id : database.runs()) {
            for (const StoredSuite& s : database.suites(id))
                for (const StoredMeasurement& m : database.measurements(s.id)) {
                    text << m.measurement.argument << ' ' << m.measurement.value_s << ' ' << m.finished
                         << '\n';
                    for (const Batch& b : database.batches(m.id))
                        for (const double duration_s : b.duration_s)
                            text << duration_s << '\n';
                }
        }
        return text.str();
    };
    const std::string truth = everything(Database::open(folder / "good.db"));
    std::mt19937_64 random(9);
    int noticed = 0;
    for (int i = 0; i < 300; ++i) {
        std::string bad = good;
        const std::size_t byte = random() % bad.size();
        bad[byte] = static_cast<char>(bad[byte] ^ (1 << (random() % 8)));
        write_file(folder / "bad.db", bad);
        CAPTURE(byte);
        try {
            const Database database = Database::open(folder / "bad.db");
            database.check_integrity();
            // Not noticed: then nothing that is read has changed.
            CHECK(everything(database) == truth);
        } catch (const Error& error) {
            CHECK(std::string(error.what()).find(folder / "bad.db") == 0);
            ++noticed;
        }
        CHECK(read(folder / "bad.db") == bad);
    }
    CHECK(noticed > 40);
}

TEST_CASE("a number edited by hand is noticed when it is read") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    const auto damaged = [&](const std::string& sql, const std::string& named) {
        CAPTURE(sql);
        std::filesystem::copy_file(folder / "x.db", folder / "y.db",
                                   std::filesystem::copy_options::overwrite_existing);
        rows_of(folder / "y.db", sql);
        CHECK_THROWS_WITH_AS(Database::open(folder / "y.db").check_integrity(),
                             doctest::Contains(named.c_str()), StoreError);
    };
    damaged("UPDATE run SET ranks = 5", "checksum of run small");
    damaged("UPDATE run SET uuid = 'x'", "a run was removed and another one put in its place");
    damaged("UPDATE suite SET cut_quantile = 0.1 WHERE ordinal = 1", "checksum of suite \"second\"");
    damaged("UPDATE suite SET scale = 'Dynamic'", "holds \"Dynamic\", expected one of \"Fixed_linear\"");
    damaged("UPDATE suite SET possible_variations = 'sizes'", "holds \"sizes\"");
    damaged("UPDATE measurement SET value_s = 1 WHERE argument = 4", "measurement at argument 4");
    damaged("UPDATE measurement SET flags = 'x'", "column flags holds \"x\"");
    damaged("UPDATE measurement SET ranks = 5000000000", "5000000000");
    damaged("UPDATE mode SET share = 0.5", "measurement at argument 1");
    damaged("DELETE FROM node_time WHERE rank = 3", "measurement at argument 1");
    damaged("UPDATE batch SET durations_s = zeroblob(length(durations_s))", "checksum of batch 0");
    damaged("UPDATE batch SET durations_s = substr(durations_s, 17)", "checksum of batch 0");
    damaged("UPDATE batch SET durations_s = substr(durations_s, 5)", "impossible counts");
    damaged("UPDATE batch SET durations_s = X'010203'", "impossible counts");
    damaged("UPDATE batch SET node_ranks = 1", "checksum of batch 0");
    damaged("UPDATE stretch SET probe_before_s = 1", "checksum of batch 0");
    damaged("UPDATE stretch SET listed_ranks = '0       x' WHERE listed_ranks <> ''", "impossible counts");
    damaged("UPDATE stretch SET listed_ranks = '0' WHERE listed_ranks <> ''", "impossible counts");
    damaged("UPDATE stretch SET listed_ranks = '0       400     ' WHERE listed_ranks <> ''",
            "checksum of batch");
    damaged("UPDATE stretch SET listed_ranks = '300     0       ' WHERE listed_ranks <> ''",
            "checksum of batch");
    damaged("UPDATE batch SET stretch = 2 WHERE stretch = 1", "checksum of batch 0");
    damaged("UPDATE batch SET node_ranks = 1 << 40", "impossible counts");
    damaged("DELETE FROM suite", "rows that belong to nothing");

    rows_of(folder / "x.db", "UPDATE measurement SET median_s = 1 WHERE argument = 4");
    CHECK_THROWS_AS((void)results_of(Database::open(folder / "x.db")), StoreError);
}

TEST_CASE("a row that was moved, deleted or made up is noticed") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    {
        Database database = Database::open_for_writing(folder / "x.db");
        database.add_event(database.runs().front(), {"2026-11-21T10:00:01Z", "info", "", "one"});
        database.add_event(database.runs().front(), {"2026-11-21T10:00:02Z", "info", "", "two"});
    }
    const auto noticed = [&](const std::string& sql, const std::string& named) {
        CAPTURE(sql);
        std::filesystem::copy_file(folder / "x.db", folder / "y.db",
                                   std::filesystem::copy_options::overwrite_existing);
        rows_of(folder / "y.db", "PRAGMA foreign_keys = ON; " + sql);
        const Database database = Database::open(folder / "y.db");
        CHECK_THROWS_WITH_AS(database.check_run(database.runs().front()), doctest::Contains(named.c_str()),
                             StoreError);
    };
    noticed("UPDATE suite SET ordinal = 7 WHERE ordinal = 1", "suite \"second\"");
    noticed("UPDATE suite SET ordinal = ordinal + 10; UPDATE suite SET ordinal = 11 - ordinal", "suite");
    noticed("UPDATE suite SET name = name || '!'; UPDATE suite SET name = 'first' WHERE ordinal = 1",
            "suite");
    noticed("UPDATE suite SET state = 'open' WHERE ordinal = 0", "suite \"first\"");
    noticed("UPDATE suite SET attempts = 9 WHERE ordinal = 0", "suite \"first\"");
    noticed("UPDATE measurement SET suite = 3 - suite, argument = argument + 1000; "
            "UPDATE measurement SET argument = argument - 1000",
            "measurement at argument 1");
    noticed("UPDATE batch SET ordinal = 99 WHERE measurement = 1; "
            "UPDATE batch SET measurement = 1 WHERE measurement = 2; "
            "UPDATE batch SET measurement = 2, ordinal = 0 WHERE ordinal = 99",
            "checksum of batch 0");
    noticed("DELETE FROM suite WHERE ordinal = 1", "checksum of run small");
    noticed("DELETE FROM measurement WHERE suite = 1 AND argument = 4", "suite \"first\" has 2 measurements");
    noticed("DELETE FROM batch WHERE measurement = 1", "has 0 batches, expected 1");
    noticed("DELETE FROM event WHERE text = 'one'", "checksum of run small");
    noticed("INSERT INTO detour VALUES (1, 0, 0, 1, 0.5, 9, 0.1)", "checksum of run small");
    noticed("UPDATE event SET text = 'three' WHERE text = 'one'", "checksum of run small");
    noticed("UPDATE event SET id = 10 - id", "checksum of run small"); // in another order
    noticed("INSERT INTO event SELECT NULL, run, time_utc, kind, suite, text FROM event",
            "checksum of run small");
    noticed("INSERT INTO run_fact VALUES (1, 'cpu model', 'a better one')", "checksum of run small");
    noticed("INSERT INTO run_setting VALUES (1, 'UCX_TLS', 'tcp')", "checksum of run small");
    noticed("INSERT INTO suite_fact VALUES (1, 'partner', '7')", "suite \"first\"");
}

TEST_CASE("a run that was removed is noticed by readers and writers, whichever it was") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    {
        Database database = Database::open_for_writing(folder / "x.db");
        for (const char* const uuid : {"second", "third"})
            database.end_run(database.begin_run(run(uuid), {}), run(uuid));
        CHECK(database.runs().size() == 3);
    }
    CHECK(Database::open(folder / "x.db").runs().size() == 3);
    const auto noticed = [&](const std::string& sql, const char* found) {
        CAPTURE(sql);
        std::filesystem::copy_file(folder / "x.db", folder / "y.db",
                                   std::filesystem::copy_options::overwrite_existing);
        rows_of(folder / "y.db", sql);
        const std::string before = read(folder / "y.db");
        CHECK_THROWS_WITH_AS((void)Database::open(folder / "y.db"), doctest::Contains(found), StoreError);
        CHECK_THROWS_WITH_AS((void)Database::open_for_writing(folder / "y.db"), doctest::Contains(found),
                             StoreError);
        CHECK(read(folder / "y.db") == before);
    };
    for (const char* const keys : {"ON", "OFF"})
        for (const char* const uuid : {"small", "second", "third"})
            noticed(std::string("PRAGMA foreign_keys = ") + keys + "; DELETE FROM run WHERE uuid = '" + uuid +
                        "'",
                    "holds 2 runs, expected 3");
    noticed("DELETE FROM run", "holds 0 runs, expected 3");
    noticed("UPDATE run SET id = 10 - id", "a run was removed");
    noticed("DELETE FROM inventory", "inventory is missing");
}

TEST_CASE("a planted schema is refused before it can act") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    const auto altered = [&](const std::string& sql) {
        std::filesystem::copy_file(folder / "x.db", folder / "y.db",
                                   std::filesystem::copy_options::overwrite_existing);
        rows_of(folder / "y.db", sql);
    };
    const std::string endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS ";
    for (const auto& [sql, named] : std::vector<std::pair<std::string, std::string>>{
             {"DROP VIEW result; CREATE VIEW result AS SELECT 1 AS run", "view result"},
             {"DROP TABLE event; CREATE VIEW event AS " + endless + "id FROM n", "view event"},
             {"CREATE VIEW mine AS " + endless + "a FROM n", "view mine"},
             {"CREATE TRIGGER t AFTER UPDATE ON suite BEGIN DELETE FROM measurement; END", "trigger t"},
             {"CREATE TRIGGER u INSTEAD OF UPDATE ON result BEGIN DELETE FROM run; END", "trigger u"},
             {"CREATE INDEX i ON run (length(uuid))", "index i"},
             {"DROP INDEX event_of_run", "index event_of_run is missing"},
             {"ALTER TABLE run ADD COLUMN more INTEGER DEFAULT 1", "table run"},
         }) {
        CAPTURE_BINDING(sql);
        altered(sql);
        const std::string before = read(folder / "y.db");
        CHECK_THROWS_WITH_AS((void)Database::open(folder / "y.db"), doctest::Contains(named.c_str()),
                             StoreError);
        CHECK_THROWS_WITH_AS((void)Database::open_for_writing(folder / "y.db"),
                             doctest::Contains(named.c_str()), StoreError);
        CHECK(read(folder / "y.db") == before);
    }
    // Another version has other indices, for example: nothing is damaged, and the input is wrong.
    altered("DROP INDEX event_of_run");
    try {
        (void)Database::open(folder / "y.db");
        FAIL("it was not refused");
    } catch (const StoreError& error) {
        CHECK(error.status() == ExitStatus::bad_input);
        CHECK(std::string(error.what()).find("another version of SKaMPI") != std::string::npos);
        CHECK(std::string(error.what()).find("damaged") == std::string::npos);
    }
    // A comment tells what the program that made the file did; beside it everything is as it was.
    const auto with_schema_text = [&](const std::string& from, const std::string& to) {
        altered("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '" + from + "', '" +
                to + "') WHERE name = 'measurement'; PRAGMA writable_schema = RESET");
    };
    with_schema_text("separated by commas: not_repeatable", "as it once was: not_repeatable");
    CHECK(results_of(Database::open(folder / "y.db")).size() == 6);
    CHECK_NOTHROW((void)Database::open_for_writing(folder / "y.db"));
    with_schema_text("-- separated by commas", "CHECK (1) -- separated by commas");
    CHECK_THROWS_AS((void)Database::open(folder / "y.db"), StoreError);
    // What cannot act: a user's own table, and what ANALYZE makes.
    altered("CREATE TABLE mine (a); ANALYZE");
    CHECK(results_of(Database::open(folder / "y.db")).size() == 6);
    CHECK_NOTHROW((void)Database::open_for_writing(folder / "y.db"));
}

TEST_CASE("nothing is written through a reader") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    const std::string before = read(folder / "x.db");
    Database reader = Database::open(folder / "x.db");
    CHECK_THROWS_AS((void)reader.begin_run(run("r"), {}), StoreError);
    CHECK_THROWS_AS(reader.begin_suite(1), StoreError);
    CHECK_THROWS_AS(reader.in_one_commit([] {}), StoreError);
    CHECK(read(folder / "x.db") == before);
}

// --- the document

TEST_CASE(
    "docs/database.md describes every table and view there is, and no other, and every column of a view") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    std::map<std::string, std::vector<std::string>> real;
    for (const std::string& row : rows_of(
             folder / "x.db",
             "SELECT s.type || ' ' || s.name, c.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c "
             "WHERE s.type IN ('table', 'view') ORDER BY s.name, c.cid"))
        real[row.substr(0, row.find('|'))].push_back(row.substr(row.find('|') + 1));

    std::map<std::string, std::vector<std::string>> documented;
    std::ifstream document(SKAMPI_SOURCE_ROOT "/docs/database.md");
    REQUIRE(document);
    std::string section;
    for (std::string line; std::getline(document, line);) {
        if (line.starts_with("#"))
            section.clear();
        for (const std::string kind : {"table", "view"}) {
            const std::string title = kind == "table" ? "### Table `" : "### View `";
            if (line.starts_with(title)) {
                section = kind + " " + line.substr(title.size(), line.find('`', title.size()) - title.size());
                documented[section];
            }
        }
        if (section.starts_with("view") && line.starts_with("| ") && !line.starts_with("| column |"))
            documented[section].push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    CHECK(real.size() > 10);
    for (const auto& [name, columns] : real) {
        CAPTURE_BINDING(name);
        CHECK(documented.contains(name));
        if (name.starts_with("view"))
            CHECK(documented[name] == columns);
    }
    CHECK(documented.size() == real.size());
}

TEST_CASE("a database tells what its columns mean") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    const std::vector<std::string> sql =
        rows_of(folder / "x.db", "SELECT sql FROM sqlite_schema WHERE name = 'stretch'");
    REQUIRE(sql.size() == 1);
    CHECK(sql.front().find("block           INTEGER NOT NULL, -- calls per single measurement\n") !=
          std::string::npos);
}

TEST_CASE("the SQL in docs/database.md works") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    std::ifstream document(SKAMPI_SOURCE_ROOT "/docs/database.md");
    bool in_sql = false;
    std::string sql;
    for (std::string line; std::getline(document, line);) {
        if (line.starts_with("```"))
            in_sql = line == "```sql";
        else if (in_sql)
            sql += line + "\n";
    }
    CHECK(std::count(sql.begin(), sql.end(), ';') >= 5);
    rows_of(folder / "x.db", sql);
}

TEST_CASE("the view result has the columns of result CSV files") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    std::string columns;
    for (const std::string& name : rows_of(folder / "x.db", "SELECT name FROM pragma_table_info('result')"))
        columns += (columns.empty() ? "" : ",") + name;
    CHECK(columns == result_csv_header());
    CHECK(
        columns ==
        "run,suite,type,operation,pattern,meaning,varied,argument_name,argument_unit,synchronization,reported_time,algorithm,value_kind,buffers,absolute,datatype,reduction,root,in_place,ranks,message_bytes,chunks,argument,value_s,standard_error_s,count,minimum_s,quartile25_s,median_s,quartile75_s,maximum_s,flags,mode,mode_share,adjusted_s,launches,low,high,error,interval_confidence,half_round_trip_s,bandwidth,bus_bandwidth,host,mpi_library,started_utc,kind,variant,round");
}

TEST_CASE("a result names the variant and the round of its launch") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    {
        Database database = Database::open_for_writing(folder / "x.db");
        Run launch = run("in turns");
        launch.variant = "new";
        launch.session_place = {"a session", 12, 1};
        const RunId id = database.begin_run(launch, {suite("first")});
        const SuiteId first = database.suites(id).front().id;
        std::mt19937_64 random(2);
        const Measurement value = measurement(8, random);
        database.add_batches(database.begin_measurement(first, value), {batch(50, random)}, value, true);
        database.end_run(id, launch);
    }
    const Database database = Database::open(folder / "x.db");
    std::vector<std::string> found;
    database.for_each_result(
        [&](const ResultRow& row) { found.push_back(row.variant + " " + std::to_string(row.round)); });
    CHECK(found == std::vector<std::string>{" 0", " 0", " 0", " 0", " 0", " 0", "new 12"});
    CHECK(rows_of(folder / "x.db", "SELECT variant || ' ' || round FROM result") == found);
}
