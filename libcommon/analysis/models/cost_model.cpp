#include "analysis/models/cost_model.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace skampi {

namespace {

constexpr std::size_t min_segment_points = 3;
/// The first and the last piece may be shorter: the eager limit may lie just below the last argument. Of
/// fewer points than these nobody knows what is usual and what an end.
constexpr std::size_t least_points_for_short_ends = 8;
constexpr std::size_t max_segments = 8;
/// Below this nobody measures message passing, and a perfect series must not make every rounding a segment.
constexpr double noise_floor = 0.005;
/// Per segment, times ln n. The Bayesian information criterion says 3 (two coefficients, one breakpoint) for
/// a known noise; ours is estimated from few points and may come out too small by a quarter, so that 3 sees
/// segments in noise. Real changes of protocol cost hundreds.
constexpr double penalty_factor = 6;
/// Lines that miss one another by less are a bend, whatever the noise.
constexpr double jump_share = 0.015;
/// By so many squares of the noise two lines that need not meet must fit better than two that do: with a
/// probability of 5e-4 chance gives one more coefficient as much.
constexpr double jump_evidence = 12;

/// Weighted sums over the first i points. Weights are 1 / t^2: what counts is the relative residual.
/// Arguments are taken relative to the largest one, so that the normal equations keep their digits.
struct Sums {
    long double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, wyy = 0;
};

struct Line {
    double alpha = 0;
    double beta = 0; ///< per scaled argument
    double squares = 0;
    // Of the coefficients, in units of the noise; not finite where the points do not tell.
    double alpha_error = 0;
    double beta_error = 0;
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
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        const bool told = determinant > 1e-15L * w * wxx;
        return {static_cast<double>(alpha), static_cast<double>(beta),
                static_cast<double>(std::max(squares, 0.0L)),
                told ? static_cast<double>(std::sqrt(wxx / determinant)) : unknown,
                told ? static_cast<double>(std::sqrt(w / determinant)) : unknown};
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
    // 1.4826 makes the median of |deviation| a standard deviation for normal noise.
    const double local = 1.4826 * skalib::median(std::move(deviations));
    const double own = skalib::median(std::move(standard_errors));
    return std::max({noise_floor, local, own});
}

/// Whether a line behind a bend grows by so much that nobody would call it one: as more than the 20th power
/// of the message's length. With a point or two behind a jump any jump could be drawn as such a bend.
bool too_steep(double slope, double argument, double time_s) {
    constexpr double steepest = 20;
    return slope * argument > steepest * time_s;
}

/// The sum of squared relative residuals of t = a + b min(m, knot) + c max(0, m - knot), b and c not
/// negative, by weighted least squares; infinite where it is too steep behind the knot.
double squares_with_knot(std::span<const CostPoint> points, double knot) {
    const auto at = [&](std::size_t i) { return static_cast<double>(points[i].argument); };
    const double scale = std::max(1.0, at(points.size() - 1));
    const auto columns = [&](std::size_t i) {
        return std::array<long double, 3>{1, std::min(at(i), knot) / scale,
                                          std::max(0.0, at(i) - knot) / scale};
    };
    // Normal equations, of at most three unknowns, solved by elimination.
    std::array<std::array<long double, 4>, 3> original{};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const long double y = points[i].time_s;
        const std::array<long double, 3> x = columns(i);
        const long double w = 1 / (y * y);
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c)
                original[r][c] += w * x[r] * x[c];
            original[r][3] += w * x[r] * y;
        }
    }
    std::array<bool, 3> wanted{true, true, true};
    std::array<long double, 3> solution{};
    // A slope that comes out negative is 0, and the others are fitted without it.
    for (bool again = true; again;) {
        again = false;
        auto m = original;
        for (std::size_t r = 0; r < 3; ++r) {
            if (!wanted[r] || !(m[r][r] > 1e-15L * original[r][r])) {
                wanted[r] = false; // left out, or told by the others
                continue;
            }
            for (std::size_t other = 0; other < 3; ++other) {
                if (other == r)
                    continue;
                const long double factor = m[other][r] / m[r][r];
                for (std::size_t c = 0; c < 4; ++c)
                    m[other][c] -= factor * m[r][c];
            }
        }
        for (std::size_t r = 0; r < 3; ++r)
            solution[r] = wanted[r] ? m[r][3] / m[r][r] : 0;
        for (const std::size_t slope : {1u, 2u})
            if (solution[slope] < 0) {
                wanted[slope] = false;
                again = true;
            }
    }
    const auto fitted = [&](const std::array<long double, 3>& x) {
        return solution[0] * x[0] + solution[1] * x[1] + solution[2] * x[2];
    };
    if (too_steep(static_cast<double>(solution[2]), knot / scale,
                  static_cast<double>(fitted({1, knot / scale, 0}))))
        return std::numeric_limits<double>::infinity();
    long double squares = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const long double residual = (fitted(columns(i)) - points[i].time_s) / points[i].time_s;
        squares += residual * residual;
    }
    return static_cast<double>(squares);
}

