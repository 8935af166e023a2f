// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Reduces the adjusted values of all subjects to one state of the machine, suite by suite: that of a run in
/// `preferred` with the same machine and mode, else that of the first subject. A subject with another
/// machine, library or placement, and a suite in another mode, keep their own reference.
/// @param preferred runs of a file that was named
void reduce_to_one_reference(std::vector<Subject>& subjects, const std::vector<Run>& preferred);

} // namespace skampi
