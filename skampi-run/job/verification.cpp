// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/verification.hpp"

#include "mpi/check.hpp"
#include "mpi/datatypes.hpp"
#include "operations/layout.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <numeric>
#include <utility>
#include <vector>

namespace skampi {
namespace {

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
#ifdef SKAMPI_SIMULATED // a thousand ranks share a processor, and the library is not in question
constexpr std::int64_t whole_bytes = 4 * 1024;
#else
// A rank checks whole messages up to so much in all, which takes a fraction of the time of measuring them.
constexpr std::int64_t whole_bytes = 256 * 1024 * 1024;
#endif
// Of more it checks parts: with a thousand ranks fewer bytes of each, so that what is made once for every
// argument does not grow with the square of the ranks.
constexpr std::int64_t checked_bytes = 256 * 1024;
// What it must receive from a reduction it combines of all ranks' data itself, element by element: fewer.
constexpr std::int64_t whole_combined_bytes = whole_bytes / 16;
constexpr std::int64_t combined_bytes = 32 * 1024;
constexpr std::int64_t most_checked_at_once =
    2048; // of one message: at its begin, at its end, around each GiB
constexpr std::int64_t fewest_checked_at_once = 32;
constexpr std::int64_t pattern_block = 256; // bytes of a message whose pattern differs by one summand

/// 0, 1 or 2, in all combinations of two ranks, so that the operators give different results; each of them is
/// exact in every datatype and order.
int small_value(int rank, int block, std::int64_t element) {
    if ((element + block + 5 * std::int64_t{rank}) % 16 == 15)
        return 0;
    if (rank >= 100) // a product of more would overflow a float
        return 1;
    // The bits above distinguish elements whose offsets are the same in 32 bits.
    const int far = std::popcount(static_cast<std::uint64_t>(element) >> 27);
    return 1 + static_cast<int>((((element + block) >> (rank % 4)) + rank / 4 + far + (element >> 7)) % 2);
}

void write_element(std::byte* place, MPI_Datatype type, int size, int value) {
    if (type == MPI_FLOAT) {
        const auto v = static_cast<float>(value);
        std::memcpy(place, &v, sizeof v);
    } else if (type == MPI_DOUBLE) {
        const auto v = static_cast<double>(value);
        std::memcpy(place, &v, sizeof v);
    } else { // an integer of either byte order
        std::memset(place, 0, static_cast<std::size_t>(size));
        const int one = 1;
        const bool little_endian = *reinterpret_cast<const char*>(&one) == 1;
        place[little_endian ? 0 : size - 1] = static_cast<std::byte>(value);
    }
}

/// The data one rank sends and the data it must receive. Element by element a pure function of who sends
/// what.
class Expectation {
public:
    Expectation(const Operation& operation, const Call& call)
        : operation_(operation)
        , call_(call)
        , size_(type_size(call.type))
        , sent_(operation, call, size_, false)
        , received_(operation, call, size_, true) {}

    /// What will be checked.
    void write_sent(std::byte* message, int rank, int block) const {
        (void)for_checked_ranges([&](std::int64_t begin, std::int64_t end) {
            elements(message + begin * size_, rank, block, begin, end);
            return true;
        });
    }

    /// One message as `rank` sent it in `block`.
    [[nodiscard]] bool is_message(const std::byte* received, int rank, int block) const {
        constexpr std::int64_t at_once = 64 * 1024; // stays in a cache
        std::vector<std::byte> expected;
        return for_checked_ranges([&](std::int64_t begin, std::int64_t end) {
            const std::int64_t step = std::max<std::int64_t>(1, at_once / size_);
            for (; begin < end; begin += step) {
                const std::int64_t part = std::min(end, begin + step) - begin;
                expected.resize(static_cast<std::size_t>(part * size_));
                elements(expected.data(), rank, block, begin, begin + part);
                if (std::memcmp(received + begin * size_, expected.data(), expected.size()) != 0)
                    return false;
            }
            return true;
        });
    }

