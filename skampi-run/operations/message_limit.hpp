// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"
#include "plan/job_plan.hpp"

#include <cstdint>
#include <string>

namespace skampi {

/// Bytes of one rank's message buffers.
struct MessageRoom {
    std::int64_t send = 0;
    std::int64_t receive = 0;
    std::int64_t exposed = 0;  ///< in a window
    std::int64_t attached = 0; ///< for buffered sends
};
/// What 63 bits cannot count is their largest number, which no machine has.
/// @param in_place the messages sent lie in the receive buffer
/// @param root whether the rank is the root, or the master
/// @param type_bytes of an element, of which messages are
[[nodiscard]] MessageRoom room_for(const Operation& operation, bool in_place, std::int64_t message_bytes,
                                   int ranks, bool root, int type_bytes = 1);

/// What the operation's calls can express: all messages of a call together have no more bytes than 63 bits
/// count; without large counts MPI counts elements, displaces messages and measures attached buffers in int.
[[nodiscard]] MessageLimit limit_of_calls(const Operation& operation, int ranks, int type_bytes,
                                          bool large_counts = has_large_counts);
/// The same, and buffers that fit into the memory allowed.
[[nodiscard]] MessageLimit limit_of_messages(const Operation& operation, bool in_place, int ranks,
                                             std::int64_t memory_bytes, int type_bytes,
                                             bool large_counts = has_large_counts);
/// The same for a suite of one of these operations, as a plan asks for it.
[[nodiscard]] LimitOfSuite limit_of_suite(const std::vector<Operation>& operations);

} // namespace skampi
