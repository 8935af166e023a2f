// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/algorithm_groups.hpp"
#include "tuning/rule_choice.hpp"

#include <string>

namespace skampi {

/// Writes the file that makes an MPI library take the algorithms that were found to be faster; nothing where
/// there are none. It is not verified.
/// @param found null = the database holds no algorithms
/// @param base MPICH: a file with the tree that the rules are put into, or the library's file; empty = none
/// @throws InputError where no file can be made of these data
[[nodiscard]] MadeTuning write_tuning_file(const AlgorithmFindings* found, const std::string& database,
                                           const std::string& path, const std::string& base);

} // namespace skampi
