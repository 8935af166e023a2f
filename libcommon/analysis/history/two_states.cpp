// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/history/two_states.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

namespace skampi {

std::vector<double> smoothed(std::span<const double> values) {
    std::vector<double> smooth(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t begin = i - std::min<std::size_t>(i, 2);
        const auto part = values.subspan(begin, std::min(values.size(), i + 3) - begin);
        smooth[i] = skalib::median({part.begin(), part.end()});
    }
    return smooth;
}

namespace {

/// Where the sum of squares within both parts of sorted values is least (Otsu).
std::size_t best_split(std::span<const double> sorted, std::size_t least) {
    const std::size_t n = sorted.size();
    std::vector<double> sums(n + 1);
    std::partial_sum(sorted.begin(), sorted.end(), sums.begin() + 1);
    std::size_t split = least;
    double most_between = -1;
    for (std::size_t i = least; i + least <= n; ++i) {
        const auto low = static_cast<double>(i);
        const auto high = static_cast<double>(n - i);
        const double distance = (sums[n] - sums[i]) / high - sums[i] / low;
        if (const double between = low * high * distance * distance; between > most_between) {
            most_between = between;
            split = i;
        }
    }
    return split;
}

} // namespace

std::optional<double> state_bound(std::span<const double> values) {
    constexpr double least_share = 0.05;
    constexpr std::size_t least_switches = 4; // fewer are steps up and down
    constexpr double least_distance = 3; // in deviations within the states; of one normal state it is 2.2
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const std::size_t n = sorted.size();
    const auto least =
        std::max<std::size_t>(3, static_cast<std::size_t>(least_share * static_cast<double>(n)));
    if (n < 2 * least)
        return std::nullopt;
    // Few outliers, however far away, are no state.
    for (double& value : sorted)
        value = std::clamp(value, sorted[least / 2], sorted[n - 1 - least / 2]);
    const std::size_t split = best_split(sorted, least);
    const std::span<const double> low(sorted.data(), split);
    const std::span<const double> high(sorted.data() + split, n - split);
    const auto deviation = [](std::span<const double> part) {
        return (skalib::quantile(part, 0.75) - skalib::quantile(part, 0.25)) / 1.349;
    };
    if (!(skalib::quantile(high, 0.5) - skalib::quantile(low, 0.5) >
          least_distance * std::max(deviation(low), deviation(high))))
        return std::nullopt;
    const double bound = 0.5 * (low.back() + high.front());
    std::size_t switches = 0;
    const std::vector<double> smooth = smoothed(values);
    for (std::size_t i = 1; i < n; ++i)
        switches += (smooth[i] > bound) != (smooth[i - 1] > bound) ? 1 : 0;
    return switches < least_switches ? std::nullopt : std::optional(bound);
}

void level_states(std::span<double> values, std::span<const double> states, double bound) {
    for (const bool high : {false, true}) {
        std::vector<double> own;
        for (std::size_t i = 0; i < values.size(); ++i)
            if ((states[i] > bound) == high)
                own.push_back(values[i]);
        const double level = skalib::median(std::move(own));
        // The states are those of other values, or a copy: a value is not judged by what it has become.
        for (std::size_t i = 0; i < values.size(); ++i)
            if ((states[i] > bound) == high)
                values[i] -= level;
    }
}

Levels levels_beside(std::span<const double> before, std::span<const double> after) {
    std::vector<double> all(before.begin(), before.end());
    all.insert(all.end(), after.begin(), after.end());
    const std::optional<double> bound = state_bound(all);
    const auto is_high = [&](double value) { return bound && value > *bound; };
    const bool high = 2 * std::ranges::count_if(all, is_high) > static_cast<std::ptrdiff_t>(all.size());
    const auto level = [&](std::span<const double> values) {
        std::vector<double> own;
        std::ranges::copy_if(values, std::back_inserter(own),
                             [&](double value) { return is_high(value) == high; });
        return skalib::lower_median(own.empty() ? std::vector<double>(values.begin(), values.end())
                                                : std::move(own));
    };
    return {level(before), level(after)};
}

} // namespace skampi
