// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

#include <set>
#include <vector>

namespace skampi {

/// Which kinds of things several subjects measured: what a report has to explain.
struct MeasuredKinds {
    std::set<Synchronization> starts; ///< of collective operations
    Flags flags = 0;                  ///< of any point
    bool ranks = false;               ///< something was measured with MPI
    bool merged = false;              ///< values are merged from launches
    bool compared = false;            ///< there are several subjects
};
[[nodiscard]] MeasuredKinds measured_kinds(const std::vector<Subject>& subjects);

} // namespace skampi
