// SPDX-License-Identifier: LGPL-2.1-or-later
#include "patterns/timed_loop.hpp"

#include <algorithm>

namespace skampi {
namespace {

int barrier(const TimedLoop& loop) {
    return loop.start == Start::barrier || loop.start == Start::barrier_before
               ? MPI_Barrier(loop.call.comm)
               : dissemination_barrier(loop.call.comm, // no rank sleeps inside the timing
                                       loop.waiting == Waiting::alert ? Waiting::busy : loop.waiting);
}

// Longer than messages take, but across a continent, and shorter than most schedulers' turns.
constexpr double slow_agreement_s = 2e-3;

/// @return until this rank had heard of all others; where ranks sleep in between, how long it takes to meet
double agree(const TimedLoop& loop, unsigned char& wishes, LocalTimes& times, int& code) {
    const double before_s = loop.clock.local();
    code = agreeing_barrier(loop.call.comm, wishes, loop.waiting);
    const double heard_s = loop.clock.local();
    ++times.agreements;
    times.slow += heard_s - before_s > slow_agreement_s ? 1 : 0;
    if (loop.waiting != Waiting::alert || wishes != 0)
        return heard_s - before_s;
    if (const int met = dissemination_barrier(loop.call.comm);
        code == MPI_SUCCESS) // all have their cores now
        code = met;
    return loop.clock.local() - heard_s;
}

// The broadcast takes about as long as the barrier; thrice that leaves room for its spread.
constexpr double lead_in_barriers = 3;
constexpr double least_lead_s = 3e-6;

/// Agrees on the first start of a batch: rank 0's time a little later, when all must have received it. With
/// any wishes there is none.
int agree_on_start(const TimedLoop& loop, unsigned char& wishes, double& start_s, LocalTimes& times) {
    const GlobalClock& clock = loop.clock;
    const MPI_Comm comm = loop.call.comm;
    int code = MPI_SUCCESS;
    const double barrier_s = agree(loop, wishes, times, code);
    if (wishes != 0)
        return code;
    // After an error, too: the others saw none and make the broadcast.
    // A barrier after an interruption does not predict the broadcast; over far links all are long.
    constexpr double long_lead_s = 1e-3;
    times.fastest_barrier_s = std::min(times.fastest_barrier_s, barrier_s);
    start_s = clock.now() +
              std::min(lead_in_barriers * barrier_s, std::max(long_lead_s, 4 * times.fastest_barrier_s)) +
              least_lead_s;
    const int broadcast = ControlTraffic(comm, loop.waiting).broadcast(&start_s, 1, MPI_DOUBLE);
    return code != MPI_SUCCESS ? code : broadcast;
}

} // namespace

double agreement_s(Start start, double barrier_s) {
    return start == Start::window ? (1 + lead_in_barriers) * barrier_s + least_lead_s : barrier_s;
}

int empty_call(Call&) {
    return MPI_SUCCESS;
}

void LocalTimes::reserve(std::size_t count) {
    duration_s.reserve(count);
    elapsed_s.reserve(count);
    late.reserve(count);
}

unsigned char timed_loop(const TimedLoop& loop, unsigned char wishes, LocalTimes& times) {
    // Copies: nothing but the calls is read from memory between two readings of the clock.
    const CallFunction function = loop.function;
    const CallFunction after = function == empty_call ? nullptr : loop.operation.after;
    const Start start = loop.start;
    const std::int64_t block = loop.block;
    Call& call = loop.call;
    Buffers& buffers = loop.buffers;
    const GlobalClock& clock = loop.clock;
    double start_s = 0;
    int code = MPI_SUCCESS;
    if (start == Start::window)
        code = agree_on_start(loop, wishes, start_s, times);
    else if (call.size > 1) { // with a free start the first value would hold the others' delay, too
        const double barrier_s = agree(loop, wishes, times, code);
        times.fastest_barrier_s = std::min(times.fastest_barrier_s, barrier_s);
    }
    if (wishes != 0) {
        if (times.error == MPI_SUCCESS)
            times.error = code;
        return wishes;
    }
    const bool acts = buffers.acts_between_calls() && function != empty_call;
    const auto inverse_block = 1.0 / static_cast<double>(block);
    const auto note = [&code](int result) {
        if (result != MPI_SUCCESS && code == MPI_SUCCESS)
            code = result;
    };
    // After an error this rank keeps calling: the others saw none and wait for it in the same calls.
    for (std::int64_t i = -loop.lead_in; i < loop.count; ++i) {
        if (acts) {
            buffers.between_calls();
            call.send = buffers.send();
            call.receive = buffers.receive();
            if (start == Start::window)                             // it took longer than any window
                note(agree_on_start(loop, wishes, start_s, times)); // none has any
        }
        bool late = false;
        double begin_s = 0;
        if (start == Start::window) {
            begin_s = clock.wait_until(start_s, late);
        } else {
            if (start != Start::free)
                note(barrier(loop));
            begin_s = clock.local();
        }
        for (std::int64_t k = 0; k < block; ++k)
            note(function(call));
        if (start == Start::barrier || start == Start::dissemination)
            note(barrier(loop));
        const double end_s = clock.local();
        if (i >= 0) {
            times.duration_s.push_back((end_s - begin_s) * inverse_block);
            times.elapsed_s.push_back(start == Start::window ? clock.model().to_global(end_s) - start_s
                                                             : times.duration_s.back());
            times.late.push_back(late ? 1 : 0);
        }
        if (after != nullptr)
            note(after(call));
        start_s += loop.window_s;
    }
    if (times.error == MPI_SUCCESS)
        times.error = code;
    return 0;
}

} // namespace skampi
