// SPDX-License-Identifier: GPL-2.0-or-later
#include "skalib/least_squares.hpp"

#include "close_to.hpp"

#include <cmath>
#include <doctest/doctest.h>

using skalib::least_squares;

TEST_CASE("values on a plane give its coefficients and no residual") {
    const std::vector<std::vector<double>> rows{{1, 0, 3}, {1, 1, 1}, {1, 2, 5}, {1, 3, 2}, {1, 4, 4}};
    std::vector<double> values;
    for (const std::vector<double>& row : rows)
        values.push_back(2 * row[0] - 3 * row[1] + 0.5 * row[2]);
    const auto found = least_squares(rows, values, std::vector<double>{1, 2, 1, 3, 1});
    REQUIRE(found);
    CHECK(found->coefficients[0] == close_to(2));
    CHECK(found->coefficients[1] == close_to(-3));
    CHECK(found->coefficients[2] == close_to(0.5));
    CHECK(found->squares < 1e-20);
}

TEST_CASE("a constant is the weighted mean, with the error of that mean") {
    // Weights 1, 1/4 and 1: (1 + 4 / 4 + 4) / 2.25
    const auto found =
        least_squares({{1}, {1}, {1}}, std::vector<double>{1, 4, 4}, std::vector<double>{1, 2, 1});
    REQUIRE(found);
    CHECK(found->coefficients[0] == close_to(6 / 2.25));
    CHECK(found->errors[0] == close_to(std::sqrt(1 / 2.25)));
    const double mean = 6 / 2.25;
    CHECK(found->squares ==
          close_to((1 - mean) * (1 - mean) + (4 - mean) * (4 - mean) / 4 + (4 - mean) * (4 - mean)));
}

TEST_CASE("columns that depend on one another have no coefficients") {
    const std::vector<double> ones{1, 1, 1};
    CHECK_FALSE(least_squares({{1, 2}, {1, 2}, {1, 2}}, ones, ones));
    CHECK_FALSE(least_squares({{1, 0}, {1, 0}, {1, 0}}, ones, ones));
    CHECK_FALSE(least_squares({{1, 0, 1}, {1, 1, 2}, {1, 2, 3}}, ones, ones));
}