    /// This rank's own messages, in the layout in which they are sent.
    void write_blocks(std::byte* buffer, int blocks) const {
        for (int block = 0; block < blocks; ++block) {
            if (operation_.layout == Layout::blocks)
                write_sent(buffer + block * call_.message_bytes, call_.rank, block);
            else
                (void)for_checked([&](std::int64_t e) {
                    element(buffer + sent_(block, e), call_.rank, block, e);
                    return true;
                });
        }
    }

    /// Of the message at a place in the receive buffer, in the layout in which they are received.
    [[nodiscard]] bool is_message_at(int place, int rank, int block) const {
        if (operation_.layout == Layout::blocks)
            return is_message(call_.receive + place * call_.message_bytes, rank, block);
        std::vector<std::byte> expected(static_cast<std::size_t>(size_));
        return for_checked([&](std::int64_t e) {
            element(expected.data(), rank, block, e);
            return std::memcmp(call_.receive + received_(place, e), expected.data(), expected.size()) == 0;
        });
    }

    /// The messages of the ranks first..last combined by the reduction.
    [[nodiscard]] bool is_combination(const std::byte* received, int first, int last, int block) const {
        std::vector<std::byte> expected;
        std::vector<std::byte> next;
        return for_checked_ranges([&](std::int64_t begin, std::int64_t end) {
            // Many elements in one call: MPI libraries and simulators make more of a call than of an element.
            const auto bytes = static_cast<std::size_t>((end - begin) * size_);
            expected.resize(bytes);
            next.resize(bytes);
            elements(expected.data(), first, block, begin, end);
            for (int rank = first + 1; rank <= last; ++rank) {
                elements(next.data(), rank, block, begin, end);
                check(MPI_Reduce_local(next.data(), expected.data(), static_cast<int>(end - begin),
                                       call_.type, call_.reduction),
                      "MPI_Reduce_local");
            }
            return std::memcmp(received + begin * size_, expected.data(), bytes) == 0;
        });
    }

private:
    void element(std::byte* place, int rank, int block, std::int64_t e) const {
        if (operation_.reduces) {
            write_element(place, call_.type, size_, small_value(rank, block, e));
            return;
        }
        bytes(place, rank, block, e * size_, (e + 1) * size_);
    }

    /// Of a message that is not combined. Places whose offsets are the same in 8, 16, 24 or 32 bits differ,
    /// and the length distinguishes this message from what an earlier one left in the buffer.
    void bytes(std::byte* places, int rank, int block, std::int64_t begin, std::int64_t end) const {
        const std::int64_t message = rank * 131 + block * 31 + call_.count * 13;
        while (begin < end) {
            const std::int64_t of_block = begin / pattern_block;
            const std::int64_t part = std::min(end, (of_block + 1) * pattern_block) - begin;
            const auto summand =
                static_cast<unsigned char>(message + of_block + (of_block >> 8) * 101 +
                                           (of_block >> 16) * 37 + (of_block >> 22) * 59 + begin * 7);
            for (std::int64_t i = 0; i < part; ++i)
                places[i] = static_cast<std::byte>(static_cast<unsigned char>(summand + 7 * i));
            places += part;
            begin += part;
        }
    }

    void elements(std::byte* places, int rank, int block, std::int64_t begin, std::int64_t end) const {
        if (!operation_.reduces) {
            bytes(places, rank, block, begin * size_, end * size_);
            return;
        }
        for (std::int64_t e = begin; e < end; ++e, places += size_)
            element(places, rank, block, e);
    }

    /// Of one message, element by element.
    template <typename Check>
    bool for_checked(Check&& right) const {
        return for_checked_ranges([&](std::int64_t begin, std::int64_t end) {
            for (; begin < end; ++begin)
                if (!right(begin))
                    return false;
            return true;
        });
    }

