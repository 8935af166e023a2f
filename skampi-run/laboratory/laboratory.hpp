// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/clock_estimate.hpp"
#include "model/measurement.hpp"
#include "model/run.hpp"
#include "model/suite.hpp"
#include "skalib/clock.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace skampi {

/// Some batches in a row, carried out by all ranks without any decision in between but that of ending early.
struct SeriesOrder {
    std::int64_t warm_up = 0;       ///< calls before the first batch, never stored
    std::int64_t least_warm_up = 0; ///< of them, even if they take long
    /// The others are made while the warm-up has not taken so long.
    double longest_warm_up_s = std::numeric_limits<double>::infinity();
    std::int64_t block = 1;     ///< calls per single measurement
    std::int64_t per_batch = 1; ///< single measurements per batch
    std::int64_t batches = 0;
    /// Single measurements at the head of each batch that are discarded. The ranks agree on a batch's start
    /// by messages, and after them some libraries use their queues differently for as many calls as these
    /// have places: a broadcast of 1 KiB took a quarter longer for 21 calls (MPICH 4.0, 64 places,
    /// three messages a call).
    std::int64_t lead_in = 0;
    std::int64_t probe_every = 0; ///< batches between two probes; 0 = no probes
    /// Batches between two measurements of core speed, where there are probes. A neighbour on a core
    /// comes and goes within a millisecond: a probe sees too little of it.
    std::int64_t look_every = 1;
    Synchronization synchronization = Synchronization::window; ///< collective pattern only
    double window_s = 0;      ///< distance of two starts, with Synchronization::window
    bool empty = false;       ///< the same loop with an empty operation: the overhead
    bool alone = false;       ///< overlap: the operation without its computation
    double computation_s = 0; ///< overlap: computation in each call
    /// On the run's time line. From then on no batch and no part of the warm-up begins.
    double deadline_s = std::numeric_limits<double>::infinity();
    /// The same once least_batches are made.
    double budget_end_s = std::numeric_limits<double>::infinity();
    std::int64_t least_batches = 0;
};

/// Whether a series is to end before its next batch. @param batches made
[[nodiscard]] inline bool time_is_over(const SeriesOrder& order, std::int64_t batches, double now_s) {
    return now_s >= order.deadline_s || (batches >= order.least_batches && now_s >= order.budget_end_s);
}

/// Whether the warm-up is to end before its next calls. @param calls made   @param elapsed_s since it began
[[nodiscard]] inline bool warm_up_is_over(const SeriesOrder& order, std::int64_t calls, double elapsed_s) {
    return calls >= order.least_warm_up && elapsed_s >= order.longest_warm_up_s;
}

/// Most calls of a warm-up between two looks at the clock, after so many: few at first, as nothing is known
/// of them yet, and never more than there were before.
[[nodiscard]] inline std::int64_t next_warm_up_calls(const SeriesOrder& order, std::int64_t calls) {
    return std::min(std::max<std::int64_t>(calls, 1), order.warm_up - calls);
}

/// Whether a series misses so many windows that it should end: all of the first ones, or later more than
/// half.
[[nodiscard]] constexpr bool windows_are_hopeless(std::int64_t windows, std::int64_t late) {
    return (windows >= 4 && late == windows) || (windows >= 16 && 2 * late > windows);
}

/// The result of a series: fewer batches and calls than ordered, perhaps none, if its time was over, a stop
/// was wanted, or most of its windows were missed.
struct SeriesResult {
    double warm_up_call_s = 0; ///< fastest call of the warm-up; 0 = no warm-up
    /// Until the last rank had ended a call of the warm-up that all began together, the fastest such call;
    /// 0 = not measured: with batches behind it, or alone. The rank that keeps time may have ended long
    /// before.
    double warm_up_span_s = 0;
    std::int64_t warm_up_calls = 0; ///< made, those that led in among them
    double probe_cost_s = 0;        ///< wall time of one probe
    double way_there = 0;           ///< Measurement::way_there of the ranks that are probed
    double inside_s = 0;            ///< wall time in batches and warm-up
    double agreement_s = 0;         ///< of it, what a batch takes before its ranks begin; 0 = not known
    std::vector<Batch> batches;
    /// In windows: per batch, until the last rank had ended a usual call. Empty where the reported time is
    /// that.
    std::vector<double> span_s;
};

/// An MPI call failed on some rank during an order. All ranks have learnt it and are ready for the next
/// order; nothing is prepared any more. The text names rank, call, error and action.
class LaboratoryError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What a suite needs from the outside world, as rank 0 sees it. The real one commands all ranks; tests use
/// one with invented times. Functions that may call MPI throw LaboratoryError.
class Laboratory {
public:
    virtual ~Laboratory() = default;