/// The least sum of squared relative residuals of two lines that meet somewhere about the first point of the
/// second one, exactly (Hudson 1966): the knot lies at a point, or between two where the lines fitted to
/// those on either side meet by themselves. A knot sought in steps is missed by so much that, with little
/// noise, bends look like jumps.
/// @param fits of the points of both lines and others
/// @param begin of the points of the first line, in `fits`
/// @param second begin of those of the second
/// @param end behind them
double joined_squares(const Fits& fits, std::span<const CostPoint> all_points, std::size_t begin,
                      std::size_t second, std::size_t end) {
    const auto at = [&](std::size_t i) { return static_cast<double>(all_points[i].argument) / fits.scale(); };
    const std::span<const CostPoint> points = all_points.subspan(begin, end - begin);
    // Noise may have put the break a few points beside the bend.
    const std::size_t first_knot = std::max(begin, second > 3 ? second - 3 : 0);
    const std::size_t last_knot = std::min(second + 2, end - 1);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = first_knot; i <= last_knot; ++i) {
        best = std::min(best, squares_with_knot(points, static_cast<double>(all_points[i].argument)));
        if (i == begin)
            continue;
        const Line left = fits.line(begin, i);
        const Line right = fits.line(i, end);
        const double miss_before = right.alpha + right.beta * at(i - 1) - left.alpha - left.beta * at(i - 1);
        const double miss_behind = right.alpha + right.beta * at(i) - left.alpha - left.beta * at(i);
        if (miss_before * miss_behind <= 0 &&
            !too_steep(right.beta, at(i - 1), left.alpha + left.beta * at(i - 1)))
            best = std::min(best, left.squares + right.squares);
    }
    return best;
}

/// The cheapest partition into segments, exactly, in far fewer than n^2 fits: places at which the last
/// segment may begin are first looked at together, in blocks of blocks, and most of them need no look of
/// their own.
class Partition {
public:
    Partition(const Fits& fits, std::size_t points, double noise)
        : fits_(fits)
        , n_(points)
        , noise_squared_(noise * noise)
        , penalty_(penalty_factor * std::log(static_cast<double>(points)))
        , short_ends_(points >= least_points_for_short_ends)
        , most_(std::min(max_segments, points / min_segment_points + (short_ends_ ? 2 : 0)))
        , best_(points + 1, unknown)
        , from_(points + 1)
        , begin_bounds_(points + 1, 0) {
        for (std::size_t level = 0; level < block_sizes.size(); ++level) {
            least_[level].assign(points / block_sizes[level] + 1, unknown);
            bounds_[level].assign(points / block_sizes[level] + 1, 0);
        }
        note(0, 0, 0, 0);
        if (short_ends_)
            for (std::size_t end = 1; end < min_segment_points; ++end) {
                known_ = unknown;
                note(1, end, penalty_ + cost(0, end), 0);
            }
        for (std::size_t end = min_segment_points; end <= n_; ++end) {
            known_ = unknown;
            note(1, end, penalty_ + cost(0, end), 0);
            if (most_ == 1)
                continue;
            // Where the last segment began a point ago it is likely to begin still: a good partition known
            // early excludes most others.
            for (std::size_t k = 2; k <= most_; ++k)
                if (best_[end - 1][k] < infinity)
                    try_begin(from_[end - 1][k], end);
            try_begins(0, end - min_segment_points + 1, end, 0);
            if (short_ends_ && end == n_)
                for (std::size_t begin = end - min_segment_points + 1; begin < end; ++begin)
                    try_begin(begin, end);
        }
    }

