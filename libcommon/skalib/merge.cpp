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

/// What one run says at one argument.
struct Contribution {
    std::size_t run = 0;
    CurvePoint point;
    bool interpolated = false;
};

/// Ascending by everything that can show in a result, so that nothing depends on the order of the runs.
bool before(const Contribution& a, const Contribution& b) {
    const auto left = order_of(a.point.value);
    const auto right = order_of(b.point.value);
    if (left != right)
        return left < right;
    if (a.interpolated != b.interpolated)
        return b.interpolated;
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
    std::stable_sort(all.begin(), all.end(), before);
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

/// The position, among ascending contributions, of the one that stands for all.
std::size_t choose(std::span<const Contribution> ascending, std::span<const double> values, MergedValue value,
                   Weights weights) {
    switch (value) {
    case MergedValue::minimum:
        return 0;
    case MergedValue::median: {
        std::vector<WeightedValue> weighted;
        for (const Contribution& each : ascending) {
            weighted.push_back(each.point.value);
            if (weights == Weights::equal)
                weighted.back().weight = 1;
        }
        return weighted_median(weighted);
    }
    case MergedValue::mean: {
        RunningStatistics statistics;
        for (const double each : values)
            statistics.add(each);
        const auto nearest = std::min_element(values.begin(), values.end(), [&](double a, double b) {
            return std::abs(a - statistics.mean()) < std::abs(b - statistics.mean());
        });
        return static_cast<std::size_t>(nearest - values.begin());
    }
    }
    throw std::invalid_argument("no such kind of merged value");
}

MergedPoint merge_point(std::int64_t argument, std::vector<Contribution> ascending, std::size_t runs,
                        MergedValue value, Weights weights) {
    MergedPoint merged;
    merged.argument = argument;
    merged.runs = ascending.size();
    merged.sources.resize(runs);
    merged.source_interpolated.resize(runs);

    std::vector<double> values;
    RunningStatistics between;
    for (const Contribution& each : ascending) {
        values.push_back(each.point.value.value);
        between.add(each.point.value.value);
        merged.count += each.point.value.weight;
        merged.sources[each.run] = each.point.value;
        merged.source_interpolated[each.run] = each.interpolated;
    }
    merged.minimum = values.front();
    merged.maximum = values.back();
    merged.mad = median_absolute_deviation(values);
    merged.between_runs_error = between.standard_error();
    merged.median_interval = median_interval(values, interval_confidence);

    Contribution& chosen = ascending[choose(ascending, values, value, weights)];
    merged.chosen = chosen.run;
    merged.chosen_interpolated = chosen.interpolated;
    merged.value = chosen.point.value.value;
    merged.standard_error = chosen.point.value.standard_error;
    if (value == MergedValue::mean && ascending.size() > 1) {
        merged.value = between.mean();
        merged.standard_error = between.standard_error();
    }
    merged.node_times = std::move(chosen.point.node_times);
    return merged;
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
    between.argument = argument;
    between.value.value = std::lerp(left.value.value, right.value.value, share);
    between.value.standard_error = std::lerp(left.value.standard_error, right.value.standard_error, share);
    between.value.weight = std::lerp(left.value.weight, right.value.weight, share);
    if (left.node_times.size() == right.node_times.size())
        for (std::size_t rank = 0; rank < left.node_times.size(); ++rank)
            between.node_times.push_back(std::lerp(left.node_times[rank], right.node_times[rank], share));
    return between;
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
            merged.push_back(merge_point(argument, std::move(found), curves.size(), value, weights));
    return merged;
}

} // namespace skalib
