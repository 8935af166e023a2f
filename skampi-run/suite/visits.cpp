// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/visits.hpp"

#include "model/machine_state.hpp"
#include "model/pattern.hpp"
#include "plan/argument_meaning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace skampi {
namespace {

constexpr int passes_for_replacing = 2;  // times those planned; then disturbed values are accepted
constexpr std::int64_t alone_count = 50; // of a nonblocking operation alone, in each pass
constexpr int alone_attempts = 3;        // in a pass, while something disturbs them

/// As 32-bit floats: a continued run decides by the same values as an uninterrupted one.
void keep_as_stored(std::vector<double>& durations_s) {
    for (double& duration_s : durations_s)
        duration_s = static_cast<float>(duration_s);
}

/// The median of the calls measured last at a point, if their ranks were started in this way.
double usual_call_s(const Point& point, Synchronization synchronization) {
    if (point.batches.empty() || point.batches.back().synchronization != synchronization ||
        point.batches.back().duration_s.empty())
        return std::numeric_limits<double>::infinity();
    return skalib::median(point.batches.back().duration_s);
}

std::int64_t overhead_enough(const Tempo& tempo) {
    return std::max<std::int64_t>(1, tempo.overhead_batches * tempo.overhead_per_batch / 4);
}

} // namespace

Visits::Visits(const SuiteOfRun& measured, Laboratory& laboratory, const Tempo& tempo, RunState& run,
               const Points& points, const TimeBudget& budget)
    : suite_(measured.suite)
    , measured_(measured)
    , laboratory_(laboratory)
    , tempo_(tempo)
    , run_(run)
    , known_(run.modes_of(suite_))
    , probes_(run.probes_of(suite_, measured.ranks_there))
    , points_(points)
    , budget_(budget)
    , plan_(suite_, tempo_)
    , windows_(suite_.synchronization)
    , overheads_(overhead_enough(tempo_), tempo_.clock_resolution_s, run.overheads) {
    // While one rank waits for its start, another one on its core cannot get ready: windows would be missed.
    if ((laboratory.cores_are_shared() || measured.without_windows) &&
        plan_.in_windows(suite_.synchronization))
        windows_.resume(Synchronization::dissemination);
}

Visits::Outcome Visits::measure(Point& point, const Request& request) {
    Measurement& m = point.measurement;
    const double arrived_s = laboratory_.now();
    const bool is_first = !std::exchange(begun_, true);
    Visit visit{
        .point = point,
        // A point that was finished before is measured along with others of its group.
        .control = {suite_, tempo_, budget_, request.pass, has(m.flags, Flag::disturbed) || point.finished},
        .pass = request.pass,
        .finishes = request.finishes,
        .budget_end_s = arrived_s + request.budget_s,
        .used_before_s = m.time_used_s,
        .fresh = {},
        .least_s = {},
        .state = {}};
    Outcome outcome;
    if (budget_.left_s(arrived_s) > 0) {
        windows_.next_visit();
        if (!prepare(point))
            return outcome;
        if (request.finishes)
            visit.control.be_brief();
        visit.begin_s = laboratory_.now();
        deadline_s_ = budget_.deadline_s(visit.begin_s, visit.used_before_s);
        warm_up(visit);
        if (laboratory_.computes() && !must_end())
            measure_alone(visit);
        repeat(visit);
        // With computation that was not found yet, it would be the time without.
        if (must_end() && !(laboratory_.computes() && point.measurement.computation_s == 0))
            leave_one(visit);
        // What is done once a suite will not be repeated.
        outcome.least_s = visit.least_s.value_or(laboratory_.now() - visit.begin_s) +
                          (is_first ? 0 : visit.begin_s - arrived_s);
        outcome.stopped = laboratory_.stop_wanted();
        if (outcome.stopped && visit.fresh.empty())
            return outcome;
    }
    conclude(visit);
    outcome.concluded = true;
    outcome.fresh = std::move(visit.fresh);
    return outcome;
}

