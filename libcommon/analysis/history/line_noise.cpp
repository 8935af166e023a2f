// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/history/line_noise.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace skampi {

namespace {

double clipped(double value) {
    return std::clamp(value, -most_deviation, most_deviation);
}

void whiten(std::span<double> shape, double correlation) {
    for (std::size_t i = shape.size(); i-- > 1;)
        shape[i] -= correlation * shape[i - 1];
    if (!shape.empty())
        shape[0] *= std::sqrt(1 - correlation * correlation);
}

} // namespace

std::vector<double> whitened(std::span<const double> deviations, const LineNoise& noise) {
    std::vector<double> white(deviations.begin(), deviations.end());
    whiten(white, noise.correlation);
    for (double& each : white)
        each = clipped(each / noise.added);
    return white;
}

LineNoise noise_of(std::span<const double> deviations, const UsualCorrelation& usual) {
    constexpr double least_scale = 1e-6; // of logarithms: what is exact to less is exact
    constexpr double least_spread = 0.05;
    constexpr double most_correlated = 0.9;

    std::vector<double> u(deviations.size());
    std::ranges::transform(deviations, u.begin(), [](double each) { return std::fabs(each); });
    LineNoise noise;
    noise.weight = static_cast<double>(deviations.size());
    noise.scale = std::max(least_scale, skalib::deviation_by_mad * skalib::median_in_place(u));
    std::ranges::transform(deviations, u.begin(), [&](double each) { return clipped(each / noise.scale); });
    const auto n = static_cast<double>(u.size());
    const double mean = std::accumulate(u.begin(), u.end(), 0.0) / n;
    double squares = 0;
    double products = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        squares += (u[i] - mean) * (u[i] - mean);
        if (i > 0)
            products += (u[i] - mean) * (u[i - 1] - mean);
    }
    if (squares > 0) {
        // Without its bias (Kendall 1954).
        noise.found = std::clamp((n * products / squares + 1) / (n - 3), 0.0, most_correlated);
        noise.weight = n + usual.weight;
        noise.correlation = (n * noise.found + usual.weight * usual.correlation) / noise.weight;
    }
    for (std::size_t i = 1; i < u.size(); ++i)
        u[i - 1] = std::fabs(deviations[i] - noise.correlation * deviations[i - 1]);
    u.pop_back();
    noise.added = std::max(least_scale, skalib::deviation_by_mad * skalib::median_in_place(u));
    double sum = 0;
    double sum_squares = 0;
    for (std::size_t i = 1; i < deviations.size(); ++i) {
        const double each = clipped((deviations[i] - noise.correlation * deviations[i - 1]) / noise.added);
        sum += each;
        sum_squares += each * each;
    }
    noise.degrees = std::max(1.0, n - 3);
    noise.spread =
        std::max(least_spread, std::sqrt(std::max(0.0, sum_squares - sum * sum / (n - 1)) / noise.degrees));
    return noise;
}

double LineNoise::degrees_of_level(std::size_t values) const {
    const double rest = 1 - correlation;
    const auto others = static_cast<double>(values) - 1;
    const double by_correlation = others * rest / (1 + others * rest * rest);
    return 1 / (1 / degrees + by_correlation * by_correlation * (1 - correlation * correlation) / weight);
}

ShapeSize size_of_last(std::span<const double> white, const LineNoise& noise,
                       std::vector<std::vector<double>> shapes) {
    const auto product = [](std::span<const double> a, std::span<const double> b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        whiten(shapes[i], noise.correlation);
        for (std::size_t k = 0; k < i; ++k) {
            const double part = product(shapes[i], shapes[k]) / product(shapes[k], shapes[k]);
            for (std::size_t at = 0; at < white.size(); ++at)
                shapes[i][at] -= part * shapes[k][at];
        }
    }
    const double information = product(shapes.back(), shapes.back());
    return {noise.added * product(shapes.back(), white) / information,
            noise.added * noise.spread / std::sqrt(information)};
}

double as_normal(double t, double degrees) {
    return (8 * degrees + 1) / (8 * degrees + 3) * std::sqrt(degrees * std::log1p(t * t / degrees));
}

} // namespace skampi
