// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/trust/value_error.hpp"

#include "analysis/finding_names.hpp"
#include "close_to.hpp"
#include "invented_run.hpp"
#include "invented_subject.hpp"
#include "model/bus_bandwidth.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

using namespace skampi;
using test::invented_subject;

namespace {

Curve merged_curve(int runs) {
    Curve curve = invented_subject({test::full_plan({}).front()}).curves[0];
    for (StoredMeasurement& point : curve.points) {
        MergeFacts facts;
        facts.runs = runs;
        facts.minimum_s = facts.interval_low_s = 0.9 * point.measurement.value_s;
        facts.maximum_s = facts.interval_high_s = 1.1 * point.measurement.value_s;
        facts.interval_confidence = 0.969;
        point.merge = facts;
    }
    return curve;
}

} // namespace

TEST_CASE("the error of one run is its repeatability, that of a merged value comes from its launches") {
    Curve curve = invented_subject({test::full_plan({}).front()}).curves[0];
    const double value_s = curve.points[3].measurement.value_s;
    ValueError error = value_error(curve.points[3], 0.5);
    CHECK(error.kind == ErrorKind::repeatability);
    CHECK(error.standard_error_s == close_to(0.005 * value_s));
    CHECK(*error.low == close_to(0.495 * value_s));
    CHECK(*error.high == close_to(0.505 * value_s));
    CHECK(error_bars_of(curve) == ErrorKind::repeatability);

    curve = merged_curve(6);
    error = value_error(curve.points[3]);
    CHECK(error.kind == ErrorKind::interval);
    CHECK(error.confidence == 0.969);
    CHECK(error.launches == 6);
    CHECK(*error.low == close_to(0.9 * value_s));
    CHECK(error_bars_of(curve) == ErrorKind::interval);

    // Launches of one session have no level.
    for (StoredMeasurement& point : curve.points) {
        point.merge->in_a_row = true;
        point.merge->interval_confidence = 0;
    }
    error = value_error(curve.points[3]);
    CHECK(error.kind == ErrorKind::interval_in_a_row);
    CHECK(error.confidence == 0);
    CHECK(*error.low == close_to(0.9 * value_s));
    CHECK(error_bars_of(curve) == ErrorKind::interval_in_a_row);
    CHECK(curve_error(curve).kind == ErrorKind::interval_in_a_row);

    curve = merged_curve(2);
    CHECK(value_error(curve.points[3]).kind == ErrorKind::range);
    CHECK(error_bars_of(curve) == ErrorKind::range);
    curve.points[3].merge->value_kind = "min";
    CHECK(value_error(curve.points[3]).kind == ErrorKind::range_of_minimum);
    curve.points[3].merge->minimum_s = curve.points[3].merge->maximum_s = std::nan("");
    error = value_error(curve.points[3]);
    CHECK(error.kind == ErrorKind::launches_without_range);
    CHECK_FALSE(error.low.has_value());
    CHECK(value_error(merged_curve(1).points[3]).kind == ErrorKind::one_launch);
}

TEST_CASE("a value without an error has the reason for it") {
    StoredMeasurement point = invented_subject({test::full_plan({}).front()}).curves[0].points[3];
    StoredMeasurement changed = point;
    changed.measurement.value_s = std::nan("");
    CHECK(value_error(changed).kind == ErrorKind::nothing_measured);
    changed = point;
    changed.measurement.summary.count = 0;
    CHECK(value_error(changed).kind == ErrorKind::no_single_measurement);
    changed.measurement.summary.count = 1;
    CHECK(value_error(changed).kind == ErrorKind::one_single_measurement);
    changed = point;
    changed.measurement.standard_error_s = std::nan("");
    CHECK(value_error(changed).kind == ErrorKind::unknown);
    changed = point;
    changed.measurement.value_s = -1e-9;
    CHECK(value_error(changed).kind == ErrorKind::below_overhead);
}

