// SPDX-License-Identifier: GPL-2.0-or-later
#include "skalib/repetition.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

using namespace skalib;

namespace {

struct Rounds {
    int count = 0;
    bool at_most_doubled = true;
};

/// Gives a control what it wants until it wants nothing.
Rounds serve(RepetitionControl& control, const std::function<double()>& value, std::int64_t calls = 1) {
    Rounds rounds;
    while (const std::int64_t wanted = control.wanted()) {
        const auto before = static_cast<std::int64_t>(control.values().size());
        if (before > 0 && wanted > before)
            rounds.at_most_doubled = false;
        for (std::int64_t i = 0; i < wanted; ++i)
            control.add(value(), calls);
        REQUIRE(++rounds.count < 1000);
    }
    return rounds;
}

std::int64_t count_of(const RepetitionControl& control) {
    return static_cast<std::int64_t>(control.values().size());
}

} // namespace

TEST_CASE("equal values settle at the minimum count") {
    RepetitionControl control({.min_count = 16});
    CHECK(control.wanted() == 16);
    serve(control, [] { return 2e-6; });
    CHECK(count_of(control) == 16);
    CHECK(control.reason() == StopReason::repeatable);
    CHECK(control.relative_error() == 0);
}

TEST_CASE("before the minimum count the rest of it is wanted") {
    RepetitionControl control({.min_count = 10});
    for (int i = 0; i < 7; ++i)
        control.add(1);
    CHECK(control.wanted() == 3);
    CHECK(control.reason() == StopReason::none);
}

TEST_CASE("how many values there will be is told without the bound on growth, within the limits") {
    const auto fed = [](const RepetitionLimits& limits, int count) {
        RepetitionControl control(limits);
        for (int i = 0; i < count; ++i)
            control.add(i % 2 == 0 ? 0.9 : 1.1); // deviates by 0.1
        return control;
    };
    CHECK(fed({.min_count = 8}, 4).expected() == 8);
    const RepetitionLimits exact{.min_count = 8,
                                 .max_count = std::nullopt,
                                 .max_relative_error = 0.001,
                                 .estimator = ErrorEstimator::classic};
    CHECK(fed(exact, 16).wanted() == 16);
    CHECK(fed(exact, 16).expected() == doctest::Approx(0.1 * 0.1 / (0.001 * 0.001)).epsilon(0.1));
    RepetitionLimits limited = exact;
    limited.max_count = 500;
    CHECK(fed(limited, 16).expected() == 500);
    limited.max_count = 16;
    CHECK(fed(limited, 16).expected() == 16);
    const RepetitionLimits coarse{.min_count = 8, .max_relative_error = 0.5};
    CHECK(fed(coarse, 16).expected() == 16); // settled
    RepetitionControl nothing_known(exact);
    for (int i = 0; i < 8; ++i)
        nothing_known.add(i % 2 == 0 ? -1 : 1);
    CHECK(nothing_known.expected() > 1'000'000);
}

TEST_CASE("values that never settle stop at the maximum count") {
    for (const auto estimator : {ErrorEstimator::classic, ErrorEstimator::trimmed}) {
        RepetitionControl control(
            {.min_count = 2, .max_count = 100, .max_relative_error = 1e-6, .estimator = estimator});
        int i = 0;
        serve(control, [&] { return 1.0 + (i++ * 7) % 10; });
        CHECK(count_of(control) == 100);
        CHECK(control.reason() == StopReason::max_count);
    }
}

TEST_CASE("the maximum count overrides the minimum count") {
    RepetitionControl control({.min_count = 50, .max_count = 5});
    CHECK(control.wanted() == 5);
    int i = 0;
    serve(control, [&] { return 1.0 + i++; });
    CHECK(count_of(control) == 5);
    CHECK(control.reason() == StopReason::max_count);
}

TEST_CASE("the count reached is about (s / (eps * mean))^2 and the error is below the limit") {
    std::mt19937_64 random(3);
    std::normal_distribution<double> values(1, 0.2);
    RepetitionControl control({.min_count = 16,
                               .max_count = std::nullopt,
                               .max_relative_error = 0.01,
                               .estimator = ErrorEstimator::classic});
    serve(control, [&] { return values(random); });
    CHECK(control.reason() == StopReason::repeatable);
    CHECK(control.relative_error() <= 0.01);
    CHECK(count_of(control) > 300); // 400 is predicted for s = 0.2
    CHECK(count_of(control) < 520);
}

