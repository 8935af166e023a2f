#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace skalib {

enum class Scale { fixed_linear, fixed_log, dynamic_linear, dynamic_log };

[[nodiscard]] constexpr bool is_log(Scale scale) {
    return scale == Scale::fixed_log || scale == Scale::dynamic_log;
}
[[nodiscard]] constexpr bool is_dynamic(Scale scale) {
    return scale == Scale::dynamic_linear || scale == Scale::dynamic_log;
}

/// Where to measure (SKaLib 3.3 and the keys Scale, Start_Argument, End_Argument, Stepwidth, Max_Steps,
/// Multiple_of, Min_Distance of the parameter file).
struct RefinementLimits {
    Scale scale = Scale::dynamic_log;
    std::int64_t start = 1;        ///< smallest argument, >= 0; 0 on a log scale: 0, then from multiple_of
    std::int64_t end = 1;          ///< largest argument, >= start, never exceeded
    double stepwidth = 2;          ///< factor (> 1) on log scales, distance (> 0) on linear ones
    std::int64_t multiple_of = 1;  ///< every argument but start and end is rounded to a multiple; 0 = 1
    std::int64_t min_distance = 1; ///< no two arguments of the refinement closer than this
    /// Bound on the number of arguments of dynamic scales; none = no limit.
    std::optional<std::int64_t> max_steps = std::nullopt;
    double max_relative_error = 0.01; ///< eps of eq. 3.5

    bool operator==(const RefinementLimits&) const = default;
};

/// Chooses the arguments of a suite (APR): the first pass over the range, then the segment whose linear
/// interpolation is worst by eq. 3.5 is divided, until all are good enough. Pure: replaying the stored
/// points, in any order, brings a fresh Refinement to where it was.
///
/// A segment of width w at argument m has a key of at most w/m, so by the key alone a jump would be located
/// to eps * m only. SKaLib 3.3.1 wants it located to the smallest distance: a segment with a smaller key is
/// still divided, after all others, while it stands out as a jump does: its prediction error is above eps and
/// at least twice that of its neighbours. Noise, which meets neighbours alike, is not chased that way.
class Refinement {
public:
    /// @throws std::invalid_argument when a limit is impossible (or asks for a first pass of more than a
    /// million arguments); the message names it
    explicit Refinement(const RefinementLimits& limits);

    /// The arguments of the first pass, ascending. It is never cut short by max_steps.
    [[nodiscard]] const std::vector<std::int64_t>& first_pass() const { return first_pass_; }
    /// The next argument to measure; none = finished. Repeated calls give the same until add(). Takes time
    /// proportional to the number of points.
    [[nodiscard]] std::optional<std::int64_t> next() const;
    /// A measured point. An argument given again replaces the former value.
    void add(std::int64_t argument, double value);
    /// No value can be had at this argument (failed, out of memory): never proposed again, nor anything close
    /// to it. It counts against max_steps.
    void exclude(std::int64_t argument);
    /// The largest key of eq. 3.5 among the segments; infinity while the first pass is open.
    [[nodiscard]] double largest_key() const;
    [[nodiscard]] const std::map<std::int64_t, double>& points() const { return points_; }

private:
    struct Segment {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        double prediction_error = 0; ///< min(|D1|/t_b, |D2|/t_c); at a border the one there is
        double key = 0;              ///< of eq. 3.5
    };
    [[nodiscard]] std::optional<std::int64_t> next_of_first_pass() const;
    [[nodiscard]] std::vector<Segment> segments() const;
    [[nodiscard]] std::optional<std::int64_t> dividing_argument(const Segment& segment) const;

    RefinementLimits limits_;
    std::vector<std::int64_t> first_pass_;
    std::map<std::int64_t, double> points_;
    std::set<std::int64_t> excluded_;
};

} // namespace skalib
