// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/statement.hpp"

#include <vector>

namespace skampi {

/// What limits a comparison of two databases or makes it doubtful, the most serious first. Computed from
/// findings alone.
[[nodiscard]] std::vector<ContestDoubt> doubts_of(const Contest& contest);

} // namespace skampi
