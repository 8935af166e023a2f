// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skampi {

/// What is supposed of the correlation of neighbouring runs before a line's own values are seen: it counts as
/// much as so many values. Launches often share something.
struct UsualCorrelation {
    double correlation = 0.4;
    double weight = 12;
};

/// The noise of a line from run to run: a first-order autoregression, in which what a run adds to the one
/// before is clipped, so that one bad run is no step, however bad.
struct LineNoise {
    double scale = 1;       ///< robust standard deviation of a value; above 0
    double correlation = 0; ///< of neighbours; 0..0.9
    double added = 1;       ///< robust standard deviation of what a run adds; above 0
    double spread = 1;      ///< standard deviation of that in units of `added`, clipped
    double degrees = 1;     ///< of freedom of the spread
    double found = 0;       ///< the correlation by the values alone
    double weight = 1;      ///< as if the correlation came from so many values

    /// Degrees of freedom of the size of a level over so many values, the last ones: the correlation is
    /// estimated, too, and what its error does to the size's error counts as fewer of them.
    [[nodiscard]] double degrees_of_level(std::size_t values) const;
};

/// Counts as this many robust standard deviations at most.
inline constexpr double most_deviation = 4;

/// @param deviations of values from their level, in the order of time; at least four
[[nodiscard]] LineNoise noise_of(std::span<const double> deviations, const UsualCorrelation& usual = {});

/// What each run adds to the part that it shares with the one before, in units of `added` and clipped:
/// independent values with the standard deviation `spread`. The first is scaled to the same.
/// @param deviations as for noise_of()
[[nodiscard]] std::vector<double> whitened(std::span<const double> deviations, const LineNoise& noise);

/// How much of a shape is in values.
struct ShapeSize {
    double size = 0;
    double error = 0; ///< standard error, above 0
};

/// The last of some shapes by generalised least squares, next to as much of the others as fits.
/// @param white whitened() values  @param shapes a number for each value; linearly independent
[[nodiscard]] ShapeSize size_of_last(std::span<const double> white, const LineNoise& noise,
                                     std::vector<std::vector<double>> shapes);

/// The normal deviate that is as improbable as Student's t with so many degrees of freedom (Wallace 1959).
[[nodiscard]] double as_normal(double t, double degrees);

} // namespace skampi
