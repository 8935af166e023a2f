#pragma once

#include "model/quantity.hpp"

#include <cstdint>
#include <span>
#include <string>
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
    double beta_s = 0;      ///< per unit of the argument, >= 0
    double worst_error = 0; ///< largest |measured - fitted| / measured
    // Standard errors of the coefficients, from the noise of the model; NaN where one point tells nothing.
    double alpha_error_s = 0;
    double beta_error_s = 0;
    [[nodiscard]] double at(double argument) const { return alpha_s + beta_s * argument; }
};

/// Between two segments whose lines do not meet, and fit clearly better than two that do: the library changed
/// its way of working.
struct CostJump {
    std::int64_t after = 0;  ///< last argument before
    std::int64_t before = 0; ///< first argument behind
    double time_s = 0;       ///< how much the time jumps, at the middle of both; negative = down
    double share = 0;        ///< of the time before
};

struct CostModel {
    std::vector<CostSegment> segments; ///< ascending; empty: too few points for a model
    std::vector<CostJump> jumps;
    double noise = 0; ///< relative standard deviation assumed of one point
};

/// A coefficient with its standard error: "1.43 µs ±3 %", or, where that is larger than itself,
/// "-1.00 µs ±2.0 µs". Without an error (0, or not finite) the coefficient alone.
[[nodiscard]] std::string coefficient_text(double value_s, double error_s, TimeUnit unit);

/// Fits t(m) = alpha + beta m piecewise. The breakpoints minimise, exactly (dynamic programming over all
/// partitions), the sum of squared relative residuals in units of the noise, plus a penalty of 6 ln n for
/// each segment: twice what the Bayesian information criterion asks for two coefficients and a breakpoint,
/// because the noise is itself estimated. It comes from how far points lie off the line through their
/// neighbours, by a median, so that jumps do not count as noise. A segment has at least three points, but
/// for the first and the last one (of eight points or more): a limit may lie just below the last argument.
/// Points that are not finite or not above zero are left out.
/// @param points ascending arguments
[[nodiscard]] CostModel fit_cost_model(std::span<const CostPoint> points);

} // namespace skampi
