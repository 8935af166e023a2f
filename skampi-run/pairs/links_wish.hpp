// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace skampi {

inline constexpr const char* links_database = "links.db"; ///< where none is named

/// What `skampi-run links` is asked to measure.
struct LinksWish {
    bool of_nodes = true; ///< one rank of each host; else all ranks
    std::vector<std::int64_t> lengths = {8, std::int64_t{1} << 20};
    int passes = 3;
    bool bisection = false;       ///< also the bandwidth between two halves of the members
    bool quick = false;           ///< each member with a few partners only
    std::optional<double> time_s; ///< no pass begins that would end later
};

} // namespace skampi
