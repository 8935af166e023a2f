#pragma once

#include "analysis/models/launch_times.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skampi {

/// One measured time to be fitted.
struct CostPoint {
    std::int64_t argument = 0;
    double time_s = 0;
    double standard_error_s = 0;
};

/// t(m) = alpha + beta m between two arguments, both included.
struct CostSegment {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::size_t points = 0;
    double alpha_s = 0;
    double beta_s = 0; ///< per unit of the argument, >= 0
    /// Largest |measured - fitted| / measured; NaN where it is not known: a line meets two points whatever
    /// they are.
    double worst_error = 0;
    /// Standard errors of the coefficients; NaN where they are not known.
    double alpha_error_s = 0;
    double beta_error_s = 0;
    CoefficientErrors errors; ///< what these contain

    [[nodiscard]] double at(double argument) const { return alpha_s + beta_s * argument; }
    /// Of fewer points the coefficients only say where the line runs between them.
    [[nodiscard]] bool is_fitted() const { return points >= 3; }
};

/// A step between two neighbouring measured points, with lines on both sides of it that do not meet: the
/// library changed its way of working.
struct CostJump {
    std::int64_t after = 0;  ///< last argument before
    std::int64_t before = 0; ///< first argument behind
    double time_s = 0;       ///< from the time measured at `after` to that at `before`; negative = down
    /// Of the time measured at `after`: the trimmed mean over the launches that measured both, where there
    /// are any.
    double share = 0;
    std::size_t launches = 0; ///< that measured on both sides; 0 = launches are not known
    std::size_t agreeing = 0; ///< of these: that jump in the same direction, by at least half as much
};

struct CostModel {
    std::vector<CostSegment> segments; ///< ascending; empty: too few points for a model
    std::vector<CostJump> jumps;
    double noise = 0; ///< relative standard deviation assumed of one point
};

/// Fits t(m) = alpha + beta m piecewise. The breakpoints minimise, exactly (dynamic programming over all
/// partitions), the sum of squared relative residuals in units of the noise, plus a penalty of 6 ln n for
/// each segment: twice what the Bayesian information criterion asks for two coefficients and a breakpoint,
/// because the noise is itself estimated. It comes from how far points lie off the line through their
/// neighbours, by a median, so that jumps do not count as noise. A segment has at least three points, but
/// for the first and the last one (of eight points or more): a limit may lie just below the last argument.
/// Points that are not finite or not above zero are left out.
///
/// Standard errors of coefficients are those between launches if there are at least two: the spread of what
/// is fitted to each of them. Else they come from the noise of the points about the model.
///
/// Neighbouring segments jump if their lines miss one another on both sides of the gap in one direction and
/// fit clearly better than two lines that meet; if there are three points on either side, or the gap is no
/// wider than `smallest_distance` and at least three launches measured both of its sides; and if two thirds
/// of the launches that measured on both sides jump in that direction by at least half as much. One launch
/// alone shows no jumps below 10 %.
/// @param points ascending arguments
/// @param launches of these points
/// @param smallest_distance of two arguments that the suite can measure
[[nodiscard]] CostModel fit_cost_model(std::span<const CostPoint> points, const LaunchTimes& launches = {},
                                       std::int64_t smallest_distance = 1);

} // namespace skampi
