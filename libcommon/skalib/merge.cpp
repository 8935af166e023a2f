// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skalib/merge.hpp"

#include "skalib/curve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <tuple>

namespace skalib {
namespace {

constexpr double interval_confidence = 0.95;

auto order_of(const WeightedValue& value) {
    return std::tie(value.value, value.standard_error, value.weight);
}

/// Ascending by everything that can show in a result, so that nothing depends on the order of the runs.
bool before(const Contribution& a, const Contribution& b) {
    const auto left = order_of(a.point.value);
    const auto right = order_of(b.point.value);
    if (left != right)
        return left < right;
    if (a.interpolated != b.interpolated)
        return b.interpolated;
    if (a.point.doubtful != b.point.doubtful)
        return b.point.doubtful;
    return a.point.node_times < b.point.node_times;
}

/// @param abstaining per run, the arguments at which it has no value
std::vector<Contribution> contributions(std::span<const std::vector<CurvePoint>> runs,
                                        std::span<const std::set<std::int64_t>> abstaining,
                                        std::int64_t argument) {
    std::vector<Contribution> all;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (abstaining[run].contains(argument))
            continue;
        auto point = interpolate(runs[run], argument);
        if (!point)
            continue;
        const bool measured = std::binary_search(
            runs[run].begin(), runs[run].end(), *point,
            [](const CurvePoint& a, const CurvePoint& b) { return a.argument < b.argument; });
        all.push_back({run, std::move(*point), !measured});
    }
    return all;
}

std::set<std::int64_t> arguments_of(const std::vector<CurvePoint>& run) {
    std::set<std::int64_t> arguments;
    for (const CurvePoint& point : run)
        arguments.insert(point.argument);
    return arguments;
}

std::set<std::int64_t> grid_of(std::span<const std::vector<CurvePoint>> runs, Grid grid) {
    std::set<std::int64_t> arguments = arguments_of(runs.front());
    for (const auto& run : runs.subspan(1)) {
        const std::set<std::int64_t> others = arguments_of(run);
        if (grid == Grid::union_)
            arguments.insert(others.begin(), others.end());
        else if (grid == Grid::common)
            std::erase_if(arguments, [&](std::int64_t argument) { return !others.contains(argument); });
    }
    return arguments;
}

/// Weights::precision of values in an order that does not depend on that of the runs.
std::vector<double> precision_weights(std::span<const Contribution> ascending) {
    const auto is_known = [](double error) { return std::isfinite(error) && error > 0; };
    std::vector<double> values;
    std::vector<double> errors;
    for (const Contribution& each : ascending) {
        values.push_back(each.point.value.value);
        if (is_known(each.point.value.standard_error))
            errors.push_back(each.point.value.standard_error);
    }
    if (errors.empty())
        return std::vector<double>(ascending.size(), 1.0);
    constexpr double least_share = 0.25; // a few launches are close together by chance
    const double usual = median(std::move(errors));
    // In units of the usual error: squares of times are small.
    const double scatter = deviation_by_mad * median_absolute_deviation(values) / usual;
    const double between = std::max(least_share * scatter * scatter, scatter * scatter - 1);
    std::vector<double> weights;
    for (const Contribution& each : ascending) {
        const double error = each.point.value.standard_error;
        const double own = is_known(error) ? error / usual : 1;
        weights.push_back(1 / (between + own * own));
    }
    return weights;
}

std::vector<double> weights_of(std::span<const Contribution> ascending, Weights kind) {
    if (kind == Weights::precision)
        return precision_weights(ascending);
    std::vector<double> weights;
    for (const Contribution& each : ascending)
        weights.push_back(kind == Weights::count ? each.point.value.weight : 1);
    return weights;
}

/// Which of the ascending contributions make the value: one, or two whose mean it is.
Middle choose(std::span<const Contribution> ascending, std::span<const double> weights,
              const RunningStatistics& between, const MergeMethod& method) {
    switch (method.value) {
    case MergedValue::minimum:
        return {0, 0};
    case MergedValue::median: {
        if (method.weights == Weights::count) {
            std::vector<WeightedValue> weighted;
            for (const Contribution& each : ascending)
                weighted.push_back(each.point.value);
            const std::size_t chosen = weighted_median(weighted);
            return {chosen, chosen};
        }
        constexpr double of_states = 1.4; // two states of a machine differ by this factor
        const auto [low, high] = weighted_middle(weights);
        const double low_value = ascending[low].point.value.value;
        const bool differ = low_value > 0 && ascending[high].point.value.value >= of_states * low_value;
        return {low, differ ? low : high};
    }
    case MergedValue::mean: {
        const auto nearest =
            std::min_element(ascending.begin(), ascending.end(), [&](const auto& a, const auto& b) {
                return std::abs(a.point.value.value - between.mean()) <
                       std::abs(b.point.value.value - between.mean());
            });
        const auto chosen = static_cast<std::size_t>(nearest - ascending.begin());
        return {chosen, chosen};
    }
    }
    throw std::invalid_argument("no such kind of merged value");
}

/// @param values ascending
Interval interval_of(std::span<const double> values, std::span<const double> weights,
                     const MergeMethod& method) {
    switch (method.value) {
    case MergedValue::median:
        return weighted_median_interval(values, weights, interval_confidence, method.correlation);
    case MergedValue::mean:
        return mean_interval(values, interval_confidence, method.correlation);
    case MergedValue::minimum:
        break;
    }
    // Further runs can only lower it, by an unknown amount.
    return {values.front(), values.front(), 0};
}

} // namespace

