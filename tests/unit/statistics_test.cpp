// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture_binding.hpp"
#include "close_to.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace skalib;

namespace {

double standard_error_by_eq_3_2(const std::vector<double>& values) {
    const double n = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values)
        sum += value;
    const double mean = sum / n;
    double squares = 0;
    for (const double value : values)
        squares += (mean - value) * (mean - value);
    return std::sqrt(squares / (n - 1)) / std::sqrt(n);
}

double standard_error_by_eq_3_4(const std::vector<double>& values) {
    const double n = static_cast<double>(values.size());
    double sum = 0;
    double sum_of_squares = 0;
    for (const double value : values) {
        sum += value;
        sum_of_squares += value * value;
    }
    return std::sqrt((sum_of_squares - sum * sum / n) / (n * (n - 1)));
}

RunningStatistics running(const std::vector<double>& values) {
    RunningStatistics statistics;
    for (const double value : values)
        statistics.add(value);
    return statistics;
}

} // namespace

TEST_CASE("the sign test is that of the binomial distribution") {
    CHECK(skalib::sign_test(0, 5) == doctest::Approx(1.0 / 16));
    CHECK(skalib::sign_test(1, 9) == doctest::Approx(20.0 / 512));
    CHECK(skalib::sign_test(3, 6) == 1);
    CHECK(skalib::sign_test(0, 0) == 1);
}

TEST_CASE("the running standard error equals the manual's equations 3.2 and 3.4") {
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> times(0, 0.5);
    for (const std::size_t count : {2u, 3u, 10u, 1000u}) {
        std::vector<double> values(count);
        std::generate(values.begin(), values.end(), [&] { return times(random); });
        const double error = running(values).standard_error();
        CHECK(error == close_to(standard_error_by_eq_3_2(values)).epsilon(1e-12));
        CHECK(error == close_to(standard_error_by_eq_3_4(values)).epsilon(1e-9));
    }
}

