// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace skampi {

// The logarithm of a ratio over launches. Launches are the unit: single measurements of one launch share its
// memory placement and its state of the machine.

/// Launches that each side needs before anything is judged. One simulated launch is enough: they do not
/// scatter.
constexpr std::size_t launches_needed = 5;
/// Whether a side has them; one fewer is enough where other launches were left out.
[[nodiscard]] constexpr bool enough_launches(std::size_t usable, std::size_t made) {
    return usable >= launches_needed || (usable + 1 >= launches_needed && made >= launches_needed);
}
/// From so many launches in a row on, their correlation is estimated; with fewer it is assumed.
constexpr std::size_t launches_to_tell_likeness = 15;
/// With fewer launches than this, none is left out as an outlier.
constexpr std::size_t launches_to_exclude = 8;

/// The score of a launch, or of a pair of launches.
struct LaunchScore {
    double y = 0; ///< logarithm of its time; for a pair, of the ratio
    /// Logarithms of its probe and its cores' speed; for a pair, of their ratios; not a number = unknown.
    std::array<double, 2> x{};
};
using LaunchScores = std::vector<LaunchScore>; ///< in the order in which they were made

/// What is known about launches beyond their scores.
struct EstimateRule {
    bool by_probe = false;            ///< the probe is a covariate
    std::array<bool, 2> in_a_row{};   ///< launches of a side follow closely on one another
    std::array<double, 2> rounding{}; ///< variances of the sides' logarithms by the clock's step
};

/// The mean of the subject's logarithms minus that of the reference's.
struct Estimate {
    double centre = 0;
    double error = 0;          ///< standard error; 0 = the sides do not scatter
    double degrees = 0;        ///< of freedom
    double as_measured = 0;    ///< the centre without the covariate
    bool by_probe = false;     ///< the covariate counts
    bool in_a_row = false;     ///< the correlation of launches in a row is part of the error
    double spread = 0;         ///< standard deviation of a difference of two launches
    std::size_t reference = 0; ///< observations used
    std::size_t subject = 0;
    std::size_t outliers = 0;
    bool one_sided = false;      ///< for pairs: a tenth or more are outliers, too many on one side for chance
    bool outliers_above = false; ///< that side is above the centre

    /// Half the width of the interval that errs with that probability.
    [[nodiscard]] double reach(double probability) const;
    /// The probability of a centre so far from 0 where there is no difference.
    [[nodiscard]] double chance() const;
};

/// Two sides with launches of their own: Welch's difference of means, of those that are no outliers
/// (outliers_of_sides()). With a covariate, an analysis of covariance: one slope for both sides, with the
/// prior 0.5 +- 0.5 (from times independent of the probe to times in proportion to it). Launches
/// in a row count as (1 - r) / (1 + r) of their number: r is estimated from their residuals with one standard
/// error added, or set to 0.5 for fewer than launches_to_tell_likeness (docs/decisions/launches-in-a-row.md).
/// Where one side has more than twice the launches of the other, the degrees of freedom are those of the
/// smaller.
/// @return none with fewer than two launches on a side
[[nodiscard]] std::optional<Estimate> estimate_sides(const LaunchScores& reference,
                                                     const LaunchScores& subject, const EstimateRule& rule);

/// Pairs: the mean of their logarithms without outliers. Where times follow the probes or the speeds of the
/// cores (by chance in 0.3 % of cases), the mean at equal ones; where the pairs with probes of one state of
/// the machine (mode_ratio) give a much shorter interval (0.6), only these. Where one side has the longer
/// probe, or the slower cores, too often for chance, that is part of the difference.
/// @return none with fewer than two pairs
[[nodiscard]] std::optional<Estimate> estimate_pairs(const LaunchScores& pairs, const EstimateRule& rule);

/// How many launches of each side, or pairs, decide such a difference in 9 of 10 cases; none = more than a
/// thousand, or the scatter is not known.
/// @param spread as Estimate::spread
[[nodiscard]] std::optional<std::size_t> launches_to_decide(double distance, double spread, double error);

} // namespace skampi
