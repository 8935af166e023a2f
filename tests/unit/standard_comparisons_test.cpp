// SPDX-License-Identifier: GPL-2.0-or-later
#include "launches/standard_comparisons.hpp"

#include "../tool/invented_results.hpp"

#include <doctest/doctest.h>
#include <utility>
#include <vector>

using namespace skampi;

TEST_CASE("the standard list compares what the paper compares, in its order") {
    Subject subject;
    subject.run = test::invented_run("x");
    for (const test::InventedSuite& invented : test::full_plan({})) {
        Curve curve;
        curve.stored.suite = invented.suite;
        StoredMeasurement point;
        point.measurement.value_s = 1e-6;
        curve.points.push_back(point);
        subject.curves.push_back(curve);
    }
    const std::vector<StandardPair> pairs = standard_comparisons(subject);
    REQUIRE(pairs.size() == 16); // Reduce and Scan over lengths and over nodes
    const std::vector<std::pair<int, int>> types{{1, 6},   {1, 5},   {1, 7},   {1, 4},   {1, 3},   {1, 2},
                                                 {1, 8},   {1, 9},   {8, 9},   {10, 11}, {13, 15}, {13, 14},
                                                 {19, 21}, {19, 21}, {17, 17}, {20, 20}};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        CHECK(pairs[i].first->suite().operation.type == types[i].first);
        CHECK(pairs[i].second->suite().operation.type == types[i].second);
    }
    CHECK(pairs[14].first->suite().message_bytes == 256);
    CHECK(pairs[14].second->suite().message_bytes == 65536);

    for (Curve& curve : subject.curves)
        if (curve.suite().operation.type == 1)
            curve.points.clear();
    CHECK(standard_comparisons(subject).size() == 8);
}
