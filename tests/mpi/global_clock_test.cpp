// SPDX-License-Identifier: GPL-2.0-or-later
// Clock synchronisation between ranks that pretend to have clocks of their own. Runs on every rank of a job
// on one host, or of a simulated one: what such a clock is made from, all ranks read alike. It is the truth.
#include "clock/global_clock.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <string>

using namespace skampi;

namespace {

int my_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int rank_count() {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

double shared_clock_s() {
    return LocalClock{}();
}

/// Offsets of up to seconds and drifts of up to 100 us per second, different on neighbouring ranks; rank 0 is
/// true.
LocalClock false_clock(int rank) {
    return {rank == 0 ? 0.0 : 0.37 * rank - 1.1, rank == 0 ? 0.0 : 1e-4 * ((rank % 5) - 2)};
}

std::string own_name(int rank) {
    return "clock " + std::to_string(rank);
}

/// How far this rank's global time is from rank 0's clock, by one reading of what both show.
double error_s(const GlobalClock& clock, const LocalClock& local) {
    const double true_s = shared_clock_s();
    const double shown_s = true_s + local.false_offset_s + local.false_drift * true_s;
    return std::abs(clock.model().to_global(shown_s) - true_s);
}

constexpr double baseline_s = 0.2;  // of the first estimate
constexpr double rounding_s = 1e-8; // of times since the machine started

} // namespace

TEST_CASE("clocks with offsets and drifts of their own agree within the bound, at once and later") {
    const LocalClock local = false_clock(my_rank());
    GlobalClock clock(local, own_name(my_rank()), baseline_s);
    CHECK(clock.due());
    CHECK_FALSE(clock.synchronised());
    const ClockEstimate first = clock.synchronise(MPI_COMM_WORLD);
    CHECK(clock.synchronised());
    CHECK(first.clocks == rank_count());
    CHECK(first.baseline_s >= baseline_s);
    CHECK(first.baseline_s < 5);
    CHECK(first.sights >= 3); // 11 on ranks that nobody disturbs
    CHECK(first.age_s == 0);  // there was nothing to check
    CHECK(first.held);
    CHECK(first.bound_s > 0);
    // Global = true time as rank 0 sees it: the model's drift is minus the false one, to first order.
    const double expected = -local.false_drift / (1 + local.false_drift);
    CHECK(std::abs(clock.model().drift - expected) <= first.growth);
    CHECK(clock.bound_s() <= first.bound_s + first.growth * 60);
    for (int i = 0; i < 8; ++i) {
        CHECK(error_s(clock, local) <= clock.bound_s() + rounding_s);
        pass_time(0.02);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const ClockEstimate second = clock.synchronise(MPI_COMM_WORLD);
    CHECK(second.held);
    CHECK(second.sights == first.sights + 1);
    CHECK(second.age_s >= 0.15);
    CHECK(second.deviation_s <= second.predicted_s);
    CHECK(second.baseline_s > first.baseline_s + 0.15);
    CHECK(error_s(clock, local) <= clock.bound_s() + rounding_s);
}

TEST_CASE("an estimate is due again when half its baseline has passed") {
    GlobalClock clock({}, own_name(my_rank()), baseline_s);
    const ClockEstimate estimate = clock.synchronise(MPI_COMM_WORLD);
    if (rank_count() > 1)
        CHECK_FALSE(clock.due());
    pass_time(estimate.baseline_s * 0.55);
    CHECK(clock.due() == (rank_count() > 1));
}

TEST_CASE("a clock that was set is found by all ranks, and the next estimate holds again") {
    GlobalClock clock({}, own_name(my_rank()), baseline_s);
    CHECK(clock.synchronise(MPI_COMM_WORLD).held);
    const bool sets = my_rank() == rank_count() - 1 && my_rank() > 0;
    const LocalClock local{.false_offset_s = sets ? 0.3 : 0};
    clock.set(local);
    const ClockEstimate found = clock.synchronise(MPI_COMM_WORLD);
    if (rank_count() > 1) {
        CHECK_FALSE(found.held);
        CHECK(std::abs(found.deviation_s - 0.3) < 0.05);
        CHECK(found.predicted_s < 0.2);
        CHECK(found.baseline_s >= baseline_s); // from anew
    }
    CHECK(error_s(clock, local) <= clock.bound_s() + rounding_s);
    CHECK(clock.synchronise(MPI_COMM_WORLD).held);
    clock.forget();
    CHECK_FALSE(clock.synchronised());
    CHECK(clock.due());
}

TEST_CASE("ranks that read one clock agree exactly, without a message about it") {
    GlobalClock clock;
    const ClockEstimate estimate = clock.synchronise(MPI_COMM_WORLD);
    CHECK(estimate.clocks == 1);
    CHECK(estimate.bound_s == 0);
    CHECK(clock.model().offset_s == 0);
    CHECK(clock.model().drift == 0);
    CHECK(clock.bound_s() == 0);
    pass_time(0.01);
    CHECK_FALSE(clock.due());
}

TEST_CASE("two groups of ranks with a clock each agree exactly within a group and as bounded between them") {
    const int rank = my_rank();
    const LocalClock local{.false_offset_s = rank % 2 == 0 ? 0.0 : 12.5,
                           .false_drift = rank % 2 == 0 ? 0 : 5e-5};
    GlobalClock clock(local, own_name(rank % 2), baseline_s);
    const ClockEstimate estimate = clock.synchronise(MPI_COMM_WORLD);
    CHECK(estimate.clocks == std::min(2, rank_count()));
    CHECK(estimate.held);
    CHECK(error_s(clock, local) <= clock.bound_s() + rounding_s);
    if (rank % 2 == 0)
        CHECK(clock.bound_s() == 0);
    const double offset_s = clock.model().offset_s; // of the odd ranks: one
    double extremes_s[] = {rank % 2 == 0 ? -1e9 : offset_s, rank % 2 == 0 ? -1e9 : -offset_s};
    MPI_Allreduce(MPI_IN_PLACE, extremes_s, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank_count() > 1)
        CHECK(extremes_s[0] == -extremes_s[1]);
}

TEST_CASE("ranks that claim to read one clock and do not are found out") {
    const LocalClock local = false_clock(my_rank());
    GlobalClock clock(local, "copied with its machine", baseline_s);
    const ClockEstimate estimate = clock.synchronise(MPI_COMM_WORLD);
    CHECK(estimate.clocks == rank_count());
    CHECK(error_s(clock, local) <= clock.bound_s() + rounding_s);
}

TEST_CASE("a rank whose clock has no name is taken for one with a clock of its own") {
    GlobalClock clock({}, my_rank() == 0 ? own_clock_name() : "", baseline_s);
    CHECK(clock.synchronise(MPI_COMM_WORLD).clocks == rank_count());
}

TEST_CASE("waiting for a global time ends at it and says when it was past") {
    GlobalClock clock(false_clock(my_rank()), own_name(my_rank()), baseline_s);
    clock.synchronise(MPI_COMM_WORLD);
    bool late = true;
    double start_s = 0;
    double seen_s = 0;
    // A busy machine may take the core away until a near time is past: some time is not too near.
    for (double ahead_s = 0.01; late && ahead_s < 10; ahead_s *= 4) {
        start_s = clock.now() + ahead_s;
        seen_s = clock.wait_until(start_s, late);
    }
    CHECK_FALSE(late);
    CHECK(clock.model().to_global(seen_s) >= start_s - 1e-9);
    (void)clock.wait_until(start_s - 0.005, late);
    CHECK(late);
}

TEST_CASE("nobody leaves the dissemination barrier before the last has come") {
    const int rank = my_rank();
    const int size = rank_count();
    for (int slow = 0; slow < size && slow < 4; ++slow) {
        if (rank == slow)
            pass_time(0.002);
        const double entered_s = shared_clock_s();
        CHECK(dissemination_barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
        const double left_s = shared_clock_s();
        double last_entered_s = 0;
        MPI_Allreduce(&entered_s, &last_entered_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        CHECK(left_s >= last_entered_s - 1e-9);
    }
}
