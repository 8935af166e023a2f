// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "skalib/merge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

using namespace skalib;

namespace {

using Curve = std::vector<CurvePoint>;

CurvePoint at(std::int64_t argument, double value, double weight = 1, double error = 0,
              std::vector<double> nodes = {}) {
    return {argument, {value, error, weight}, std::move(nodes)};
}

/// Curves as several runs of a refined suite give them: some arguments in common, others not, ranges differ.
std::vector<Curve> random_curves(std::mt19937_64& random, std::size_t runs) {
    std::uniform_real_distribution<double> share(0, 1);
    std::uniform_int_distribution<int> weight(8, 12);
    std::vector<Curve> curves(runs);
    for (Curve& curve : curves)
        for (int argument = 0; argument < 20; ++argument)
            if (share(random) < 0.6) // few distinct values, so that there are ties
                curve.push_back(at(argument, 10 + std::floor(share(random) * 4), weight(random),
                                   std::floor(share(random) * 3), {share(random), share(random)}));
    return curves;
}

/// A merged point without the indices, which the order of the runs does change.
struct Comparable {
    std::vector<double> numbers;
    bool operator==(const Comparable&) const = default;
};

std::vector<Comparable> comparable(const std::vector<MergedPoint>& points) {
    std::vector<Comparable> all;
    for (const MergedPoint& p : points) {
        Comparable c{{static_cast<double>(p.argument), p.value, p.standard_error, p.count,
                      static_cast<double>(p.runs), p.chosen_interpolated ? 1.0 : 0.0, p.minimum, p.maximum,
                      p.mad, p.between_runs_error, p.interval.low, p.interval.high, p.interval.confidence}};
        c.numbers.insert(c.numbers.end(), p.node_times.begin(), p.node_times.end());
        all.push_back(std::move(c));
    }
    return all;
}

} // namespace

TEST_CASE("the weighted median of 899/10, 901/4 and 910/4 is 899") {
    std::vector<WeightedValue> values{{899, 0, 10}, {901, 0, 4}, {910, 0, 4}};
    CHECK(weighted_median(values) == 0);
    std::reverse(values.begin(), values.end());
    CHECK(weighted_median(values) == 2);
}

TEST_CASE("with equal weights the weighted median is the middle value, of two the smaller") {
    CHECK(weighted_median(std::vector<WeightedValue>{{3, 0, 1}, {1, 0, 1}, {2, 0, 1}}) == 2);
    CHECK(weighted_median(std::vector<WeightedValue>{{2, 0, 1}, {1, 0, 1}}) == 1);
    CHECK(weighted_median(std::vector<WeightedValue>{{7, 0, 0.5}}) == 0);
}

TEST_CASE("equal values are told apart by their error, then their weight") {
    CHECK(weighted_median(std::vector<WeightedValue>{{1, 0.3, 1}, {1, 0.1, 1}, {1, 0.2, 1}}) == 2);
    CHECK(weighted_median(std::vector<WeightedValue>{{1, 0, 9}, {1, 0, 2}}) == 0);
}

TEST_CASE("a value without weight is never the weighted median of others") {
    CHECK(weighted_median(std::vector<WeightedValue>{{1, 0.1, 0}, {2, 0.1, 1}, {3, 0.1, 0}}) == 1);
}

TEST_CASE("a weighted median without weight is refused") {
    CHECK_THROWS_AS((void)weighted_median({}), std::invalid_argument);
    CHECK_THROWS_AS((void)weighted_median(std::vector<WeightedValue>{{1, 0, 0}}), std::invalid_argument);
    CHECK_THROWS_AS((void)weighted_median(std::vector<WeightedValue>{{1, 0, 5}, {1, 0, -1}}),
                    std::invalid_argument);
}

TEST_CASE("the value at 1020 is interpolated between 1008 and 1024") {
    const Curve curve{at(1000, 1), at(1008, 100, 16, 2, {10, 20}), at(1024, 116, 32, 4, {26, 52}),
                      at(2048, 5)};
    const auto point = interpolate(curve, 1020);
    REQUIRE(point.has_value());
    CHECK(point->argument == 1020);
    CHECK(point->value.value == close_to(112));
    CHECK(point->value.standard_error == close_to(3.5));
    CHECK(point->value.weight == close_to(28));
    REQUIRE(point->node_times.size() == 2);
    CHECK(point->node_times[0] == close_to(22));
    CHECK(point->node_times[1] == close_to(44));
}