std::size_t weighted_median(std::span<const WeightedValue> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return order_of(values[a]) < order_of(values[b]); });
    // Summed in this order for the total too: the last bit of a sum depends on the order of its terms.
    double total = 0;
    for (const std::size_t index : order) {
        if (!(values[index].weight >= 0))
            throw std::invalid_argument("weights must be at least 0");
        total += values[index].weight;
    }
    if (!(total > 0) || !std::isfinite(total))
        throw std::invalid_argument("the total weight must be above 0");
    double reached = 0;
    for (const std::size_t index : order) {
        reached += values[index].weight;
        if (reached >= total / 2)
            return index;
    }
    return order.back();
}

std::optional<CurvePoint> interpolate(std::span<const CurvePoint> curve, std::int64_t argument) {
    const auto place = place_on_curve(curve.begin(), curve.end(), argument,
                                      [](const CurvePoint& point) { return point.argument; });
    if (!place)
        return std::nullopt;
    const CurvePoint& left = *place->left;
    const CurvePoint& right = *place->right;
    if (place->at_point())
        return right;
    const double share = place->share;
    CurvePoint between;
    between.doubtful = left.doubtful || right.doubtful;
    between.argument = argument;
    between.value.value = std::lerp(left.value.value, right.value.value, share);
    between.value.standard_error = std::lerp(left.value.standard_error, right.value.standard_error, share);
    between.value.weight = std::lerp(left.value.weight, right.value.weight, share);
    if (left.node_times.size() == right.node_times.size())
        for (std::size_t rank = 0; rank < left.node_times.size(); ++rank)
            between.node_times.push_back(std::lerp(left.node_times[rank], right.node_times[rank], share));
    return between;
}

bool leaves_doubtful_out(std::span<const Contribution> contributions) {
    constexpr double far_above = 1.1;
    std::vector<double> doubtful;
    double slowest_sound = 0;
    for (const Contribution& each : contributions)
        if (each.point.doubtful)
            doubtful.push_back(each.point.value.value);
        else
            slowest_sound = std::max(slowest_sound, each.point.value.value);
    const std::size_t sound = contributions.size() - doubtful.size();
    if (sound == 0 || doubtful.empty() || enough_without(sound, doubtful.size()))
        return sound > 0;
    constexpr std::size_t many_doubtful = 4; // against a single one
    return (sound > 1 || doubtful.size() >= many_doubtful) && slowest_sound > 0 &&
           lower_median(std::move(doubtful)) >= far_above * slowest_sound;
}