    /// Wall time in seconds on the run's time line.
    [[nodiscard]] virtual double now() = 0;
    /// Passes the known facts of a suite of the plan before it is measured, also from an earlier start: a
    /// partner found there (fact_partner) stays.
    virtual void begin_suite(int /*suite*/, const std::map<std::string, std::string>& /*facts*/) {}
    /// Makes everything ready for one argument of a suite of the plan: ranks, buffers, communicators;
    /// verifies the operation's data once. @return why it is impossible; empty = ready
    [[nodiscard]] virtual std::string prepare(int suite, std::int64_t argument) = 0;
    /// Whether the data received in the last prepare() were right.
    [[nodiscard]] virtual bool delivered_right() const = 0;
    /// The same after the last calls: data may become wrong only after many calls.
    [[nodiscard]] virtual bool still_right() { return delivered_right(); }
    /// Messages per call of the operation prepared last; 0 = not known.
    [[nodiscard]] virtual double messages() const = 0;
    /// Whether what was prepared last shows overlap: it computes for SeriesOrder::computation_s.
    [[nodiscard]] virtual bool computes() const = 0;
    /// Whether something must be done between two calls of the operation prepared last: then a timed block
    /// has one call.
    [[nodiscard]] virtual bool acts_between_calls() const { return false; }
    /// Carries out a series with what was prepared last. The clock and stop_wanted() are asked before every
    /// batch: a series exceeds its time by less than one batch.
    [[nodiscard]] virtual SeriesResult series(const SeriesOrder& order) = 0;
    /// Facts about the suite being measured: partner, barrier exit skew, clock error, ...
    [[nodiscard]] virtual std::map<std::string, std::string> suite_facts() = 0;
    /// Facts about the algorithm of a measured suite of the plan; empty = it had none.
    [[nodiscard]] virtual std::map<std::string, std::string> algorithm_facts(int /*suite*/) { return {}; }
    /// The estimates of the global clock that were made since this was last asked.
    virtual std::vector<ClockEstimate> take_clock_estimates() { return {}; }
    /// Ends a suite: what was prepared is torn down. @return where every rank runs now, its clock by the last
    /// estimate, and the kinds of pages its buffers got so far
    virtual std::vector<RankFacts> end_suite() = 0;
    /// How many orders were broadcast to all ranks so far: the control traffic. A laboratory of one rank has
    /// none.
    [[nodiscard]] virtual std::int64_t orders_sent() const { return 0; }
    /// Whether ranks must share cores: then they wait for the scheduler more than for messages.
    [[nodiscard]] virtual bool cores_are_shared() const { return false; }
    /// A signal asks to end after the current batch.
    [[nodiscard]] virtual bool stop_wanted() = 0;
};

/// Durations in a laboratory; a simulated one has no states and no noise to wait for.
struct Tempo {
    double clock_resolution_s = 10e-9;
    double clock_cost_s =
        0; ///< of one reading: it is in the time of a single call, but not in a block's calls
    /// Shortest timed block (skalib::shortest_block_s of the clock); 0 = blocks of one.
    double block_s = usual_block_s;
    double batch_s = 250e-6; ///< far below a scheduler slice, so that most batches see no interruption
    /// The largest share of a batch until its ranks have agreed on its start: many ranks need a longer batch.
    double agreement_share = 0.2;
    std::int64_t most_lead_in = 32;  ///< of a collective; a library's queues have 64 places, often
    double visit_s = 5e-3;           ///< shortest visit to an argument in one pass
    double warm_up_s = 100e-6;       ///< after every change of argument, up to max_warm_up calls
    double longest_warm_up_s = 1e-3; ///< if calls are slower than the fastest one indicated
    std::int64_t max_warm_up = 256;
    std::int64_t min_warm_up = 3;
    double probe_share = 0.02; ///< of the time, at most
    double look_s = 200e-6;    ///< between two looks at the cores, at least; one takes about 10 us
    std::int64_t overhead_batches = 8;
    std::int64_t overhead_per_batch = 32; ///< empty single measurements in each

    /// Simulated ranks need no warm-up, and their calls do not scatter.
    [[nodiscard]] bool is_simulated() const { return warm_up_s <= 0; }

    /// For a launch of a series that goes on until values are known: more launches are better than longer
    /// ones. A visit is as short as a batch, with a probe at each end.
    [[nodiscard]] Tempo of_many_launches() const {
        Tempo tempo = *this;
        tempo.visit_s = std::min(visit_s, batch_s);
        tempo.probe_share = std::min(1.0, 5 * probe_share);
        return tempo;
    }

    /// The same with a clock as it was measured. @param resolution @RESOLUTION
    [[nodiscard]] Tempo with(const skalib::ClockFacts& clock, double resolution) const {
        Tempo tempo = *this;
        tempo.clock_resolution_s = clock.resolution_s;
        tempo.clock_cost_s = clock.cost_s;
        if (tempo.block_s > 0)
            tempo.block_s = skalib::shortest_block_s(clock, resolution);
        return tempo;
    }
};

} // namespace skampi