namespace {

/// Raw points with errors of every kind.
std::vector<StoredMeasurement> raw_points() {
    std::vector<StoredMeasurement> points;
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    for (const double value_s : {unknown, -1e-9, 1e-6})
        for (const int count : {0, 1, 100})
            for (const double standard_error_s :
                 {unknown, std::numeric_limits<double>::infinity(), 1e-8, 0.6e-6, 2e-6})
                for (const Flags flags : {Flags{}, static_cast<Flags>(Flag::unreliable)})
                    for (const double overhead_s : {0.0, 1e-3}) {
                        StoredMeasurement& point = points.emplace_back();
                        point.measurement.value_s = value_s;
                        point.measurement.summary.count = count;
                        point.measurement.standard_error_s = standard_error_s;
                        point.measurement.flags = flags;
                        point.measurement.overhead_s = overhead_s;
                        point.measurement.overhead_error_s = 1e-4 * overhead_s;
                    }
    return points;
}

/// The same of merged ones.
std::vector<StoredMeasurement> merged_points() {
    std::vector<StoredMeasurement> points;
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    for (const double value_s : {unknown, 1e-6})
        for (const int runs : {1, 4, 5})
            for (const double confidence : {0.0, 0.95})
                for (const bool in_a_row : {false, true})
                    for (const char* const kind : {"median", "min"})
                        for (const double end_s : {unknown, -1e-7, 2e-6}) {
                            StoredMeasurement& point = points.emplace_back();
                            point.measurement.value_s = value_s;
                            point.measurement.summary.count = runs == 1 && in_a_row ? 1 : 100;
                            point.merge.emplace();
                            point.merge->runs = runs;
                            point.merge->minimum_s = -1e-6;
                            point.merge->maximum_s = end_s;
                            point.merge->interval_low_s = 0.5e-6;
                            point.merge->interval_high_s = std::isnan(end_s) ? 1e-5 : end_s;
                            point.merge->interval_confidence = in_a_row ? 0 : confidence;
                            point.merge->in_a_row = in_a_row;
                            point.merge->value_kind = kind;
                        }
    return points;
}

} // namespace

TEST_CASE("a database says of the error of a value what a report says, for every kind of error") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    for (const bool merged : {false, true}) {
        Run run = invented::run(merged ? "merged" : "raw");
        run.kind = merged ? "merged" : "raw";
        const RunId id = database.begin_run(run, {invented::suite("s")});
        const SuiteId suite = database.suites(id).front().id;
        std::vector<StoredMeasurement> points = merged ? merged_points() : raw_points();
        for (std::size_t i = 0; i < points.size(); ++i) {
            Measurement& measurement = points[i].measurement;
            measurement.argument = static_cast<std::int64_t>(i);
            if (merged)
                (void)database.add_merged(suite, measurement, *points[i].merge);
            else
                database.add_batches(database.begin_measurement(suite, measurement), {}, measurement, true);
        }
        std::set<ErrorKind> kinds;
        std::size_t place = 0;
        database.for_each_result(
            [&](const ResultRow& row) {
                CAPTURE(place);
                const ValueError error = value_error(points.at(place++));
                kinds.insert(error.kind);
                CHECK(row.error == to_text(error.kind));
                CHECK((std::isnan(row.low) ? std::nullopt : std::optional(row.low)) == error.low);
                CHECK((std::isnan(row.high) ? std::nullopt : std::optional(row.high)) == error.high);
                CHECK(row.interval_confidence == error.confidence);
            },
            run.uuid);
        CHECK(place == points.size());
        CHECK(kinds.size() == (merged ? 8 : 6));
        database.end_run(id, run);
    }
}

