// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "algorithms/choice.hpp"
#include "base/child.hpp"

#include <string>
#include <vector>

namespace skampi {

/// What `program algorithms WORDS...` prints as one rank of a launcher.
/// @param launch template with {n}
[[nodiscard]] ChildResult ask_for_algorithms(const std::string& launch, const std::string& program,
                                             const std::vector<std::string>& words);

/// What a simulation lets one choose: asks the simulating program, as one rank.
/// @param launch template with smpirun and {n} @param program skampi-run-sim.so
/// @throws SystemError where it does not say
[[nodiscard]] AlgorithmList simulated_algorithms(const std::string& launch, const std::string& program);

/// What `skampi-run algorithms --json` printed: library, refusal, and of each choice operation and word.
/// @return without choices where it is no such text
[[nodiscard]] AlgorithmList parse_algorithm_list(const std::string& text);

} // namespace skampi
