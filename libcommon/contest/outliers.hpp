// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace skampi {

/// Which values lie so far from the middle that they are left out; a fifth of them at most, since more
/// are a state of the machine, not a mishap.
/// @param least with fewer values none is
/// @param fitted slopes that were fitted by least absolute deviations: as many more values lie on the fit
[[nodiscard]] std::vector<bool> outliers(const std::vector<double>& values, std::size_t least,
                                         std::size_t fitted = 0);

/// Which values of two sides are mishaps: they lie far from the middle of their side and behind a gap, as
/// large, in the values of both. A tail is no mishap: without the longer tail the sides would differ by
/// chance. The scale is the deviations of a side or, if these are larger, of both together.
/// If they are more than a fifth of a side, none is left out.
/// @param least on a side with fewer values none is
[[nodiscard]] std::array<std::vector<bool>, 2>
outliers_of_sides(std::vector<double> first, std::vector<double> second, std::size_t least);

} // namespace skampi
