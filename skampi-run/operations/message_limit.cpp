#include "operations/message_limit.hpp"
#include "operations/all_operations.hpp"

#include <algorithm>
#include <climits>
#include <fmt/format.h>
#include <limits>

namespace skampi {
namespace {

std::int64_t messages_in(Extent extent, int ranks, bool root) {
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
        return 4;
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

std::int64_t together(std::int64_t messages, std::int64_t bytes) {
    return messages > 0 && bytes > most_bytes / messages ? most_bytes : messages * bytes;
}

} // namespace

MessageRoom room_for(const Operation& operation, bool in_place, std::int64_t message_bytes, int ranks,
                     bool root) {
    // In place the messages for all ranks are reduced where only one is left.
    const bool all_received = in_place && operation.send == Extent::per_rank;
    const std::int64_t attached = std::min(message_bytes, most_bytes - MPI_BSEND_OVERHEAD);
    return {.send = together(messages_in(operation.send, ranks, root), message_bytes),
            .receive = together(messages_in(all_received ? operation.send : operation.receive, ranks, root),
                                message_bytes),
            .exposed = together(messages_in(operation.exposed, ranks, root), message_bytes),
            .attached =
                together(attached_messages(operation.attached, ranks), attached + MPI_BSEND_OVERHEAD)};
}

MessageLimit limit_of_calls(const Operation& operation, int ranks, int type_bytes, bool large_counts) {
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

MessageLimit limit_of_messages(const Operation& operation, bool in_place, int ranks,
                               std::int64_t memory_bytes, int type_bytes, bool large_counts) {
    const MessageRoom room = room_for(operation, in_place, 1, ranks, true);
    const std::int64_t messages =
        room.send + room.receive + room.exposed + attached_messages(operation.attached, ranks);
    const MessageLimit by_memory{
        memory_bytes / std::max<std::int64_t>(messages, 1) / type_bytes * type_bytes,
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