bool Visits::prepare(Point& point) {
    Measurement& m = point.measurement;
    prepared_.reset();
    if (const std::string problem = laboratory_.prepare(measured_.index, m.argument); !problem.empty()) {
        point.impossible = true;
        listener_.on_impossible(m.argument, problem);
        return false;
    }
    prepared_ = m.argument;
    if (listener_.on_ready)
        listener_.on_ready();
    listener_.on_ready = {}; // once
    m.messages = laboratory_.messages();
    if (m.messages > 0) // operations that move messages always have bytes
        m.message_bytes = meaning_of(suite_, m.argument, measured_.ranks_there).message_bytes;
    if (!laboratory_.delivered_right())
        set(m.flags, Flag::wrong_result);
    return true;
}

SeriesResult Visits::carry_out(SeriesOrder& order, int pass) {
    SeriesResult result = laboratory_.series(order);
    run_.inside_s += result.inside_s;
    plan_.finished(result);
    for (Batch& batch : result.batches) {
        batch.pass = pass;
        batch.synchronization = order.synchronization;
        batch.start_s += run_.time_line_begin_s;
        keep_as_stored(batch.duration_s);
        for (NodeDurations& node : batch.node_durations)
            keep_as_stored(node.duration_s);
        known_.learn(batch);
    }
    return result;
}

std::vector<Batch> Visits::carry_out(Visit& visit, SeriesOrder& order) {
    Point& point = visit.point;
    order.computation_s = order.alone ? 0 : point.measurement.computation_s;
    order.deadline_s = deadline_s_;
    SeriesResult result = carry_out(order, visit.pass);
    if (!order.alone) // their probes are not stored, so that they do not count among the run's
        add_probes(probes_, result.batches, point.batches.empty() ? nullptr : &point.batches.back());
    if (result.way_there > 0)
        point.measurement.way_there = result.way_there;
    point.unchecked = point.unchecked || !result.batches.empty();
    for (Batch& batch : result.batches) {
        batch.dropped = batch.probe_before_s > 0 && !split().mode(batch.probe_before_s, batch.probe_after_s);
        run_.ledger.add(batch);
        run_.ledger.shared += known_.shared(batch) ? 1 : 0;
    }
    point.calls.learn(order, result, tempo_.clock_resolution_s);
    windows_.finished(order, result, point.calls);
    return std::move(result.batches);
}

/// The first calls show how long they take. At the first visit the others follow at once, because the first
/// calls differ from calls in a row; else they are made before the first batch.
void Visits::warm_up(Visit& visit) {
    CallTimes& calls = visit.point.calls;
    const auto warm = [&](std::int64_t count, std::int64_t least, double longest_s) {
        SeriesOrder order;
        order.warm_up = count;
        order.least_warm_up = least;
        order.longest_warm_up_s = longest_s;
        carry_out(visit, order);
    };
    // A continued run has the duration of calls on rank 0, but not the length of windows.
    const bool first_time =
        calls.estimate_s == 0 || (row_of(suite_.operation.pattern).starts_together && calls.window_s == 0);
    // Checking the data has made a call here, and one more would take the time of a value.
    if (first_time && visit.finishes && last_calls_.wall_s > tempo_.longest_warm_up_s) {
        calls.estimate_s = last_calls_.estimate_s;
        calls.wall_s = last_calls_.wall_s;
        WindowControl::start(calls);
        return;
    }
    if (first_time)
        warm(tempo_.min_warm_up, 1, SeriesPlan::longest_first_warm_up_s(visit.budget_end_s - visit.begin_s));
    if (calls.estimate_s == 0)
        return; // no time for a single call
    WindowControl::start(calls);
    visit.warm_up = plan_.warm_up(calls) - (first_time ? tempo_.min_warm_up : 0);
    if (first_time && calls.wall_s > tempo_.longest_warm_up_s)
        visit.warm_up = 0; // the calls that were made took longer than all others would
    if (first_time && visit.warm_up > 0 && !must_end() && laboratory_.now() < visit.budget_end_s) {
        warm(visit.warm_up, 0, tempo_.longest_warm_up_s);
        visit.warm_up = 0;
    }
}

