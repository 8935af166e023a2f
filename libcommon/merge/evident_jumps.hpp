// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "merge/suite_curve.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skampi {

/// The values of a run in its most frequent mode.
struct ValuesInMode {
    std::span<const PointHeader> headers;
    std::span<const std::uint32_t> places; ///< of these values among the headers, ascending
};

/// Where the runs of a suite show a jump: between close neighbours of at least two runs, the time falls by
/// more than 10 % or rises by so much more than the argument does, and by four times what neighbours of that
/// run usually do. At least half of the runs with neighbours as close must show it. Doubtful values show
/// nothing. A straight line across a jump gives times that do not occur, so merging does not interpolate
/// there.
class EvidentJumps {
public:
    /// @param runs in any order
    explicit EvidentJumps(std::span<const ValuesInMode> runs);

    /// Whether there is one between two arguments, or may be.
    [[nodiscard]] bool between(std::int64_t left, std::int64_t right) const;

private:
    struct Gap {
        std::int64_t after = 0;
        std::int64_t before = 0;
    };
    std::vector<Gap> gaps_; ///< ascending, disjoint
};

} // namespace skampi
