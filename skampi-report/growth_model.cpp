#include "growth_model.hpp"

#include "model/quantity.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace skampi {

namespace {

constexpr std::array<Growth, 6> all_growths{Growth::constant, Growth::log2,   Growth::ceil_log2,
                                            Growth::linear,   Growth::p_log2, Growth::quadratic};
constexpr std::size_t least_points = 5;
/// Below this nobody measures message passing.
constexpr double noise_floor = 0.005;
constexpr double strong_evidence = 6;

bool is_power_of_two(std::int64_t ranks) {
    return std::has_single_bit(static_cast<std::uint64_t>(ranks));
}

struct Fit {
    GrowthModel model;
    std::size_t coefficients = 1;
    double squares = std::numeric_limits<double>::infinity(); ///< of relative residuals
};

/// Least squares of the columns chosen among 1, g(p) and "no power of two"; none where they depend on one
/// another.
std::optional<std::array<double, 3>> solve(std::span<const CostPoint> points, Growth growth, bool grows,
                                           bool penalty) {
    const std::array<bool, 3> wanted{true, grows, penalty};
    std::array<std::array<long double, 4>, 3> m{};
    const double largest = std::max(1.0, growth_at(growth, points.back().argument));
    for (const CostPoint& point : points) {
        const std::array<long double, 3> x{1, growth_at(growth, point.argument) / largest,
                                           is_power_of_two(point.argument) ? 0.0L : 1.0L};
        const long double weight = 1 / (static_cast<long double>(point.time_s) * point.time_s);
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c)
                m[r][c] += weight * x[r] * x[c];
            m[r][3] += weight * x[r] * point.time_s;
        }
    }
    const auto original = m;
    for (std::size_t r = 0; r < 3; ++r) {
        if (!wanted[r])
            continue;
        if (!(m[r][r] > 1e-12L * original[r][r]))
            return std::nullopt;
        for (std::size_t other = 0; other < 3; ++other) {
            if (other == r || !wanted[other])
                continue;
            const long double factor = m[other][r] / m[r][r];
            for (std::size_t c = 0; c < 4; ++c)
                m[other][c] -= factor * m[r][c];
        }
    }
    std::array<double, 3> solution{};
    for (std::size_t r = 0; r < 3; ++r)
        solution[r] = wanted[r] ? static_cast<double>(m[r][3] / m[r][r]) : 0;
    solution[1] /= largest;
    // What rounding leaves is no coefficient.
    const double smallest = std::ranges::min_element(points, {}, &CostPoint::time_s)->time_s;
    for (const std::size_t r : {0u, 2u})
        if (std::fabs(solution[r]) < 1e-9 * smallest)
            solution[r] = 0;
    return solution;
}

Fit fit(std::span<const CostPoint> points, Growth growth, bool penalty) {
    Fit result;
    const bool grows = growth != Growth::constant;
    const auto solution = solve(points, growth, grows, penalty);
    if (!solution || (*solution)[1] < 0)
        return result;
    result.coefficients = 1 + (grows ? 1 : 0) + (penalty ? 1 : 0);
    GrowthModel& model = result.model;
    model.growth = growth;
    model.alpha_s = (*solution)[0];
    model.beta_s = (*solution)[1];
    model.gamma_s = (*solution)[2];
    result.squares = 0;
    for (const CostPoint& point : points) {
        const double residual = (model.at(point.argument) - point.time_s) / point.time_s;
        model.worst_error = std::max(model.worst_error, std::fabs(residual));
        result.squares += residual * residual;
    }
    return result;
}

} // namespace

double growth_at(Growth growth, std::int64_t ranks) {
    const auto p = static_cast<double>(ranks);
    switch (growth) {
    case Growth::constant:
        return 1;
    case Growth::log2:
        return std::log2(p);
    case Growth::ceil_log2:
        return ranks < 2 ? 0 : static_cast<double>(std::bit_width(static_cast<std::uint64_t>(ranks - 1)));
    case Growth::linear:
        return p;
    case Growth::p_log2:
        return p * std::log2(p);
    case Growth::quadratic:
        return p * p;
    }
    return 0;
}

std::string growth_text(Growth growth) {
    switch (growth) {
    case Growth::constant:
        return "1";
    case Growth::log2:
        return "log2 p";
    case Growth::ceil_log2:
        return "ceil(log2 p)";
    case Growth::linear:
        return "p";
    case Growth::p_log2:
        return "p log2 p";
    case Growth::quadratic:
        return "p^2";
    }
    return {};
}

double GrowthModel::at(std::int64_t ranks) const {
    return alpha_s + (growth == Growth::constant ? 0 : beta_s * growth_at(growth, ranks)) +
           (is_power_of_two(ranks) ? 0 : gamma_s);
}

std::string GrowthModel::text() const {
    std::string text;
    if (alpha_s != 0 || growth == Growth::constant)
        text = format_time(alpha_s, 3);
    if (growth != Growth::constant)
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : " + ", format_time(beta_s, 3), growth_text(growth));
    if (gamma_s != 0)
        text += fmt::format(", and {}{} where p is no power of two", gamma_s > 0 ? "+" : "",
                            format_time(gamma_s, 3));
    return text;
}

std::optional<GrowthModel> fit_growth(std::span<const CostPoint> all_points) {
    std::vector<CostPoint> points;
    std::vector<double> errors;
    for (const CostPoint& point : all_points)
        if (std::isfinite(point.time_s) && point.time_s > 0 && point.argument > 0) {
            points.push_back(point);
            errors.push_back(std::isfinite(point.standard_error_s) ? point.standard_error_s / point.time_s
                                                                   : 0);
        }
    if (points.size() < least_points)
        return std::nullopt;
    std::vector<Fit> fits;
    for (const Growth growth : all_growths)
        for (const bool penalty : {false, true})
            if (Fit one = fit(points, growth, penalty); std::isfinite(one.squares))
                fits.push_back(std::move(one));
    std::ranges::sort(errors);
    const auto n = static_cast<double>(points.size());
    double noise = std::max(noise_floor, skalib::quantile(errors, 0.5));
    // Where even the best model misses by more its misses are the noise: nothing is told by less.
    double least = std::numeric_limits<double>::infinity();
    for (const Fit& each : fits)
        if (const double free = n - static_cast<double>(each.coefficients); free > 0)
            least = std::min(least, each.squares / free);
    noise = std::max(noise, std::sqrt(least));
    const auto criterion = [&](const Fit& each) {
        return each.squares / (noise * noise) + static_cast<double>(each.coefficients) * std::log(n);
    };
    const auto best = std::ranges::min_element(fits, {}, criterion);
    GrowthModel model = best->model;
    model.noise = noise;
    model.first = points.front().argument;
    model.last = points.back().argument;
    for (const Fit& each : fits)
        if (each.model.growth != model.growth && criterion(each) - criterion(*best) < strong_evidence &&
            std::ranges::find(model.alike, each.model.growth) == model.alike.end())
            model.alike.push_back(each.model.growth);
    return model;
}

} // namespace skampi