TEST_CASE("the running variance keeps its digits where a sum of squares loses all of them") {
    const std::vector<double> values{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    CHECK(running(values).variance() == close_to(30).epsilon(1e-12));
}

TEST_CASE("fewer than two values have no variance") {
    CHECK(RunningStatistics().variance() == 0);
    CHECK(RunningStatistics().mean() == 0);
    CHECK(running({3}).variance() == 0);
    CHECK(running({3}).standard_error() == 0);
    CHECK(running({3}).mean() == 3);
}

TEST_CASE("a summary of no values is all zeros") {
    const Summary summary = summarise({}, 0.25);
    CHECK(summary.count == 0);
    CHECK(summary.cut_mean == 0);
}

TEST_CASE("a summary of one, two and three values cuts none of them") {
    for (const auto& values : {std::vector<double>{5}, {5, 7}, {9, 5, 7}}) {
        const Summary summary = summarise(values, 0.25);
        const RunningStatistics all = running(values);
        CHECK(summary.count == static_cast<std::int64_t>(values.size()));
        CHECK(summary.cut_count == summary.count);
        CHECK(summary.cut_mean == close_to(all.mean()));
        CHECK(summary.cut_standard_error == close_to(all.standard_error()));
        CHECK(summary.minimum == 5);
        CHECK(summary.lower >= summary.minimum);
        CHECK(summary.lower <= summary.cut_mean);
    }
}

TEST_CASE("a cut quantile of a quarter leaves the middle half") {
    const std::vector<double> values{100, 3, 4, 5, 6, 1, 2, -50};
    const Summary summary = summarise(values, 0.25);
    CHECK(summary.cut_count == 4);
    CHECK(summary.cut_mean == close_to((2 + 3 + 4 + 5) / 4.0));
    CHECK(summary.mean_all == close_to(71.0 / 8));
    CHECK(summary.minimum == -50);
    CHECK(summary.maximum == 100);
    CHECK(summary.median == close_to(3.5));
}

TEST_CASE("the error of the cut mean is that of the winsorised values over the share kept") {
    const std::vector<double> values{100, 3, 4, 5, 6, 1, 2, -50};
    const double winsorised = standard_error_by_eq_3_2({2, 2, 2, 3, 4, 5, 5, 5});
    CHECK(summarise(values, 0.25).cut_standard_error == close_to(winsorised / 0.5));
}

TEST_CASE("the error of the cut mean tells how far cut means of new samples scatter") {
    // Heavy tails, as interrupts make them.
    std::mt19937_64 random(2);
    std::student_t_distribution<double> noise(2.5);
    RunningStatistics means;
    RunningStatistics squared_errors;
    std::vector<double> values(60);
    for (int sample = 0; sample < 4000; ++sample) {
        std::generate(values.begin(), values.end(), [&] { return 10 + noise(random); });
        const Summary summary = summarise(values, 0.2);
        means.add(summary.cut_mean);
        squared_errors.add(summary.cut_standard_error * summary.cut_standard_error);
    }
    CHECK(std::sqrt(squared_errors.mean()) == close_to(std::sqrt(means.variance())).epsilon(0.05));
}

TEST_CASE("one interrupt does not move the cut mean's error") {
    std::vector<double> values;
    for (int i = 0; i < 40; ++i)
        values.push_back(1 + 0.01 * (i % 5));
    const double before = summarise(values, 0.25).cut_standard_error;
    values.back() = 1000;
    const Summary after = summarise(values, 0.25);
    CHECK(after.cut_standard_error < 1.5 * before);
    CHECK(after.standard_error_all > 100 * before);
}

TEST_CASE("no cut gives the mean of all values and its error") {
    const std::vector<double> values{1, 2, 4, 8};
    const Summary summary = summarise(values, 0);
    CHECK(summary.cut_mean == summary.mean_all);
    CHECK(summary.cut_standard_error == close_to(summary.standard_error_all));
}

TEST_CASE("a product just below a whole number cuts as many as arithmetic says") {
    const std::vector<double> values(100, 1.0);
    CHECK(summarise(values, 0.29).cut_count == 42);
}

TEST_CASE("the widest cut leaves at least one value") {
    for (std::size_t count = 1; count < 30; ++count) {
        const std::vector<double> values(count, 2.5);
        const Summary summary = summarise(values, std::nextafter(0.5, 0));
        CHECK(summary.cut_count >= 1);
        CHECK(summary.cut_mean == 2.5);
    }
}

TEST_CASE("an impossible cut quantile is refused") {
    const std::vector<double> values{1, 2};
    CHECK_THROWS_AS((void)summarise(values, 0.5), std::invalid_argument);
    CHECK_THROWS_AS((void)summarise(values, -0.1), std::invalid_argument);
    CHECK_THROWS_AS((void)summarise(values, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}

TEST_CASE("the lower value is the mean between the 5 % and the 50 % quantile") {
    std::vector<double> values;
    for (int i = 0; i < 100; ++i)
        values.push_back(i);
    CHECK(summarise(values, 0.25).lower == close_to((5 + 49) / 2.0));
    CHECK(summarise(values, 0.25).value(ValueKind::lower) == close_to(27));
}

TEST_CASE("each kind of value is its own field") {
    const std::vector<double> values{1, 2, 3, 4, 50, 6, 7, 8};
    const Summary summary = summarise(values, 0.25);
    CHECK(summary.value(ValueKind::cut_mean) == summary.cut_mean);
    CHECK(summary.value(ValueKind::median) == summary.median);
    CHECK(summary.value(ValueKind::minimum) == 1);
}

TEST_CASE("quantiles follow type 7 of Hyndman and Fan") {
    const std::vector<double> sorted{1, 2, 4, 8, 16};
    CHECK(quantile(sorted, 0) == 1);
    CHECK(quantile(sorted, 0.25) == 2);
    CHECK(quantile(sorted, 0.3) == close_to(2.4));
    CHECK(quantile(sorted, 0.5) == 4);
    CHECK(quantile(sorted, 1) == 16);
    CHECK(quantile(std::vector<double>{7}, 0.3) == 7);
}

TEST_CASE("the median absolute deviation ignores one outlier") {
    CHECK(median_absolute_deviation(std::vector<double>{1, 2, 3, 4, 1000}) == 1);
    CHECK(median_absolute_deviation({}) == 0);
    CHECK(median_absolute_deviation(std::vector<double>{5}) == 0);
}

TEST_CASE("the interval of the median has the published ranks and levels") {
    // Table A of Conover's Practical Nonparametric Statistics: n = 10, ranks 2 and 9, 97.85 %.
    std::vector<double> values{10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    const Interval ten = median_interval(values, 0.95);
    CHECK(ten.low == 2);
    CHECK(ten.high == 9);
    CHECK(ten.confidence == close_to(0.9785).epsilon(1e-3));

    SUBCASE("five values cannot reach 95 %: the whole range with its 93.75 %") {
        const Interval five = median_interval(std::vector<double>{3, 1, 2, 5, 4}, 0.95);
        CHECK(five.low == 1);
        CHECK(five.high == 5);
        CHECK(five.confidence == close_to(0.9375));
    }
    SUBCASE("one value has no level and none no interval") {
        const Interval one = median_interval(std::vector<double>{3}, 0.95);
        CHECK(one.low == 3);
        CHECK(one.high == 3);
        CHECK(one.confidence == 0);
        CHECK(median_interval({}, 0.95).confidence == 0);
    }
}

TEST_CASE(
    "the interpolated interval of the median covers it in 93 to 97 % of the series, be they heavy-tailed") {
    std::mt19937_64 random(31);
    std::normal_distribution<double> normal;
    std::student_t_distribution<double> heavy(3);
    std::exponential_distribution<double> skewed(1);
    const std::vector<std::pair<std::function<double()>, double>> launches{
        {[&] { return normal(random); }, 0.0},
        {[&] { return heavy(random); }, 0.0},
        {[&] { return skewed(random); }, std::log(2.0)}};
    int covered = 0;
    int all = 0;
    for (const auto& [launch, median] : launches) {
        int of_kind = 0;
        int series = 0;
        for (const std::size_t count : {6u, 8u, 10u, 13u, 20u, 30u})
            for (int i = 0; i < 300; ++i, ++series) {
                std::vector<double> values(count);
                for (double& value : values)
                    value = launch();
                const Interval interval = interpolated_median_interval(values, 0.95);
                of_kind += interval.low <= median && median <= interval.high ? 1 : 0;
            }
        CHECK(of_kind >= 0.93 * series);
        CHECK(of_kind <= 0.97 * series);
        covered += of_kind;
        all += series;
    }
    CHECK(covered >= 0.94 * all);
    CHECK(covered <= 0.96 * all);
}

TEST_CASE("the interpolated interval of the median is that of Hettmansperger and Sheather") {
    std::vector<double> values;
    for (int i = 1; i <= 10; ++i)
        values.push_back(i);
    // Levels 0.978516 (2nd to 9th) and 0.890625 (3rd to 8th): I = 0.324444, lambda = 8 I / (2 + 6 I) =
    // 0.657658
    const Interval ten = interpolated_median_interval(values, 0.95);
    CHECK(ten.low == close_to(2.657658).epsilon(1e-5));
    CHECK(ten.high == close_to(8.342342).epsilon(1e-5));
    CHECK(ten.confidence == 0.95);
    // Too few: the whole range.
    const Interval five = interpolated_median_interval(std::vector<double>{3, 1, 2, 5, 4}, 0.95);
    CHECK(five.low == 1);
    CHECK(five.high == 5);
    CHECK(five.confidence == close_to(0.9375));
    CHECK(interpolated_median_interval({}, 0.95).confidence == 0);
    // Six are just enough: level 0.96875 of the range, 0.78125 within; lambda = 5 I / (1 + 4 I), I = 0.1
    values.resize(6);
    CHECK(interpolated_median_interval(values, 0.95).low == close_to(1 + 0.5 / 1.4));
    // Of three with a level that the middle two thirds have.
    values.resize(3);
    CHECK(interpolated_median_interval(values, 0.5).low ==
          close_to(1 + 2 * (0.25 / 0.75) / (1 + 0.25 / 0.75)));
}

TEST_CASE("the middle of weights is one place, or two where half of them is near the boundary") {
    const auto middle = [](std::vector<double> weights) {
        const Middle found = weighted_middle(weights);
        return std::pair(found.low, found.high);
    };
    using Places = std::pair<std::size_t, std::size_t>;
    CHECK(middle({1}) == Places(0, 0));
    CHECK(middle({1, 1}) == Places(0, 1));
    CHECK(middle({1, 1.2, 0.9}) == Places(1, 1));
    CHECK(middle({1, 1.1, 0.9, 1.05}) == Places(1, 2));
    CHECK(middle({12, 4, 4}) == Places(0, 0));
    CHECK(middle({1, 1, 1, 4}) == Places(3, 3));
}

TEST_CASE("the interval of a weighted median is that of a sign test over all signs") {
    const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<double> weights{3, 1, 0.5, 2, 2.5, 0.7, 1.3, 4};
    // The chance that a random sum of the weights is no larger than those below a value and half of its own.
    const auto chance_below = [&](std::size_t place, bool from_high) {
        const auto weight = [&](std::size_t i) { return weights[from_high ? weights.size() - 1 - i : i]; };
        double reached = weight(place) / 2;
        for (std::size_t i = 0; i < place; ++i)
            reached += weight(i);
        int found = 0;
        for (unsigned signs = 0; signs < 256; ++signs) {
            double sum = 0;
            for (std::size_t i = 0; i < weights.size(); ++i)
                sum += (signs >> i & 1) != 0 ? weight(i) : 0;
            found += sum <= reached ? 1 : 0;
        }
        return found / 256.0;
    };
    const Interval interval = weighted_median_interval(values, weights, 0.8);
    const auto low = static_cast<std::size_t>(interval.low) - 1;
    const auto high = static_cast<std::size_t>(8 - interval.high);
    CHECK(interval.confidence == 0.8);
    CHECK(chance_below(low, false) <= 0.1);
    CHECK(chance_below(low + 1, false) > 0.1);
    CHECK(chance_below(high, true) <= 0.1);
    CHECK(chance_below(high + 1, true) > 0.1);
    // One that has nearly all weight, or few values: the whole range.
    std::vector<double> one(8, 1e-6);
    one[0] = 1;
    CHECK(weighted_median_interval(values, one, 0.95).low == 1);
    const std::vector<double> five{1, 2, 3, 4, 5};
    const Interval range = weighted_median_interval(five, std::vector<double>{1, 2, 1, 1, 3}, 0.95);
    CHECK(range.low == 1);
    CHECK(range.high == 5);
    CHECK(range.confidence == close_to(0.9375));
}

TEST_CASE(
    "with weights that are nearly alike the interval is that of alike ones, for few launches and many") {
    for (const std::size_t count : {6u, 9u, 16u, 17u, 40u, 200u})
        for (const double correlation : {0.0, 0.3}) {
            std::vector<double> values(count);
            std::iota(values.begin(), values.end(), 1.0);
            std::vector<double> weights(count, 1.0);
            weights[count / 3] = 1 + 1e-9;
            const Interval plain = interpolated_median_interval(values, 0.95, correlation);
            const Interval weighted = weighted_median_interval(values, weights, 0.95, correlation);
            CHECK(std::abs(weighted.low - plain.low) < 0.1);
            CHECK(std::abs(weighted.high - plain.high) < 0.1);
            CHECK(weighted.confidence == close_to(plain.confidence));
        }
}

namespace {

/// Launches, each in part like the one before, of several points that share half of their variance.
std::vector<std::vector<double>> launches_in_a_row(std::size_t count, double correlation,
                                                   std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    const auto in_a_row = [&] {
        std::vector<double> values{normal(random)};
        while (values.size() < count)
            values.push_back(correlation * values.back() +
                             std::sqrt(1 - correlation * correlation) * normal(random));
        return values;
    };
    const std::vector<double> common = in_a_row();
    std::vector<std::vector<double>> points(14);
    for (std::vector<double>& point : points) {
        point = in_a_row();
        for (std::size_t i = 0; i < count; ++i)
            point[i] = (point[i] + common[i]) / std::sqrt(2.0);
    }
    return points;
}

} // namespace

TEST_CASE("of launches that follow one another and are alike as much is claimed as is true") {
    std::mt19937_64 random(13);
    for (const double correlation : {0.0, 0.2, 0.4, 0.6})
        for (const std::size_t count : {10u, 16u, 30u}) {
            CAPTURE(correlation);
            CAPTURE(count);
            int covered = 0;
            int taken_for_independent = 0;
            int mean_covered = 0;
            double claimed = 0;
            constexpr int series = 400;
            for (int i = 0; i < series; ++i) {
                const auto points = launches_in_a_row(count, correlation, random);
                const double found = serial_correlation(points);
                const Interval interval = interpolated_median_interval(points.front(), 0.95, found);
                const Interval plain = interpolated_median_interval(points.front(), 0.95);
                const Interval mean = mean_interval(points.front(), 0.95, found);
                covered += interval.low <= 0 && 0 <= interval.high ? 1 : 0;
                mean_covered += mean.low <= 0 && 0 <= mean.high ? 1 : 0;
                taken_for_independent += plain.low <= 0 && 0 <= plain.high ? 1 : 0;
                claimed += interval.confidence;
            }
            CHECK(covered >= claimed - 0.05 * series);
            CHECK(mean_covered >= 0.88 * series);
            if (correlation >= 0.4)
                CHECK(taken_for_independent <= 0.88 * series); // what the correlation is for
        }
}

TEST_CASE("values in no order are taken for nearly independent, and the fewest for independent") {
    std::mt19937_64 random(5);
    double sum = 0;
    for (int i = 0; i < 200; ++i)
        sum += serial_correlation(launches_in_a_row(20, 0, random));
    CHECK(sum / 200 < 0.1);
    double alike = 0;
    for (int i = 0; i < 200; ++i)
        alike += serial_correlation(launches_in_a_row(20, 0.6, random));
    CHECK(alike / 200 == close_to(0.56).epsilon(0.1));
    CHECK(serial_correlation({}) == 0);
    CHECK(serial_correlation(std::vector<std::vector<double>>{{1, 2, 3, 4, 5, 6, 7}}) == 0);
    CHECK(serial_correlation(std::vector<std::vector<double>>{{4, 4, 4, 4, 4, 4, 4, 4}}) == 0);
    CHECK(serial_correlation(std::vector<std::vector<double>>{{1, 9, 1, 9, 1, 9, 1, 9}}) == 0);
    CHECK(serial_correlation(std::vector<std::vector<double>>{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}) == 0);
    CHECK(serial_correlation(
              std::vector<std::vector<double>>{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}}) == 0.9);
}

TEST_CASE("an interval of values that are alike is wider, and beyond the whole range less is claimed") {
    std::vector<double> values;
    for (int i = 1; i <= 10; ++i)
        values.push_back(i);
    // Between 2.657658 and 8.342342 for independent ones; r = 1/9: (1 - r) / (1 + r) = 0.8.
    const Interval wider = interpolated_median_interval(values, 0.95, 1.0 / 9);
    CHECK(wider.low == close_to(5.5 - 2.842342 / std::sqrt(0.8)).epsilon(1e-5));
    CHECK(wider.low + wider.high == close_to(11));
    CHECK(wider.confidence == 0.95);
    const Interval range = interpolated_median_interval(values, 0.95, 0.5); // each like the one before: 2/3
    CHECK(range.low == 1);
    CHECK(range.high == 10);
    CHECK(range.confidence == close_to(0.95)); // 1 - (2/3)^9 = 0.974 is more than asked for
    const Interval much = interpolated_median_interval(values, 0.95, 0.8);
    CHECK(much.confidence == close_to(1 - std::pow(0.5 + std::asin(0.8) / std::numbers::pi, 9)));
    values.resize(5);
    const Interval five = interpolated_median_interval(values, 0.95, 0.5);
    CHECK(five.low == 1);
    CHECK(five.high == 5);
    CHECK(five.confidence == close_to(1 - std::pow(2.0 / 3, 4)));
    CHECK(interpolated_median_interval(std::vector<double>{3}, 0.95, 0.5).confidence == 0);
}

TEST_CASE("the interval of the mean follows Student's table") {
    // t(0.975, 4) = 2.776; sd of 1..5 is sqrt(2.5).
    const Interval interval = mean_interval(std::vector<double>{1, 2, 3, 4, 5}, 0.95);
    CHECK(interval.high - 3 == close_to(2.776 * std::sqrt(2.5) / std::sqrt(5.0)).epsilon(1e-3));
    CHECK(interval.low + interval.high == close_to(6));
    CHECK(mean_interval(std::vector<double>{1}, 0.95).confidence == 0);
    CHECK(mean_interval({}, 0.95).confidence == 0);
    CHECK_THROWS_AS((void)mean_interval({}, 1), std::invalid_argument);
}

TEST_CASE("Student's t exceeds its quantile with the probability of the tail") {
    CHECK(student_upper_quantile(10, 0.05) == close_to(1.8125).epsilon(1e-4)); // printed tables
    CHECK(student_upper_quantile(4, 0.025) == close_to(2.776).epsilon(1e-3));
    // With one degree of freedom it is Cauchy's distribution, with two it has a closed form, far out, too.
    const double tail = 1e-6;
    CHECK(student_upper_quantile(1, tail) == close_to(1 / std::tan(std::acos(-1) * tail)).epsilon(1e-9));
    CHECK(student_upper_quantile(2, tail) ==
          close_to((1 - 2 * tail) * std::sqrt(2 / (4 * tail * (1 - tail)))).epsilon(1e-9));
    const double between = student_upper_quantile(1.5, 0.01);
    CHECK(between < student_upper_quantile(1, 0.01));
    CHECK(between > student_upper_quantile(2, 0.01));
    CHECK_THROWS_AS((void)student_upper_quantile(0, 0.05), std::invalid_argument);
    CHECK_THROWS_AS((void)student_upper_quantile(3, 0), std::invalid_argument);
    CHECK_THROWS_AS((void)student_upper_quantile(3, 1), std::invalid_argument);
}

TEST_CASE("intervals over launches cover the truth, the error within one launch does not") {
    // What was seen on real machines: a component that is constant within a launch and several times larger
    // than the error which the repetitions of one launch show.
    constexpr double truth = 10;
    constexpr int simulations = 4000;
    std::mt19937_64 random(20240501);
    std::normal_distribution<double> of_launch(0, 0.2);
    std::normal_distribution<double> of_repetition(0, 0.3);

    for (const std::size_t launches : {5u, 8u, 20u}) {
        int mean_covered = 0;
        int median_covered = 0;
        int within_covered = 0;
        double stated = 0;
        std::vector<double> means(launches);
        std::vector<double> repetitions(50);
        for (int simulation = 0; simulation < simulations; ++simulation) {
            Interval within;
            for (double& mean : means) {
                const double level = truth + of_launch(random);
                std::generate(repetitions.begin(), repetitions.end(),
                              [&] { return level + of_repetition(random); });
                within = mean_interval(repetitions, 0.95);
                mean = summarise(repetitions, 0).cut_mean;
            }
            const auto covers = [](const Interval& interval) {
                return interval.low <= truth && truth <= interval.high;
            };
            mean_covered += covers(mean_interval(means, 0.95));
            const Interval median = median_interval(means, 0.95);
            median_covered += covers(median);
            stated = median.confidence;
            within_covered += covers(within);
        }
        const auto share = [](int covered) { return static_cast<double>(covered) / simulations; };
        INFO("launches: ", launches);
        CHECK(share(mean_covered) >= 0.92);
        CHECK(share(mean_covered) <= 0.98);
        // 3.3 standard deviations of a share over 4000 simulations.
        CHECK(share(median_covered) >= stated - 3.3 * std::sqrt(stated * (1 - stated) / simulations));
        CHECK(share(within_covered) < 0.5);
    }
}

namespace {

/// Values with a component that all of a pass share, one that all of a batch share, and one of their own.
struct Clustered {
    std::vector<double> values;
    std::vector<Origin> origins;
};

Clustered clustered_sample(std::mt19937& source, double of_pass, double of_batch) {
    constexpr int passes = 8;
    constexpr int batches = 6;
    constexpr int count = 12;
    std::normal_distribution<double> normal;
    Clustered sample;
    for (int pass = 0; pass < passes; ++pass) {
        const double pass_part = of_pass * normal(source);
        for (int batch = 0; batch < batches; ++batch) {
            const double batch_part = of_batch * normal(source);
            for (int i = 0; i < count; ++i) {
                sample.values.push_back(100 + pass_part + batch_part + normal(source));
                sample.origins.push_back({pass, std::int64_t{pass} * batches + batch});
            }
        }
    }
    return sample;
}

/// Share of samples whose value lies within so many of its standard errors of the value expected.
double covered(ValueKind kind, double of_pass, double of_batch, bool origins_known, double errors) {
    std::mt19937 source(7);
    constexpr int samples = 300;
    std::vector<Summary> summaries;
    double expected = 0;
    for (int i = 0; i < samples; ++i) {
        const Clustered sample = clustered_sample(source, of_pass, of_batch);
        summaries.push_back(
            summarise(sample.values, 0.25,
                      origins_known ? std::span<const Origin>(sample.origins) : std::span<const Origin>()));
        expected += summaries.back().value(kind) / samples;
    }
    return static_cast<double>(std::ranges::count_if(summaries,
                                                     [&](const Summary& summary) {
                                                         return std::abs(summary.value(kind) - expected) <=
                                                                errors * summary.standard_error(kind);
                                                     })) /
           samples;
}

} // namespace

TEST_CASE(
    "errors of values that hang together in batches and passes cover, those of independent ones do not") {
    const double seven_degrees = student_upper_quantile(7, 0.025);
    for (const ValueKind kind : {ValueKind::cut_mean, ValueKind::lower, ValueKind::median}) {
        CAPTURE(static_cast<int>(kind));
        for (const auto& [of_pass, of_batch] :
             {std::pair(0.0, 0.0), std::pair(0.0, 1.0), std::pair(1.0, 0.0), std::pair(0.5, 0.5)}) {
            CAPTURE_BINDING(of_pass);
            CAPTURE_BINDING(of_batch);
            const double known = covered(kind, of_pass, of_batch, true, seven_degrees);
            CHECK(known > 0.9);
            const double unknown = covered(kind, of_pass, of_batch, false, seven_degrees);
            if (of_pass + of_batch > 0)
                CHECK(unknown < 0.75);
            else
                CHECK(unknown > 0.95);
        }
    }
}

TEST_CASE("clusters leave the error of independent values nearly as it is") {
    std::mt19937 source(11);
    double ratio = 0;
    for (int i = 0; i < 100; ++i) {
        const Clustered sample = clustered_sample(source, 0, 0);
        ratio += summarise(sample.values, 0.25, sample.origins).cut_standard_error /
                 summarise(sample.values, 0.25).cut_standard_error / 100;
    }
    CHECK(ratio >= 1);
    CHECK(ratio < 1.3);
}

TEST_CASE("the error of a minimum is about how far it is above the least possible value") {
    std::mt19937 source(3);
    std::exponential_distribution<double> delay(1);
    double above = 0;
    double error = 0;
    for (int i = 0; i < 500; ++i) {
        std::vector<double> values;
        for (int k = 0; k < 50; ++k)
            values.push_back(5 + delay(source));
        const Summary summary = summarise(values, 0.25);
        above += summary.minimum - 5;
        error += summary.minimum_standard_error;
    }
    CHECK(error / above == doctest::Approx(1).epsilon(0.15));
    // Of batches their minima count: here none of the second comes near the first.
    const std::vector<double> values = {1, 1.01, 1.02, 3, 3.01, 3.02};
    const std::vector<Origin> origins = {{0, 0}, {0, 0}, {0, 0}, {0, 1}, {0, 1}, {0, 1}};
    CHECK(summarise(values, 0.25).minimum_standard_error == close_to(0.01));
    CHECK(summarise(values, 0.25, origins).minimum_standard_error == close_to(2));
}

TEST_CASE("the error of a median of independent values is that of the normal distribution's") {
    std::mt19937 source(5);
    std::normal_distribution<double> normal;
    double error = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<double> values(400);
        for (double& value : values)
            value = normal(source);
        error += summarise(values, 0.25).median_standard_error / 100;
    }
    CHECK(error == doctest::Approx(std::sqrt(std::acos(-1.0) / 2 / 400)).epsilon(0.1));
}

TEST_CASE("origins that are not as many as the values are refused") {
    const std::vector<Origin> one(1);
    CHECK_THROWS_AS((void)summarise(std::vector<double>{1, 2}, 0.25, one), std::invalid_argument);
}

TEST_CASE("the median of an even number is the mean of the middle two, or the smaller or larger of them") {
    CHECK(median({}) == 0);
    CHECK(lower_median({}) == 0);
    CHECK(upper_median({}) == 0);
    for (const auto any : {median, lower_median, upper_median})
        CHECK(any({3, 1, 2}) == 2);
    CHECK(median({4, 1, 3, 2}) == 2.5);
    CHECK(lower_median({4, 1, 3, 2}) == 2);
    CHECK(upper_median({4, 1, 3, 2}) == 3);
}
