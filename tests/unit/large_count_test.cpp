// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpi/large_count.hpp"

#include <cstdint>
#include <doctest/doctest.h>
#include <vector>

using namespace skampi;

namespace {

// What was called last, with what: an invented MPI function that writes it down.
struct Seen {
    bool large = false;
    std::int64_t count = -1;
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> displacements;
};

int sends(const void*, int count, int, Seen* seen) {
    *seen = {.large = false, .count = count, .counts = {}, .displacements = {}};
    return MPI_SUCCESS;
}
int sends_c(const void*, MPI_Count count, int, Seen* seen) {
    *seen = {.large = true, .count = count, .counts = {}, .displacements = {}};
    return MPI_SUCCESS;
}

template <typename Count, typename Displacement>
void note(bool large, const Count* counts, const Displacement* displacements, int ranks, Seen* seen) {
    *seen = {.large = large,
             .count = -1,
             .counts = {counts, counts + ranks},
             .displacements = {displacements, displacements + ranks}};
}
int gathers(const int* counts, const int* displacements, int ranks, Seen* seen) {
    note(false, counts, displacements, ranks, seen);
    return MPI_SUCCESS;
}
int gathers_c(const MPI_Count* counts, const MPI_Aint* displacements, int ranks, Seen* seen) {
    note(true, counts, displacements, ranks, seen);
    return MPI_SUCCESS;
}

constexpr Counted<sends, sends_c> counted_send;
constexpr Counted<gathers, gathers_c> counted_gather;
constexpr Counted<sends, nullptr> send_without_large_form;
constexpr MPI_Count most = INT_MAX;

} // namespace

TEST_CASE("a count that fits is given to the plain function, one that does not to the large one") {
    Seen seen;
    for (const MPI_Count count : {MPI_Count{0}, MPI_Count{1}, most}) {
        CHECK(counted_send(nullptr, count, 7, &seen) == MPI_SUCCESS);
        CHECK_FALSE(seen.large);
        CHECK(seen.count == count);
    }
    for (const MPI_Count count : {most + 1, 2 * most + 2, MPI_Count{1} << 40}) {
        CHECK(counted_send(nullptr, count, 7, &seen) == MPI_SUCCESS);
        CHECK(seen.large);
        CHECK(seen.count == count);
    }
}

TEST_CASE("counts or displacements of which one does not fit call the large function, with all of them") {
    Seen seen;
    const Counts small({1, 2, 3});
    const Displacements near({0, 1, 3});
    CHECK(counted_gather(small, near, 3, &seen) == MPI_SUCCESS);
    CHECK_FALSE(seen.large);
    CHECK(seen.counts == std::vector<std::int64_t>{1, 2, 3});
    CHECK(seen.displacements == std::vector<std::int64_t>{0, 1, 3});

    const Displacements far({0, most, 2 * most});
    CHECK(counted_gather(small, far, 3, &seen) == MPI_SUCCESS);
    CHECK(seen.large);
    CHECK(seen.counts == std::vector<std::int64_t>{1, 2, 3});
    CHECK(seen.displacements == std::vector<std::int64_t>{0, most, 2 * most});

    const Counts large({1, most + 1, 3});
    CHECK(counted_gather(large, near, 3, &seen) == MPI_SUCCESS);
    CHECK(seen.large);
    CHECK(seen.counts == std::vector<std::int64_t>{1, most + 1, 3});
}

TEST_CASE("without a large form a count that does not fit is an error, not another count") {
    Seen seen;
    CHECK(send_without_large_form(nullptr, most, 7, &seen) == MPI_SUCCESS);
    CHECK(seen.count == most);
    seen = {};
    CHECK(send_without_large_form(nullptr, most + 1, 7, &seen) == MPI_ERR_COUNT);
    CHECK(seen.count == -1);
}
