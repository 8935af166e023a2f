#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace skampi {

// What launches share with the state of the machine that they met: slopes of the logarithms of times over
// those of probes and core speeds.

/// A launch, or a pair of launches, with the logarithms of its covariates.
struct CovariateRow {
    double y = 0;
    std::array<double, 2> x{};
    double weight = 1;
};
using CovariateRows = std::vector<CovariateRow>;

/// What is known of a slope before: times follow a covariate between not at all and in proportion.
struct SlopePrior {
    double slope = 0;
    double deviation = 1;
};

/// Slopes common to all groups of rows.
struct Slopes {
    std::size_t count = 0;
    std::array<double, 2> slope{};
    std::array<std::array<double, 2>, 2> inverse{}; ///< their covariance by the variance of a row
    double degrees = 0;                             ///< of freedom that they cost

    [[nodiscard]] double of(const CovariateRow& row) const {
        return count == 0 ? 0 : slope[0] * row.x[0] + (count == 2 ? slope[1] * row.x[1] : 0);
    }
    /// Variance of the slopes' part of a difference, by the variance of a row.
    /// @param apart how far the covariates of both sides lie from one another
    [[nodiscard]] double leverage(const std::array<double, 2>& apart) const;
};

/// Groups of rows, each with a mean of its own. Not null.
using RowGroups = std::initializer_list<const CovariateRows*>;

/// By least squares, with what is known before; two covariates that are nearly one are one.
/// @param priors one for each covariate that counts, at most two
/// @param spread variance of a row; 0 = what is known before does not count
[[nodiscard]] Slopes least_squares(RowGroups groups, std::span<const SlopePrior> priors, double spread = 0);

/// By least absolute deviations, to which a bad row is nothing: least squares with weights.
[[nodiscard]] Slopes least_deviations(RowGroups groups, std::span<const SlopePrior> priors);

/// The weighted mean of each covariate. @pre there are rows
[[nodiscard]] std::array<double, 2> mean_covariates(const CovariateRows& rows);

} // namespace skampi
