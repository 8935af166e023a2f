#pragma once

#include "analysis/inference/covariates.hpp"
#include "analysis/inference/mean_difference.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace skampi {

/// What one launch says: the logarithm of its time, and the machine's state that it met (probe,
/// core_speed()); 0 = not known.
struct LaunchScore {
    double log_time = 0;
    double probe_s = 0;
    double core_speed = 0;
};

/// What the machine's state of a launch is good for in a comparison.
enum class StateUse {
    /// Both sides ran the same software: its probe and core speed are covariates.
    covariates,
    /// Other software: the probe is a call of the library, and tells of it as much as of the machine. The
    /// core speed is a covariate; where the probes differ the machine may be the cause of as much.
    clock_alone,
    /// The launches were made in turns, so both sides met the same machine; or they ran on two machines,
    /// whose speed is what is compared.
    nothing,
};

/// What is known of slopes before any launch is seen: times follow probe and core speed between not at all
/// and in proportion.
struct StatePriors {
    SlopePrior probe{0.5, 0.5};
    SlopePrior core_speed{-0.5, 0.5};
};

struct DifferenceRule {
    StateUse state = StateUse::nothing;
    StatePriors priors = {};
    double error = family_error; ///< of the intervals
    double first_rounding = 0;   ///< variances of the logarithms (rounding_variance())
    double second_rounding = 0;
    double first_correlation = 0; ///< of launches in a row (Curve::correlation)
    double second_correlation = 0;
};

/// The logarithm of a ratio, second / first, over launches.
struct LaunchDifference {
    Estimate as_measured;
    /// At an equal state of the machine; the same where that is not known, or does not count.
    Estimate at_equal_state;
    double standard_error = 0;  ///< of at_equal_state
    double degrees = 0;         ///< of freedom, likewise
    bool state_counts = false;  ///< at_equal_state is not as_measured
    bool state_bounded = false; ///< it is no estimate: the probes say how much the machine may explain
    double first_mean = 0;      ///< logarithms of the sides' times as measured
    double second_mean = 0;
    std::size_t first_excluded = 0; ///< launches that lie far from the others of their side
    std::size_t second_excluded = 0;
    /// The machine explains a difference that there is as measured.
    [[nodiscard]] bool explained() const;
};

/// From so many launches of a side on those are left out that lie six standard deviations (from the MAD)
/// from its median, if they are a fifth or fewer.
constexpr std::size_t launches_to_exclude = 8;

/// Compares the launches of two sides.
///
/// As measured: Welch's interval, of the launches that are not left out: to it one bad launch of ten is
/// nothing (docs/decisions/launches-in-a-row.md).
///
/// At an equal state: the analysis of covariance on the logarithms of probe and core speed, with slopes
/// common to both sides. Before, a slope is known to be 0.5 +- 0.5 of the probe and -0.5 +- 0.5 of the speed:
/// times follow them between not at all and in proportion; launches that vary in their state say more. Slopes
/// cost degrees of freedom as far as the launches decide them, and the farther apart the sides' states are
/// the more their error counts. A covariate counts where four fifths of the launches have it; the others are
/// left out. Outliers are sought with slopes of least absolute deviations. Over a factor of mode_ratio
/// between probes no slope is extrapolated. There, and where the probe is no covariate
/// (StateUse::clock_alone), times may depend on the state between not at all and as the power 1.5 of the
/// probe: the interval covers both ends.
/// @return none where neither scatter nor rounding is known
/// @pre at least two launches on each side
[[nodiscard]] std::optional<LaunchDifference> launch_difference(const std::vector<LaunchScore>& first,
                                                                const std::vector<LaunchScore>& second,
                                                                const DifferenceRule& rule);

/// The slopes that the launches of a suite show by themselves, each with its standard error as deviation (0 =
/// it is no covariate); none where too few launches tell their state.
[[nodiscard]] std::optional<StatePriors> slopes_shown(const std::vector<LaunchScore>& first,
                                                      const std::vector<LaunchScore>& second, StateUse state);

/// What is known of a suite's slopes before its own launches are seen: how far times follow the state, and
/// what two or more other suites of the same launches show. The variance between suites is that of
/// DerSimonian and Laird (Controlled Clinical Trials 7, 1986), at least 0.15^2. What shifts a launch may
/// shift all its suites, so many of them are as uncertain together as one.
/// @param others slopes_shown() of these
[[nodiscard]] StatePriors priors_from(const std::vector<StatePriors>& others);

/// How many launches each side needs until a difference is known to +-distance (of logarithms) in 9 of 10
/// cases, as much as launches scatter; none = more than a thousand, or the scatter is not known.
/// @param spread_a,spread_b standard deviations of launches
[[nodiscard]] std::optional<std::size_t> launches_to_decide(double distance, double spread_a, double spread_b,
                                                            double error);

} // namespace skampi