MergedPoint merge_contributions(std::int64_t argument, std::vector<Contribution> ascending, std::size_t runs,
                                const MergeMethod& method) {
    std::stable_sort(ascending.begin(), ascending.end(), before);
    MergedPoint merged;
    merged.argument = argument;
    merged.sources.resize(runs);
    merged.source_interpolated.resize(runs);
    merged.left_out.resize(runs);
    for (const Contribution& each : ascending) {
        merged.sources[each.run] = each.point.value;
        merged.source_interpolated[each.run] = each.interpolated;
    }
    const auto is_doubtful = [](const Contribution& each) { return each.point.doubtful; };
    if (method.weights != Weights::count && leaves_doubtful_out(ascending)) {
        for (const Contribution& each : ascending)
            merged.left_out[each.run] = is_doubtful(each);
        std::erase_if(ascending, is_doubtful);
    }

    merged.runs = ascending.size();
    std::vector<double> values;
    values.reserve(ascending.size());
    RunningStatistics between;
    for (const Contribution& each : ascending) {
        values.push_back(each.point.value.value);
        between.add(each.point.value.value);
        merged.count += each.point.value.weight;
    }
    merged.minimum = values.front();
    merged.maximum = values.back();
    merged.mad = median_absolute_deviation(values);
    merged.between_runs_error = between.standard_error();
    const std::vector<double> weights = weights_of(ascending, method.weights);
    merged.interval = interval_of(values, weights, method);

    const Middle choice = choose(ascending, weights, between, method);
    const Contribution& one = ascending[choice.low];
    const Contribution& other = ascending[choice.high];
    merged.chosen = one.run;
    merged.chosen_too = other.run;
    merged.chosen_interpolated = one.interpolated || other.interpolated;
    merged.value = one.point.value.value;
    merged.standard_error = one.point.value.standard_error;
    merged.node_times = one.point.node_times;
    if (choice.low != choice.high) {
        merged.value = std::midpoint(one.point.value.value, other.point.value.value);
        merged.standard_error =
            std::hypot(one.point.value.standard_error, other.point.value.standard_error) / 2;
        if (one.point.node_times.size() != other.point.node_times.size())
            merged.node_times.clear();
        for (std::size_t rank = 0; rank < merged.node_times.size(); ++rank)
            merged.node_times[rank] = std::midpoint(one.point.node_times[rank], other.point.node_times[rank]);
    }
    if (method.value == MergedValue::mean && ascending.size() > 1) {
        merged.value = between.mean();
        double variances = 0;
        for (const Contribution& each : ascending)
            variances += each.point.value.standard_error * each.point.value.standard_error;
        merged.standard_error = std::sqrt(variances) / static_cast<double>(ascending.size());
    }
    return merged;
}

std::vector<MergedPoint> merge_curves(std::span<const std::vector<CurvePoint>> runs, Grid grid,
                                      MergedValue value, Weights weights) {
    if (runs.empty())
        return {};
    std::vector<std::vector<CurvePoint>> curves(runs.size());
    std::vector<std::set<std::int64_t>> abstaining(runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (const CurvePoint& point : runs[run]) {
            if (!(point.value.weight > 0)) {
                abstaining[run].insert(point.argument);
                continue;
            }
            assert(curves[run].empty() || curves[run].back().argument < point.argument);
            curves[run].push_back(point);
        }
    std::vector<MergedPoint> merged;
    for (const std::int64_t argument : grid_of(runs, grid))
        if (auto found = contributions(curves, abstaining, argument); !found.empty())
            merged.push_back(
                merge_contributions(argument, std::move(found), curves.size(), {value, weights}));
    return merged;
}

} // namespace skalib
