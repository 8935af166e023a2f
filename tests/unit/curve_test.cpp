// SPDX-License-Identifier: GPL-2.0-or-later
#include "skalib/curve.hpp"

#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <vector>

using namespace skalib;

namespace {

struct Point {
    std::int64_t argument = 0;
    double value = 0;
};

const std::vector<Point> curve = {{4, 10}, {8, 30}, {16, 20}};

auto place(std::int64_t argument, const std::vector<Point>& points = curve) {
    return place_on_curve(points.begin(), points.end(), argument,
                          [](const Point& point) { return point.argument; });
}

} // namespace

TEST_CASE("an argument that was measured is its point") {
    for (const Point& point : curve) {
        const auto found = place(point.argument);
        REQUIRE(found);
        CHECK(found->at_point());
        CHECK(found->left->value == point.value);
        CHECK(found->share == 0);
    }
}

TEST_CASE("an argument between two points lies on the line through them") {
    const auto found = place(5);
    REQUIRE(found);
    CHECK_FALSE(found->at_point());
    CHECK(found->left->argument == 4);
    CHECK(found->right->argument == 8);
    CHECK(found->share == 0.25);
    CHECK(std::lerp(found->left->value, found->right->value, found->share) == 15);
    CHECK(place(14)->share == 0.75);
}

TEST_CASE("nothing lies beyond the ends of a curve") {
    CHECK_FALSE(place(3));
    CHECK_FALSE(place(17));
    CHECK_FALSE(place(4, {}));
}

TEST_CASE("large whole numbers are told apart that are one as floating-point numbers") {
    const std::int64_t large = std::int64_t{1} << 60;
    const std::vector<Point> points = {{large, 1}, {large + 4, 2}};
    CHECK(place(large, points)->at_point());
    const auto found = place(large + 1, points);
    REQUIRE(found);
    CHECK_FALSE(found->at_point());
    CHECK(found->share == 0.25);
}
