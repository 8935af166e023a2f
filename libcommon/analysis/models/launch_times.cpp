// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/models/launch_times.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skampi {

namespace {

constexpr double outside = 0.05; ///< of all intervals, the share that may miss the coefficient

/// The variance of what is fitted to medians of so many normal values, by that of what is fitted to means.
/// Of one median it is pi / 2 for many values; the terms in the denominator fit the exact variances of 3 to
/// 20 values within 2 %. Half of the excess averages out between the points, each of which has a median of
/// its own (bench/inference).
double variance_of_medians(std::size_t values) {
    const auto n = static_cast<double>(values);
    const double fewer = values % 2 == 1 ? 1 : 2.5;
    const double of_one = std::max(1.0, n * std::numbers::pi / (2 * n + fewer));
    return 0.5 * (1 + of_one);
}

} // namespace

CoefficientErrors errors_of_simulation(std::size_t points, std::size_t coefficients) {
    CoefficientErrors errors{ErrorSource::simulation};
    if (points > coefficients)
        errors.reach =
            skalib::student_upper_quantile(static_cast<double>(points - coefficients), outside / 2);
    return errors;
}

std::vector<std::vector<double>> completed_launches(const LaunchTimes& launches,
                                                    std::span<const std::size_t> places,
                                                    std::span<const double> fitted_s) {
    const std::size_t enough = std::min<std::size_t>(2, fitted_s.size());
    std::vector<std::vector<double>> completed;
    for (const std::vector<double>& times_s : launches.times_s) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (times_s[places[i]] > 0)
                ratios.push_back(times_s[places[i]] / fitted_s[i]);
        if (ratios.empty() || ratios.size() < enough)
            continue;
        const double ratio = skalib::median(std::move(ratios));
        std::vector<double>& launch = completed.emplace_back();
        for (std::size_t i = 0; i < places.size(); ++i)
            launch.push_back(times_s[places[i]] > 0 ? times_s[places[i]] : ratio * fitted_s[i]);
    }
    return completed;
}

BetweenLaunches::BetweenLaunches(std::size_t launches, double correlation)
    : launches_(launches)
    , independent_(static_cast<double>(launches) * skalib::independent_share(correlation)) {}

CoefficientErrors BetweenLaunches::errors() const {
    return {ErrorSource::between_launches, launches_,
            skalib::student_upper_quantile(std::max(1.0, independent_ - 1), outside / 2)};
}

double BetweenLaunches::standard_error(std::span<const double> coefficients) const {
    skalib::RunningStatistics statistics;
    for (const double coefficient : coefficients)
        statistics.add(coefficient);
    return std::sqrt(statistics.variance() * variance_of_medians(launches_) / independent_);
}

} // namespace skampi
