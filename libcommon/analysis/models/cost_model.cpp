// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/models/cost_model.hpp"

#include "skalib/least_squares.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>

namespace skampi {

namespace {

constexpr std::size_t min_segment_points = 3;
/// The first and the last piece may be shorter: the eager limit may lie just below the last argument. Fewer
/// points than these do not show what is usual and what an end.
constexpr std::size_t least_points_for_short_ends = 8;
constexpr std::size_t max_segments = 8;
/// A smaller relative deviation of a point cannot be measured, and a perfect series must not make every
/// rounding a segment.
constexpr double noise_floor = 0.005;
/// Per segment, times ln n. The Bayesian information criterion says 3 (two coefficients, one breakpoint) for
/// a known noise; ours is estimated from few points and may come out too small by a quarter, so that 3 sees
/// segments in noise. Real changes of protocol cost hundreds.
constexpr double penalty_factor = 6;
/// A smaller step is no jump, however small the noise.
constexpr double jump_share = 0.015;
/// By chance the noise of a step between two points exceeds this in 1 of 400 cases.
constexpr double noises_of_a_jump = 3 * std::numbers::sqrt2;
/// Of one launch, whose points may differ between passes by more than their noise.
constexpr double noises_of_one_launch = 5 * std::numbers::sqrt2;
/// By chance two lines miss one another by more of their errors in 1 of 2,000 cases.
constexpr double errors_of_a_miss = 3.5;

/// The points that can be fitted, and their places among all.
struct Data {
    std::vector<CostPoint> points;
    std::vector<double> times_s; ///< of the points
    std::vector<std::size_t> places;
};

Data usable(std::span<const CostPoint> points) {
    Data data;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (const CostPoint& point = points[i];
            std::isfinite(point.time_s) && point.time_s > 0 && std::isfinite(point.standard_error_s)) {
            data.points.push_back(point);
            data.times_s.push_back(point.time_s);
            data.places.push_back(i);
        }
    return data;
}

/// How well a line fits a part of the points, from sums over the first i of them. Weights are 1 / t^2: what
/// counts is the relative residual. Arguments are relative to the largest one, so that no digits are lost.
class LineFits {
public:
    explicit LineFits(std::span<const CostPoint> points)
        : sums_(points.size() + 1) {
        const double scale = std::max(1.0, static_cast<double>(points.back().argument));
        for (std::size_t i = 0; i < points.size(); ++i) {
            const long double x = static_cast<double>(points[i].argument) / scale;
            const long double y = points[i].time_s;
            const std::array<long double, 6> terms{1, x, y, x * x, x * y, y * y};
            for (std::size_t term = 0; term < terms.size(); ++term)
                sums_[i + 1][term] = sums_[i][term] + terms[term] / (y * y);
        }
    }

