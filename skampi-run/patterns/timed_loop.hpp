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

/// What one rank saw of a series, single measurement by single measurement.
struct LocalTimes {
    std::vector<double> duration_s; ///< this rank's own, per call: the node time
    std::vector<double> elapsed_s;  ///< window: from the agreed start to this rank's end; else = duration
    std::vector<double> late;       ///< 1 = this rank missed the start
    double fastest_barrier_s = std::numeric_limits<double>::infinity(); ///< of those that agree on starts
    int error = MPI_SUCCESS; ///< first MPI error; the loop went on, in step with the others
    void reserve(std::size_t count);
};

/// Before the first single measurement all ranks of the loop learn what any of them wishes
/// (agreeing_barrier); these bits have a meaning.
constexpr unsigned char wish_to_end = 1;         ///< the series
constexpr unsigned char wish_to_end_warm_up = 2; ///< nothing but the warm-up

/// The timed loop all patterns share: `count` single measurements of `block` calls each, appended to times.
/// `function` is this rank's side of the operation.
/// @param lead_in single measurements made first that nobody keeps
/// @param wishes of this rank. @return the wishes of all: unless there are none, nothing was measured
unsigned char timed_loop(CallFunction function, const Operation& operation, Call& call, Buffers& buffers,
                         Start start, const GlobalClock& clock, std::int64_t lead_in, std::int64_t count,
                         std::int64_t block, double window_s, unsigned char wishes, LocalTimes& times);

/// About how long a batch takes to agree on its start, by the barrier in it.
[[nodiscard]] double agreement_s(Start start, double barrier_s);

/// Does nothing, for the overhead of the loop.
int empty_call(Call& call);

} // namespace skampi
