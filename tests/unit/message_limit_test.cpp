// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "operations/all_operations.hpp"
#include "operations/message_limit.hpp"

#include <climits>
#include <doctest/doctest.h>
#include <limits>

using namespace skampi;

namespace {

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
constexpr std::int64_t most_elements = INT_MAX;

std::int64_t end_of_calls(const char* name, int ranks, int type_bytes) {
    return limit_of_calls(find_operation(name), ranks, type_bytes, false).bytes;
}

} // namespace

TEST_CASE("with large counts only memory ends the messages") {
    for (const Operation& row : all_operations()) {
        INFO(row.name);
        // Faces are parts of boxes, which no memory holds long before.
        if (row.layout != Layout::faces)
            CHECK(limit_of_calls(row, 1000, 1, true).bytes > 1'000'000 * gibibyte);
        CHECK(limit_of_messages(row, false, 16, 16 * gibibyte, 8, true)
                  .reason.starts_with("@MEMORY allows 17179869184"));
    }
    CHECK(limit_of_messages(find_operation("MPI_Bcast"), false, 2, 16 * gibibyte, 1, true).bytes ==
          8 * gibibyte);
    CHECK(limit_of_messages(find_operation("MPI_Alltoall"), false, 4, 16 * gibibyte, 1, true).bytes ==
          2 * gibibyte);
}

TEST_CASE("without large counts messages end at what an int can count, whatever the memory") {
    CHECK(end_of_calls("MPI_Bcast", 2, 1) == most_elements);
    CHECK(end_of_calls("MPI_Bcast", 1000, 8) == 8 * most_elements);
    CHECK(end_of_calls("MPI_Alltoall", 1000, 1) == most_elements);
    const MessageLimit limit =
        limit_of_messages(find_operation("MPI_Bcast"), false, 2, 16 * gibibyte, 1, false);
    CHECK(limit.bytes == most_elements);
    CHECK_FALSE(limit.by_memory);
    CHECK(limit_of_messages(find_operation("MPI_Bcast"), false, 2, gibibyte, 1, false).by_memory);
}

TEST_CASE("without large counts displacements end the messages of many ranks earlier") {
    // The last of 5 messages begins behind 4.
    CHECK(end_of_calls("MPI_Alltoallv", 5, 8) == most_elements / 4 * 8);
    CHECK(end_of_calls("MPI_Igatherv", 5, 1) == most_elements / 4);
    CHECK(end_of_calls("MPI_Alltoallv", 1, 1) == most_elements);
    CHECK(end_of_calls("MPI_Alltoallw", 5, 8) == most_elements / 4 / 8 * 8);
    CHECK(end_of_calls("MPI_Alltoallw", 1'000'000'000, 8) == 0);
}

TEST_CASE("without large counts the size of an attached buffer ends the messages") {
    const auto limit = limit_of_calls(find_operation("MPI_Bsend-MPI_Recv"), 2, 1, false);
    const auto room = [](std::int64_t bytes) {
        return room_for(find_operation("MPI_Bsend-MPI_Recv"), false, bytes, 2, true).attached;
    };
    CHECK(room(limit.bytes) <= most_elements);
    CHECK(room(limit.bytes + 1) > most_elements);
}

TEST_CASE("words for what ends the length of messages") {
    Golden golden("message_limit");
    golden.add("memory",
               limit_of_messages(find_operation("MPI_Bcast"), false, 16, 16 * gibibyte, 8, true).reason);
    for (const char* name : {"MPI_Bcast", "MPI_Gatherv", "MPI_Alltoallw", "MPI_Bsend-MPI_Recv"})
        golden.add(std::string("without large counts, ") + name,
                   limit_of_calls(find_operation(name), 5, 8, false).reason);
    golden.check();
}

TEST_CASE("no message is so long that the bytes of all of them are not counted right") {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    for (const Operation& row : all_operations())
        for (const int ranks : {1, 2, 5, 1 << 30})
            for (const bool in_place : {false, true})
                for (const int type_bytes : {1, 8}) {
                    INFO(row.name << " " << ranks);
                    const MessageLimit limit = limit_of_calls(row, ranks, type_bytes, true);
                    CHECK(limit.bytes > 0);
                    CHECK(limit.bytes % type_bytes == 0);
                    CHECK(limit.bytes <= largest / ranks); // where the last message of all ranks' ends
                    const MessageRoom room = room_for(row, in_place, limit.bytes, ranks, true);
                    for (const std::int64_t bytes : {room.send, room.receive, room.exposed, room.attached})
                        CHECK(bytes < largest);
                    // Beyond it nothing wraps around to something small.
                    const MessageRoom beyond = room_for(row, in_place, largest, ranks, true);
                    for (const std::int64_t bytes :
                         {beyond.send, beyond.receive, beyond.exposed, beyond.attached})
                        CHECK((bytes == 0 || bytes == largest));
                }
    CHECK(room_for(find_operation("Bandwidth"), false, std::int64_t{1} << 58, 2, true).receive == largest);
}

TEST_CASE("there is room for every message, above 2 GiB, too") {
    const MessageRoom all_to_all = room_for(find_operation("MPI_Alltoall"), false, 3 * gibibyte, 100, false);
    CHECK(all_to_all.send == 300 * gibibyte);
    CHECK(all_to_all.receive == 300 * gibibyte);
    const Operation& gather = find_operation("MPI_Gather");
    CHECK(room_for(gather, false, 10, 7, true).receive == 70);
    CHECK(room_for(gather, false, 10, 7, false).receive == 0);
    CHECK(room_for(find_operation("Master-Waitany"), false, 10, 7, true).receive == 60);
    CHECK(room_for(find_operation("Bandwidth"), false, gibibyte, 2, true).receive == 64 * gibibyte);
    CHECK(room_for(find_operation("MPI_Put-fence"), false, 10, 2, true).exposed == 10);
}

TEST_CASE("in place the messages to be reduced lie where one is received") {
    for (const char* name : {"MPI_Reduce_scatter", "MPI_Reduce_scatter_block", "MPI_Ireduce_scatter"}) {
        INFO(name);
        CHECK(room_for(find_operation(name), false, 10, 7, true).receive == 10);
        CHECK(room_for(find_operation(name), true, 10, 7, true).receive == 70);
    }
    CHECK(room_for(find_operation("MPI_Allreduce"), true, 10, 7, true).receive == 10);
}
