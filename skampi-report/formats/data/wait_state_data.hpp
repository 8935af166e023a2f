// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "wait_states/wait_states.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The patterns of the files, a line for each (docs/cube.md); what a file does not say is empty. Numbers are
/// the shortest that read back as the same doubles.
[[nodiscard]] std::string wait_state_csv(const std::vector<WaitStates>& files);

/// All that was read, with severe instances, problems and comparisons (docs/cube.md). Numbers that are not
/// finite are null.
[[nodiscard]] std::string wait_state_json(const std::vector<WaitStates>& files,
                                          const std::vector<WaitStateComparison>& comparisons);

} // namespace skampi
