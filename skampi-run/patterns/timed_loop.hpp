// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "clock/global_clock.hpp"
#include "laboratory/buffers.hpp"
#include "laboratory/laboratory.hpp"
#include "operations/operation.hpp"

#include <limits>
#include <string>
#include <vector>

namespace skampi {

/// How the single measurements of a batch begin.
enum class Start {
    free,           ///< the operation synchronises by itself (ping-pong, master-worker) or is local
    aligned,        ///< own barrier first, outside the time: for buffers that are worked on in between
    barrier,        ///< MPI_Barrier before, and after it inside the time (paper 2.1)
    dissemination,  ///< the same with our own barrier
    barrier_before, ///< MPI_Barrier before it, outside the time
    window,         ///< at an agreed global time
};

/// One rank's times of a series, by single measurement.
struct LocalTimes {
    std::vector<double> duration_s; ///< this rank's own, per call: the node time
    std::vector<double> elapsed_s;  ///< window: from the agreed start to this rank's end; else = duration
    std::vector<double> late;       ///< 1 = this rank missed the start
    double fastest_barrier_s = std::numeric_limits<double>::infinity(); ///< of those that agree on starts
    int agreements = 0;                                                 ///< on starts
    int slow = 0; ///< of these, so slow that a rank must have been without its core
    [[nodiscard]] double slow_agreements() const {
        return agreements > 0 ? static_cast<double>(slow) / agreements : 0;
    }
    int error = MPI_SUCCESS; ///< first MPI error; the loop went on, in step with the others
    void reserve(std::size_t count);
};

/// Before the first single measurement all ranks of the loop learn the wishes of all (agreeing_barrier);
/// these bits have a meaning.
constexpr unsigned char wish_to_end = 1;         ///< the series
constexpr unsigned char wish_to_end_warm_up = 2; ///< nothing but the warm-up

/// Some single measurements in a row, as one rank takes part in them.
struct TimedLoop {
    CallFunction function = nullptr; ///< this rank's side of the operation
    const Operation& operation;
    Call& call;
    Buffers& buffers;
    const GlobalClock& clock;
    Start start = Start::free;
    std::int64_t lead_in = 0;        ///< discarded single measurements made first
    std::int64_t count = 1;          ///< single measurements that are kept
    std::int64_t block = 1;          ///< calls in each
    double window_s = 0;             ///< distance of two starts, with Start::window
    Waiting waiting = Waiting::busy; ///< for the others, in our own barrier and agreements
};

/// The timed loop all patterns share; its single measurements are appended to times.
/// @param wishes of this rank. @return the wishes of all: if there are any, nothing was measured
unsigned char timed_loop(const TimedLoop& loop, unsigned char wishes, LocalTimes& times);

/// About how long a batch takes to agree on its start, by the barrier in it.
[[nodiscard]] double agreement_s(Start start, double barrier_s);

/// Does nothing, for the overhead of the loop.
int empty_call(Call& call);

} // namespace skampi
