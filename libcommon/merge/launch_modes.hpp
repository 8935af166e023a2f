#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skampi {

/// What tells the modes of the machine apart: a probe or, where there is none, a value.
struct Observation {
    std::size_t run = 0; ///< index of the launch
    double signal = 0;   ///< > 0
};

/// Finds the modes in which launches saw the machine, by gaps between what they observed. A gap is one
/// between modes only when
///  - what follows it is at least mode_ratio times what is before it,
///  - at least two launches lie on either side: one alone never makes a mode,
///  - and it is large against the spread on both sides: in logarithms at least `spread_factor` times the
///    distance between the quartiles of either side. A long tail has no such gap.
/// What was observed where launches hardly ever are, as by some that were slowed or flipped while they
/// measured, neither fills a gap nor makes a mode: where, within a mode's width, only one launch was, or less
/// than a twentieth of what all observed and less than what one did. It belongs to the mode next to it, as
/// does a launch that is alone beyond a gap.
/// @return ascending bounds between the modes; a signal below bounds[i] is in mode <= i
[[nodiscard]] std::vector<double> mode_bounds(std::vector<Observation> observations);

/// The mode of a signal, 0 = the lowest.
[[nodiscard]] std::size_t mode_of(double signal, std::span<const double> bounds);

} // namespace skampi
