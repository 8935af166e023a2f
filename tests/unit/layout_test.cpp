// SPDX-License-Identifier: GPL-2.0-or-later
#include "operations/layout.hpp"

#include "operations/all_operations.hpp"
#include "operations/message_limit.hpp"

#include <doctest/doctest.h>
#include <set>
#include <string>

using namespace skampi;

TEST_CASE("the faces of a box have as many elements as asked for, share none and lie in it") {
    for (const int dimensions : {2, 3})
        for (std::int64_t elements = 1; elements <= 300; ++elements) {
            CAPTURE(dimensions);
            CAPTURE(elements);
            const HaloBox box(dimensions, elements);
            std::set<std::int64_t> places;
            for (int side = 0; side < 2 * dimensions; ++side)
                for (std::int64_t e = 0; e < elements; ++e)
                    places.insert(box.face(side).at(e));
            CHECK(std::ssize(places) == 2 * dimensions * elements);
            CHECK(*places.begin() >= 0);
            CHECK(*places.rbegin() < HaloBox::room(dimensions, elements));
        }
}

TEST_CASE("a box has faces of one piece, and of elements a row apart, as arrays of an application have") {
    const HaloBox square(2, 10); // rows of 12
    CHECK(square.face(0).at(9) - square.face(0).at(0) == 9);
    CHECK(square.face(2).at(9) - square.face(2).at(0) == 9 * 12);
    const HaloBox cube(3, 100); // rows of 12, 10 of them in a plane
    CHECK(cube.face(1).at(99) - cube.face(1).at(0) == 99);
    CHECK(cube.face(3).at(10) - cube.face(3).at(0) == 120);
    CHECK(cube.face(5).at(10) - cube.face(5).at(0) == 120);
    CHECK(cube.face(5).at(1) - cube.face(5).at(0) == 12);
}

TEST_CASE("blocks of a matrix fill the rows of a rank, and received those of the transpose") {
    for (const std::int64_t elements : {1, 2, 6, 7, 12, 36, 97})
        for (const int ranks : {1, 2, 5}) {
            CAPTURE(elements);
            CAPTURE(ranks);
            const BlockOfMatrix block(elements);
            CHECK(block.rows * block.columns == elements);
            std::set<std::int64_t> sent;
            std::set<std::int64_t> received;
            for (int rank = 0; rank < ranks; ++rank)
                for (std::int64_t e = 0; e < elements; ++e) {
                    sent.insert(block.sent_at(ranks, rank, e));
                    received.insert(block.received_at(ranks, rank, e));
                    // Row and column of the whole matrix, seen from rank 0, change places.
                    const std::int64_t at = block.sent_at(ranks, rank, e);
                    const std::int64_t there = block.received_at(ranks, 0, e);
                    CHECK(at / (ranks * block.columns) == there % (ranks * block.rows));
                    CHECK(at % (ranks * block.columns) - rank * block.columns ==
                          there / (ranks * block.rows));
                }
            for (const auto& places : {sent, received}) {
                CHECK(std::ssize(places) == ranks * elements);
                CHECK(*places.rbegin() == ranks * elements - 1);
            }
        }
    CHECK(BlockOfMatrix(36).rows == 6);
}

TEST_CASE("memory ends the faces of a box where both arrays and the packed faces no longer fit") {
    for (const Operation& row : all_operations()) {
        if (row.layout != Layout::faces)
            continue;
        CAPTURE(row.name);
        constexpr std::int64_t memory_bytes = 1 << 20;
        const MessageLimit limit = limit_of_messages(row, false, 8, memory_bytes, 8);
        CHECK(limit.by_memory);
        CHECK(limit.bytes % 8 == 0);
        const auto needed = [&](std::int64_t bytes) {
            const MessageRoom room = room_for(row, false, bytes, 8, true, 8);
            return room.send + room.receive;
        };
        CHECK(needed(limit.bytes) <= memory_bytes);
        CHECK(needed(limit.bytes + 8) > memory_bytes);
        CHECK(limit_of_messages(row, false, 8, 0, 8).bytes == 0);
    }
}

TEST_CASE("bandwidth counts the messages of a rank, pair by pair where there are pairs") {
    const auto messages = [](const char* name, int ranks) {
        return find_operation(name).messages_among(ranks);
    };
    CHECK(messages("MPI_Bcast", 5) == 1);
    CHECK(messages("Multi_pair_bandwidth", 5) == 128);
    CHECK(messages("Halo_3D-Isend", 5) == 6);
    CHECK(messages("Transpose-packed", 5) == 4);
    CHECK(messages("Ring-Sendrecv", 1) == 0);
    CHECK(messages("Sparse-Alltoall", 1) == 0);
    CHECK(messages("Sparse-Alltoall", 2) == 1);
    CHECK(messages("Sparse-Alltoall", 3) == 2);
    CHECK(messages("Sparse-Alltoall", 64) == 4);
}
