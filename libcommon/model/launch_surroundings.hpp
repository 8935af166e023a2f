// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/run.hpp"

#include <string>
#include <vector>

namespace skampi {

// Launches of one variant of a session are compared over its rounds, so they must have been made on one
// machine in one way. Nodes that a parameter file calls one @MACHINE are one.

/// How a launch differs from an earlier one of its variant: library, placement, binding, settings, processor.
/// One text each, as in Series::differences(); empty = no known difference.
[[nodiscard]] std::vector<std::string> surroundings_differ(const Run& before, const Run& now);

/// Unwanted differences from a launch of another variant: the first host, unless nodes are alike, and the
/// processor.
[[nodiscard]] std::vector<std::string> machines_differ(const Run& before, const Run& now);

} // namespace skampi
