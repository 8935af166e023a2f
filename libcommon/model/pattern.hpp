// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace skampi {

/// The properties of a pattern (docs/adding-a-pattern.md).
struct PatternRow {
    Pattern pattern = Pattern::simple;
    std::string_view name;              ///< in parameter files, the database and CSV
    std::string_view prefix;            ///< of its suites in SKaMPI's text format
    Meaning meaning = Meaning::unknown; ///< for operations without their own; unknown = each must have one
    int ranks = 0;                      ///< that take part in each call; 0 = the suite's number
    int fewest_ranks = 1;
    bool has_partner = false; ///< the other rank is chosen (Partner)
    /// Windows or barriers start the ranks together (Synchronization), and the last rank's or the root's time
    /// counts (Reported_Time, Root); otherwise the operation makes ranks wait for each other, and rank 0's
    /// time counts.
    bool starts_together = false;
    bool in_blocks = true; ///< several calls may lie between two readings of the clock
    /// s: how much of a probe, a round trip, is in the time of a call where launches cannot show it.
    double probe_share = 1;
    /// Messages of a call that follow one another, by a rule of thumb, for estimates. @param chunks 0 = one
    /// for each rank; null = no message
    double (*messages)(double ranks, double chunks) = nullptr;
};

// A collective's messages go one way between two ranks, also where both send at once; how many such steps
// follow each other with more ranks depends on the algorithm. One is assumed: the correction may be too
// small, never too large.
inline constexpr auto pattern_rows = std::to_array<PatternRow>({
    {.pattern = Pattern::ping_pong,
     .name = "ping-pong",
     .prefix = "inp2p",
     .ranks = 2,
     .fewest_ranks = 2,
     .has_partner = true,
     .messages = [](double, double) { return 2.0; }},
    {.pattern = Pattern::master_worker,
     .name = "master-worker",
     .prefix = "inmw",
     .meaning = Meaning::work,
     .fewest_ranks = 2,
     .in_blocks = false,
     .messages = [](double ranks,
                    double chunks) { return 2 * (chunks > 0 ? chunks : std::max(1.0, ranks - 1)); }},
    {.pattern = Pattern::collective,
     .name = "collective",
     .prefix = "incol",
     .meaning = Meaning::collective,
     .starts_together = true,
     .in_blocks = false,
     .probe_share = 0.5,
     .messages = [](double ranks, double) { return std::max(1.0, std::log2(ranks)); }},
    {.pattern = Pattern::simple,
     .name = "simple",
     .prefix = "insimple",
     .meaning = Meaning::local,
     .ranks = 1,
     .probe_share = 0},
});

/// The row of a pattern.
[[nodiscard]] constexpr const PatternRow& row_of(Pattern pattern) {
    return pattern_rows[static_cast<std::size_t>(pattern)];
}
static_assert(std::ranges::all_of(pattern_rows,
                                  [](const PatternRow& row) { return &row == &row_of(row.pattern); }),
              "rows stand in the order of the enumerators");

} // namespace skampi
