#include "analysis/history/drift.hpp"

#include "analysis/history/line_noise.hpp"
#include "analysis/history/two_states.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
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

/// A slope by generalised least squares, with its standard error.
struct Slope {
    double value = 0;
    double error = 0;
    double degrees = 1;

    /// @param deviations from a straight line that is near
    explicit Slope(std::span<const double> deviations) {
        const LineNoise noise = noise_of(deviations);
        const std::vector<double> white = whitened(deviations, noise);
        std::vector<double> level(white.size(), 1.0);
        std::vector<double> time(white.size());
        for (std::size_t i = 0; i < time.size(); ++i)
            time[i] = static_cast<double>(i) - 0.5 * static_cast<double>(time.size() - 1);
        whiten(level, noise.correlation);
        whiten(time, noise.correlation);
        double ll = 0;
        double lt = 0;
        double tt = 0;
        double lw = 0;
        double tw = 0;
        for (std::size_t i = 0; i < white.size(); ++i) {
            ll += level[i] * level[i];
            lt += level[i] * time[i];
            tt += time[i] * time[i];
            lw += level[i] * white[i];
            tw += time[i] * white[i];
        }
        const double information = tt - lt * lt / ll;
        value = noise.added * (tw - lt * lw / ll) / information;
        error = noise.added * noise.spread / std::sqrt(information);
        // The correlation's own error, as of a step that lies long ago.
        const double shared = noise.correlation;
        degrees = 1 / (1 / noise.degrees + (1 + shared) / (1 - shared) / noise.weight);
    }
};

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
    const Slope rest(own);
    const double slope = near + rest.value;
    constexpr double chance = 0.01;
    const auto reach = [&](double tail) {
        return skalib::student_upper_quantile(rest.degrees, tail) * rest.error;
    };
    if (!(std::fabs(slope) > reach(chance / 2 / static_cast<double>(std::max<std::size_t>(1, lines)))))
        return std::nullopt;
    constexpr double tail = 0.025;
    const auto per_100 = [](double each) { return std::expm1(100 * each); };
    return Drift{from, per_100(slope), per_100(slope - reach(tail)), per_100(slope + reach(tail))};
}

} // namespace skampi