TEST_CASE("the number of rounds grows with the logarithm of the count") {
    std::mt19937_64 random(4);
    for (const auto estimator : {ErrorEstimator::classic, ErrorEstimator::trimmed})
        for (const double noise : {0.05, 0.2, 1.0, 3.0}) {
            std::lognormal_distribution<double> values(0, noise);
            RepetitionControl control(
                {.min_count = 8, .max_count = 200'000, .max_relative_error = 0.01, .estimator = estimator});
            const Rounds rounds = serve(control, [&] { return values(random); });
            INFO("noise ", noise, " count ", control.values().size());
            CHECK(rounds.at_most_doubled);
            CHECK(rounds.count <= 4 + 2 * std::log2(static_cast<double>(control.values().size())));
        }
}

TEST_CASE("a prediction that falls short by one does not ask for single values") {
    RepetitionControl control(
        {.min_count = 80, .max_relative_error = 0.01, .estimator = ErrorEstimator::classic});
    // 80 values with a standard error of 1.0001 % of the mean.
    const double deviation = 0.010001 * std::sqrt(79.0);
    for (int i = 0; i < 80; ++i)
        control.add(i % 2 == 0 ? 1 - deviation : 1 + deviation);
    CHECK(control.wanted() == 10);
}

TEST_CASE("a single outlier prolongs the classic estimator but not the trimmed one") {
    const auto count_with = [](ErrorEstimator estimator) {
        std::mt19937_64 random(5);
        std::normal_distribution<double> values(1, 0.01);
        RepetitionControl control({.min_count = 16, .max_count = 1000, .estimator = estimator});
        int i = 0;
        serve(control, [&] { return i++ == 3 ? 500.0 : values(random); });
        return count_of(control);
    };
    CHECK(count_with(ErrorEstimator::trimmed) == 16);
    CHECK(count_with(ErrorEstimator::classic) == 1000);
}

TEST_CASE("settled values go on until the total time hides the clock's resolution") {
    // 10 ns / 1 % = 1 us in total, at 20 ns a call.
    RepetitionControl control({.min_count = 4, .max_relative_error = 0.01}, 10e-9);
    serve(control, [] { return 20e-9; });
    CHECK(control.reason() == StopReason::repeatable);
    CHECK(count_of(control) >= 50);
    CHECK(count_of(control) <= 64);

    SUBCASE("calls in a block count towards the total") {
        RepetitionControl blocks({.min_count = 4, .max_relative_error = 0.01}, 10e-9);
        serve(
            blocks, [] { return 20e-9; }, 100);
        CHECK(count_of(blocks) == 4);
    }
}

TEST_CASE("values of zero settle at the minimum count") {
    for (const auto estimator : {ErrorEstimator::classic, ErrorEstimator::trimmed}) {
        RepetitionControl control({.min_count = 16, .max_count = std::nullopt, .estimator = estimator}, 1e-8);
        serve(control, [] { return 0.0; });
        CHECK(count_of(control) == 16);
        CHECK(control.reason() == StopReason::repeatable);
    }
}

TEST_CASE("values around zero end without any limit given") {
    RepetitionControl control(
        {.min_count = 16, .max_count = std::nullopt, .estimator = ErrorEstimator::classic}, 1e-8);
    int i = 0;
    serve(control, [&] { return i++ % 2 == 0 ? 1.0 : -1.0; });
    CHECK(control.reason() == StopReason::max_count);
    CHECK(count_of(control) == 256);
}

TEST_CASE("the time limit ends a measurement below its minimum count") {
    RepetitionControl control({.min_count = 100, .max_time_s = 1.0});
    control.add(0.6);
    control.set_time_used(0.6);
    CHECK(control.wanted() == 1);
    control.add(0.6);
    control.set_time_used(1.2);
    CHECK(control.wanted() == 0);
    CHECK(control.reason() == StopReason::time_limit);
    CHECK(count_of(control) == 2);
}

TEST_CASE("no more is asked for than the time left allows") {
    RepetitionControl control({.min_count = 1000, .max_count = std::nullopt, .max_time_s = 1.0});
    for (int i = 0; i < 10; ++i)
        control.add(0.01);
    control.set_time_used(0.5);
    CHECK(control.wanted() == 10);
}

TEST_CASE("a measurement that settled is settled though its time is used up") {
    RepetitionControl control({.min_count = 4, .max_time_s = 1.0});
    for (int i = 0; i < 4; ++i)
        control.add(0.5);
    control.set_time_used(2);
    CHECK(control.reason() == StopReason::repeatable);
}

TEST_CASE("one value has no error yet") {
    RepetitionControl control({.min_count = 1});
    CHECK(control.wanted() == 1);
    control.add(1);
    CHECK(std::isinf(control.relative_error()));
    CHECK(control.wanted() == 1);
    control.add(1);
    CHECK(control.reason() == StopReason::repeatable);
}

TEST_CASE("replaying the values gives the same state") {
    std::mt19937_64 random(6);
    std::lognormal_distribution<double> values(0, 0.7);
    RepetitionControl control({.min_count = 8, .max_count = 5000, .max_relative_error = 0.02});
    serve(control, [&] { return values(random); });

    RepetitionControl replayed({.min_count = 8, .max_count = 5000, .max_relative_error = 0.02});
    for (const double value : control.values())
        replayed.add(value);
    CHECK(replayed.wanted() == 0);
    CHECK(replayed.reason() == control.reason());
    CHECK(replayed.relative_error() == control.relative_error());
    CHECK(replayed.summary().cut_mean == control.summary().cut_mean);
}

TEST_CASE("the summary follows every new value") {
    RepetitionControl control({.min_count = 1, .cut_quantile = 0});
    control.add(1);
    CHECK(control.summary().cut_mean == 1);
    control.add(3);
    CHECK(control.summary().cut_mean == 2);
}

TEST_CASE("impossible limits are refused by name") {
    const auto message = [](const RepetitionLimits& limits, double resolution_s = 0) -> std::string {
        try {
            const RepetitionControl control(limits, resolution_s);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK(message({}) == "accepted");
    CHECK(message({.min_count = 0}).find("min_count") == 0);
    CHECK(message({.max_count = 0}).find("max_count") == 0);
    CHECK(message({.max_relative_error = 0}).find("max_relative_error") == 0);
    CHECK(message({.max_relative_error = std::nan("")}).find("max_relative_error") == 0);
    CHECK(message({.cut_quantile = 0.5}).find("cut_quantile") == 0);
    CHECK(message({.max_time_s = -1}).find("max_time_s") == 0);
    CHECK(message({}, -1).find("clock_resolution_s") == 0);
    RepetitionControl control({});
    CHECK_THROWS_AS(control.add(std::numeric_limits<double>::infinity()), std::invalid_argument);
}

TEST_CASE("a block is as long as the target and never empty") {
    CHECK(block_size(1e-6, 4e-6) == 4);
    CHECK(block_size(0.9e-6, 4e-6) == 5);
    CHECK(block_size(4e-6, 4e-6) == 1);
    CHECK(block_size(1, 4e-6) == 1);
    CHECK(block_size(1e-6, 0) == 1);
    CHECK(block_size(0, 4e-6) == 1'000'000);
    CHECK(block_size(-1, 4e-6) == 1'000'000);
}

TEST_CASE("time used counts only against a limit, and only where values tell what one costs") {
    RepetitionControl unlimited({.min_count = 10});
    unlimited.add(1);
    unlimited.set_time_used(1e6);
    CHECK(unlimited.wanted() == 9);
    RepetitionControl warmed_up({.min_count = 10, .max_time_s = 1.0});
    warmed_up.set_time_used(0.5);
    CHECK(warmed_up.wanted() == 10);
    CHECK_NOTHROW(RepetitionControl({.max_time_s = 0.0}));
}

TEST_CASE("few values whose error is hardly too large want one more") {
    RepetitionLimits limits{.min_count = 4, .max_relative_error = 1, .estimator = ErrorEstimator::classic};
    const auto fed = [](const RepetitionLimits& with) {
        RepetitionControl control(with);
        for (const double value : {1.0, 1.0, 1.0, 1.5})
            control.add(value);
        return control;
    };
    limits.max_relative_error = 0.999 * fed(limits).relative_error();
    CHECK(fed(limits).wanted() == 1);
}

TEST_CASE("a call that is as long as the block wanted but for rounding is timed singly") {
    CHECK(block_size(1 - 1e-13, 1) == 1);
    CHECK(block_size(0.99, 1) == 2);
}

TEST_CASE("values of one batch tell less than as many of several: more are wanted") {
    RepetitionControl alone({.min_count = 16, .max_count = 1000, .max_relative_error = 0.01});
    RepetitionControl batches({.min_count = 16, .max_count = 1000, .max_relative_error = 0.01});
    for (int batch = 0; batch < 8; ++batch)
        for (int i = 0; i < 25; ++i) {
            const double value_s = (batch % 2 == 0 ? 100e-9 : 110e-9) + i * 0.1e-9;
            alone.add(value_s);
            batches.add(value_s, 1, {.pass = 0, .batch = batch});
        }
    CHECK(alone.reason() == StopReason::repeatable);
    CHECK(batches.reason() == StopReason::none);
    CHECK(batches.relative_error() > 4 * alone.relative_error());
    CHECK(batches.wanted() > 0);
}

TEST_CASE("the error that stops is that of the value reported") {
    std::vector<double> values_s;
    for (int i = 0; i < 100; ++i) // two heaps: the median between them is anything, the lowest is certain
        values_s.push_back((i % 2 == 0 ? 1e-6 : 2e-6) + i * 1e-12);
    const RepetitionLimits limits{.min_count = 16, .max_count = 1000, .max_relative_error = 0.01};
    RepetitionControl median(limits, 0, ValueKind::median);
    RepetitionControl minimum(limits, 0, ValueKind::minimum);
    for (const double value_s : values_s) {
        median.add(value_s);
        minimum.add(value_s);
    }
    CHECK(median.reason() == StopReason::none);
    CHECK(minimum.reason() == StopReason::repeatable);
}

TEST_CASE("passes that differ by much are not taken for values around zero") {
    RepetitionControl control({.min_count = 2, .max_count = std::nullopt, .max_relative_error = 1e-3});
    for (int i = 0; i < 100; ++i) {
        const bool slow = i >= 70;
        control.add(slow ? 1e-4 : 1e-6, 1, {.pass = slow ? 1 : 0, .batch = i / 10});
    }
    CHECK(control.relative_error() > 4);
    CHECK(control.reason() == StopReason::none);
}