    /// The least sum of squared relative residuals of a line that does not fall, of points begin .. end - 1.
    [[nodiscard]] double squares(std::size_t begin, std::size_t end) const {
        std::array<long double, 6> sums = sums_[end];
        for (std::size_t term = 0; term < sums.size(); ++term)
            sums[term] -= sums_[begin][term];
        const auto [w, wx, wy, wxx, wxy, wyy] = sums;
        const long double determinant = w * wxx - wx * wx;
        const long double covariance = std::max(0.0L, w * wxy - wx * wy);
        const long double of_constant = wyy - wy * wy / w;
        const long double of_slope =
            determinant > 1e-15L * w * wxx ? covariance * covariance / (w * determinant) : 0;
        return static_cast<double>(std::max(0.0L, of_constant - of_slope));
    }

private:
    std::vector<std::array<long double, 6>> sums_;
};

double estimate_noise(const std::vector<CostPoint>& points) {
    std::vector<double> deviations;
    std::vector<double> standard_errors;
    for (std::size_t i = 0; i < points.size(); ++i)
        standard_errors.push_back(points[i].standard_error_s / points[i].time_s);
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        const CostPoint &a = points[i - 1], &b = points[i], &c = points[i + 1];
        const double share =
            static_cast<double>(b.argument - a.argument) / static_cast<double>(c.argument - a.argument);
        const double expected = (1 - share) * a.time_s + share * c.time_s;
        const double spread = std::sqrt(1 + std::pow((1 - share) * a.time_s / b.time_s, 2) +
                                        std::pow(share * c.time_s / b.time_s, 2));
        deviations.push_back(std::fabs(b.time_s - expected) / b.time_s / spread);
    }
    const double local = skalib::deviation_by_mad * skalib::median(std::move(deviations));
    const double own = skalib::median(std::move(standard_errors));
    return std::max({noise_floor, local, own});
}

/// The cheapest partition into segments, by dynamic programming.
/// @param borders at which segments may begin and end, ascending from 0 to the number of points
/// @return those of them at which segments begin, and the last
std::vector<std::size_t> cheapest_partition(const LineFits& fits, const std::vector<std::size_t>& borders,
                                            double noise) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t n = borders.back();
    const std::size_t last = borders.size() - 1;
    const double penalty = penalty_factor * std::log(static_cast<double>(n));
    const auto allowed = [&](std::size_t begin, std::size_t end) {
        return end - begin >= min_segment_points ||
               (n >= least_points_for_short_ends && (begin == 0 || end == n));
    };
    // Of the points before a border in so many segments: the least cost, and where the last of them begins.
    std::vector<std::array<double, max_segments + 1>> best(borders.size());
    std::vector<std::array<std::size_t, max_segments + 1>> from(borders.size());
    for (auto& costs : best)
        costs.fill(infinity);
    best[0][0] = 0;
    for (std::size_t end = 1; end <= last; ++end)
        for (std::size_t begin = 0; begin < end; ++begin) {
            if (!allowed(borders[begin], borders[end]))
                continue;
            const double cost = penalty + fits.squares(borders[begin], borders[end]) / (noise * noise);
            for (std::size_t k = 1; k <= max_segments; ++k)
                if (best[begin][k - 1] + cost < best[end][k]) {
                    best[end][k] = best[begin][k - 1] + cost;
                    from[end][k] = begin;
                }
        }
    std::vector<std::size_t> found{n};
    std::size_t end = last;
    for (auto k = static_cast<std::size_t>(std::ranges::min_element(best[last]) - best[last].begin()); k > 0;
         --k) {
        end = from[end][k];
        found.insert(found.begin(), borders[end]);
    }
    return found;
}

/// Where segments begin, and the number of points. Of many points, segments are first sought between some
/// that are spread evenly, then closely around the borders found.
std::vector<std::size_t> segment_borders(const LineFits& fits, std::size_t n, double noise) {
    constexpr std::size_t most_borders = 512;
    const std::size_t step = (n + most_borders - 1) / most_borders;
    std::vector<std::size_t> borders;
    for (std::size_t border = 0; border < n; border += step)
        borders.push_back(border);
    borders.push_back(n);
    std::vector<std::size_t> found = cheapest_partition(fits, borders, noise);
    if (step == 1)
        return found;
    std::set<std::size_t> near;
    for (const std::size_t border : found)
        for (std::size_t i = border - std::min(border, step); i <= std::min(n, border + step); ++i)
            near.insert(i);
    return cheapest_partition(fits, {near.begin(), near.end()}, noise);
}

/// Fits a constant, or a time at `origin` and a price per argument, to points begin .. end - 1 with their
/// weights. The price is 0, with errors not a number, where the arguments lie too close together to show one.
/// @param times_s of these points; those of a launch, too
skalib::LeastSquares fitted(const Data& data, std::size_t begin, std::size_t end,
                            std::span<const double> times_s, std::size_t coefficients,
                            std::int64_t origin = 0) {
    std::vector<std::vector<double>> rows;
    const double scale = std::max(1.0, static_cast<double>(data.points[end - 1].argument));
    for (std::size_t i = begin; i < end; ++i) {
        std::vector<double>& row = rows.emplace_back(1, 1.0);
        if (coefficients == 2)
            row.push_back(static_cast<double>(data.points[i].argument - origin) / scale);
    }
    std::optional<skalib::LeastSquares> found =
        skalib::least_squares(rows, times_s, std::span(data.times_s).subspan(begin, end - begin));
    if (!found) {
        found = fitted(data, begin, end, times_s, 1);
        found->coefficients.push_back(0);
        found->errors.assign(2, std::numeric_limits<double>::quiet_NaN());
    } else if (coefficients == 2) {
        found->coefficients[1] /= scale;
        found->errors[1] /= scale;
    }
    return *found;
}

