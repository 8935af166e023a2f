#pragma once

#include "model/run.hpp"

#include <string>
#include <vector>

namespace skampi {

// Launches of one variant of a session are compared over its rounds, so they must have been made on one
// machine in one way. Nodes that a parameter file calls one @MACHINE are one.

/// In what a launch differs from an earlier one of its variant: library, placement, binding, settings,
/// processor. A text each, as of Series::differences(); empty = in nothing that is known.
[[nodiscard]] std::vector<std::string> surroundings_differ(const Run& before, const Run& now);

/// In what a launch differs from one of another variant though it should not: the first host, unless nodes
/// are alike, and the processor.
[[nodiscard]] std::vector<std::string> machines_differ(const Run& before, const Run& now);

} // namespace skampi
