#pragma once

#include "analysis/history/change_point.hpp"

#include <cstddef>
#include <optional>

namespace skampi {

/// What of a step the machine explains, by its probe and its core clock in the same runs.
struct MachineShare {
    double machine_ratio =
        1; ///< by how much the machine became slower: the probe's time, or the inverse of the clock
    bool by_speed = false; ///< the core speed, not the probe
    /// The line's time behind by that before, reduced to one state of the machine: 95 % interval, with all
    /// dependences on the machine that are possible.
    double low = 1, high = 1;
    /// The interval holds 1, and the machine changed in the direction of the line.
    bool explained = false;
};

/// @param begin,end of the values between the steps before and behind  @param sign 1 = the line's values
/// are times, -1 = they are inverse to times
/// @return none where the machine did not change, or is not known
[[nodiscard]] std::optional<MachineShare> machine_share(const LineOverRuns& line, std::size_t at,
                                                        std::size_t begin, std::size_t end, int sign);

} // namespace skampi
