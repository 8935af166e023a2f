#include "analysis/comparison/ratio_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace skampi {

namespace {

/// A point's logarithm of the ratio with its weight, 1 / variance.
struct Place {
    std::int64_t argument = 0;
    double log_ratio = 0;
    double weight = 1;
};

/// The least cost of a partition of the first i places for each i, and where its last piece begins.
std::vector<std::size_t> last_beginnings(const std::vector<Place>& places) {
    const std::size_t count = places.size();
    std::vector<double> weights(count + 1, 0);
    std::vector<double> sums(count + 1, 0);
    std::vector<double> squares(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [argument, y, w] = places[i];
        weights[i + 1] = weights[i] + w;
        sums[i + 1] = sums[i] + w * y;
        squares[i + 1] = squares[i] + w * y * y;
    }
    const auto cost = [&](std::size_t begin, std::size_t end) {
        const double weight = weights[end] - weights[begin];
        const double sum = sums[end] - sums[begin];
        return std::max(0.0, squares[end] - squares[begin] - sum * sum / weight);
    };
    // As of the pieces of cost models.
    constexpr double of_piece = 6;
    const double penalty = of_piece * std::log(static_cast<double>(std::max<std::size_t>(count, 3)));
    std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> beginnings(count + 1, 0);
    best[0] = 0;
    for (std::size_t end = 1; end <= count; ++end)
        for (std::size_t begin = 0; begin < end; ++begin)
            if (const double here = best[begin] + cost(begin, end) + penalty; here < best[end]) {
                best[end] = here;
                beginnings[end] = begin;
            }
    return beginnings;
}

} // namespace

std::vector<RatioRange> ratio_ranges(const std::vector<PointComparison>& points, const LaunchScores& scores,
                                     std::size_t statements_in_family) {
    // A reader does not care where a ratio changes by less.
    constexpr double least_error = 0.01;
    const std::vector<double> errors = scores.own_errors();
    std::vector<Place> places;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (const PointComparison& point = points[i];
            point.comparable && point.ratio > 0 && std::isfinite(point.ratio)) {
            const double error = std::hypot(least_error, errors[i]);
            places.push_back({point.argument, std::log(point.ratio), 1 / (error * error)});
        }
    std::vector<RatioRange> ranges;
    const std::vector<std::size_t> beginnings = last_beginnings(places);
    for (std::size_t end = places.size(); end > 0; end = beginnings[end]) {
        const std::int64_t from = places[beginnings[end]].argument;
        const std::int64_t to = places[end - 1].argument;
        ranges.push_back({from, to, scores.pooled(statements_in_family, from, to)});
    }
    std::ranges::reverse(ranges);
    return ranges;
}

} // namespace skampi
