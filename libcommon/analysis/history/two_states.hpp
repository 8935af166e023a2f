// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace skampi {

/// Each value as the median of itself and its neighbours, two on either side: what lasts for less than three
/// values is not in it.
[[nodiscard]] std::vector<double> smoothed(std::span<const double> values);

/// The bound between the values of two states that alternate at least four times; none = there are not two
/// such states.
/// @param values in the order of time
[[nodiscard]] std::optional<double> state_bound(std::span<const double> values);

/// Brings both states to one level: subtracts from each value the median of its state.
/// @param states in their order one for each value  @param bound of the states
void level_states(std::span<double> values, std::span<const double> states, double bound);

/// The levels of values before and after a step: medians (of an even number the smaller of the middle two, a
/// value of a run). Where two states alternate, both are those of the state in which most values are.
struct Levels {
    double before = 0;
    double after = 0;
};
/// @pre neither is empty
[[nodiscard]] Levels levels_beside(std::span<const double> before, std::span<const double> after);

} // namespace skampi
