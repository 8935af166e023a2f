// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "skalib/statistics.hpp"

#include <cstdint>
#include <span>

namespace skampi {

/// Pools the single measurements of several launches: their number, mean and its standard error (SKaLib
/// eq. 3.4 over all of them, from the squares within the launches and between their means), their minimum and
/// maximum, and the number and mean of those left after each launch's cut. A statistic that one launch lacks
/// is unknown (NaN) for all; a minimum or maximum that one lacks is that of the others. Quartiles are left as
/// they are: those of all cannot be computed from those of each.
/// @param launches not empty
/// @param pooled changed in place
void pool(std::span<const skalib::Summary* const> launches, skalib::Summary& pooled);

/// Rounds a sum of counts to a count; beyond the largest count it is that one.
/// @param count at least 0
[[nodiscard]] std::int64_t whole_count(double count);

} // namespace skampi