TEST_CASE("a measured argument is given back unchanged") {
    const Curve curve{at(8, 0.1, 3, 0.7, {1}), at(16, 0.2)};
    const auto point = interpolate(curve, 8);
    REQUIRE(point.has_value());
    CHECK(point->value.value == 0.1);
    CHECK(point->value.standard_error == 0.7);
    CHECK(point->node_times == std::vector<double>{1});
    CHECK(interpolate(curve, 16)->value.value == 0.2);
}

TEST_CASE("nothing is extrapolated") {
    const Curve curve{at(8, 1), at(16, 2)};
    CHECK_FALSE(interpolate(curve, 7).has_value());
    CHECK_FALSE(interpolate(curve, 17).has_value());
    CHECK_FALSE(interpolate({}, 1).has_value());
}

TEST_CASE("node times of different numbers of ranks are not mixed") {
    const Curve curve{at(8, 1, 1, 0, {1, 2}), at(16, 2, 1, 0, {1})};
    CHECK(interpolate(curve, 12)->node_times.empty());
}

TEST_CASE("an interpolated value lies between its neighbours") {
    std::mt19937_64 random(8);
    std::uniform_real_distribution<double> share(0, 1);
    std::uniform_int_distribution<std::int64_t> distance(1, 1000);
    for (int i = 0; i < 2000; ++i) {
        const std::int64_t first = distance(random);
        const std::int64_t last = first + distance(random);
        const Curve curve{at(first, share(random)), at(last, share(random))};
        const std::int64_t argument = std::uniform_int_distribution<std::int64_t>(first, last)(random);
        const auto point = interpolate(curve, argument);
        REQUIRE(point.has_value());
        const auto [low, high] = std::minmax(curve[0].value.value, curve[1].value.value);
        CHECK(point->value.value >= low);
        CHECK(point->value.value <= high);
    }
}

TEST_CASE("merging takes the weighted median with its error and its node times") {
    const std::vector<Curve> runs{
        {at(64, 910, 4, 3, {9, 10})}, {at(64, 899, 10, 1, {8, 9})}, {at(64, 901, 4, 2)}};
    const auto merged = merge_curves(runs, Grid::union_, MergedValue::median);
    REQUIRE(merged.size() == 1);
    const MergedPoint& point = merged.front();
    CHECK(point.value == 899);
    CHECK(point.standard_error == 1);
    CHECK(point.node_times == std::vector<double>{8, 9});
    CHECK(point.count == 18);
    CHECK(point.runs == 3);
    CHECK(point.chosen == 1);
    CHECK_FALSE(point.chosen_interpolated);
    CHECK(point.minimum == 899);
    CHECK(point.maximum == 910);
    CHECK(point.mad == 2);
    CHECK(point.between_runs_error == close_to(3.3830));
    CHECK(point.interval.low == 899);
    CHECK(point.interval.high == 910);
    CHECK(point.interval.confidence == close_to(0.75));
    REQUIRE(point.sources.size() == 3);
    CHECK(point.sources[0]->value == 910);
}

TEST_CASE("the mean counts every run once; its error within the runs is not the one between them") {
    const std::vector<Curve> runs{
        {at(1, 10, 1000, 0.1, {1})}, {at(1, 12, 1, 0.2, {2})}, {at(1, 17, 1, 0.3, {3})}};
    const auto merged = merge_curves(runs, Grid::union_, MergedValue::mean);
    REQUIRE(merged.size() == 1);
    CHECK(merged[0].value == close_to(13));
    CHECK(merged[0].standard_error == close_to(std::sqrt(0.1 * 0.1 + 0.2 * 0.2 + 0.3 * 0.3) / 3));
    CHECK(merged[0].between_runs_error == close_to(std::sqrt(13.0 / 3)));
    CHECK(merged[0].chosen == 1);
    CHECK(merged[0].node_times == std::vector<double>{2});
}

