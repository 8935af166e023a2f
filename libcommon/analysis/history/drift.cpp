// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/history/drift.hpp"

#include "analysis/history/line_noise.hpp"
#include "analysis/history/two_states.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// The slope per value through the medians of the first and the last third.
double resistant_slope(std::span<const double> values) {
    const std::size_t third = values.size() / 3;
    const auto middle = [](std::span<const double> part) {
        return skalib::median({part.begin(), part.end()});
    };
    return (middle(values.last(third)) - middle(values.first(third))) /
           static_cast<double>(values.size() - third);
}

} // namespace

std::optional<Drift> find_drift(std::span<const double> values, std::size_t from, std::size_t lines) {
    if (values.size() < from + least_for_a_drift)
        return std::nullopt;
    std::vector<double> own(values.size() - from);
    std::ranges::transform(values.subspan(from), own.begin(), [](double each) { return std::log(each); });
    if (const auto bound = state_bound(own)) {
        const std::vector<double> states = own;
        level_states(own, states, *bound);
    }
    const double near = resistant_slope(own);
    for (std::size_t i = 0; i < own.size(); ++i)
        own[i] -= near * static_cast<double>(i);
    const double level = skalib::median(own);
    for (double& each : own)
        each -= level;
    const LineNoise noise = noise_of(own);
    std::vector<double> time(own.size());
    std::iota(time.begin(), time.end(), 0.0);
    const ShapeSize rest =
        size_of_last(whitened(own, noise), noise, {std::vector<double>(own.size(), 1.0), std::move(time)});
    const double slope = near + rest.size;
    constexpr double chance = 0.01;
    const double degrees = noise.degrees_of_level(own.size());
    const auto reach = [&](double tail) {
        return skalib::student_upper_quantile(degrees, tail) * rest.error;
    };
    if (!(std::fabs(slope) > reach(chance / 2 / static_cast<double>(std::max<std::size_t>(1, lines)))))
        return std::nullopt;
    constexpr double tail = 0.025;
    const auto per_100 = [](double each) { return std::expm1(100 * each); };
    return Drift{from, per_100(slope), per_100(slope - reach(tail)), per_100(slope + reach(tail))};
}

} // namespace skampi