void Visits::add_warm_up(SeriesOrder& order, const Visit& visit, std::int64_t calls) const {
    order.warm_up = calls;
    order.least_warm_up = plan_.least_warm_up(visit.point.calls, visit.budget_end_s - visit.begin_s);
    order.longest_warm_up_s = tempo_.longest_warm_up_s;
}

/// Overlap: the operation without its computation, in every pass, so that it meets the same machine state as
/// with computation.
void Visits::measure_alone(Visit& visit) {
    Point& point = visit.point;
    Measurement& m = point.measurement;
    const double estimate_s = point.calls.estimate_s;
    const double window_s = point.calls.window_s;
    const bool goes_on = m.computation_s > 0 && point.alone.empty();
    for (int attempt = 0; attempt < alone_attempts && !must_end(); ++attempt) {
        SeriesOrder order = plan_.values(point.calls, alone_count, 1, synchronization());
        add_warm_up(order, visit, std::max(visit.warm_up, tempo_.min_warm_up));
        order.alone = true;
        order.budget_end_s = visit.budget_end_s;
        order.least_batches = 1;
        const std::vector<Batch> alone = carry_out(visit, order);
        point.alone.insert(point.alone.end(), alone.begin(), alone.end());
        if (const ChosenValues chosen = alone_chosen(point); !chosen.values_s.empty() && !chosen.disturbed)
            break;
    }
    if (goes_on)
        point.alone.clear(); // a continued run has lost the former single values: their result remains
    else
        m.alone_s = alone_s_of(point);
    if (m.computation_s == 0) { // one for all passes
        m.computation_s = m.alone_s > 0 ? m.alone_s : std::max(estimate_s, tempo_.clock_resolution_s);
        point.calls.estimate_s += m.computation_s;
        point.calls.window_s += 2 * m.computation_s;
        point.calls.wall_s += m.computation_s;
    } else {
        point.calls.estimate_s = estimate_s; // those of a call that computes
        point.calls.window_s = window_s;
    }
}

std::int64_t Visits::block_of(const Point& point) const {
    return plan_.block_of(point, laboratory_.acts_between_calls());
}

std::int64_t Visits::next_count(const Visit& visit, std::int64_t block) const {
    const CallTimes& calls = visit.point.calls;
    const std::int64_t count = visit.control.next(
        visit.state.repetition, {.block = block,
                                 .call_s = plan_.call_s(calls, synchronization()),
                                 .single_s = plan_.single_s(calls, synchronization(), block),
                                 .probe_cost_s = plan_.probe_cost_s(),
                                 .allowed_s = std::min(visit.budget_end_s, deadline_s_) - laboratory_.now()});
    return count > 0 && must_end() ? 0 : count;
}

/// @return how many batches were made
std::size_t Visits::add_series(Visit& visit, SeriesOrder& order) {
    const std::vector<Batch> batches = carry_out(visit, order);
    for (const Batch& batch : batches) {
        visit.fresh.push_back(batch);
        visit.point.batches.push_back(batch);
        visit.point.batch_time_s.push_back(time_in(batch));
        const std::int64_t made = std::ssize(batch.duration_s);
        visit.control.add(made, batch.dropped || disturbed(batch, known_) ? made : 0);
    }
    return batches.size();
}