/// Errors between launches: each is fitted by itself, with the weights of the points.
void set_launch_errors(const Data& data, const LaunchTimes& launches, std::size_t begin, std::size_t end,
                       CostSegment& segment) {
    const std::size_t n = end - begin;
    std::vector<double> alphas, betas;
    for (const std::vector<double>& launch : completed_launches(
             launches, std::span(data.places).subspan(begin, n), std::span(data.times_s).subspan(begin, n))) {
        const std::vector<double> line = fitted(data, begin, end, launch, 2).coefficients;
        // A line that was made a constant is one of each launch, too.
        alphas.push_back(segment.beta_s > 0 ? line[0] : fitted(data, begin, end, launch, 1).coefficients[0]);
        betas.push_back(line[1]);
    }
    if (alphas.size() < 2)
        return;
    const BetweenLaunches between(alphas.size(), launches.correlation);
    segment.errors = between.errors();
    segment.alpha_error_s = between.standard_error(alphas);
    segment.beta_error_s = between.standard_error(betas);
}

/// The line of points begin .. end - 1, or their constant where the line would fall: within one way of
/// working a message does not become cheaper by a byte more.
CostSegment segment_of(const Data& data, const LaunchTimes& launches, std::size_t begin, std::size_t end,
                       double noise) {
    const std::span<const double> times_s = std::span(data.times_s).subspan(begin, end - begin);
    CostSegment segment;
    segment.first = data.points[begin].argument;
    segment.last = data.points[end - 1].argument;
    segment.points = end - begin;
    segment.alpha_s = fitted(data, begin, end, times_s, 1).coefficients[0];
    segment.worst_error = segment.alpha_error_s = segment.beta_error_s =
        std::numeric_limits<double>::quiet_NaN();
    if (segment.points < 2)
        return segment;
    const skalib::LeastSquares line = fitted(data, begin, end, times_s, 2);
    if (line.coefficients[1] > 0) {
        segment.alpha_s = line.coefficients[0];
        segment.beta_s = line.coefficients[1];
    }
    if (!segment.is_fitted())
        return segment;
    segment.alpha_error_s = noise * line.errors[0];
    segment.beta_error_s = noise * line.errors[1];
    segment.worst_error = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const double fitted_s = segment.at(static_cast<double>(data.points[i].argument));
        segment.worst_error =
            std::max(segment.worst_error, std::fabs(data.times_s[i] - fitted_s) / data.times_s[i]);
    }
    if (!launches.identical)
        set_launch_errors(data, launches, begin, end, segment);
    return segment;
}

/// What one launch, or the values fitted, show between two segments.
struct Step {
    double size = 0;     ///< logarithm of the time behind it by that before it
    double excess = 0;   ///< of this: beyond what the lines grow by
    bool direct = false; ///< measured at the very neighbours of the gap
};

/// Two neighbouring segments and what lies between them.
class Gap {
public:
    /// @param begins of the left segment, of the right one, and behind it
    Gap(const Data& data, std::span<const std::size_t> begins, const CostSegment& left_segment,
        const CostSegment& right_segment)
        : left(left_segment)
        , right(right_segment)
        , data_(data)
        , begins_(begins) {}

    const CostSegment& left;
    const CostSegment& right;

    [[nodiscard]] double time_before_s() const { return data_.times_s[begins_[1] - 1]; }

