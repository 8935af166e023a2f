// Clock synchronisation between ranks that pretend to have clocks of their own. Runs on every rank of a job
// on one host, whose ranks share a clock of the system: the truth.
#include "job/global_clock.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <time.h>
#include <vector>

using namespace skampi;

namespace {

int my_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// The clock of the host. MPI_Wtime is none: Open MPI counts it from a moment of each rank's own.
double host_clock_s() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// How far this rank's MPI_Wtime is behind the host's clock: the least interrupted of many readings counts.
double behind_host_s() {
    double least_s = std::numeric_limits<double>::infinity();
    double behind_s = 0;
    for (int i = 0; i < 100; ++i) {
        const double before_s = host_clock_s();
        const double shown_s = MPI_Wtime();
        const double after_s = host_clock_s();
        if (after_s - before_s < least_s) {
            least_s = after_s - before_s;
            behind_s = (before_s + after_s) / 2 - shown_s;
        }
    }
    return behind_s;
}

/// The true global time is rank 0's, which every rank can tell from the host's clock.
class Truth {
public:
    Truth() { MPI_Bcast(&rank_0_behind_s_, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); }
    /// How far this rank's MPI_Wtime is behind rank 0's.
    [[nodiscard]] double behind_rank_0_s() const { return own_behind_s_ - rank_0_behind_s_; }
    /// One reading of the host's clock says what both clocks show.
    [[nodiscard]] double error_s(const GlobalClock& clock, const LocalClock& local) const {
        const double host_s = host_clock_s();
        const double wtime_s = host_s - own_behind_s_;
        const double shown_s = wtime_s + local.false_offset_s + local.false_drift * wtime_s;
        return std::abs(clock.model().to_global(shown_s) - (host_s - rank_0_behind_s_));
    }

private:
    double own_behind_s_ = behind_host_s();
    double rank_0_behind_s_ = own_behind_s_;
};

/// Offsets of up to seconds and drifts of up to 100 us per second, different on every rank; rank 0 is true.
LocalClock false_clock(int rank) {
    return {rank == 0 ? 0.0 : 0.37 * rank - 1.1, rank == 0 ? 0.0 : 1e-4 * ((rank % 5) - 2)};
}

} // namespace

TEST_CASE("an injected offset is recovered within half the fastest exchange") {
    const Truth truth;
    const LocalClock local = false_clock(my_rank());
    GlobalClock clock(local);
    clock.synchronise(MPI_COMM_WORLD);
    CHECK(clock.synchronised());
    // The drift not yet known has acted for a moment only; the rest is the exchange's asymmetry.
    const double since_s = clock.age_s();
    CHECK(truth.error_s(clock, local) <= clock.bound_s() + 3e-4 * since_s + 1e-6);
}

TEST_CASE("an injected drift is recovered from two estimates some time apart") {
    const Truth truth;
    const LocalClock local = false_clock(my_rank());
    GlobalClock clock(local);
    clock.synchronise(MPI_COMM_WORLD);
    const double first_bound_s = clock.bound_s();
    pass_time(0.3);
    MPI_Barrier(MPI_COMM_WORLD);
    clock.synchronise(MPI_COMM_WORLD);
    // Global = true time as rank 0 sees it: the model's drift is minus the false one, to first order.
    const double expected = -local.false_drift / (1 + local.false_drift);
    const double allowed = (first_bound_s + clock.bound_s()) / 0.3 + 1e-8;
    CHECK(std::abs(clock.model().drift - expected) <= allowed);
    pass_time(0.1);
    CHECK(truth.error_s(clock, local) <= clock.bound_s() + 0.2 * allowed + 1e-6);
}

TEST_CASE("the deviation from a fresh estimate is the same on every rank and finds a clock that was set") {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    GlobalClock clock(LocalClock{});
    clock.synchronise(MPI_COMM_WORLD);
    constexpr double set_by_s = 0.3;
    const auto is_found = [&](double expected_s) {
        const double known_within_s = clock.bound_s();
        const GlobalClock::Deviation found = clock.deviation(MPI_COMM_WORLD);
        double worst_s = 0;
        MPI_Allreduce(&known_within_s, &worst_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        CHECK(std::abs(found.largest_s - expected_s) <= found.bound_s + worst_s + 1e-4);
        double lowest_s = 0;
        double highest_s = 0;
        MPI_Allreduce(&found.largest_s, &lowest_s, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&found.largest_s, &highest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        CHECK(lowest_s == highest_s);
    };
    is_found(0);
    if (my_rank() == size - 1)
        clock.set({.false_offset_s = set_by_s});
    is_found(set_by_s);
    pass_time(0.25); // long enough for the drift to be estimated
    clock.synchronise(MPI_COMM_WORLD);
    CHECK(clock.model().drift == 0);
    is_found(0);
    clock.forget();
    CHECK_FALSE(clock.synchronised());
}

TEST_CASE("clocks that agree stay untouched") {
    const Truth truth;
    GlobalClock clock(LocalClock{.false_offset_s = truth.behind_rank_0_s()});
    clock.synchronise(MPI_COMM_WORLD);
    CHECK(std::abs(clock.model().offset_s) == 0);
}

TEST_CASE("waiting for a global time ends at it and says when it was past") {
    GlobalClock clock(false_clock(my_rank()));
    clock.synchronise(MPI_COMM_WORLD);
    bool late = true;
    const double start_s = clock.now() + 0.01;
    const double seen_s = clock.wait_until(start_s, late);
    CHECK_FALSE(late);
    CHECK(clock.model().to_global(seen_s) >= start_s - 1e-9);
    (void)clock.wait_until(start_s - 0.005, late);
    CHECK(late);
}

TEST_CASE("nobody leaves the dissemination barrier before the last has come") {
    const int rank = my_rank();
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int slow = 0; slow < size && slow < 4; ++slow) {
        if (rank == slow)
            pass_time(0.002);
        const double entered_s = host_clock_s();
        CHECK(dissemination_barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
        const double left_s = host_clock_s();
        double last_entered_s = 0;
        MPI_Allreduce(&entered_s, &last_entered_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        CHECK(left_s >= last_entered_s - 1e-9);
    }
}