/// A limit of time ends new single measurements, and leaves one: a point that has none gets it now, after one
/// call at least. If its window was missed, between barriers.
void Visits::leave_one(Visit& visit) {
    Point& point = visit.point;
    deadline_s_ = std::numeric_limits<double>::infinity();
    for (const bool again : {false, true}) {
        if (visit.state.repetition.have > 0 || laboratory_.stop_wanted())
            break;
        if (point.calls.estimate_s == 0) {
            SeriesOrder first_call;
            first_call.warm_up = first_call.least_warm_up = 1;
            first_call.longest_warm_up_s = 0;
            carry_out(visit, first_call);
            WindowControl::start(point.calls);
        }
        if (again && plan_.in_windows(synchronization()))
            windows_.give_up_here();
        SeriesOrder order = plan_.values(point.calls, 1, block_of(point), synchronization());
        order.probe_every = 0;
        order.budget_end_s = visit.begin_s;
        order.least_batches = 1;
        add_series(visit, order);
        point.measurement.time_used_s = visit.used_before_s + laboratory_.now() - visit.begin_s;
        visit.state = state_of(point);
    }
    deadline_s_ = visit.begin_s;
}

void Visits::repeat(Visit& visit) {
    Point& point = visit.point;
    Measurement& m = point.measurement;
    if (point.repetition)
        visit.state.repetition = *point.repetition;
    else
        visit.state = state_of(point);
    for (;;) {
        const std::int64_t block = block_of(point);
        const std::int64_t count = next_count(visit, block);
        if (count == 0)
            break;
        SeriesOrder order = plan_.values(point.calls, count, block, synchronization());
        add_warm_up(order, visit, std::max<std::int64_t>(visit.warm_up, 0));
        if (visit.finishes && !plan_.has_time_for_probes(visit.budget_end_s - visit.begin_s))
            order.probe_every = 0;
        order.budget_end_s = visit.budget_end_s;
        order.least_batches = visit.control.made() > 0 ? 0 : 1;
        visit.warm_up = 0;
        const double before_s = laboratory_.now();
        const std::size_t batches = add_series(visit, order);
        const double series_s = laboratory_.now() - before_s;
        m.time_used_s = visit.used_before_s + laboratory_.now() - visit.begin_s;
        const bool missed_all = plan_.in_windows(order.synchronization) && visit.control.made() == 0;
        if (missed_all &&
            laboratory_.now() >= visit.budget_end_s) // no time to learn how long windows must be
            windows_.give_up_here();
        if (synchronization() != order.synchronization) // given up: this visit begins anew between barriers
            visit.control.start_anew();
        // Known early, so that few values are without one when time is over.
        if (visit.control.made() > 0)
            (void)overhead_for(point, majority_mode(), synchronization(), true);
        if (visit.control.made() > 0 && !visit.least_s) // a series of one batch would have done
            visit.least_s =
                laboratory_.now() - visit.begin_s - series_s * (1 - 1 / static_cast<double>(batches));
        visit.state = state_of(point);
    }
    m.time_used_s = visit.used_before_s + laboratory_.now() - visit.begin_s;
    last_calls_ = point.calls;
}

skalib::RepetitionControl Visits::repetition_of(const ChosenValues& chosen) const {
    skalib::RepetitionControl control(suite_.repetition, tempo_.clock_resolution_s, suite_.value);
    for (std::size_t i = 0; i < chosen.values_s.size(); ++i)
        control.add(chosen.values_s[i], chosen.blocks[i], chosen.origins[i]);
    return control;
}

Visits::State Visits::state_of(const Point& point) const {
    State state;
    state.chosen = choose_values(suite_.repetition, point.batches, split(), known_,
                                 {majority_mode(), synchronization()});
    skalib::RepetitionControl control = repetition_of(state.chosen);
    control.set_time_used(point.measurement.time_used_s);
    state.summary = control.summary();
    RepetitionState& repetition = state.repetition;
    repetition = {control.reason(), std::ssize(state.chosen.values_s), control.expected(), control.wanted(),
                  control.wanted()};
    if (state.chosen.disturbed || state.chosen.doubtful) // as long as there may be others
        repetition.wanted =
            std::max(repetition.wanted, state.chosen.undisturbed_missing(suite_.repetition.min_count));
    return state;
}

OverheadKey Visits::key_of(const Point& point, Synchronization synchronization) const {
    return overhead_key(suite_, point.measurement.ranks, synchronization, block_of(point));
}