    /// By what share the right line is above the left one at an argument; 0 where the errors of both explain
    /// it.
    [[nodiscard]] double miss(std::int64_t at, double noise) const {
        const skalib::LeastSquares before = line(begins_[0], begins_[1], left, at);
        const skalib::LeastSquares behind = line(begins_[1], begins_[2], right, at);
        const double miss_s = behind.coefficients[0] - before.coefficients[0];
        const double error_s = noise * std::hypot(before.errors[0], behind.errors[0]);
        return std::fabs(miss_s) > errors_of_a_miss * error_s ? miss_s / before.coefficients[0] : 0;
    }

    /// From the last measured point of the left segment to the first one of the right; none where one lacks.
    /// @param time_s of a point; not above zero: it was not measured
    template <typename TimeOf>
    [[nodiscard]] std::optional<Step> step(const TimeOf& time_s, bool up) const {
        std::size_t last = begins_[1];
        while (last > begins_[0] && !(time_s(last - 1) > 0))
            --last;
        std::size_t first = begins_[1];
        while (first < begins_[2] && !(time_s(first) > 0))
            ++first;
        if (last == begins_[0] || first == begins_[2])
            return std::nullopt;
        const double before_s = time_near(time_s, last - 1, -1);
        const double behind_s = time_near(time_s, first, 1);
        const double size = std::log(behind_s / before_s);
        const auto [least, most] = growth(argument(last - 1), argument(first));
        return Step{size, size - (up ? most : least), last == begins_[1] && first == begins_[1]};
    }

private:
    [[nodiscard]] skalib::LeastSquares line(std::size_t begin, std::size_t end, const CostSegment& segment,
                                            std::int64_t origin) const {
        return fitted(data_, begin, end, std::span(data_.times_s).subspan(begin, end - begin),
                      segment.beta_s > 0 ? 2 : 1, origin);
    }
    [[nodiscard]] double argument(std::size_t i) const {
        return static_cast<double>(data_.points[i].argument);
    }

    /// The logarithm by which the two lines grow between two arguments: the smaller one and the larger one.
    /// No line grows by more than its argument does, and one of a few points may be any.
    [[nodiscard]] std::pair<double, double> growth(double from, double to) const {
        const double most = from > 0 ? std::log(to / from) : 0;
        const auto of = [&](const CostSegment& line) {
            return line.is_fitted() && line.at(from) > 0
                       ? std::clamp(std::log(line.at(to) / line.at(from)), 0.0, most)
                       : 0;
        };
        return std::minmax({of(left), of(right)});
    }

    /// The median of up to three measured times, from `from` on in steps of `by`, at arguments so close that
    /// the lines hardly grow between them: one disturbed value does not decide.
    template <typename TimeOf>
    [[nodiscard]] double time_near(const TimeOf& time_s, std::size_t from, int by) const {
        constexpr std::size_t enough = 3;
        constexpr double close = 1.0 / 256;
        std::vector<double> near_s;
        for (std::size_t i = from; i < data_.points.size() && near_s.size() < enough &&
                                   std::fabs(argument(i) - argument(from)) <= close * argument(from);
             i += static_cast<std::size_t>(by)) // wraps below 0, which ends it
            if (time_s(i) > 0)
                near_s.push_back(time_s(i));
        return skalib::median(std::move(near_s));
    }

    const Data& data_;
    std::span<const std::size_t> begins_;
};

/// The mean without a fifth at either end: of ten launches two may be disturbed there.
double trimmed_mean(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t cut = values.size() / 5;
    double sum = 0;
    for (std::size_t i = cut; i < values.size() - cut; ++i)
        sum += values[i];
    return sum / static_cast<double>(values.size() - 2 * cut);
}

