// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/rank_series.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skampi {
namespace {

constexpr double longest_probe_s = 5e-3; // then it has fewer blocks

} // namespace

Start start_of(const SeriesOrder& order, const Prepared& prepared) {
    if (prepared.starts_together() && prepared.team->size() > 0) {
        switch (order.synchronization) {
        case Synchronization::window:
            return Start::window;
        case Synchronization::barrier:
            return Start::barrier;
        case Synchronization::dissemination:
            return Start::dissemination;
        case Synchronization::barrier_before:
            return Start::barrier_before;
        }
    }
    return prepared.buffers.acts_between_calls() && prepared.team->size() > 1 ? Start::aligned : Start::free;
}

RankSeries::RankSeries(const SeriesOrder& order, Prepared& prepared, const SeriesEnvironment& environment,
                       KnownOfTeam& known)
    : order_(order)
    , prepared_(prepared)
    , environment_(environment)
    , known_(known)
    , clock_(environment.clock)
    , prober_(*prepared.team, environment.clock, environment.failed)
    , start_(start_of(order, prepared))
    , watch_(order, {.clock = [this] { return clock_.local(); },
                     .probe = [this] { return probe(); },
                     .look = [this] { return skalib::core_speed([this] { return clock_.local(); }); }}) {}

bool RankSeries::time_over() const {
    return prepared_.keeps_time() &&
           (environment_.stop() ||
            time_is_over(order_, std::ssize(result_.batches), clock_.local() - environment_.epoch_s));
}

bool RankSeries::windows_hopeless() const {
    return start_ == Start::window && windows_are_hopeless(std::ssize(times_.late), late_);
}

CallFunction RankSeries::side_of_call() const {
    const Operation& operation = *prepared_.operation;
    if (order_.empty)
        return empty_call;
    if (order_.alone)
        return operation.alone;
    return prepared_.team->rank() == 0 || operation.client == nullptr ? operation.call : operation.client;
}

TimedLoop RankSeries::loop(Start start) const {
    return {.function = side_of_call(),
            .operation = *prepared_.operation,
            .call = prepared_.call,
            .buffers = prepared_.buffers,
            .clock = clock_,
            .start = start,
            .waiting = environment_.waiting};
}

void RankSeries::carry_out() {
    prepared_.call.computation_s = order_.computation_s;
    if (order_.computation_s > 0) // each rank's core has a clock of its own
        prepared_.call.core_clock_hz = skalib::core_clock_hz([this] { return clock_.local(); });
    times_.reserve(static_cast<std::size_t>(order_.per_batch * order_.batches));
    begin_s_ = clock_.local();
    warm_up();
    find_way_there();
    watch_.begin(over_);
    batches();
    end();
}

/// A window would only make the warm-up longer; free calls warm caches, connections and registrations.
void RankSeries::warm_up() {
    LocalTimes warm;
    warm.fastest_barrier_s = known_.fastest_barrier_s;
    TimedLoop calls = loop(start_ == Start::aligned ? Start::aligned : Start::free);
    for (std::int64_t& made = result_.warm_up_calls; made < order_.warm_up && !over_;) {
        calls.count = next_warm_up_calls(order_, made);
        unsigned char wishes = time_over() ? wish_to_end : 0;
        if (prepared_.keeps_time() && warm_up_is_over(order_, made, clock_.local() - begin_s_))
            wishes |= wish_to_end_warm_up;
        const std::size_t first = warm.duration_s.size();
        wishes = timed_loop(calls, wishes, warm);
        if (first < warm.duration_s.size())
            fastest_first_s_ = std::min(fastest_first_s_, warm.duration_s[first]);
        over_ = (wishes & wish_to_end) != 0;
        if (wishes != 0)
            break;
        made += calls.count;
    }
    times_.error = warm.error;
    times_.agreements = warm.agreements;
    times_.slow = warm.slow;
    times_.fastest_barrier_s = warm.fastest_barrier_s;
    if (warm.error == MPI_SUCCESS && !warm.duration_s.empty())
        // the fastest: an interruption must not decide how the rest is planned
        result_.warm_up_call_s = std::ranges::min(warm.duration_s);
}

/// Where ranks share cores a probe of full length may take longer than all else.
double RankSeries::probe() const {
    const double begin_s = clock_.local();
    return prober_.probe([&] { return time_over() || clock_.local() - begin_s > longest_probe_s; });
}

/// Once for a team, before its first probe.
void RankSeries::find_way_there() {
    const bool probes_follow = order_.probe_every > 0 && order_.batches > 0 && !over_;
    if (probes_follow && prepared_.starts_together() && !known_.way_there) {
        const double begin_s = clock_.local();
        known_.way_there =
            prober_.find_way_there([&] { return time_over() || clock_.local() - begin_s > longest_probe_s; });
        watch_.add_probing(clock_.local() - begin_s);
    }
    result_.way_there = known_.way_there.value_or(0);
}

void RankSeries::batches() {
    meter_ = DisturbanceMeter();
    for (std::int64_t b = 0; b < order_.batches && !over_ && batch(); ++b)
        watch_.add(result_.batches);
    watch_.finish(result_.batches);
}

bool RankSeries::batch() {
    TimedLoop single_measurements = loop(start_);
    single_measurements.lead_in = order_.lead_in;
    single_measurements.count = order_.per_batch;
    single_measurements.block = order_.block;
    single_measurements.window_s = order_.window_s;
    Batch batch;
    batch.block = order_.block;
    batch.synchronization = order_.synchronization;
    batch.start_s = clock_.local() - environment_.epoch_s;
    batch.probe_before_s = watch_.last_probe_s();
    meter_.lap();
    const unsigned char wishes =
        timed_loop(single_measurements, time_over() || windows_hopeless() ? wish_to_end : 0, times_);
    over_ = wishes != 0;
    if (over_)
        return false;
    result_.warm_up_calls += order_.lead_in * order_.block;
    late_ += std::count(times_.late.end() - order_.per_batch, times_.late.end(), 1.0);
    ledger_.push_back(meter_.lap());
    result_.batches.push_back(std::move(batch));
    return true;
}

void RankSeries::end() {
    known_.fastest_barrier_s = times_.fastest_barrier_s;
    result_.agreement_s =
        std::isfinite(known_.fastest_barrier_s) ? agreement_s(start_, known_.fastest_barrier_s) : 0;
    result_.inside_s = clock_.local() - begin_s_ - watch_.away_s();
    result_.probe_cost_s = watch_.probe_cost_s();
}

double RankSeries::warm_up_span_s() const {
    // The warm-up alone is asked how long its calls last; before batches it is short.
    const bool asked = order_.batches == 0 && order_.warm_up > 0 && prepared_.starts_together() &&
                       prepared_.team->size() > 1;
    return asked && std::isfinite(fastest_first_s_) ? fastest_first_s_ : 0;
}

} // namespace skampi