    /// Where the segments begin, ascending.
    [[nodiscard]] std::vector<std::size_t> begins() const {
        std::size_t chosen = 1;
        for (std::size_t k = 2; k <= most_; ++k)
            if (best_[n_][k] < best_[n_][chosen])
                chosen = k;
        std::vector<std::size_t> begins;
        for (std::size_t k = chosen, end = n_; k > 0; end = from_[end][k], --k)
            begins.insert(begins.begin(), from_[end][k]);
        return begins;
    }

private:
    using PerNumber = std::array<double, max_segments + 1>; ///< of segments
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    static constexpr PerNumber unknown = [] {
        PerNumber costs{};
        costs.fill(infinity);
        return costs;
    }();
    static constexpr std::array<std::size_t, 3> block_sizes{512, 64, 8};

    [[nodiscard]] double cost(std::size_t begin, std::size_t end) const {
        return fits_.line(begin, end).squares / noise_squared_;
    }

    void note(std::size_t segments, std::size_t end, double total, std::size_t begin) {
        best_[end][segments] = total;
        from_[end][segments] = begin;
        for (std::size_t level = 0; level < block_sizes.size(); ++level) {
            double& least = least_[level][end / block_sizes[level]][segments];
            least = std::min(least, total);
        }
        for (std::size_t k = segments; k <= most_; ++k)
            known_[k] = std::min(known_[k], total);
    }

    /// The least number of segments with which a partition may be of use that costs `own` for its last one
    /// and what `before` says for those before it; none when a cheaper one with no more segments is known.
    [[nodiscard]] std::size_t least_useful(const PerNumber& before, double own) const {
        for (std::size_t k = 2; k <= most_; ++k)
            if (before[k - 1] + penalty_ + own < known_[k])
                return k;
        return most_ + 1;
    }

    /// Last segments that begin at first .. last - 1 and hold the points up to `end`.
    void try_begins(std::size_t first, std::size_t last, std::size_t end, std::size_t level) {
        if (level == block_sizes.size()) {
            for (std::size_t begin = first; begin < last; ++begin)
                try_begin(begin, end);
            return;
        }
        const std::size_t size = block_sizes[level];
        for (std::size_t begin = first; begin < last; begin += size) {
            const std::size_t behind = std::min(begin + size, last);
            const PerNumber& before = least_[level][begin / size];
            double& bound = bounds_[level][begin / size];
            if (least_useful(before, bound) > most_)
                continue;
            // The longer a segment the worse its fit: the shortest one bounds all. Sums are exact to 1e-10.
            const double lower = cost(behind - 1, end) - 1e-6;
            if (behind == begin + size)
                bound = lower;
            if (least_useful(before, lower) <= most_)
                try_begins(begin, behind, end, level + 1);
        }
    }

    void try_begin(std::size_t begin, std::size_t end) {
        const PerNumber& before = best_[begin];
        if (least_useful(before, begin_bounds_[begin]) > most_)
            return;
        const double own = cost(begin, end);
        begin_bounds_[begin] = own - 1e-6;
        for (std::size_t k = least_useful(before, begin_bounds_[begin]); k <= most_; ++k) {
            const double total = before[k - 1] + penalty_ + own;
            // Of equals the first begin, in whatever order they are tried.
            if (total < known_[k] || (total == best_[end][k] && begin < from_[end][k]))
                note(k, end, total, begin);
        }
    }