TEST_CASE("a database says of bus bandwidths what a report says: data of the whole operation, on one link") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    std::vector<Suite> suites;
    for (const BusOperation& each : bus_operations) {
        suites.push_back(invented::suite(std::string(each.operation)));
        suites.back().operation.name = each.operation;
    }
    suites.push_back(invented::suite("MPI_Scan"));
    suites.back().operation.name = "MPI_Scan";
    suites.push_back(invented::suite("MPI_Send-MPI_Recv", Pattern::ping_pong));
    const Run run = invented::run("r");
    const RunId id = database.begin_run(run, suites);
    for (const StoredSuite& stored : database.suites(id)) {
        Measurement measurement;
        measurement.argument = measurement.message_bytes = 1000;
        measurement.ranks = 4;
        measurement.value_s = 1e-3;
        measurement.messages = 1;
        database.add_batches(database.begin_measurement(stored.id, measurement), {}, measurement, true);
    }
    std::map<std::string, double> found;
    database.for_each_result([&](const ResultRow& row) {
        const double share = bus_share(row.suite.operation.name, row.suite.operation.pattern, 4);
        CHECK((std::isnan(share) ? std::isnan(row.bus_bandwidth)
                                 : row.bus_bandwidth == close_to(share * row.bandwidth)));
        found[row.suite.name] = row.bus_bandwidth;
    });
    CHECK(found["MPI_Allreduce"] == close_to(1.5e6)); // 2 3/4 of 1 MB/s
    CHECK(found["MPI_Allgather"] == close_to(3e6));   // 3/4 of 4 messages
    CHECK(found["MPI_Bcast"] == close_to(1e6));
    CHECK(std::isnan(found["MPI_Scan"]));
    database.end_run(id, run);
}

TEST_CASE("the errors of a curve are one statement also where its points rest on different launches") {
    Curve curve = merged_curve(2);
    CHECK(curve_error(curve).uniform->kind == ErrorKind::range);
    curve.points[3].merge->runs = 3;
    CurveError error = curve_error(curve);
    CHECK_FALSE(error.uniform.has_value());
    CHECK(error.kind == ErrorKind::range);
    CHECK(error.fewest_launches == 2);
    CHECK(error.most_launches == 3);
    curve.points[4].merge->runs = 22;
    error = curve_error(curve);
    CHECK(error.kind == ErrorKind::interval);
    CHECK(error.most_launches == 22);
    CHECK(error.most_confidence == 0.969);
    CHECK(error.some_without_interval);
    // And where not all launches count, of how many.
    curve.points[4].merge->measured_runs = 30;
    CHECK(value_error(curve.points[4]).launches == 22);
    CHECK(value_error(curve.points[4]).measured_launches == 30);
}

TEST_CASE("a value is settled if its interval, as a standard error, is at most what was asked for") {
    Curve curve = merged_curve(6);
    StoredMeasurement& point = curve.points[3];
    point.merge->interval_confidence = 0.95;
    REQUIRE(error_between_launches(point));
    CHECK(*error_between_launches(point) == close_to(0.1 / 1.959964).epsilon(1e-5));
    curve.stored.suite.repetition.max_relative_error = 0.0511;
    CHECK(settled(curve, point) == Settled::settled);
    curve.stored.suite.repetition.max_relative_error = 0.0510;
    CHECK(settled(curve, point) == Settled::unsettled);
    point.merge->interval_confidence = 0.9375; // the same ends at a lower level are less sure
    curve.stored.suite.repetition.max_relative_error = 0.0511;
    CHECK(settled(curve, point) == Settled::unsettled);
    SUBCASE("without an interval it is unknown, however small the error within the runs is") {
        point.measurement.standard_error_s = 0;
        for (const int runs : {1, 4}) {
            point.merge->runs = runs;
            CHECK(settled(curve, point) == Settled::unknown);
        }
        point.merge.reset();
        CHECK(settled(curve, point) == Settled::unknown);
        curve.simulated = true;
        CHECK(settled(curve, point) == Settled::settled);
    }
    SUBCASE("launches that went on until half of the interval was as narrow") {
        curve.stored.facts[fact_until] = "0.101";
        CHECK(settled(curve, point) == Settled::settled);
        curve.stored.facts[fact_until] = "0.099";
        CHECK(settled(curve, point) == Settled::unsettled);
        point.merge->runs = 5;
        CHECK(settled(curve, point) == Settled::unknown);
    }
    SUBCASE("a file that does not state what was asked for") {
        forget_settings(curve.stored.suite);
        CHECK(settled(curve, point) == Settled::unknown);
    }
}
