// SPDX-License-Identifier: LGPL-2.1-or-later
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
    /// Largest |measured - fitted| / measured; NaN of fewer than three points, which a line always meets.
    double worst_error = 0;
    /// Standard errors of the coefficients; NaN of fewer than three points.
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

/// Fits t(m) = alpha + beta m in pieces, and finds the jumps between them (docs/decisions/cost-models.md).
/// The breakpoints have the least sum of squared relative residuals in units of the noise, plus 6 ln n for
/// each piece. A piece has three points or more, but for the first and the last of eight points or more.
/// Standard errors are those between launches if there are two, else come from the noise. A jump is larger
/// than the scatter of the points, and most launches that measured on both of its sides show it. Points that
/// are not finite or not above zero are left out.
/// @param points ascending arguments
/// @param launches of these points
/// @param smallest_distance of two arguments that the suite can measure
[[nodiscard]] CostModel fit_cost_model(std::span<const CostPoint> points, const LaunchTimes& launches = {},
                                       std::int64_t smallest_distance = 1);

} // namespace skampi