    const Fits& fits_;
    std::size_t n_;
    double noise_squared_;
    double penalty_;
    bool short_ends_; ///< the first and the last segment may have fewer points
    std::size_t most_;
    // Of the first `end` points in k segments: the least cost, and where the last of them begins. Infinite
    // where fewer segments cost no more: nothing that continues from there can be the best.
    std::vector<PerNumber> best_;
    std::vector<std::array<std::size_t, max_segments + 1>> from_;
    std::array<std::vector<PerNumber>, block_sizes.size()> least_; ///< of best_, per block of ends
    // What the last segment costs at least, by block and place of its begin. A segment gets no cheaper by
    // points more: what was found for a smaller end remains a bound.
    std::array<std::vector<double>, block_sizes.size()> bounds_;
    std::vector<double> begin_bounds_;
    PerNumber known_ = unknown; ///< the least cost with so many segments or fewer, up to the present end
};

/// The points that can be fitted, with the launches' times at these.
struct Data {
    std::vector<CostPoint> points;
    std::vector<double> times_s; ///< of the points
    std::vector<std::vector<double>> launches_s;
};

Data usable(std::span<const CostPoint> all_points, const LaunchTimes& launches) {
    Data data;
    data.launches_s.resize(launches.times_s.size());
    for (std::size_t i = 0; i < all_points.size(); ++i) {
        const CostPoint& point = all_points[i];
        if (!std::isfinite(point.time_s) || point.time_s <= 0 || !std::isfinite(point.standard_error_s))
            continue;
        data.points.push_back(point);
        data.times_s.push_back(point.time_s);
        for (std::size_t launch = 0; launch < launches.times_s.size(); ++launch) {
            const double own_s = launches.times_s[launch][i];
            data.launches_s[launch].push_back(own_s > 0 ? own_s : std::numeric_limits<double>::quiet_NaN());
        }
    }
    return data;
}

/// Errors between launches: each is fitted by itself, with the weights of the points.
void add_launch_errors(const Data& data, std::size_t begin, std::size_t end, double correlation,
                       CostSegment& segment) {
    const std::size_t n = end - begin;
    std::vector<std::span<const double>> parts;
    for (const std::vector<double>& launch : data.launches_s)
        parts.push_back(std::span(launch).subspan(begin, n));
    const std::span<const double> times_s = std::span(data.times_s).subspan(begin, n);
    const std::vector<std::vector<double>> launches = completed_launches(parts, times_s);
    if (launches.size() < 2)
        return;
    const double scale = std::max(1.0, static_cast<double>(data.points[end - 1].argument));
    double w = 0, wx = 0, wxx = 0;
    std::vector<double> x, weights;
    for (std::size_t i = 0; i < n; ++i) {
        x.push_back(static_cast<double>(data.points[begin + i].argument) / scale);
        weights.push_back(1 / (times_s[i] * times_s[i]));
        w += weights[i];
        wx += weights[i] * x[i];
        wxx += weights[i] * x[i] * x[i];
    }
    const double determinant = w * wxx - wx * wx;
    std::vector<double> alphas, betas;
    for (const std::vector<double>& launch : launches) {
        double wy = 0, wxy = 0;
        for (std::size_t i = 0; i < n; ++i) {
            wy += weights[i] * launch[i];
            wxy += weights[i] * x[i] * launch[i];
        }
        const double beta = (w * wxy - wx * wy) / determinant;
        betas.push_back(beta / scale);
        // A line that was made a constant is one of each launch, too.
        alphas.push_back(segment.beta_s > 0 ? (wy - beta * wx) / w : wy / w);
    }
    const BetweenLaunches between(launches.size(), correlation);
    segment.errors = between.errors();
    segment.alpha_error_s = between.standard_error(alphas);
    segment.beta_error_s = between.standard_error(betas);
}

