// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/machine_state.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace skampi {

/// A quantity that distinguishes the states of the machine: a probe or, without probes, a value.
struct Observation {
    std::size_t run = 0; ///< index of the launch
    double signal = 0;   ///< > 0
};

/// So many launches in one state exclude a single one in another.
constexpr std::size_t launches_that_agree = 4;

/// A single launch is another state if it is at least this far from theirs. (mode_ratio from a state whose
/// launches scatter.)
constexpr double least_ratio_of_lone = 1.25;

/// What counts as a state.
struct StateRule {
    double least_ratio = 1.15; ///< between the centres of two states
    bool lone = true;          ///< a single launch may be in a state of its own
};
/// For launches with values only. A value is no evidence against itself: two launches are needed to make a
/// state.
constexpr StateRule values_alone{.least_ratio = mode_ratio, .lone = false};

/// Whether states are found without the probes of doubtful launches, which other work may have made longer:
/// the others are enough and show two states, or are not few against the doubtful ones.
[[nodiscard]] constexpr bool sound_probes_tell(std::size_t sound, std::size_t doubtful) {
    constexpr std::size_t enough = 10;
    constexpr std::size_t many = 8;
    return sound >= enough || (sound > 0 && doubtful <= many * sound);
}

/// A probe this many times the lower quartile of its mode shows that the machine was slower when the value
/// was measured. (30 launches in two halves, all disturbed: without the values of such probes the halves
/// differed by a half to a third as much; docs/merging.md.)
constexpr double raised_probe = 1.08;

/// Finds the states of one machine: the logarithms of the launches' signals are cut in two where that fits
/// best, then in three and so on, up to six; the Bayesian information criterion of the classification, with a
/// common spread, chooses how many. Each launch weighs the same, however much it observed; signals within one
/// launch with a gap of mode_ratio are of two states. Two neighbours are two states only if
/// - either holds two launches (or the rule admits a single one, and launches_that_agree are in the other),
/// - the ratio of their centres is at least least_ratio (least_ratio_of_lone),
///  - the middle third between the centres is nearly empty, and
///  - the smaller one would hardly come from the tails of the larger one, were they as heavy as those of
///    Student's t with three degrees of freedom.
/// Rare observations make no state: less than a twentieth of all observations and less than one launch's
/// worth, or from one launch only. docs/decisions/machine-states.md has the figures.
/// @return ascending bounds between the states; a signal below bounds[i] is in state <= i. They do not depend
/// on the order of the observations.
[[nodiscard]] std::vector<double> state_bounds(std::vector<Observation> observations, const StateRule& rule);

/// The state of a signal, 0 = the lowest.
[[nodiscard]] std::size_t state_of(double signal, std::span<const double> bounds);

/// A round trip this many times that of the machine's fastest state is no state of the machine: a rank waited
/// for a core. Observed states differ by up to a factor of 5; a slice of the scheduler's time is 1,000 to
/// 10,000 round trips within a host (docs/decisions/machine-states.md).
constexpr double lost_core_ratio = 100;
/// Whether a rank had no core while a probe was made. @param fastest_s probe of the fastest state, 0 =
/// unknown
[[nodiscard]] constexpr bool lost_core(double probe_s, double fastest_s) {
    return fastest_s > 0 && probe_s > lost_core_ratio * fastest_s;
}
/// The smaller of two probes; 0 = unknown.
[[nodiscard]] constexpr double faster_probe(double a_s, double b_s) {
    return a_s > 0 && b_s > 0 ? (a_s < b_s ? a_s : b_s) : a_s + b_s;
}
/// The signal of the fastest state in which launches stayed; 0 = there is none.
[[nodiscard]] double fastest_signal(std::vector<Observation> observations);

} // namespace skampi