Overhead Visits::overhead_for(Point& point, int mode, Synchronization synchronization, bool may_repeat) {
    if (suite_.absolute)
        return {};
    OverheadControl::Question question{.key = key_of(point, synchronization),
                                       .may_repeat = may_repeat,
                                       .usual_call_s = usual_call_s(point, synchronization)};
    Overhead overhead = overheads_.overhead(question.key, modes_seen(mode));
    while (overheads_.wants_series(question, overhead) && !must_end()) {
        overheads_.begin_attempt(question, overhead);
        const double begin_s = laboratory_.now();
        const double longest_s = OverheadControl::time_for_question_s(deadline_s_ - begin_s);
        measure_overhead(point, question.key, synchronization);
        overhead = overheads_.overhead(question.key, modes_seen(mode));
        if (laboratory_.now() - begin_s > longest_s)
            break;
    }
    return overhead;
}

void Visits::measure_overhead(Point& point, const OverheadKey& key, Synchronization synchronization) {
    if (prepared_ != point.measurement.argument && !prepare(point))
        return;
    const double budget_s = overheads_.start(key, deadline_s_ - laboratory_.now());
    SeriesOrder order = plan_.empty_calls(point.calls, key.block, synchronization, budget_s);
    order.deadline_s = deadline_s_;
    order.budget_end_s = laboratory_.now() + budget_s;
    // Their probes are not stored, so that they do not count among the run's.
    const SeriesResult result = carry_out(order, 0);
    if (synchronization == windows_.synchronization())
        windows_.finished(order, result, point.calls);
    overheads_.add(key, {result.batches, result.agreement_s});
}

/// The overhead of an earlier start of the run remains where no other is known.
Overhead Visits::last_overhead_for(Point& point, const ChosenValues& chosen) {
    const Measurement& m = point.measurement;
    const bool started_alike =
        has(m.flags, Flag::unsynchronised) == (chosen.synchronization != suite_.synchronization);
    const Overhead overhead = overhead_for(point, static_cast<int>(chosen.chosen), chosen.synchronization);
    if (!overheads_.is_measured(key_of(point, chosen.synchronization)) && overhead.doubtful && started_alike)
        return {m.overhead_s, m.overhead_error_s, 0, has(m.flags, Flag::unreliable)};
    return overhead;
}

ChosenValues Visits::alone_chosen(const Point& point) const {
    return choose_values(suite_.repetition, point.alone, split(), known_,
                         {majority_mode(), synchronization()});
}

bool Visits::alone_is_disturbed(const Point& point) const {
    return !point.alone.empty() && alone_chosen(point).disturbed;
}

double Visits::alone_s_of(Point& point) {
    const ChosenValues chosen = alone_chosen(point);
    if (chosen.values_s.empty())
        return 0; // not measured: a call of the warm-up is no value
    const double alone_s =
        skalib::summarise(chosen.values_s, suite_.repetition.cut_quantile).value(suite_.value);
    const double overhead_s =
        overhead_for(point, static_cast<int>(chosen.chosen), chosen.synchronization).value_s;
    return std::max(alone_s - overhead_s, tempo_.clock_resolution_s);
}

