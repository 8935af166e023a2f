#pragma once

#include <cstddef>
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

/// The levels of two states that alternate.
struct StateLevels {
    double low = 0;
    double high = 0;
};
/// @param values in the order of time  @return none = there are not two such states
[[nodiscard]] std::optional<StateLevels> state_levels(std::span<const double> values);

/// The median, of an even number the smaller of the middle two: one of the values. Of two states that
/// alternate it is that of the one in which most values are: between the states lies what nothing took.
/// @param values in the order of time, at least one
[[nodiscard]] double usual_level(std::span<const double> values);

/// The levels of values before and after a step. Where both alternate between two states, they are those of
/// one state. Else the values after it have the level at which they were when the step was found, if that is a
/// factor of 1.4 from what it is of all: a state of the machine that comes later does not turn a step round.
struct Levels {
    double before = 0;
    double after = 0;
};
/// @param known so many values after the step were there when it was found, at least one
[[nodiscard]] Levels levels_beside(std::span<const double> before, std::span<const double> after,
                                   std::size_t known);

/// Brings both states to one level: subtracts from each value the median of its state.
/// @param states in their order one for each value  @param bound of the states
void level_states(std::span<double> values, std::span<const double> states, double bound);

} // namespace skampi
