#include "analysis/history/two_states.hpp"

#include "model/machine_state.hpp"
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

namespace {

std::size_t count_above(std::span<const double> values, double bound) {
    return static_cast<std::size_t>(
        std::ranges::count_if(values, [bound](double value) { return value > bound; }));
}

double level_of_state(std::span<const double> values, double bound, bool high) {
    std::vector<double> own;
    std::ranges::copy_if(values, std::back_inserter(own),
                         [&](double value) { return (value > bound) == high; });
    return skalib::lower_median(std::move(own));
}

} // namespace

std::optional<StateLevels> state_levels(std::span<const double> values) {
    const std::optional<double> bound = state_bound(values);
    if (!bound)
        return std::nullopt;
    return StateLevels{level_of_state(values, *bound, false), level_of_state(values, *bound, true)};
}

double usual_level(std::span<const double> values) {
    if (const std::optional<double> bound = state_bound(values))
        return level_of_state(values, *bound, 2 * count_above(values, *bound) > values.size());
    return skalib::lower_median({values.begin(), values.end()});
}

Levels levels_beside(std::span<const double> before, std::span<const double> after, std::size_t known) {
    const std::optional<double> bound_before = state_bound(before);
    const std::optional<double> bound_after = state_bound(after);
    if (!bound_before || !bound_after) {
        const double of_all = usual_level(after);
        const double when_found = usual_level(after.first(std::min(known, after.size())));
        return {usual_level(before), in_one_mode(of_all, when_found) ? of_all : when_found};
    }
    const std::size_t above = count_above(before, *bound_before) + count_above(after, *bound_after);
    const bool high = 2 * above > before.size() + after.size();
    return {level_of_state(before, *bound_before, high), level_of_state(after, *bound_after, high)};
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

} // namespace skampi
