// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/sections/material.hpp"

#include <vector>

namespace skampi {

/// What each algorithm takes by the default, also the slower ones: a table for each operation.
[[nodiscard]] std::vector<Table> algorithm_times(const AlgorithmFindings& found);
/// Which algorithm is the fastest where: a table for each operation, the times of all algorithms, what the
/// default does, how it was decided, and what to type next.
[[nodiscard]] Section algorithm_section(const AlgorithmFindings& found);

} // namespace skampi
