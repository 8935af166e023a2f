// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skalib {

enum class Scale { fixed_linear, fixed_log, dynamic_linear, dynamic_log };

[[nodiscard]] constexpr bool is_log(Scale scale) {
    return scale == Scale::fixed_log || scale == Scale::dynamic_log;
}
[[nodiscard]] constexpr bool is_dynamic(Scale scale) {
    return scale == Scale::dynamic_linear || scale == Scale::dynamic_log;
}

/// Where to measure (SKaLib 3.3 and the keys Scale, Start_Argument, End_Argument, Stepwidth, Max_Steps,
/// Multiple_of, Min_Distance, Max_Distance of the parameter file).
struct RefinementLimits {
    Scale scale = Scale::dynamic_log;
    std::int64_t start = 1; ///< smallest argument, >= 0; 0 on a log scale: 0, then from multiple_of
    std::int64_t end = 1;   ///< largest argument, >= start, never exceeded
    /// Factor (> 1) on log scales, distance (> 0) on linear ones; 0 = best_stepwidth(), -n = that for n
    /// jumps.
    double stepwidth = 2;
    std::int64_t multiple_of = 1; ///< every argument is a multiple (within_multiples); 0 = 1
    /// Dynamic scales: no two arguments closer than this, but the first and the last are both measured.
    std::int64_t min_distance = 1;
    /// Bound on the number of arguments of dynamic scales, the first pass included; none = no limit.
    std::optional<std::int64_t> max_steps = std::nullopt;
    double max_relative_error = 0.01; ///< eps of eq. 3.5
    /// Dynamic scales: the largest distance of neighbours, however well a straight line fits. max_steps takes
    /// precedence; none = no limit.
    std::optional<std::int64_t> max_distance = std::nullopt;

    bool operator==(const RefinementLimits&) const = default;
};

/// The same limits with start moved up and end moved down to multiples of multiple_of.
/// @return start > end where no multiple lies between them
[[nodiscard]] RefinementLimits within_multiples(RefinementLimits limits);

/// The assumed number of jumps in an unknown curve: protocols change with the length, and algorithms with the
/// number of ranks, a handful of times.
constexpr int usual_jumps = 8;

/// The step width of the first pass with which the fewest measurements locate this many jumps to the smallest
/// distance. On linear scales it is (end - start) ln 2 / jumps (SKaLib 3.3.1), rounded, at least 1. On log
/// scales the measurements are ln(end/start) / ln sigma for the first pass and log2((sigma - 1) m / x_min)
/// for each jump; the better of the two ratios is taken that SKaLib calls typical, 2 and sqrt(2). A greater
/// one would overlook too much, and these grids contain the powers of two.
[[nodiscard]] double best_stepwidth(Scale scale, std::int64_t start, std::int64_t end,
                                    int jumps = usual_jumps);
/// limits.stepwidth, chosen where it is 0 or below.
[[nodiscard]] double stepwidth_of(const RefinementLimits& limits);

/// A segment between two neighbouring points, and the relative error of a straight line through it.
struct SegmentError {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    double key = 0; ///< of eq. 3.5
};

/// Chooses the arguments of a suite (APR): the first pass over the range, then repeatedly the middle of the
/// segment whose linear interpolation is worst by eq. 3.5, until all are good enough. Pure: replaying the
/// stored points, in any order, brings a new Refinement to the same state.
///
/// A deviation that the standard errors of the values explain is no prediction error. (This is an extension:
/// the paper has no errors of values.) Both predictions of a segment count as right while their deviations,
/// in standard errors, are at most three together (root of the sum of squares). Beyond that, one that is off
/// by at most one still counts as right, if two of its standard errors are less than the other's deviation.
///
/// After the segments with a key above eps, more are divided, in the order of their keys. (The first rule is
/// the manual's, which did not implement it; the others are extensions.)
/// - A segment wider than max_distance is divided.
/// - A segment of width w at argument m has a key of at most w/m, so the key alone locates a jump only to
///   eps * m. SKaLib 3.3.1 asks for the smallest distance: a segment is still divided while it stands out
///   like a jump, with a prediction error above eps and at least twice that of its neighbours. Noise affects
///   neighbours equally and does not stand out.
/// - The minimum in eq. 3.5 trusts the neighbour that predicts a segment when the other does not. That may be
///   chance: two jumps leave the point between them on the line, or steps are as regular as the grid. So a
///   segment wider than eps * m that one neighbour predicts, while the other is off by at least twice as
///   much, is divided if its far end is of the first pass, so that no argument in between was ever measured;
///   and if the other neighbour's own far prediction is right, so that it contains no jump, and it is not the
///   wider of the two. Such divisions end when the measurements reach 1.5 times the number that SKaLib 3.3.1
///   gives for the located jumps and one more, log2(sigma / x_min) each.
class Refinement {
public:
    /// @throws std::invalid_argument when a limit is impossible (or asks for a first pass of more than a
    /// million arguments); the message names it
    explicit Refinement(const RefinementLimits& limits);

