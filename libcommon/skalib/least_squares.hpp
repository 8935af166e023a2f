// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace skalib {

/// The coefficients of a linear model.
struct LeastSquares {
    std::vector<double> coefficients;
    std::vector<double> errors; ///< their standard errors, in units of the values' relative one
    double squares = 0;         ///< sum of the squared residuals, each divided by its scale
};

/// Weighted linear least squares by the normal equations.
/// @param rows for each value what the coefficients are multiplied by; numbers of like size lose no digits
/// @param scales what the residual of each value is divided by
/// @return none where the columns depend on one another
[[nodiscard]] std::optional<LeastSquares> least_squares(const std::vector<std::vector<double>>& rows,
                                                        std::span<const double> values,
                                                        std::span<const double> scales);

} // namespace skalib
