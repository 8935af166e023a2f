// SPDX-License-Identifier: GPL-2.0-or-later
#include "launches/settled_suites.hpp"

#include <doctest/doctest.h>
#include <vector>

using namespace skampi;

namespace {

struct Point {
    double half_width = 0; ///< by the value
    int runs = 9;
    double value_s = 1e-6;
    double mad = 0.02; ///< by the value
};

Subject merged(const std::vector<Point>& points, bool simulated = false) {
    Subject subject;
    Curve& curve = subject.curves.emplace_back();
    curve.stored.suite.name = "f";
    curve.simulated = simulated;
    for (std::size_t i = 0; i < points.size(); ++i) {
        StoredMeasurement& stored = curve.points.emplace_back();
        stored.measurement.argument = static_cast<std::int64_t>(i);
        stored.measurement.value_s = points[i].value_s;
        stored.measurement.summary.count = 20;
        MergeFacts& merge = stored.merge.emplace();
        merge.runs = points[i].runs;
        merge.mad_s = points[i].mad * points[i].value_s;
        merge.interval_low_s = (1 - points[i].half_width) * points[i].value_s;
        merge.interval_high_s = (1 + points[i].half_width) * points[i].value_s;
        merge.interval_confidence = 0.95;
    }
    return subject;
}

} // namespace

TEST_CASE("a suite is settled if the intervals of enough of its values are narrow") {
    const Precision precision{.half_width = 0.02, .share = 0.75};
    const std::vector<Point> points{{0.01}, {0.0199}, {0.019}, {0.04}};
    const SettledSuite three = settled_suites(merged(points), precision).front();
    CHECK(three.open == std::set<std::int64_t>{3});
    CHECK(three.settled(0.75));
    CHECK_FALSE(three.settled(0.9));
    CHECK(three.scatter == doctest::Approx(0.02 * 1.4826));
    // All of them: four times the launches halve an interval.
    CHECK(settled_suites(merged(points), {.half_width = 0.02, .share = 1}).front().launches_needed ==
          doctest::Approx(4 * 9));
}

TEST_CASE("fewer than six launches settle nothing, and values that are none do not count") {
    const Precision precision{.half_width = 0.02};
    CHECK(settled_suites(merged({{0.001, 5}, {0.001, 6}}), precision).front().open ==
          std::set<std::int64_t>{0});
    CHECK(settled_suites(merged({{0.001, 6}, {0.5, 6, 0.0}}), precision).front().settled(1));
    CHECK(settled_suites(merged({{0.5, 6, 0.0}}), precision).empty());
    CHECK(settled_suites(merged({{0.5, 1}}, true), precision).front().settled(1)); // simulated
}
