#pragma once

#include "analysis/subject/subject.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace skampi {

// Differences of means over launches: what intervals of ratios are made of. Values are logarithms of times.

/// Launches each side needs before significance is judged. Single measurements of one launch share its memory
/// placement and its state of the machine: they are no replication. Of simulated runs one is enough: they can
/// only differ by the clock's step.
constexpr std::size_t launches_needed = 5;

/// From this many launches of a side on, the correlation of launches in a row counts. Fewer hardly tell it,
/// and to allow for it would hide differences where launches are not alike at all
/// (docs/decisions/launches-in-a-row.md).
constexpr std::size_t launches_to_tell_likeness = 15;

/// The probability of any false finding in a family of statements.
constexpr double family_error = 0.05;

/// As how many independent ones launches count.
/// @param correlation of those in a row (Curve::correlation)
[[nodiscard]] double independent_launches(std::size_t launches, double correlation);

[[nodiscard]] double mean_of(const std::vector<double>& values);
[[nodiscard]] std::vector<double> logs(const std::vector<double>& values);

[[nodiscard]] bool both_simulated(const Curve& first, const Curve& second);

/// Variance of the logarithm of a value that was rounded to the clock's step: the greatest that an error of
/// at most half a step can have. That of a uniform error, a third of it, would let two sides whose launches
/// all fell on neighbouring steps differ significantly, though what was rounded may be the same.
[[nodiscard]] double rounding_variance(const Curve& curve, double value_s);

/// An interval of the logarithm of a ratio.
struct Estimate {
    double centre = 0;
    double low = 0;
    double high = 0;
};

/// What the launches of a side say of their mean.
struct SideMean {
    double mean = 0;
    double variance = 0; ///< of the mean
    double degrees = 0;  ///< of freedom
};

/// @param correlation of launches in a row   @param rounding comes to the variance of the mean
/// @pre at least two values
[[nodiscard]] SideMean side_mean(const std::vector<double>& values, double correlation, double rounding);

/// Of launches on two sides, with the degrees of freedom of Welch and Satterthwaite.
struct MeanDifference {
    double centre = 0; ///< second - first
    double variance = 0;
    double degrees = 0;
};
[[nodiscard]] MeanDifference difference(const SideMean& a, const SideMean& b);

/// Student's t; none without a variance.
[[nodiscard]] std::optional<Estimate> t_interval(double mean, double variance, double degrees, double error);

/// Of values that do not scatter: each may be wrong by a step of the clock.
[[nodiscard]] std::optional<Estimate> step_interval(double centre, double rounding_variance_a,
                                                    double rounding_variance_b);

} // namespace skampi
