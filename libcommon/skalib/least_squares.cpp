// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skalib/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace skalib {

std::optional<LeastSquares> least_squares(const std::vector<std::vector<double>>& rows,
                                          std::span<const double> values, std::span<const double> scales) {
    constexpr long double dependent = 1e-15L; // by rounding, as a share
    const std::size_t columns = rows.front().size();
    // The normal equations, their right side, and behind it what becomes the inverse.
    const std::size_t width = 2 * columns + 1;
    std::vector<std::vector<long double>> m(columns, std::vector<long double>(width));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const long double weight = 1 / (static_cast<long double>(scales[i]) * scales[i]);
        for (std::size_t r = 0; r < columns; ++r) {
            for (std::size_t c = 0; c < columns; ++c)
                m[r][c] += weight * rows[i][r] * rows[i][c];
            m[r][columns] += weight * rows[i][r] * values[i];
        }
    }
    const auto original = m;
    for (std::size_t r = 0; r < columns; ++r)
        m[r][columns + 1 + r] = 1;
    for (std::size_t r = 0; r < columns; ++r) {
        if (!(m[r][r] > dependent * original[r][r]))
            return std::nullopt;
        for (std::size_t other = 0; other < columns; ++other) {
            if (other == r)
                continue;
            const long double factor = m[other][r] / m[r][r];
            for (std::size_t c = 0; c < width; ++c)
                m[other][c] -= factor * m[r][c];
        }
    }
    LeastSquares found;
    for (std::size_t r = 0; r < columns; ++r) {
        found.coefficients.push_back(static_cast<double>(m[r][columns] / m[r][r]));
        const long double variance = m[r][columns + 1 + r] / m[r][r];
        found.errors.push_back(std::sqrt(static_cast<double>(std::max(variance, 0.0L))));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double residual = -values[i];
        for (std::size_t c = 0; c < columns; ++c)
            residual += found.coefficients[c] * rows[i][c];
        found.squares += residual * residual / (scales[i] * scales[i]);
    }
    return found;
}

} // namespace skalib
