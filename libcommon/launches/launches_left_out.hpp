// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// One of the states of the machine in which launches measured a suite.
struct StateOfLaunches {
    double probe_s = 0;       ///< median
    std::size_t launches = 0; ///< that have a value of it
    bool shown = false;       ///< the values are of it
    bool operator==(const StateOfLaunches&) const = default;
};

/// The states in which the launches of a merged curve measured, the fastest first; empty if there was one
/// state or none is known.
[[nodiscard]] std::vector<StateOfLaunches> states_of_launches(const Curve& curve);

/// The state of the machine, other than the one shown, in which most launches (for one launch: most single
/// measurements) have a value at a point; null = there is none.
[[nodiscard]] const ModeValue* most_common_other_mode(const Measurement& shown);

/// A merged curve in a state of the machine that is not shown: at each point the state of most launches. It
/// has no errors, and no points where the launches met one state.
[[nodiscard]] Curve curve_in_another_state(const Curve& curve);

/// The curve with most launches in other states than the one shown, and how many there are of such curves.
struct LaunchesInStates {
    const Curve* curve = nullptr; ///< null = all launches were in one state
    std::vector<StateOfLaunches> states;
    std::size_t curves = 0;
    std::size_t measured = 0; ///< launches of the curve; 0 = not known

    [[nodiscard]] std::size_t launches() const; ///< each once
    /// Whether launches met several of the states: each of these counts them.
    [[nodiscard]] bool changed_within_launches() const;
    [[nodiscard]] std::size_t left_out() const;  ///< of them, that met states that are not shown
    [[nodiscard]] std::size_t met_shown() const; ///< of them, that met the state shown
};
[[nodiscard]] LaunchesInStates launches_in_states(const Subject& subject);

/// The curve with most launches that are left out because they began calls otherwise than those shown:
/// between barriers, as they missed their windows, instead of in windows, or the other way round.
struct LaunchesOfOtherStart {
    const Curve* curve = nullptr; ///< null = there are none
    std::size_t left_out = 0;
    std::size_t launches = 0; ///< with these
};
[[nodiscard]] LaunchesOfOtherStart launches_of_other_start(const Subject& subject);

/// The launches with values left out, in any curve, because a rank waited for a core (lost_core()).
struct LaunchesWithoutCore {
    std::set<std::string> uuids;
    double probe_s = 0;       ///< the longest
    double with_core_s = 0;   ///< probe of the fastest state of the curve with the longest one
    std::size_t launches = 0; ///< with all others
};
[[nodiscard]] LaunchesWithoutCore launches_without_core(const Subject& subject);

} // namespace skampi
