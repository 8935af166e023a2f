// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace skampi {

/// When a launch ran, in seconds since 1970.
struct LaunchTime {
    double begin_s = 0;
    double end_s = 0; ///< its begin where the end is not known
};

/// How closely launches follow one another.
struct LaunchesInTime {
    std::size_t pairs = 0; ///< of a launch and the next one
    std::size_t close = 0; ///< pairs whose second launch began less than an hour after the first ended
    double length_s = 0;   ///< from the first begin to the last end

    /// Most launches follow closely on another.
    [[nodiscard]] bool in_a_row() const { return 2 * close > pairs; }
    /// They are in a row, and within one day: they share a state of the machine that may differ on another
    /// day, so their interval has no confidence level.
    [[nodiscard]] bool of_one_session() const;
};
/// @param times in any order
[[nodiscard]] LaunchesInTime launches_in_time(std::vector<LaunchTime> times);

} // namespace skampi
