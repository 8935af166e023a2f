#include "job/global_clock.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <time.h>

#ifdef SKAMPI_SIMULATED
#include <smpi/smpi_helpers.h> // makes nanosleep pass simulated time
#endif

namespace skampi {
namespace {

constexpr int exchanges = 16; // the fastest of so many is rarely disturbed
// Where they take longer, ranks share cores, and more of them would take seconds and bring no undisturbed
// one.
constexpr double longest_exchanges_s = 0.02;
constexpr int least_exchanges = 3;
constexpr int clock_tag = 4711;
constexpr char another = 1; // asks that say whether one follows
constexpr char last = 0;
constexpr double drift_baseline_s = 0.2; // shorter, and the error of the offsets would be the drift found
constexpr double largest_drift = 1e-3;   // of any oscillator in use by far: a clock that gains more was set

} // namespace

GlobalClock::Estimate GlobalClock::estimate(MPI_Comm comm, FirstError& error) const {
    int rank = 0;
    int size = 1;
    error.note(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    error.note(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    // Rank 0 is the global clock; the others find their model here and serve it on to later rounds.
    ClockModel model{.offset_s = 0, .drift = rank == 0 ? 0.0 : model_.drift, .reference_s = local_()};
    Estimate mine{.offset_s = 0, .local_s = model.reference_s, .bound_s = 0};
    for (int distance = 1; distance < size; distance *= 2) {
        if (rank < distance) {
            const int child = rank + distance;
            if (child >= size)
                continue;
            // Counted, too: nothing may have been received when there is an error.
            char ask = another;
            for (int i = 0; i < exchanges && ask == another; ++i) {
                error.note(MPI_Recv(&ask, 1, MPI_CHAR, child, clock_tag, comm, MPI_STATUS_IGNORE),
                           "MPI_Recv");
                const std::array<double, 2> answer = {model.to_global(local_()), mine.bound_s};
                error.note(MPI_Send(answer.data(), 2, MPI_DOUBLE, child, clock_tag, comm), "MPI_Send");
            }
        } else if (rank < 2 * distance) {
            double fastest_s = std::numeric_limits<double>::infinity();
            const double first_s = local_();
            char ask = another;
            for (int i = 1; ask == another; ++i) {
                std::array<double, 2> answer{};
                const double begin_s = local_();
                const bool too_long = i >= least_exchanges && begin_s - first_s > longest_exchanges_s;
                ask = i == exchanges || too_long ? last : another;
                error.note(MPI_Send(&ask, 1, MPI_CHAR, rank - distance, clock_tag, comm), "MPI_Send");
                error.note(MPI_Recv(answer.data(), 2, MPI_DOUBLE, rank - distance, clock_tag, comm,
                                    MPI_STATUS_IGNORE),
                           "MPI_Recv");
                const double end_s = local_();
                if (end_s - begin_s < fastest_s) {
                    fastest_s = end_s - begin_s;
                    mine.local_s = (begin_s + end_s) / 2;
                    mine.offset_s = answer[0] - mine.local_s;
                    mine.bound_s = answer[1] + fastest_s / 2;
                }
            }
            // Within its bound an offset of zero is the better estimate: ranks of one host share their clock.
            if (std::abs(mine.offset_s) <= mine.bound_s)
                mine.offset_s = 0;
            model.offset_s = mine.offset_s;
            model.reference_s = mine.local_s;
        }
    }
    return mine;
}

void GlobalClock::synchronise(MPI_Comm comm) {
    FirstError error;
    const Estimate now = estimate(comm, error);
    const double elapsed_s = std::abs(now.local_s - model_.reference_s);
    const double expected_s = model_.to_global(now.local_s) - now.local_s;
    const bool was_set =
        std::abs(now.offset_s - expected_s) > now.bound_s + bound_s_ + largest_drift * elapsed_s;
    if (estimated_ && was_set) {
        first_ = now; // what it has gained since says nothing of its drift
    } else if (estimated_ && now.local_s - first_.local_s >= drift_baseline_s) {
        const double drift = (now.offset_s - first_.offset_s) / (now.local_s - first_.local_s);
        model_.drift = drift;
        // A long baseline is a good one, but oscillators wander with temperature.
        if (now.local_s - first_.local_s > 100 * drift_baseline_s)
            first_ = now;
    } else if (!estimated_) {
        first_ = now;
        estimated_ = true;
    }
    model_.offset_s = now.offset_s;
    model_.reference_s = now.local_s;
    bound_s_ = now.bound_s;
    error.raise();
}

GlobalClock::Deviation GlobalClock::deviation(MPI_Comm comm) const {
    FirstError error;
    const Estimate fresh = estimate(comm, error);
    const double deviation_s = std::abs(model_.to_global(fresh.local_s) - (fresh.local_s + fresh.offset_s));
    const std::array<double, 2> mine = {deviation_s, fresh.bound_s};
    std::array<double, 2> largest{};
    error.note(MPI_Allreduce(mine.data(), largest.data(), 2, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
    error.raise();
    return {largest[0], largest[1]};
}

double GlobalClock::wait_until(double global_s, bool& late) const {
    const double until_s = model_.to_local(global_s);
    double now_s = local_();
    late = now_s > until_s;
#ifdef SKAMPI_SIMULATED
    if (now_s < until_s) {
        pass_time(until_s - now_s);
        now_s = local_();
    }
#endif
    while (now_s < until_s)
        now_s = local_();
    return now_s;
}

int dissemination_barrier(MPI_Comm comm) {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int first = MPI_SUCCESS;
    for (int distance = 1; distance < size; distance *= 2) {
        const int code =
            MPI_Sendrecv(nullptr, 0, MPI_BYTE, (rank + distance) % size, clock_tag + 1, nullptr, 0, MPI_BYTE,
                         (rank - distance + size) % size, clock_tag + 1, comm, MPI_STATUS_IGNORE);
        if (first == MPI_SUCCESS)
            first = code;
    }
    return first;
}

int agreeing_barrier(MPI_Comm comm, unsigned char& wishes) {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int first = MPI_SUCCESS;
    for (int distance = 1; distance < size; distance *= 2) {
        const unsigned char sent = wishes;
        unsigned char heard = 0;
        const int code =
            MPI_Sendrecv(&sent, 1, MPI_BYTE, (rank + distance) % size, clock_tag + 2, &heard, 1, MPI_BYTE,
                         (rank - distance + size) % size, clock_tag + 2, comm, MPI_STATUS_IGNORE);
        if (first == MPI_SUCCESS)
            first = code;
        wishes |= heard;
    }
    return first;
}

void pass_time(double seconds) {
    const auto nanoseconds = static_cast<std::int64_t>(std::max(0.0, std::ceil(seconds * 1e9)));
    timespec pause{};
    pause.tv_sec = static_cast<time_t>(nanoseconds / 1'000'000'000);
    pause.tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000);
    nanosleep(&pause, nullptr);
}

} // namespace skampi
