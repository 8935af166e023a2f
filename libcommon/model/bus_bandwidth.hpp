// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/kinds.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace skampi {

/// Of which data a collective's busiest link carries how much, n ranks.
enum class BusData {
    message,        ///< the message: 1
    there_and_back, ///< all but each rank's own part of it, twice: 2 (n - 1) / n
    other_ranks,    ///< a message of each other rank: n - 1
};

struct BusOperation {
    std::string_view operation;
    BusData data;
};

/// The operations that have a bus bandwidth; point-to-point ones have, too: that of the message.
inline constexpr auto bus_operations = std::to_array<BusOperation>({
    {"MPI_Allgather", BusData::other_ranks},
    {"MPI_Allgatherv", BusData::other_ranks},
    {"MPI_Allreduce", BusData::there_and_back},
    {"MPI_Alltoall", BusData::other_ranks},
    {"MPI_Alltoallv", BusData::other_ranks},
    {"MPI_Bcast", BusData::message},
    {"MPI_Gather", BusData::other_ranks},
    {"MPI_Gatherv", BusData::other_ranks},
    {"MPI_Reduce", BusData::message},
    {"MPI_Reduce_scatter", BusData::other_ranks},
    {"MPI_Reduce_scatter_block", BusData::other_ranks},
    {"MPI_Scatter", BusData::other_ranks},
    {"MPI_Scatterv", BusData::other_ranks},
});

/// Bus bandwidth by bandwidth, as NCCL's tests define it: what a link must carry, so that it can be compared
/// with the hardware's for any number of ranks. Not a number where an operation has none.
/// The view `result` says the same in SQL.
[[nodiscard]] constexpr double bus_share(std::string_view operation, Pattern pattern, int ranks) {
    if (pattern == Pattern::ping_pong)
        return 1;
    const auto* const found = std::ranges::find(bus_operations, operation, &BusOperation::operation);
    if (found == bus_operations.end() || ranks < 1)
        return std::numeric_limits<double>::quiet_NaN();
    const double n = ranks;
    return found->data == BusData::message          ? 1
           : found->data == BusData::there_and_back ? 2 * (n - 1) / n
                                                    : n - 1;
}

} // namespace skampi