TEST_CASE("the minimum is the smallest value with its own error") {
    const std::vector<Curve> runs{{at(1, 12, 50, 0.2)}, {at(1, 10, 1, 0.1)}};
    const auto merged = merge_curves(runs, Grid::union_, MergedValue::minimum);
    CHECK(merged.at(0).value == 10);
    CHECK(merged.at(0).standard_error == 0.1);
    CHECK(merged.at(0).chosen == 1);
}

TEST_CASE("one run merges to itself") {
    const std::vector<Curve> runs{{at(1, 12, 50, 0.2, {1, 2}), at(2, 13, 40, 0.3)}};
    for (const auto value : {MergedValue::median, MergedValue::mean, MergedValue::minimum}) {
        const auto merged = merge_curves(runs, Grid::union_, value);
        REQUIRE(merged.size() == 2);
        CHECK(merged[0].value == 12);
        CHECK(merged[0].standard_error == 0.2);
        CHECK(merged[0].runs == 1);
        CHECK(merged[0].between_runs_error == 0);
        CHECK(merged[0].interval.confidence == 0);
    }
}

TEST_CASE("a run that was repeated most weighs most by count, and no more than others with equal weights") {
    std::vector<Curve> runs;
    for (const double value : {1.000, 1.001, 1.002, 1.003})
        runs.push_back({at(8, value, 16)});
    runs.push_back({at(8, 5.6, 1000)});
    CHECK(merge_curves(runs, Grid::union_, MergedValue::median, Weights::count).front().value == 5.6);
    const MergedPoint merged = merge_curves(runs, Grid::union_, MergedValue::median, Weights::equal).front();
    CHECK(merged.value == 1.002);
    CHECK(merged.count == 1064);
    CHECK(merged.interval.low <= merged.value);
    CHECK(merged.value <= merged.interval.high);
}

TEST_CASE("arguments beyond what a double can tell apart stay apart") {
    constexpr std::int64_t large = std::int64_t{1} << 53;
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    const std::vector<Curve> runs{{at(large, 1), at(large + 1, 2), at(largest, 3)},
                                  {at(large, 1), at(largest, 3)}};
    const std::vector<MergedPoint> merged = merge_curves(runs, Grid::union_, MergedValue::median);
    REQUIRE(merged.size() == 3);
    CHECK(merged[0].argument == large);
    CHECK(merged[1].argument == large + 1);
    CHECK(merged[2].argument == largest);
}

TEST_CASE("the grids are the union, the first run's and the common arguments") {
    const std::vector<Curve> runs{{at(1, 1), at(4, 1), at(8, 1)}, {at(1, 1), at(2, 1), at(8, 1), at(16, 1)}};
    const auto arguments = [&](Grid grid) {
        std::vector<std::int64_t> all;
        for (const auto& point : merge_curves(runs, grid, MergedValue::median))
            all.push_back(point.argument);
        return all;
    };
    CHECK(arguments(Grid::union_) == std::vector<std::int64_t>{1, 2, 4, 8, 16});
    CHECK(arguments(Grid::first) == std::vector<std::int64_t>{1, 4, 8});
    CHECK(arguments(Grid::common) == std::vector<std::int64_t>{1, 8});
}

TEST_CASE("a run abstains beyond its range and is interpolated within it") {
    const std::vector<Curve> runs{{at(1, 10), at(4, 40)}, {at(2, 21), at(8, 80)}};
    const auto merged = merge_curves(runs, Grid::union_, MergedValue::median);
    REQUIRE(merged.size() == 4);
    CHECK(merged[0].runs == 1);
    CHECK_FALSE(merged[0].sources[1].has_value());
    CHECK(merged[1].runs == 2);
    CHECK(merged[1].sources[0]->value == close_to(20));
    CHECK(merged[1].source_interpolated[0]);
    CHECK_FALSE(merged[1].source_interpolated[1]);
    CHECK(merged[1].chosen == 0); // of two equal weights the smaller value
    CHECK(merged[1].chosen_interpolated);
    CHECK(merged[3].runs == 1);
    CHECK_FALSE(merged[3].sources[0].has_value());
}

