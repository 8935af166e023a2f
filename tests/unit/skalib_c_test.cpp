// SPDX-License-Identifier: GPL-2.0-or-later
#include "skalib/merge.hpp"
#include "skalib/refinement.hpp"
#include "skalib/repetition.hpp"
#include "skalib/skalib.h"

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <string>
#include <vector>

TEST_CASE("the manual's example of merging is 899 from C") {
    const std::array<skalib_point, 3> values{{{0, 910, 1, 4}, {0, 899, 1, 10}, {0, 901, 1, 4}}};
    std::size_t middle = 0;
    REQUIRE(skalib_weighted_median(values.data(), values.size(), &middle) == SKALIB_OK);
    CHECK(values[middle].value == 899);
}

TEST_CASE("repetition from C wants what it wants in C++") {
    skalib_repetition_limits limits;
    skalib_usual_repetition(&limits);
    limits.max_count = 0; // no limit
    skalib_repetition* const made = skalib_repetition_create(&limits, 1e-8);
    REQUIRE(made != nullptr);
    skalib::RepetitionControl control({.max_count = std::nullopt}, 1e-8);
    for (int i = 0; control.wanted() > 0; ++i) {
        REQUIRE(skalib_repetition_wanted(made) == control.wanted());
        const double value_s = 1e-6 * (1 + 0.1 * std::sin(i));
        control.add(value_s, 2);
        REQUIRE(skalib_repetition_add(made, value_s, 2) == SKALIB_OK);
    }
    CHECK(skalib_repetition_wanted(made) == 0);
    CHECK(skalib_repetition_reason(made) == SKALIB_REPEATABLE);
    skalib_summary summary;
    skalib_repetition_summary(made, &summary);
    CHECK(summary.count == control.summary().count);
    CHECK(summary.cut_mean == control.summary().cut_mean);
    CHECK(summary.cut_standard_error == control.summary().cut_standard_error);
    CHECK(skalib_repetition_add(made, NAN, 1) == SKALIB_BAD_INPUT);
    CHECK(std::string(skalib_last_error()) != "");
    skalib_repetition_free(made);
}

TEST_CASE("refinement from C asks for the arguments that it asks for in C++") {
    skalib_refinement_limits limits;
    skalib_usual_refinement(&limits, 1, 1 << 20);
    limits.max_steps = 40;
    skalib_refinement* const made = skalib_refinement_create(&limits);
    REQUIRE(made != nullptr);
    skalib::Refinement refinement({.start = 1, .end = 1 << 20, .stepwidth = 0, .max_steps = 40});
    int steps = 0;
    for (std::int64_t argument = 0; skalib_refinement_next(made, &argument) == 1; ++steps) {
        REQUIRE(refinement.next() == argument);
        const double value = argument < 5000 ? 1 : 3;
        refinement.add(argument, value);
        REQUIRE(skalib_refinement_add(made, argument, value, 0) == SKALIB_OK);
    }
    CHECK(!refinement.next());
    CHECK(steps > 20);
    skalib_refinement_free(made);
    limits.end = 0;
    CHECK(skalib_refinement_create(&limits) == nullptr);
    CHECK(std::string(skalib_last_error()) != "");
}

TEST_CASE("curves merged from C are those merged in C++") {
    const std::vector<skalib_point> a{{1, 10, 1, 16}, {4, 40, 1, 16}};
    const std::vector<skalib_point> b{{1, 12, 1, 16}, {2, 22, 1, 16}, {4, 44, 1, 16}};
    const std::array<skalib_curve, 2> runs{{{a.data(), a.size()}, {b.data(), b.size()}}};
    std::size_t count = 0;
    REQUIRE(skalib_merge_curves(runs.data(), runs.size(), SKALIB_UNION, SKALIB_MEDIAN, SKALIB_EQUAL, nullptr,
                                0, &count) == SKALIB_OK);
    REQUIRE(count == 3);
    std::array<skalib_merged_point, 3> merged;
    REQUIRE(skalib_merge_curves(runs.data(), runs.size(), SKALIB_UNION, SKALIB_MEDIAN, SKALIB_EQUAL,
                                merged.data(), merged.size(), &count) == SKALIB_OK);
    CHECK(merged[0].value == 11);
    CHECK(merged[1].argument == 2);
    CHECK(merged[1].value == 21); // of 20, between neighbours, and 22
    CHECK(merged[1].runs == 2);
    CHECK(merged[2].minimum == 40);
    CHECK(merged[2].maximum == 44);
    CHECK(skalib_merge_curves(runs.data(), runs.size(), 7, SKALIB_MEDIAN, SKALIB_EQUAL, nullptr, 0, &count) ==
          SKALIB_BAD_INPUT);
    const std::vector<skalib_point> unordered{{4, 40, 1, 16}, {1, 10, 1, 16}};
    const skalib_curve wrong{unordered.data(), unordered.size()};
    CHECK(skalib_merge_curves(&wrong, 1, SKALIB_UNION, SKALIB_MEDIAN, SKALIB_EQUAL, nullptr, 0, &count) ==
          SKALIB_BAD_INPUT);
}

TEST_CASE("statistics from C: the cut mean and the interval of the median") {
    const std::array<double, 8> values{1, 2, 3, 4, 5, 6, 7, 100};
    skalib_summary summary;
    REQUIRE(skalib_summarise(values.data(), values.size(), 0.25, &summary) == SKALIB_OK);
    CHECK(summary.cut_mean == 4.5);
    CHECK(summary.maximum == 100);
    CHECK(skalib_summarise(values.data(), values.size(), 0.5, &summary) == SKALIB_BAD_INPUT);
    skalib_interval interval;
    REQUIRE(skalib_median_interval(values.data(), values.size(), 0.95, &interval) == SKALIB_OK);
    CHECK(interval.low <= 4);
    CHECK(interval.high >= 5);
    CHECK(skalib_median_interval(nullptr, 3, 0.95, &interval) == SKALIB_BAD_INPUT);
}
