// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"
#include "wait_states/wait_states.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The report of Cube statistics files: box plots and tables of their wait states, the most severe instances,
/// what was wrong with the files, and for several of them their comparison with the reference.
/// @param files at least one @param comparisons of compare_all() @param title empty = a fitting one
[[nodiscard]] Document build_wait_state_document(const std::vector<WaitStates>& files,
                                                 const std::vector<WaitStateComparison>& comparisons,
                                                 const std::string& title);

} // namespace skampi
