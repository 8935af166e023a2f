// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"
#include "spec/parameter_file.hpp"
#include "tune/tune_look.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The parameter file of a launch: each operation with all its algorithms over the message length, and
/// lengths at borders, with the algorithms that meet there.
/// @param operations that have algorithms
/// @param simulated few calls and lengths are enough
[[nodiscard]] std::string tune_plan(const std::vector<OperationInfo>& operations,
                                    const std::vector<WantedLength>& borders, bool simulated = false);

/// Refuses a user's own parameter file that measures no algorithms, or measures them over something else than
/// the message length: a file of rules has no place for that. @throws InputError naming the file and the
/// suite
void check_tune_plan(const ParameterFile& plan);

/// Adds the lengths that are wanted to those measured at borders, at most `most` new ones of an operation;
/// lengths of reductions are rounded to whole elements. @return how many are new
std::size_t add_borders(std::vector<WantedLength>& borders, const std::vector<WantedLength>& wanted,
                        std::size_t most);

} // namespace skampi