    /// The arguments of the first pass, ascending. Where they were more than max_steps, so many are taken,
    /// evenly spread over their places, with the first and the last (of one step, the first).
    [[nodiscard]] const std::vector<std::int64_t>& first_pass() const { return first_pass_; }
    /// The next argument to measure; none = finished. Repeated calls return the same until add(). Takes time
    /// proportional to the number of points.
    [[nodiscard]] std::optional<std::int64_t> next() const;
    /// Adds a measured point, or replaces the value of a known argument.
    /// @param standard_error of the value, in its unit; 0 = exact, or unknown
    /// @throws std::invalid_argument when a number is not finite or the error negative
    void add(std::int64_t argument, double value, double standard_error = 0);
    /// Proposes these arguments between the first pass and the refinement, in this order: both sides of jumps
    /// that were found before. Those that the limits do not allow are passed over.
    void look_at(std::vector<std::int64_t> arguments) { looked_at_ = std::move(arguments); }
    /// The segments in which jumps were located: with an error above eps, too narrow to be divided.
    [[nodiscard]] std::vector<SegmentError> located_jumps() const;
    /// This argument cannot be measured (failed, out of memory): neither it nor an argument close to it is
    /// proposed again. It counts against max_steps.
    void exclude(std::int64_t argument);
    /// The largest key of eq. 3.5 among the segments, except deviations that the values' errors explain;
    /// infinity during the first pass.
    [[nodiscard]] double largest_key() const;
    /// The segment with that key: where linear interpolation is worst, and its error there (SKaLib 3.3.2).
    /// The first of several equal ones; none during the first pass, and with fewer than two
    /// points.
    [[nodiscard]] std::optional<SegmentError> worst_segment() const;
    [[nodiscard]] const std::map<std::int64_t, double>& points() const { return points_; }

private:
    struct Prediction {
        double error = std::numeric_limits<double>::infinity(); ///< 0: explained by the values' errors
        double at_most = error;                                 ///< the deviation plus a standard error
    };
    struct Segment {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        Prediction from_left;  ///< |D1|/t_b; infinite = no neighbour there
        Prediction from_right; ///< |D2|/t_c
        double relative_width = 0;
        [[nodiscard]] double prediction_error() const { return std::min(from_left.error, from_right.error); }
        [[nodiscard]] double key() const { return std::min(prediction_error(), relative_width); } ///< eq. 3.5
        [[nodiscard]] std::int64_t width() const { return end - begin; }
    };
    [[nodiscard]] std::optional<std::int64_t> next_of_first_pass() const;
    [[nodiscard]] std::optional<std::int64_t> next_looked_at() const;
    [[nodiscard]] bool holds_located_jump(const Segment& segment) const;
    [[nodiscard]] std::vector<Segment> segments() const;
    [[nodiscard]] bool stands_out(const std::vector<Segment>& all, std::size_t i) const;
    [[nodiscard]] bool maybe_by_chance(const std::vector<Segment>& all, std::size_t i) const;
    [[nodiscard]] std::int64_t smallest_distance() const {
        return std::max(limits_.min_distance, limits_.multiple_of);
    }
    [[nodiscard]] double cost_of_jump(std::int64_t argument) const;
    [[nodiscard]] double spare(const std::vector<Segment>& all) const;
    [[nodiscard]] std::optional<std::int64_t> dividing_argument(const Segment& segment) const;

    RefinementLimits limits_;
    std::vector<std::int64_t> first_pass_;
    std::vector<std::int64_t> looked_at_;
    std::map<std::int64_t, double> points_;
    std::map<std::int64_t, double> standard_errors_; ///< of points_, where known
    std::set<std::int64_t> excluded_;
};

} // namespace skalib
#pragma GCC visibility pop