/// The jump between two segments as it was measured, if it is beyond the noise and the launches confirm it.
std::optional<CostJump> measured_jump(const Data& data, const LaunchTimes& launches, const Gap& gap,
                                      double noise, std::int64_t smallest_distance) {
    constexpr double most_launches = 2.0 / 3;
    constexpr std::size_t enough_for_a_pair = 3;
    constexpr std::int64_t close_share = 1024;
    const double least_of_one_launch = std::max(std::log(1.1), noises_of_one_launch * noise);
    const CostSegment& left = gap.left;
    const CostSegment& right = gap.right;
    const bool up = gap.miss(left.last, noise) > 0;
    const auto confirms = [&](double excess, double least) {
        return up ? excess >= least : excess <= -least;
    };
    // Lines that meet between the two points, or nearly at one of them, are a bend.
    if (!confirms(gap.miss(left.last, noise), jump_share) ||
        !confirms(gap.miss(right.first, noise), jump_share))
        return std::nullopt;
    const std::optional<Step> merged = gap.step([&](std::size_t i) { return data.times_s[i]; }, up);
    if (!merged || !confirms(merged->excess, std::max(jump_share, noises_of_a_jump * noise)))
        return std::nullopt;
    CostJump jump{left.last, right.first, 0, 0};
    std::vector<double> sizes;
    for (const std::vector<double>& launch : launches.times_s)
        if (const std::optional<Step> step =
                gap.step([&](std::size_t i) { return launch[data.places[i]]; }, up)) {
            ++jump.launches;
            jump.agreeing += confirms(step->excess, 0.5 * std::fabs(merged->excess)) ? 1 : 0;
            if (step->direct)
                sizes.push_back(step->size);
        }
    const bool direct_pair =
        right.first - left.last <= std::max(smallest_distance, left.last / close_share) &&
        sizes.size() >= enough_for_a_pair;
    if (!direct_pair && !(left.is_fitted() && right.is_fitted()))
        return std::nullopt;
    if (!launches.times_s.empty()) {
        const auto all = static_cast<double>(jump.launches);
        if (jump.launches == 0 || static_cast<double>(jump.agreeing) < most_launches * all ||
            (launches.times_s.size() == 1 && !confirms(merged->excess, least_of_one_launch)))
            return std::nullopt;
    }
    jump.share = std::expm1(sizes.empty() ? merged->size : trimmed_mean(std::move(sizes)));
    jump.time_s = jump.share * gap.time_before_s();
    return confirms(jump.share, 0) ? std::optional(jump) : std::nullopt;
}

/// The relative deviation of points from their segments, by a median. Where points were chosen because their
/// neighbours differ, it is larger than the noise: such points end where neighbours are alike by chance.
double scatter_about(const std::vector<CostSegment>& segments, const Data& data) {
    std::vector<double> deviations;
    std::size_t coefficients = 0;
    std::size_t begin = 0;
    for (const CostSegment& segment : segments) {
        for (std::size_t i = begin; segment.is_fitted() && i < begin + segment.points; ++i)
            deviations.push_back(
                std::fabs(segment.at(static_cast<double>(data.points[i].argument)) / data.times_s[i] - 1));
        coefficients += segment.is_fitted() ? 2 : 0;
        begin += segment.points;
    }
    const auto all = static_cast<double>(deviations.size());
    const double free = std::max(1.0, all - static_cast<double>(coefficients));
    return skalib::deviation_by_mad * skalib::median(std::move(deviations)) * std::sqrt(all / free);
}

} // namespace

CostModel fit_cost_model(std::span<const CostPoint> points, const LaunchTimes& launches,
                         std::int64_t smallest_distance) {
    const Data data = usable(points);
    CostModel model;
    const std::size_t n = data.points.size();
    if (n < min_segment_points)
        return model;
    model.noise = estimate_noise(data.points);
    const std::vector<std::size_t> borders = segment_borders(LineFits(data.points), n, model.noise);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        model.segments.push_back(segment_of(data, launches, borders[i], borders[i + 1], model.noise));
        if (launches.identical && model.segments.back().is_fitted())
            model.segments.back().errors = errors_of_simulation(n, 2 * (borders.size() - 1));
    }
    const double noise = std::max(model.noise, scatter_about(model.segments, data));
    for (std::size_t i = 0; i + 1 < model.segments.size(); ++i)
        if (const std::optional<CostJump> jump = measured_jump(
                data, launches,
                Gap(data, std::span(borders).subspan(i, 3), model.segments[i], model.segments[i + 1]), noise,
                smallest_distance))
            model.jumps.push_back(*jump);
    return model;
}

} // namespace skampi
