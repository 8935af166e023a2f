// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "spec/parameter_file.hpp"

#include <cstdint>
#include <optional>

namespace skampi {

/// Why a suite cannot be measured.
enum class Obstacle {
    few_ranks,
    little_memory,
    no_multiple, ///< of Multiple_of among its arguments
    no_partner,  ///< the run has no rank of this number
};

/// How much a suite measures in a run.
struct SuiteSize {
    std::optional<Obstacle> obstacle;
    std::int64_t start = 0; ///< of its arguments
    std::int64_t end = 0;
    bool end_by_memory = false;        ///< the operation's buffers may allow less than `end`
    std::int64_t first_points = 0;     ///< arguments of the first pass
    std::int64_t most_points = 0;      ///< refinement included
    std::optional<double> longest_s;   ///< by its time limits; none = no limit
    double estimate_s = 0;             ///< for a network of 1 us and 5 GB/s
    double longest_call_s = 0;         ///< likewise, of the last argument
    double bytes = 0;                  ///< in the database, roughly
    bool partner_by_placement = false; ///< whether its partner exists depends on where ranks are placed
};

/// @param ranks of the run
/// @throws InputError where so many ranks make more than a million arguments
[[nodiscard]] SuiteSize size_of(const Suite& suite, int ranks, std::int64_t memory_bytes);

} // namespace skampi
