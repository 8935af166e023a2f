// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace skampi {

/// What each launch measured at the points that a model is fitted to. What shifts a launch as a whole shifts
/// all its points, so only the launches show how much of it is in a coefficient.
struct LaunchTimes {
    /// Of each launch a time for each point, seconds; NaN where it measured none.
    std::vector<std::vector<double>> times_s;
    double correlation = 0; ///< of launches in a row, as of skalib::serial_correlation()
    /// Simulated launches do not differ: the scatter along the curve is the whole error.
    bool identical = false;
};

/// What the standard errors of a model's coefficients contain.
enum class ErrorSource {
    along_curve, ///< only how points scatter about the model: one launch, or launches that are not known
    between_launches,
    simulation, ///< the same as along_curve, and that is all: simulated launches do not differ
};

/// How far the coefficients of a model go.
struct CoefficientErrors {
    ErrorSource source = ErrorSource::along_curve;
    std::size_t launches = 0; ///< whose differences the errors are; 0 of another source
    /// The 95 % interval of a coefficient is its value and this many of its standard errors on either side;
    /// NaN = no interval is known.
    double reach = std::numeric_limits<double>::quiet_NaN();
};

/// Of a simulation: the scatter along the curve, with as many degrees of freedom as it has points beyond the
/// coefficients.
[[nodiscard]] CoefficientErrors errors_of_simulation(std::size_t points, std::size_t coefficients);

/// The launches that can be fitted by themselves, each with a time at each of these points. Where a launch
/// measured nothing, it is as far from the time fitted as in the middle of its other points. A launch with
/// fewer than two of these points is left out (of one point: without it).
/// @param places of the points in `launches`   @param fitted_s the times there that the model is fitted to
[[nodiscard]] std::vector<std::vector<double>> completed_launches(const LaunchTimes& launches,
                                                                  std::span<const std::size_t> places,
                                                                  std::span<const double> fitted_s);

/// The errors of coefficients whose launches' own values are known.
class BetweenLaunches {
public:
    /// @param launches how many there are, at least two
    BetweenLaunches(std::size_t launches, double correlation);
    [[nodiscard]] CoefficientErrors errors() const;
    /// The standard error of a coefficient that is fitted to medians over launches: that of the mean of the
    /// launches' own coefficients, and by as much larger as the error of a median of normal values is.
    /// @param coefficients of the launches
    [[nodiscard]] double standard_error(std::span<const double> coefficients) const;

private:
    std::size_t launches_;
    double independent_; ///< of the launches: how many independent ones they are worth
};

} // namespace skampi
