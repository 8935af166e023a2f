// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <vector>

namespace skampi {

/// The value up to which half of the weight lies; where that is exactly between two, their mean. 0 for none.
/// @param weights as many as there are values, above 0
[[nodiscard]] double weighted_median(const std::vector<double>& values, const std::vector<double>& weights);

} // namespace skampi
