// SPDX-License-Identifier: GPL-2.0-or-later
// How far the global clock is from the truth, and what its bound says. One rank on each of some hosts whose
// clocks of the time of day are one (hosts), whatever their CLOCK_MONOTONIC shows: rank 0's, told by the time
// of day, is the truth. usage: clock_truth SECONDS [FILE]      rank 0 tells it, in the file where one is
// named; its last line ends with "held" or "VIOLATED". The exit status says nothing: how ranks leave MPI
// between hosts is the library's and the launcher's matter.
#include "clock/global_clock.hpp"
#include "interruption/stop_signal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mpi.h>

namespace {

std::int64_t time_of_day_ns() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

struct Reading {
    double of_day_s = 0; ///< since an origin that all ranks know
    double global_s = 0;
    double uncertain_s = std::numeric_limits<double>::infinity();
};

/// Both clocks at one time: the least interrupted of many readings counts.
Reading read_both(const skampi::GlobalClock& clock, std::int64_t origin_ns) {
    Reading best;
    for (int i = 0; i < 200; ++i) {
        const double before_s = clock.now();
        const std::int64_t of_day_ns = time_of_day_ns();
        const double after_s = clock.now();
        if (after_s - before_s < 2 * best.uncertain_s)
            best = {1e-9 * static_cast<double>(of_day_ns - origin_ns), (before_s + after_s) / 2,
                    (after_s - before_s) / 2};
    }
    return best;
}

} // namespace

static void watch(double duration_s, FILE* told) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool tells = rank == 0;

    std::int64_t origin_ns = time_of_day_ns();
    MPI_Bcast(&origin_ns, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    skampi::GlobalClock clock;
    const double begin_s = clock.local();
    if (tells)
        std::fprintf(told, "%9s %7s %6s %10s %10s %11s %10s %12s %6s\n", "after s", "clocks", "sights",
                     "baseline s", "drift ppm", "bound us", "growth ppm", "deviation us", "share");
    double worst_share = 0;
    int samples = 0;
    int not_held = 0;
    int first_clocks = 0;
    skampi::ClockEstimate estimate;
    for (int over = 0; over == 0;) {
        int due = clock.due() ? 1 : 0;
        MPI_Bcast(&due, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (due != 0) {
            estimate = clock.synchronise(MPI_COMM_WORLD);
            first_clocks = estimate.clocks;
            not_held += estimate.held ? 0 : 1;
        }
        // Rank 0's clock against the time of day, of which only the time of day is asked for elsewhere.
        const Reading mine = read_both(clock, origin_ns);
        std::array<double, 3> true_reading = {mine.of_day_s, mine.global_s, mine.uncertain_s};
        MPI_Bcast(true_reading.data(), 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        const double deviation_s =
            std::abs((mine.global_s - mine.of_day_s) - (true_reading[1] - true_reading[0]));
        const double bound_s = clock.bound_s() + mine.uncertain_s + true_reading[2];
        const double share = tells ? 0 : deviation_s / bound_s;
        const std::array<double, 3> seen = {deviation_s, clock.bound_s(), share};
        std::array<double, 3> largest{};
        MPI_Reduce(seen.data(), largest.data(), 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        worst_share = std::max(worst_share, largest[2]);
        ++samples;
        if (tells && (due != 0 || samples % 5 == 0))
            std::fprintf(told, "%9.2f %7d %6d %10.2f %10.4f %11.3f %10.4f %12.3f %6.2f\n",
                         clock.local() - begin_s, estimate.clocks, estimate.sights, estimate.baseline_s,
                         1e6 * estimate.drift, 1e6 * largest[1], 1e6 * estimate.growth, 1e6 * largest[0],
                         largest[2]);
        skampi::pass_time(0.1);
        over = clock.local() - begin_s >= duration_s ? 1 : 0;
        MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (tells)
        std::fprintf(
            told,
            "%d clocks, %d samples: the deviation was at most %.0f %% of the bound; %d estimates did not hold "
            "what the one before promised: %s\n",
            first_clocks, samples, 100 * worst_share, not_held, worst_share <= 1 ? "held" : "VIOLATED");
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE* const told = rank == 0 && argc > 2 ? std::fopen(argv[2], "w") : stdout;
    if (told == nullptr) {
        std::perror(argv[2]);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    watch(argc > 1 ? std::atof(argv[1]) : 10, told);
    std::fflush(told);
    skampi::end_process_after(5, 0); // UCX over TCP may not return from it, see docs/decisions/hosts.md
    MPI_Finalize();
    return 0;
}