TEST_CASE("a run abstains where it has a point without weight and interpolates over it elsewhere") {
    const std::vector<Curve> runs{{at(1, 10, 5), at(2, 999, 0), at(5, 50, 5)}, {at(2, 21, 1), at(4, 41, 1)}};
    const auto merged = merge_curves(runs, Grid::union_, MergedValue::median);
    REQUIRE(merged.size() == 4);
    CHECK(merged[1].argument == 2);
    CHECK(merged[1].value == 21);
    CHECK_FALSE(merged[1].sources[0].has_value());
    CHECK(merged[2].argument == 4);
    CHECK(merged[2].sources[0]->value == close_to(40));
    CHECK(merge_curves(std::vector<Curve>{{at(1, 1, 0)}}, Grid::union_, MergedValue::median).empty());
}

TEST_CASE("a run weighs less the larger its own error is, and runs whose errors are alike weigh the same") {
    const auto merged_with = [](std::vector<double> errors, Weights weights) {
        std::vector<Curve> runs;
        double value = 100;
        for (const double error : errors)
            runs.push_back({at(8, value++, 10, error)});
        return merge_curves(runs, Grid::union_, MergedValue::median, weights).at(0);
    };
    const auto precision = [&](std::vector<double> errors) {
        return merged_with(std::move(errors), Weights::precision);
    };
    CHECK(precision({1, 1, 50, 50, 50}).value == 100.5);
    CHECK(precision({1, 1, 1, 50, 50}).value == 101);
    CHECK(precision({50, 50, 50, 1, 1}).value == 103.5);
    // The scatter of the runs makes small errors alike.
    CHECK(precision({0.001, 0.002, 0.001, 0.3, 0.2}).value == 102);
    CHECK(precision({0.1, 0.12, 0.09, 0.1}).value == 101.5);
    CHECK(precision({0, 0, 0, 0}).value == 101.5);
    CHECK(precision({std::numeric_limits<double>::quiet_NaN(), 0.1, 0.1}).value == 101);
    const std::vector<double> alike(9, 0.3);
    const MergedPoint equal = merged_with(alike, Weights::equal);
    CHECK(precision(alike).value == equal.value);
    CHECK(precision(alike).interval.low == equal.interval.low);
    CHECK(precision(alike).interval.high == equal.interval.high);
}

TEST_CASE(
    "of launches with unequal errors, precision gives values nearer to the truth than equal weights do, "
    "and counts values farther from it") {
    std::mt19937_64 random(37);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> share(0, 1);
    for (const std::size_t launches : {3, 5, 8, 20})
        for (const double disturbed : {0.0, 0.3}) {
            constexpr int series = 1000;
            std::array<double, 3> squares{};
            int covered = 0;
            for (int i = 0; i < series; ++i) {
                std::vector<Curve> runs;
                for (std::size_t launch = 0; launch < launches; ++launch) {
                    const double error = share(random) < disturbed ? 0.1 : 0.005;
                    const double value = 1 + 0.01 * normal(random) + error * normal(random);
                    // As the repetition stops at one error of the mean.
                    runs.push_back({at(8, value, error / 0.005 * error / 0.005,
                                       error * (1 + 0.2 * (2 * share(random) - 1)))});
                }
                std::size_t kind = 0;
                for (const Weights weights : {Weights::precision, Weights::equal, Weights::count}) {
                    const MergedPoint point =
                        merge_curves(runs, Grid::union_, MergedValue::median, weights).at(0);
                    squares.at(kind++) += (point.value - 1) * (point.value - 1);
                    if (weights == Weights::precision)
                        covered += point.interval.low <= 1 && 1 <= point.interval.high ? 1 : 0;
                }
            }
            CAPTURE(launches);
            CAPTURE(disturbed);
            const double gain = std::sqrt(squares[0] / squares[1]);
            if (disturbed > 0) {
                CHECK(gain < 0.9);
                CHECK(squares[1] < squares[2]);
            } else {
                CHECK(gain < 1.03); // nothing to gain
            }
            if (launches >= 5) {
                CHECK(covered >= 0.92 * series);
                CHECK(covered <= 0.98 * series);
            }
        }
}