    /// Of one message, from one element to before another.
    template <typename Check>
    bool for_checked_ranges(Check&& right) const {
        const std::int64_t all_bytes = call_.count * size_ * std::max(call_.size, 1);
        if (all_bytes <= (operation_.reduces ? whole_combined_bytes : whole_bytes))
            return right(0, call_.count);
        const std::int64_t at_once =
            std::clamp((operation_.reduces ? combined_bytes : checked_bytes) / std::max(call_.size, 1),
                       fewest_checked_at_once, most_checked_at_once);
        const std::int64_t few = std::max<std::int64_t>(at_once / size_, 1);
        std::int64_t next = 0;
        const auto all_right = [&](std::int64_t begin, std::int64_t end) {
            begin = std::max(next, begin);
            next = std::max(begin, std::min<std::int64_t>(end, call_.count));
            return begin >= next || right(begin, next);
        };
        if (!all_right(0, few))
            return false;
        for (std::int64_t at = gibibyte / size_; at < call_.count; at += gibibyte / size_)
            if (!all_right(at - few / 2, at + few / 2))
                return false;
        return all_right(call_.count - few, call_.count);
    }

    const Operation& operation_;
    const Call& call_;
    int size_;
    MessagePlaces sent_;
    MessagePlaces received_;
};

/// It is not known beforehand which rank gets how many pieces: only what was counted can be checked.
bool pieces_right(const Operation& operation, const Call& c, const Expectation& expect) {
    if (c.rank != 0)
        return c.pieces[0] == 0 || expect.is_message(c.receive, 0, 0);
    const std::int64_t wanted = c.chunks > 0 ? c.chunks : c.size - 1;
    if (std::accumulate(c.pieces.begin() + 1, c.pieces.end(), std::int64_t{0}) != wanted)
        return false;
    if (operation.receive != Extent::per_worker)
        return operation.delivers == Delivers::pieces || expect.is_message(c.receive, c.partner, 0);
    for (int worker = 1; worker < c.size; ++worker)
        if (c.pieces[static_cast<std::size_t>(worker)] > 0 &&
            !expect.is_message(c.receive + (worker - 1) * c.message_bytes, worker, 0))
            return false;
    return true;
}

/// Asks right(place, neighbour, whether the neighbour is on both sides) of each place in a grid.
template <typename Right>
bool neighbours_right(const Operation& operation, const Call& c, Right&& right) {
    for (int dimension = 0; dimension < operation.dimensions; ++dimension) {
        int before = 0;
        int behind = 0;
        check(MPI_Cart_shift(c.made, dimension, 1, &before, &behind), "MPI_Cart_shift");
        if (!right(2 * dimension, before, before == behind) ||
            !right(2 * dimension + 1, behind, before == behind))
            return false;
    }
    return true;
}

/// A sparse exchange: from each rank that is so far before this one, in any order, and from no other.
bool all_arrived(const Call& c, const Expectation& expect) {
    const int partners = sparse_partners(c.size);
    if (c.pieces.front() != partners)
        return false;
    for (int number = 0; number < partners; ++number) {
        const int source = (c.rank - (1 << number) + c.size) % c.size;
        const auto from = std::find(c.indices.begin(), c.indices.begin() + partners, source);
        if (from == c.indices.begin() + partners ||
            !expect.is_message_at(static_cast<int>(from - c.indices.begin()), source, number))
            return false;
    }
    return true;
}

/// How many messages this rank sends.
int blocks_sent(const Operation& operation, const Call& c) {
    switch (operation.send) {
    case Extent::per_rank:
        return c.size;
    case Extent::per_rank_at_root:
        return c.rank == c.root ? c.size : 0;
    case Extent::per_neighbour:
        return operation.delivers == Delivers::from_unknown ? sparse_partners(c.size)
                                                            : 2 * operation.dimensions;
    default:
        return 1;
    }
}

/// Where the messages this rank sends lie.
std::byte* sent_from(const Operation& operation, const Call& c) {
    if (operation.send == Extent::none) // Sendrecv_replace
        return c.receive;
    if (!c.in_place)
        return c.send;
    switch (operation.delivers) {
    case Delivers::gathered:
        return c.rank == c.root ? c.receive + c.rank * c.message_bytes : c.send;
    case Delivers::gathered_all:
        return c.receive + c.rank * c.message_bytes;
    case Delivers::reduced:
        return c.rank == c.root ? c.receive : c.send;
    case Delivers::exchanged:
    case Delivers::reduced_all:
    case Delivers::reduced_block:
    case Delivers::scanned:
    case Delivers::scanned_before:
        return c.receive;
    default:
        return c.send;
    }
}

/// One-sided and MPI I/O: memory is filled or looked at only when every rank is here and what was moved is
/// visible.
void settle(const Operation& operation, Call& call, FirstError& error) {
    if (call.window == MPI_WIN_NULL && call.file == MPI_FILE_NULL)
        return;
    error.note(MPI_Barrier(call.comm), "MPI_Barrier");
    if (operation.settle != nullptr)
        error.note(operation.settle(call), "settling what " + operation.name + " moved");
    error.note(MPI_Barrier(call.comm), "MPI_Barrier");
}

bool received_right(const Operation& operation, const Call& c, const Expectation& expect) {
    const bool root = c.rank == c.root;
    const auto block = [&](int b) { return c.receive + b * c.message_bytes; };
    const auto each_rank = [&](auto&& right) {
        for (int r = 0; r < c.size; ++r)
            if (!right(r))
                return false;
        return true;
    };
    switch (operation.delivers) {
    case Delivers::nothing:
    case Delivers::as_checked:
        return true;
    case Delivers::from_partner:
        return expect.is_message(c.receive, c.partner, 0);
    case Delivers::from_root:
        return root || expect.is_message(c.receive, c.root, 0);
    case Delivers::gathered:
        return !root || each_rank([&](int r) { return expect.is_message(block(r), r, 0); });
    case Delivers::gathered_all:
        return each_rank([&](int r) { return expect.is_message(block(r), r, 0); });
    case Delivers::scattered:
        return (root && c.in_place) || expect.is_message(c.receive, c.root, c.rank);
    case Delivers::exchanged:
        return each_rank([&](int r) { return expect.is_message_at(r, r, c.rank); });
    case Delivers::reduced:
        return !root || expect.is_combination(c.receive, 0, c.size - 1, 0);
    case Delivers::reduced_all:
        return expect.is_combination(c.receive, 0, c.size - 1, 0);
    case Delivers::reduced_block:
        return expect.is_combination(c.receive, 0, c.size - 1, c.rank);
    case Delivers::scanned:
        return expect.is_combination(c.receive, 0, c.rank, 0);
    case Delivers::scanned_before:
        return c.rank == 0 || expect.is_combination(c.receive, 0, c.rank - 1, 0);
    case Delivers::pieces:
    case Delivers::results:
        return pieces_right(operation, c, expect);
    case Delivers::to_partner:
        return c.rank == 0 || expect.is_message(c.receive, 0, 0);
    case Delivers::window_from_partner:
        for (int b = 0; b < c.pieces.front(); ++b)
            if (!expect.is_message(block(b), c.partner, 0))
                return false;
        return true;
    case Delivers::from_neighbours:
        return neighbours_right(operation, c, [&](int place, int neighbour, bool) {
            return expect.is_message(block(place), neighbour, 0);
        });
    case Delivers::exchanged_with_neighbours:
        return neighbours_right(operation, c, [&](int place, int neighbour, bool twice) {
            // What I receive from one side was sent towards the other. Where both sides are the same rank,
            // MPI libraries differ in the order.
            return expect.is_message_at(place, neighbour, place ^ 1) ||
                   (twice && expect.is_message_at(place, neighbour, place));
        });
    case Delivers::from_unknown:
        return all_arrived(c, expect);
    case Delivers::combined_here:
        return expect.is_combination(c.receive, 0, 1, 0);
    case Delivers::put:
        return c.rank == 0 || expect.is_message(c.exposed, 0, 0);
    case Delivers::got:
        return c.rank != 0 || expect.is_message(c.receive, 1, 0);
    case Delivers::accumulated:
        return c.rank == 0 || expect.is_combination(c.exposed, 0, 1, 0);
    case Delivers::fetched:
        return c.rank == 0 ? expect.is_message(c.receive, 1, 0) : expect.is_combination(c.exposed, 0, 1, 0);
    case Delivers::own_block:
        return expect.is_message(c.receive, c.rank, 0);
    case Delivers::swapped:
        return c.rank == 0 ? expect.is_message(c.receive, 0, 1) : expect.is_message(c.exposed, 0, 0);
    }
    return true;
}

/// Whether calls after the first leave the same as it did: nothing is received over what is sent, and nothing
/// is added to what was received.
bool repeats_itself(const Operation& operation, const Call& c) {
    if (c.in_place || operation.send == Extent::none)
        return false;
    switch (operation.delivers) {
    case Delivers::from_partner:
    case Delivers::from_root:
    case Delivers::gathered:
    case Delivers::gathered_all:
    case Delivers::scattered:
    case Delivers::exchanged:
    case Delivers::reduced:
    case Delivers::reduced_all:
    case Delivers::reduced_block:
    case Delivers::scanned:
    case Delivers::scanned_before:
    case Delivers::to_partner:
    case Delivers::window_from_partner:
    case Delivers::from_neighbours:
    case Delivers::exchanged_with_neighbours:
    case Delivers::from_unknown:
        return true;
    default:
        return false;
    }
}

/// Every rank's buffers, so that what arrives shows where it came from.
void fill(const Operation& operation, Call& call, const Expectation& expect) {
    expect.write_blocks(sent_from(operation, call), blocks_sent(operation, call));
    if (call.exposed != nullptr)
        expect.write_sent(call.exposed, operation.delivers == Delivers::swapped ? 0 : call.rank,
                          operation.delivers == Delivers::swapped ? 1 : 0);
    if (operation.delivers == Delivers::combined_here)
        expect.write_sent(call.receive, 1, 0);
}

} // namespace

bool delivers_right(const Operation& operation, Call& call) {
    const bool own = operation.delivers == Delivers::as_checked;
    if (operation.delivers == Delivers::nothing || (call.count == 0 && !own))
        return true;
    const Expectation expect(operation, call);
    if (!own)
        fill(operation, call, expect);
    FirstError error;
    settle(operation, call, error);
    const CallFunction function =
        call.rank == 0 || operation.client == nullptr ? operation.call : operation.client;
    error.note(function(call), operation.name, call.thrown);
    bool right = true;
    if (own && !error.seen()) { // of what the call left: `after` makes ready for the next one
        try {
            right = call.own->check(call);
        } catch (const std::exception& found) {
            error.keep(MpiError("checking " + operation.name, std::string(found.what())));
        } catch (...) {
            error.keep(MpiError("checking " + operation.name,
                                std::string("something that is not a std::exception")));
        }
    }
    if (operation.after != nullptr)
        error.note(operation.after(call), "cleaning up after " + operation.name, call.thrown);
    settle(operation, call, error);
    try {
        if (!own)
            right = error.seen() || received_right(operation, call, expect);
    } catch (const MpiError& found) {
        error.keep(found);
    }
    error.raise();
    return right;
}

bool left_right(const Operation& operation, const Call& call) {
    return call.count == 0 || !repeats_itself(operation, call) ||
           received_right(operation, call, Expectation(operation, call));
}

} // namespace skampi
