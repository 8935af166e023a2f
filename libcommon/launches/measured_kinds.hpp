#pragma once

#include "launches/subject.hpp"

#include <set>
#include <vector>

namespace skampi {

/// Which kinds of things several subjects measured: what a report has to explain.
struct MeasuredKinds {
    std::set<Meaning> meanings;
    std::set<Pattern> patterns;
    std::set<Synchronization> starts; ///< of collective operations
    bool until_last = true;           ///< all collective operations are timed until the last rank has left
    Flags flags = 0;                  ///< of any point
    bool halved = false;              ///< times are half round trips
    bool merged = false;              ///< values are merged from launches
    bool compared = false;            ///< there are several subjects
    bool until_precise = false;       ///< arguments are repeated until an error is reached
    bool fixed_times = false;         ///< or a fixed number of times; neither = nobody knows
    bool refined = false;             ///< arguments are chosen while it is measured
    bool simulated = false;           ///< all runs are
};
[[nodiscard]] MeasuredKinds measured_kinds(const std::vector<Subject>& subjects);

} // namespace skampi
