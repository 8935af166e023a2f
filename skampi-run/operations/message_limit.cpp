// SPDX-License-Identifier: LGPL-2.1-or-later
#include "operations/message_limit.hpp"
#include "operations/all_operations.hpp"
#include "operations/layout.hpp"

#include <algorithm>
#include <climits>
#include <fmt/format.h>
#include <limits>

namespace skampi {
namespace {

std::int64_t messages_in(const Operation& operation, Extent extent, int ranks, bool root) {
    switch (extent) {
    case Extent::none:
        return 0;
    case Extent::one:
        return 1;
    case Extent::per_rank:
        return ranks;
    case Extent::per_rank_at_root:
        return root ? ranks : 0;
    case Extent::per_worker:
        return root ? ranks - 1 : 1;
    case Extent::per_neighbour:
        return std::int64_t{2} * operation.dimensions;
    case Extent::window:
        return messages_in_window;
    }
    return 0;
}

/// Room for a message under way in each direction and one not yet cleared away; with many ranks for one under
/// way and one not yet cleared away for each.
std::int64_t attached_messages(Extent extent, int ranks) {
    return extent == Extent::none ? 0 : extent == Extent::one ? 3 : std::int64_t{2} * ranks;
}

constexpr std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max();

/// A box with more has more elements than any memory, and its faces count them in int.
constexpr std::int64_t most_face_elements = std::int64_t{1} << 28;

std::int64_t together(std::int64_t messages, std::int64_t bytes) {
    return messages > 0 && bytes > most_bytes / messages ? most_bytes : messages * bytes;
}

} // namespace

MessageRoom room_for(const Operation& operation, bool in_place, std::int64_t message_bytes, int ranks,
                     bool root, int type_bytes) {
    // In place the messages for all ranks are reduced where only one is left.
    const bool all_received = in_place && operation.send == Extent::per_rank;
    const auto buffer = [&](Extent extent) {
        const std::int64_t messages = together(messages_in(operation, extent, ranks, root), message_bytes);
        if (operation.layout == Layout::blocks)
            return messages;
        const std::int64_t array =
            operation.layout == Layout::faces
                ? together(HaloBox::room(operation.dimensions, message_bytes / type_bytes), type_bytes)
                : messages;
        return operation.packs ? array + std::min(messages, most_bytes - array) : array;
    };
    const std::int64_t attached = std::min(message_bytes, most_bytes - MPI_BSEND_OVERHEAD);
    return {.send = buffer(operation.send),
            .receive = buffer(all_received ? operation.send : operation.receive),
            .exposed = buffer(operation.exposed),
            .attached =
                together(attached_messages(operation.attached, ranks), attached + MPI_BSEND_OVERHEAD)};
}

MessageLimit limit_of_calls(const Operation& operation, int ranks, int type_bytes, bool large_counts) {
    if (operation.layout == Layout::faces)
        return {most_face_elements * type_bytes,
                fmt::format("faces have up to {} elements", most_face_elements), false};
    if (large_counts) {
        // Sent and received, exposed and attached ones, and some to spare.
        const std::int64_t messages = 4 * std::max<std::int64_t>(ranks, messages_in_window);
        const std::int64_t bytes = most_bytes / messages - MPI_BSEND_OVERHEAD;
        return {bytes / type_bytes * type_bytes,
                fmt::format("calls count the bytes of all messages up to {}", most_bytes), false};
    }
    MessageLimit limit{std::int64_t{INT_MAX} * type_bytes, "count elements", false};
    const auto lower = [&](std::int64_t bytes, const char* what) {
        bytes = std::max<std::int64_t>(bytes, 0) / type_bytes * type_bytes;
        if (bytes < limit.bytes)
            limit = {bytes, what, false};
    };
    const std::int64_t farthest = std::max(ranks - 1, 1); // begins behind so many messages
    if (operation.displaced == Displaced::by_elements)
        lower(INT_MAX / farthest * type_bytes, "displace messages by elements");
    if (operation.displaced == Displaced::by_bytes)
        lower(INT_MAX / farthest, "displace messages by bytes");
    if (const std::int64_t attached = attached_messages(operation.attached, ranks); attached > 0)
        lower(INT_MAX / attached - MPI_BSEND_OVERHEAD, "attach buffers");
    limit.reason =
        fmt::format("calls {} up to {} with this MPI library, which has none with large counts (MPI 4)",
                    limit.reason, INT_MAX);
    return limit;
}

namespace {

/// How many elements a message can have in buffers that fit into the memory.
std::int64_t elements_in_memory(const Operation& operation, bool in_place, int ranks,
                                std::int64_t memory_bytes, int type_bytes) {
    if (operation.layout == Layout::faces) { // of boxes, which grow faster than they do
        std::int64_t fits = 0;
        std::int64_t too_many = memory_bytes / type_bytes + 1;
        while (too_many - fits > 1) {
            const std::int64_t elements = fits + (too_many - fits) / 2;
            const MessageRoom room =
                room_for(operation, in_place, elements * type_bytes, ranks, true, type_bytes);
            (room.send <= memory_bytes - std::min(room.receive, memory_bytes) ? fits : too_many) = elements;
        }
        return fits;
    }
    const MessageRoom room = room_for(operation, in_place, 1, ranks, true);
    const std::int64_t messages =
        room.send + room.receive + room.exposed + attached_messages(operation.attached, ranks);
    return memory_bytes / std::max<std::int64_t>(messages, 1) / type_bytes;
}

} // namespace

MessageLimit limit_of_messages(const Operation& operation, bool in_place, int ranks,
                               std::int64_t memory_bytes, int type_bytes, bool large_counts) {
    const MessageLimit by_memory{
        elements_in_memory(operation, in_place, ranks, memory_bytes, type_bytes) * type_bytes,
        fmt::format("@MEMORY allows {} bytes for the buffers of {} ranks", memory_bytes, ranks), true};
    const MessageLimit by_calls = limit_of_calls(operation, ranks, type_bytes, large_counts);
    return by_calls.bytes < by_memory.bytes ? by_calls : by_memory;
}

LimitOfSuite limit_of_suite(const std::vector<Operation>& operations) {
    return [&operations](const Suite& suite, int ranks, std::int64_t memory_bytes, int type_bytes) {
        return limit_of_messages(find_operation(suite.operation.name, operations), suite.in_place, ranks,
                                 memory_bytes, type_bytes);
    };
}

} // namespace skampi