/// Forms the value from the present batches, sets its flags, and decides whether the point is done.
void Visits::conclude(Visit& visit) {
    Point& point = visit.point;
    Measurement& m = point.measurement;
    if (visit.control.made() == 0)
        visit.state = state_of(point);
    const ChosenValues& chosen = visit.state.chosen;
    RepetitionState& repetition = visit.state.repetition;
    point.visits = std::max(point.visits, visit.pass + 1);
    const ChosenValues::Mode& seen = chosen.mode();
    const bool given_up = point.visits >= passes_for_replacing * suite_.passes && repetition.wanted > 0 &&
                          (2 * seen.undisturbed < seen.count || seen.count == 0);
    if (given_up)
        repetition.wanted = seen.count > 0 ? repetition.wanted_for_error : 0;
    point.repetition = repetition;
    form_value(m, chosen, visit.state.summary,
               chosen.values_s.empty() ? Overhead{} : last_overhead_for(point, chosen));
    const bool more = repetition.wanted > 0;
    const bool time_over =
        budget_.left_s(laboratory_.now()) <= 0 || repetition.reason == skalib::StopReason::time_limit;
    point.finished = (visit.pass + 1 >= suite_.passes && !more) || time_over || visit.finishes;
    if (chosen.values_s.empty() && synchronization() != suite_.synchronization)
        set(m.flags, Flag::unsynchronised);
    if ((given_up && seen.count > 0) || alone_is_disturbed(point))
        set(m.flags, Flag::disturbed);
    if (repetition.reason == skalib::StopReason::max_count || (given_up && seen.count == 0))
        set(m.flags, Flag::not_repeatable);
    else if (repetition.reason == skalib::StopReason::time_limit || (point.finished && more))
        set(m.flags, Flag::timed_out); // it stopped for one of these limits
    if (point.finished && left_wrong(visit))
        set(m.flags, Flag::wrong_result);
    if (has(m.flags, Flag::wrong_result))
        m.value_s = m.standard_error_s = m.adjusted_s = std::numeric_limits<double>::quiet_NaN();
}

/// Whether the calls since the last check left wrong data. Where time was over before this visit the buffers
/// are those of another argument: it is prepared and called once more, unless that takes long.
bool Visits::left_wrong(const Visit& visit) {
    Point& point = visit.point;
    if (!std::exchange(point.unchecked, false))
        return false;
    constexpr double all_checks_share = 0.05; // of the suite's time
    const double all_checks_s = point.calls.wall_s * static_cast<double>(points_.size());
    const bool takes_long =
        suite_.max_suite_time_s && all_checks_s > all_checks_share * *suite_.max_suite_time_s;
    if (visit.control.made() == 0 && (takes_long || !prepare(point)))
        return false;
    return !laboratory_.still_right();
}

void Visits::form_value(Measurement& m, const ChosenValues& chosen, const skalib::Summary& summary,
                        const Overhead& overhead) const {
    evaluate(suite_, chosen, summary, overhead,
             {known_, run_.reference_core_speed, tempo_.clock_resolution_s}, m);
    // With many ranks the single measurements are not stored: a continued run has those of its own visits
    // only, and keeps the earlier result until there are new ones.
    if (std::vector<NodeTime> times = node_times_of(suite_, chosen, m.overhead_s); !times.empty())
        m.node_times = std::move(times);
}

void Visits::form_anew(Point& point) {
    Measurement& m = point.measurement;
    const Flags stop = m.flags & (Flag::not_repeatable | Flag::timed_out);
    if (!point.alone.empty())
        m.alone_s = alone_s_of(point);
    const ChosenValues chosen = choose_values(suite_.repetition, point.batches, split(), known_, majority_);
    form_value(m, chosen, skalib::summarise(chosen.values_s, suite_.repetition.cut_quantile, chosen.origins),
               last_overhead_for(point, chosen));
    m.flags |= stop;
    if (alone_is_disturbed(point))
        set(m.flags, Flag::disturbed);
    // Enough values may have become too few because some are left out.
    if (stop == 0 && !point.early_passes_only && repetition_of(chosen).wanted() > 0)
        set(m.flags, Flag::not_repeatable);
}

void Visits::finished() {
    overheads_.finished(modes_seen(majority_mode()));
}

bool Visits::may_have_news() const {
    return split().count() > 1 || synchronization() != suite_.synchronization || windows_.gave_up() ||
           overheads_.was_repeated();
}

void Visits::begin_summary() {
    const double now_s = laboratory_.now();
    deadline_s_ = now_s + budget_.left_s(now_s);
    majority_ = {majority_mode(), majority_synchronization(points_, synchronization())};
}

} // namespace skampi