TEST_CASE("a value between two is doubtful when one of them is") {
    std::vector<CurvePoint> curve{{0, {1, 0.1, 10}, {}}, {10, {2, 0.1, 10}, {}}};
    CHECK_FALSE(interpolate(curve, 5)->doubtful);
    curve[0].doubtful = true;
    CHECK(interpolate(curve, 5)->doubtful);
    CHECK_FALSE(interpolate(curve, 10)->doubtful);
}

TEST_CASE("doubtful values are left out where three sound ones are there, or more than doubtful ones") {
    const auto used = [](int sound, int doubtful, Weights weights, double longer = 1) {
        std::vector<std::vector<CurvePoint>> runs;
        for (int run = 0; run < sound + doubtful; ++run)
            runs.push_back({{8, {(100.0 + run) * (run < sound ? 1 : longer), 0.1, 10}, {}, run >= sound}});
        return merge_curves(runs, Grid::union_, MergedValue::median, weights).at(0).runs;
    };
    CHECK(used(3, 9, Weights::equal) == 3);
    CHECK(used(2, 1, Weights::equal) == 2);
    CHECK(used(2, 2, Weights::equal) == 4);
    CHECK(used(1, 1, Weights::equal) == 2);
    CHECK(used(1, 0, Weights::equal) == 1);
    CHECK(used(0, 3, Weights::equal) == 3);
    CHECK(used(3, 9, Weights::count) == 12);
    // One that nothing disturbed says more than many that are longer.
    CHECK(used(1, 9, Weights::equal, 1.04) == 10);
    CHECK(used(1, 9, Weights::equal, 1.1) == 1);
    CHECK(used(2, 2, Weights::equal, 1.1) == 2);
    CHECK(used(0, 3, Weights::equal, 1.1) == 3);
    CHECK(used(2, 9, Weights::equal, 0.5) == 11); // what disturbs does not make faster
    CHECK(used(1, 9, Weights::count, 1.1) == 10);
}

TEST_CASE("nothing merges to nothing") {
    CHECK(merge_curves({}, Grid::union_, MergedValue::median).empty());
    CHECK(merge_curves(std::vector<Curve>(3), Grid::union_, MergedValue::median).empty());
    CHECK(merge_curves(std::vector<Curve>{{}, {at(1, 1)}}, Grid::union_, MergedValue::median).size() == 1);
    CHECK(merge_curves(std::vector<Curve>{{}, {at(1, 1)}}, Grid::common, MergedValue::median).empty());
}

TEST_CASE("the order of the runs changes no result") {
    std::mt19937_64 random(9);
    for (int sample = 0; sample < 25; ++sample) {
        const std::vector<Curve> runs = random_curves(random, 5);
        for (const auto grid : {Grid::union_, Grid::common})
            for (const MergeMethod& method :
                 {MergeMethod{}, MergeMethod{MergedValue::median, Weights::equal},
                  MergeMethod{MergedValue::median, Weights::precision}, MergeMethod{MergedValue::mean},
                  MergeMethod{MergedValue::minimum}}) {
                const auto merged = [&](const std::vector<Curve>& curves) {
                    return comparable(merge_curves(curves, grid, method.value, method.weights));
                };
                const auto expected = merged(runs);
                std::vector<std::size_t> order(runs.size());
                std::iota(order.begin(), order.end(), std::size_t{0});
                do {
                    std::vector<Curve> permuted;
                    for (const std::size_t index : order)
                        permuted.push_back(runs[index]);
                    REQUIRE(merged(permuted) == expected);
                } while (std::next_permutation(order.begin(), order.end()));
            }
    }
}

TEST_CASE("no merged value lies outside of what the runs measured") {
    std::mt19937_64 random(10);
    for (int sample = 0; sample < 200; ++sample) {
        const std::vector<Curve> runs = random_curves(random, 4);
        for (const auto& point : merge_curves(runs, Grid::union_, MergedValue::median)) {
            CHECK(point.value >= point.minimum);
            CHECK(point.value <= point.maximum);
            for (std::size_t run = 0; run < runs.size(); ++run)
                if (point.sources[run]) {
                    CHECK(runs[run].front().argument <= point.argument);
                    CHECK(runs[run].back().argument >= point.argument);
                }
        }
    }
}
