// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/algorithm_groups.hpp"

#include <string>

namespace skampi {

/// Which algorithms are faster than the default, as one JSON object (docs/data-formats.md). skampi-run tune
/// reads it after a launch.
/// @param found null = the database holds no algorithms
[[nodiscard]] std::string algorithms_json(const AlgorithmFindings* found);

} // namespace skampi
