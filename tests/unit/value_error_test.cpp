#include "analysis/trust/value_error.hpp"

#include "close_to.hpp"
#include "invented_subject.hpp"

#include <cmath>
#include <doctest/doctest.h>
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