CostSegment segment_of(const Data& data, const Fits& fits, std::size_t begin, std::size_t end, double noise) {
    const Line line = fits.line(begin, end);
    CostSegment segment;
    segment.first = data.points[begin].argument;
    segment.last = data.points[end - 1].argument;
    segment.points = end - begin;
    segment.alpha_s = line.alpha;
    segment.beta_s = line.beta / fits.scale();
    if (!segment.is_fitted()) {
        segment.worst_error = segment.alpha_error_s = segment.beta_error_s =
            std::numeric_limits<double>::quiet_NaN();
        return segment;
    }
    segment.alpha_error_s = noise * line.alpha_error;
    segment.beta_error_s = noise * line.beta_error / fits.scale();
    for (std::size_t p = begin; p < end; ++p) {
        const double fitted = segment.at(static_cast<double>(data.points[p].argument));
        segment.worst_error =
            std::max(segment.worst_error, std::fabs(data.times_s[p] - fitted) / data.times_s[p]);
    }
    return segment;
}

/// Whether two lines miss one another in one direction on both sides of the gap between them, and fit clearly
/// better than two that meet.
/// @param begins of the first line, of the second, and behind it
bool lines_jump(const Data& data, const Fits& fits, std::span<const std::size_t> begins,
                const CostSegment& left, const CostSegment& right, double noise) {
    const auto last = static_cast<double>(left.last);
    const auto first = static_cast<double>(right.first);
    // Lines that meet between the two points, or nearly at one of them, are a bend.
    const double share_before = right.at(last) / left.at(last) - 1;
    const double share_behind = right.at(first) / left.at(first) - 1;
    if (!(left.at(last) > 0 && left.at(first) > 0) || share_before * share_behind <= 0 ||
        std::min(std::fabs(share_before), std::fabs(share_behind)) <= jump_share)
        return false;
    const double free = fits.line(begins[0], begins[1]).squares + fits.line(begins[1], begins[2]).squares;
    const double joined = joined_squares(fits, data.points, begins[0], begins[1], begins[2]);
    return joined - free >= jump_evidence * noise * noise;
}

/// What one launch, or the values fitted, say of the gap between two segments.
struct Step {
    double size = 0;     ///< logarithm of the time behind it by that before it
    double excess = 0;   ///< of this: beyond what the lines grow by
    bool direct = false; ///< measured at the very neighbours of the gap
};

/// The median of up to three measured times, from `from` on in steps of `by`, at arguments so close that the
/// lines hardly grow between them: one disturbed value does not decide.
double time_beside(const Data& data, const std::vector<double>& times_s, std::size_t from, int by) {
    constexpr std::size_t enough = 3;
    constexpr std::int64_t close_share = 256;
    const std::int64_t beside = data.points[from].argument;
    std::vector<double> close;
    for (std::size_t i = from; i < times_s.size() && close.size() < enough &&
                               std::abs(data.points[i].argument - beside) <= beside / close_share;
         i += static_cast<std::size_t>(by)) // wraps below 0, which ends it
        if (std::isfinite(times_s[i]))
            close.push_back(times_s[i]);
    return skalib::median(std::move(close));
}

/// From the last measured point of the first segment to the first one of the second; none where one lacks.
/// @param begins of the first segment, of the second, and behind it
std::optional<Step> step_of(const Data& data, const std::vector<double>& times_s,
                            std::span<const std::size_t> begins, const CostSegment& left,
                            const CostSegment& right, bool up) {
    std::size_t last = begins[1];
    while (last > begins[0] && !std::isfinite(times_s[last - 1]))
        --last;
    std::size_t first = begins[1];
    while (first < begins[2] && !std::isfinite(times_s[first]))
        ++first;
    if (last == begins[0] || first == begins[2])
        return std::nullopt;
    const auto from = static_cast<double>(data.points[last - 1].argument);
    const auto to = static_cast<double>(data.points[first].argument);
    // No line grows by more than its argument does, and of a few points may be any.
    const double most = from > 0 ? std::log(to / from) : 0;
    std::array<double, 2> growths{};
    for (std::size_t side = 0; side < 2; ++side) {
        const CostSegment& line = side == 0 ? left : right;
        growths[side] = line.is_fitted() && line.at(from) > 0
                            ? std::clamp(std::log(line.at(to) / line.at(from)), 0.0, most)
                            : 0;
    }
    Step step;
    step.direct = last == begins[1] && first == begins[1];
    step.size = std::log(time_beside(data, times_s, first, 1) / time_beside(data, times_s, last - 1, -1));
    step.excess = step.size - (up ? std::ranges::max(growths) : std::ranges::min(growths));
    return step;
}

