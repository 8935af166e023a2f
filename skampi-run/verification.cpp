#include "verification.hpp"

#include "mpi/check.hpp"
#include "mpi/datatypes.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

namespace skampi {
namespace {

/// A reduction of these is exact in every datatype and order: 1 or 2.
int small_value(int rank, int block, std::int64_t element) {
    return 1 + static_cast<int>((rank + block + element + (element >> 7)) % 2);
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
        , size_(type_size(call.type)) {}

    /// Only what will be checked: filling megabytes at every argument would cost more than measuring them.
    void write_sent(std::byte* message, int rank, int block) const {
        (void)for_checked([&](std::int64_t e) {
            element(message + e * size_, rank, block, e);
            return true;
        });
    }

    /// One message as `rank` sent it in `block`.
    [[nodiscard]] bool is_message(const std::byte* received, int rank, int block) const {
        std::vector<std::byte> expected(static_cast<std::size_t>(size_));
        return for_checked([&](std::int64_t e) {
            element(expected.data(), rank, block, e);
            return std::memcmp(received + e * size_, expected.data(), expected.size()) == 0;
        });
    }

    /// The messages of the ranks first..last combined by the reduction.
    [[nodiscard]] bool is_combination(const std::byte* received, int first, int last, int block) const {
        std::vector<std::byte> expected(static_cast<std::size_t>(size_));
        std::vector<std::byte> next(expected.size());
        return for_checked([&](std::int64_t e) {
            element(expected.data(), first, block, e);
            for (int rank = first + 1; rank <= last; ++rank) {
                element(next.data(), rank, block, e);
                check(MPI_Reduce_local(next.data(), expected.data(), 1, call_.type, call_.reduction),
                      "MPI_Reduce_local");
            }
            return std::memcmp(received + e * size_, expected.data(), expected.size()) == 0;
        });
    }

private:
    void element(std::byte* place, int rank, int block, std::int64_t e) const {
        if (operation_.reduces) {
            write_element(place, call_.type, size_, small_value(rank, block, e));
            return;
        }
        for (int b = 0; b < size_; ++b) {
            const std::int64_t at = e * size_ + b;
            // The length tells this message from what an earlier one left in the buffer.
            place[b] = static_cast<std::byte>(rank * 131 + block * 31 + at * 7 + (at >> 8) + call_.count * 13);
        }
    }

    template <typename Check>
    bool for_checked(Check&& right) const {
        const std::int64_t end = std::max<std::int64_t>(2048 / size_, 1);
        for (std::int64_t e = 0; e < call_.count; ++e) {
            if (e == end && call_.count > 2 * end)
                e = call_.count - end;
            if (!right(e))
                return false;
        }
        return true;
    }

    const Operation& operation_;
    const Call& call_;
    int size_;
};

/// Nobody knows beforehand who gets how many pieces: only what was counted can be checked.
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
bool neighbours_right(const Call& c, Right&& right) {
    for (int dimension = 0; dimension < 2; ++dimension) {
        int before = 0;
        int behind = 0;
        check(MPI_Cart_shift(c.made, dimension, 1, &before, &behind), "MPI_Cart_shift");
        if (!right(2 * dimension, before, before == behind) ||
            !right(2 * dimension + 1, behind, before == behind))
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
        return 4;
    default:
        return 1;
    }
}

/// One-sided: memory is filled or looked at only when every rank is here and what was moved is visible.
void settle(const Operation& operation, Call& call) {
    if (call.window == MPI_WIN_NULL)
        return;
    check(MPI_Barrier(call.comm), "MPI_Barrier");
    if (operation.settle != nullptr)
        check(operation.settle(call), "settling the window");
    check(MPI_Barrier(call.comm), "MPI_Barrier");
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
        return expect.is_message(c.receive, c.root, c.rank);
    case Delivers::exchanged:
        return each_rank([&](int r) { return expect.is_message(block(r), r, c.rank); });
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
        return neighbours_right(
            c, [&](int place, int neighbour, bool) { return expect.is_message(block(place), neighbour, 0); });
    case Delivers::exchanged_with_neighbours:
        return neighbours_right(c, [&](int place, int neighbour, bool twice) {
            // What I receive from one side was sent towards the other. Where both sides are the same rank,
            // MPI libraries differ in the order.
            return expect.is_message(block(place), neighbour, place ^ 1) ||
                   (twice && expect.is_message(block(place), neighbour, place));
        });
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
    case Delivers::swapped:
        return c.rank == 0 ? expect.is_message(c.receive, 0, 1) : expect.is_message(c.exposed, 0, 0);
    }
    return true;
}

} // namespace

bool delivers_right(const Operation& operation, Call& call, const TeamShape& shape) {
    // With in-place the buffers' roles are mixed by design; the same code paths are checked without it.
    if (operation.delivers == Delivers::nothing || call.count == 0 || call.in_place)
        return true;
    const Expectation expect(operation, call);
    const bool sends_from_receive = operation.send == Extent::none; // Sendrecv_replace
    const int blocks = blocks_sent(operation, call);
    for (int b = 0; b < blocks; ++b)
        expect.write_sent((sends_from_receive ? call.receive : call.send) + b * call.message_bytes, call.rank,
                          b);
    if (call.exposed != nullptr)
        expect.write_sent(call.exposed, operation.delivers == Delivers::swapped ? 0 : call.rank,
                          operation.delivers == Delivers::swapped ? 1 : 0);
    if (operation.delivers == Delivers::combined_here)
        expect.write_sent(call.receive, 1, 0);
    settle(operation, call);
    const CallFunction function =
        call.rank == 0 || operation.client == nullptr ? operation.call : operation.client;
    const int code = function(call);
    if (operation.after != nullptr) // after an error, too: the other ranks wait for it
        operation.after(call);
    settle(operation, call);
    int mine = code != MPI_SUCCESS || received_right(operation, call, expect) ? 1 : 0;
    int all = mine;
    if (shape.ranks > 1)
        check(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, call.comm), "MPI_Allreduce");
    return all == 1;
}

} // namespace skampi
