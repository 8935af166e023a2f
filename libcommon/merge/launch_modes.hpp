#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skampi {

/// A quantity that distinguishes the modes of the machine: a probe or, without probes, a value.
struct Observation {
    std::size_t run = 0; ///< index of the launch
    double signal = 0;   ///< > 0
};

/// Finds the modes of the machine by gaps between the observations of the launches. A gap separates modes
/// only if
///  - the observation after it is at least mode_ratio times the one before it,
///  - at least two launches lie on either side: a single launch is never a mode,
///  - and it is large against the spread on both sides: in logarithms at least `spread_factor` times the
///    distance between the quartiles of either side. A long tail has no such gap.
/// Rare observations neither fill a gap nor make a mode; they come from launches that were slowed or changed
/// mode while they measured. An observation is rare if, within a mode's width around it, there is only one
/// launch, or less than a twentieth of all observations and less than those of one launch. It belongs to the
/// nearest mode, as does a single launch beyond a gap.
/// @return ascending bounds between the modes; a signal below bounds[i] is in mode <= i
[[nodiscard]] std::vector<double> mode_bounds(std::vector<Observation> observations);

/// The mode of a signal, 0 = the lowest.
[[nodiscard]] std::size_t mode_of(double signal, std::span<const double> bounds);

} // namespace skampi
