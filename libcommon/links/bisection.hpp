// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "links/link_findings.hpp"
#include "links/pair_steps.hpp"
#include "skalib/statistics.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace skampi {

/// Both ways, as the procurement of JUPITER asked for.
inline constexpr std::int64_t bisection_bytes = std::int64_t{16} << 20;

/// The bandwidth between two halves of the members: in each step all members are in pairs across the halves
/// and send both ways; its bandwidth is the sum of its pairs'. All in bytes per second.
struct Bisection {
    int members = 0;       ///< even
    int steps = 0;         ///< that were measured as a whole
    bool complete = false; ///< all pairs, and repeated
    int passes = 0;
    double minimum = 0; ///< of the slowest step, of its repetitions where there are any
    double mean = 0;    ///< over steps, of medians over passes
    double maximum = 0;
    std::optional<skalib::Interval> interval = {}; ///< of the minimum, 95 %: Student's, over repetitions
};

/// @return none where no step was measured as a whole
[[nodiscard]] std::optional<Bisection> find_bisection(const LinkInput& input);

/// The pairs of the three slowest steps. The minimum of many noisy values is too small; that of these steps,
/// measured anew, is not: its interval holds the truth in 92 to 98 % (bench/inference bisection).
[[nodiscard]] std::vector<MemberPair> slowest_steps(const LinkInput& input);

} // namespace skampi