/// The mean without a fifth at either end: of ten launches two may be disturbed there.
double trimmed_mean(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t cut = values.size() / 5;
    double sum = 0;
    for (std::size_t i = cut; i < values.size() - cut; ++i)
        sum += values[i];
    return sum / static_cast<double>(values.size() - 2 * cut);
}

/// The jump between two segments as it was measured, if the launches confirm it.
/// @param begins of the first segment, of the second, and behind it
std::optional<CostJump> measured_jump(const Data& data, std::span<const std::size_t> begins,
                                      const CostSegment& left, const CostSegment& right,
                                      std::int64_t smallest_distance) {
    constexpr double most_launches = 2.0 / 3;
    constexpr std::size_t enough_for_a_pair = 3;
    constexpr std::int64_t close_share = 1024;
    const double least_of_one_launch = std::log(1.1);
    const bool up = right.at(static_cast<double>(left.last)) > left.at(static_cast<double>(left.last));
    const std::optional<Step> merged = step_of(data, data.times_s, begins, left, right, up);
    const auto confirms = [&](double excess, double least) {
        return up ? excess >= least : excess <= -least;
    };
    if (!merged || !confirms(merged->excess, jump_share))
        return std::nullopt;
    CostJump jump{left.last, right.first, 0, 0};
    std::vector<double> sizes;
    for (const std::vector<double>& launch : data.launches_s)
        if (const std::optional<Step> step = step_of(data, launch, begins, left, right, up)) {
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
    if (!data.launches_s.empty()) {
        const auto launches = static_cast<double>(jump.launches);
        if (jump.launches == 0 || static_cast<double>(jump.agreeing) < most_launches * launches ||
            (data.launches_s.size() == 1 && !confirms(merged->excess, least_of_one_launch)))
            return std::nullopt;
    }
    jump.share = std::expm1(sizes.empty() ? merged->size : trimmed_mean(std::move(sizes)));
    jump.time_s = jump.share * data.times_s[begins[1] - 1];
    return confirms(jump.share, 0) ? std::optional(jump) : std::nullopt;
}

} // namespace

CostModel fit_cost_model(std::span<const CostPoint> all_points, const LaunchTimes& launches,
                         std::int64_t smallest_distance) {
    const Data data = usable(all_points, launches);
    CostModel model;
    const std::size_t n = data.points.size();
    if (n < min_segment_points)
        return model;
    model.noise = estimate_noise(data.points);

    const Fits fits(data.points);
    std::vector<std::size_t> begins = Partition(fits, n, model.noise).begins();
    begins.push_back(n);
    const std::size_t coefficients = 2 * (begins.size() - 1);
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
        CostSegment segment = segment_of(data, fits, begins[i], begins[i + 1], model.noise);
        if (segment.is_fitted() && launches.identical)
            segment.errors = errors_of_simulation(n, coefficients);
        else if (segment.is_fitted())
            add_launch_errors(data, begins[i], begins[i + 1], launches.correlation, segment);
        model.segments.push_back(segment);
    }
    for (std::size_t i = 0; i + 1 < model.segments.size(); ++i) {
        const CostSegment& left = model.segments[i];
        const CostSegment& right = model.segments[i + 1];
        const std::span<const std::size_t> around = std::span(begins).subspan(i, 3);
        if (!lines_jump(data, fits, around, left, right, model.noise))
            continue;
        if (const std::optional<CostJump> jump = measured_jump(data, around, left, right, smallest_distance))
            model.jumps.push_back(*jump);
    }
    return model;
}

} // namespace skampi
