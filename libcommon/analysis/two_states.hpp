#pragma once

#include <optional>
#include <span>
#include <vector>

namespace skampi {

/// The bound between the values of two states that alternate at least four times; none = there are not two
/// such states.
/// @param values in the order of time
[[nodiscard]] std::optional<double> state_bound(std::span<const double> values);

/// Brings both states to one level: subtracts from each value the median of its state.
/// @param states in their order one for each value  @param bound of the states
void level_states(std::span<double> values, std::span<const double> states, double bound);

} // namespace skampi
