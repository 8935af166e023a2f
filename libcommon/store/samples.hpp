// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skampi {

// Single measurements as they are stored: a batch is a BLOB of 32-bit floats, little-endian, the reported
// times first, then those of each rank (docs/database.md, table batch).

/// The number of ranks whose single measurements are stored: those listed, or all up to the last one.
[[nodiscard]] std::size_t stored_lists(const std::vector<NodeDurations>& node_durations, bool listed);

/// Calls for each list of ranks' times that is stored; the list of a rank that took no part is empty.
template <typename Take>
void for_each_list(const Batch& batch, Take&& take) {
    const std::vector<double> none;
    const std::vector<NodeDurations>& nodes = batch.node_durations;
    const bool listed = !listed_ranks(nodes).empty();
    auto next = nodes.begin();
    for (std::size_t list = 0; list < stored_lists(nodes, listed); ++list)
        take(listed || std::cmp_equal(next->rank, list) ? (next++)->duration_s : none);
}

/// All single measurements of a batch: as they are reported, then as each rank saw them. A rank that took no
/// part has as many that are not a number.
[[nodiscard]] std::string floats_of(const Batch& batch);
/// The reverse. @return false where the bytes are not so many lists
[[nodiscard]] bool set_durations(Batch& batch, std::string_view floats, std::int64_t node_ranks,
                                 std::string_view listed);

} // namespace skampi
