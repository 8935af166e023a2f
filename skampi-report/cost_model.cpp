#include "cost_model.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skampi {

namespace {

constexpr std::size_t min_segment_points = 3;
constexpr std::size_t max_segments = 8;
/// Below this nobody measures message passing, and a perfect series must not make every rounding a segment.
constexpr double noise_floor = 0.005;
/// Per segment, times ln n. The Bayesian information criterion says 3 (two coefficients, one breakpoint) for
/// a known noise; ours is estimated from few points and may come out too small by a quarter, so that 3 sees
/// segments in noise. Real changes of protocol cost hundreds.
constexpr double penalty_factor = 6;
/// Lines that miss one another by less are a bend.
constexpr double jump_share = 0.05;

/// Weighted sums over the first i points. Weights are 1 / t^2: what counts is the relative residual.
/// Arguments are taken relative to the largest one, so that the normal equations keep their digits.
struct Sums {
    long double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, wyy = 0;
};

struct Line {
    double alpha = 0;
    double beta = 0; ///< per scaled argument
    double squares = 0;
};

class Fits {
public:
    explicit Fits(std::span<const CostPoint> points)
        : scale_(std::max(1.0, static_cast<double>(points.back().argument)))
        , sums_(points.size() + 1) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            const long double x = static_cast<double>(points[i].argument) / scale_;
            const long double y = points[i].time_s;
            const long double w = 1 / (y * y);
            Sums next = sums_[i];
            next.w += w;
            next.wx += w * x;
            next.wy += w * y;
            next.wxx += w * x * x;
            next.wxy += w * x * y;
            next.wyy += w * y * y;
            sums_[i + 1] = next;
        }
    }

    /// Points first .. last - 1.
    [[nodiscard]] Line line(std::size_t first, std::size_t last) const {
        const Sums& a = sums_[first];
        const Sums& b = sums_[last];
        const long double w = b.w - a.w, wx = b.wx - a.wx, wy = b.wy - a.wy;
        const long double wxx = b.wxx - a.wxx, wxy = b.wxy - a.wxy, wyy = b.wyy - a.wyy;
        const long double determinant = w * wxx - wx * wx;
        long double beta = determinant > 1e-15L * w * wxx ? (w * wxy - wx * wy) / determinant : 0;
        // A message does not become cheaper by a byte more within one way of working: that slope is noise.
        beta = std::max(beta, 0.0L);
        const long double alpha = (wy - beta * wx) / w;
        const long double squares = wyy - 2 * alpha * wy - 2 * beta * wxy + alpha * alpha * w +
                                    2 * alpha * beta * wx + beta * beta * wxx;
        return {static_cast<double>(alpha), static_cast<double>(beta),
                static_cast<double>(std::max(squares, 0.0L))};
    }
    [[nodiscard]] double scale() const { return scale_; }

private:
    double scale_;
    std::vector<Sums> sums_;
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
    std::sort(deviations.begin(), deviations.end());
    std::sort(standard_errors.begin(), standard_errors.end());
    // 1.4826 makes the median of |deviation| a standard deviation for normal noise.
    const double local = deviations.empty() ? 0 : 1.4826 * skalib::quantile(deviations, 0.5);
    const double own = standard_errors.empty() ? 0 : skalib::quantile(standard_errors, 0.5);
    return std::max({noise_floor, local, own});
}

} // namespace

CostModel fit_cost_model(std::span<const CostPoint> all_points) {
    std::vector<CostPoint> points;
    for (const CostPoint& point : all_points)
        if (std::isfinite(point.time_s) && point.time_s > 0 && std::isfinite(point.standard_error_s))
            points.push_back(point);
    CostModel model;
    const std::size_t n = points.size();
    if (n < min_segment_points)
        return model;
    model.noise = estimate_noise(points);

    const Fits fits(points);
    const double penalty = penalty_factor * std::log(static_cast<double>(n));
    const double infinity = std::numeric_limits<double>::infinity();
    const std::size_t most = std::min(max_segments, n / min_segment_points);
    // best[k][i]: least cost of the first i points in k segments; from[k][i]: where the last of them begins.
    std::vector<std::vector<double>> best(most + 1, std::vector<double>(n + 1, infinity));
    std::vector<std::vector<std::size_t>> from(most + 1, std::vector<std::size_t>(n + 1, 0));
    best[0][0] = 0;
    for (std::size_t k = 1; k <= most; ++k)
        for (std::size_t end = k * min_segment_points; end <= n; ++end)
            for (std::size_t begin = (k - 1) * min_segment_points; begin + min_segment_points <= end;
                 ++begin) {
                if (best[k - 1][begin] == infinity)
                    continue;
                const double cost = best[k - 1][begin] + penalty +
                                    fits.line(begin, end).squares / (model.noise * model.noise);
                if (cost < best[k][end]) {
                    best[k][end] = cost;
                    from[k][end] = begin;
                }
            }
    std::size_t chosen = 1;
    for (std::size_t k = 2; k <= most; ++k)
        if (best[k][n] < best[chosen][n])
            chosen = k;

    for (std::size_t k = chosen, end = n; k > 0; --k) {
        const std::size_t begin = from[k][end];
        const Line line = fits.line(begin, end);
        CostSegment segment;
        segment.first = points[begin].argument;
        segment.last = points[end - 1].argument;
        segment.points = end - begin;
        segment.alpha_s = line.alpha;
        segment.beta_s = line.beta / fits.scale();
        for (std::size_t i = begin; i < end; ++i) {
            const double fitted = segment.at(static_cast<double>(points[i].argument));
            segment.worst_error =
                std::max(segment.worst_error, std::fabs(points[i].time_s - fitted) / points[i].time_s);
        }
        model.segments.insert(model.segments.begin(), segment);
        end = begin;
    }
    for (std::size_t i = 0; i + 1 < model.segments.size(); ++i) {
        const CostSegment& left = model.segments[i];
        const CostSegment& right = model.segments[i + 1];
        const double last = static_cast<double>(left.last);
        const double first = static_cast<double>(right.first);
        // Lines that meet between the two points, or nearly at one of them, are a bend.
        const double threshold = std::max(jump_share, 3 * model.noise);
        const double share_before = right.at(last) / left.at(last) - 1;
        const double share_behind = right.at(first) / left.at(first) - 1;
        if (!(left.at(last) > 0 && left.at(first) > 0) || share_before * share_behind <= 0 ||
            std::min(std::fabs(share_before), std::fabs(share_behind)) <= threshold)
            continue;
        const double middle = 0.5 * (last + first);
        const double step = right.at(middle) - left.at(middle);
        model.jumps.push_back({left.last, right.first, step, step / left.at(middle)});
    }
    return model;
}

} // namespace skampi
