// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/suite_run.hpp"

#include "model/machine_state.hpp"
#include "plan/argument_meaning.hpp"
#include "suite/first_pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace skampi {
namespace {

/// Some libraries change their method only after some calls: shared memory from the fifth on (MPICH).
constexpr std::int64_t least_warm_up_in_turns = 16;

Tempo tempo_of(const SuiteOfRun& measured, Tempo tempo) {
    if (measured.in_turns && !tempo.is_simulated())
        tempo.min_warm_up = std::max(tempo.min_warm_up, least_warm_up_in_turns);
    return tempo;
}

} // namespace

SuiteRun::SuiteRun(const SuiteOfRun& measured, Laboratory& laboratory, const Tempo& tempo, Database& database,
                   RunState& run)
    : suite_(measured.suite)
    , measured_(measured)
    , laboratory_(laboratory)
    , tempo_(tempo_of(measured, tempo))
    , database_(database)
    , run_(run)
    , known_(run.modes_of(suite_))
    , refinement_(suite_.arguments)
    , order_(measured.arguments.empty() ? refinement_.first_pass() : measured.arguments,
             measured.in_turns && skalib::is_dynamic(suite_.arguments.scale) ? FirstPass::Order::coarse_first
                                                                             : FirstPass::Order::ascending)
    , budget_(suite_, refines(), measured.in_turns)
    , visits_(measured_, laboratory_, tempo_, run_, points_, budget_) {
    refinement_.look_at(measured_.looked_at);
}

void SuiteRun::restore() {
    const bool remembered = !run_.remembered.insert(measured_.id).second;
    for (const StoredMeasurement& stored : database_.measurements(measured_.id))
        restore(stored, remembered);
}

void SuiteRun::restore(const StoredMeasurement& stored, bool remembered) {
    const Measurement& m = stored.measurement;
    Point& restored = points_[m.argument];
    restored.id = stored.id;
    restored.measurement = m;
    restored.finished = stored.finished;
    restored.batches = database_.batches(stored.id);
    if (run_.elsewhere.contains(measured_.id))
        for (Batch& batch : restored.batches)
            batch.core_throughput = 0; // other cores can do more, or less
    budget_.add_used(m.time_used_s);
    for (const Batch& batch : restored.batches) {
        restored.batch_time_s.push_back(time_in(batch));
        restored.visits = std::max(restored.visits, batch.pass + 1);
        if (batch.synchronization != suite_.synchronization)
            visits_.resume(batch.synchronization); // windows were given up
        if (!remembered)
            known_.learn(batch);
    }
    if (!remembered)
        add_probes(run_.probes_of(suite_, measured_.ranks_there), restored.batches, nullptr);
    if (stored.finished && restored.visits == 0)
        restored.visits = suite_.passes;
    restored.reported = stored.finished;
    restored.early_passes_only = measured_.in_turns && stored.finished && restored.visits < suite_.passes;
    if (restored.visits == 0)
        return;
    if (m.summary.count > 0)
        restored.calls.estimate_s = std::max(tempo_.clock_resolution_s, m.summary.minimum + m.overhead_s);
    if (std::isnan(m.value_s))
        refinement_.exclude(m.argument);
    else
        refinement_.add(m.argument, m.value_s, m.standard_error_s);
}

Point& SuiteRun::point(std::int64_t argument) {
    Point& there = points_[argument];
    if (there.id == 0) {
        const ArgumentMeaning meaning = meaning_of(suite_, argument, measured_.ranks_there);
        there.measurement.argument = argument;
        there.measurement.message_bytes = has_message_length(suite_.operation) ? meaning.message_bytes : 0;
        there.measurement.ranks = meaning.ranks;
        there.measurement.chunks = meaning.chunks;
        there.id = database_.begin_measurement(measured_.id, there.measurement);
    }
    return there;
}

void SuiteRun::begin(SuiteListener listener) {
    listener_ = std::move(listener);
    visits_.listen({.on_impossible =
                        [this](std::int64_t argument, const std::string& problem) {
                            outcome_.impossible[argument] = problem;
                            refinement_.exclude(argument);
                            if (points_.size() == 1) // not even the first argument
                                outcome_.error = problem;
                        },
                    .on_ready = listener_.on_ready});
    judgement_ = known_.judgement();
    restore();
    for (const auto& [argument, there] : points_) {
        if (there.visits > 0 || there.impossible)
            order_.leave(argument);
        else if (measured_.crashed)
            order_.put_off(argument);
    }
}

SuiteOutcome SuiteRun::measure(SuiteListener listener) {
    budget_.start(laboratory_.now());
    begin(std::move(listener));
    try {
        measure_all();
    } catch (const LaboratoryError& failed) {
        outcome_.error = failed.what();
        outcome_.mpi_error = true;
    }
    visits_.finished();
    return outcome_;
}

void SuiteRun::measure_all() {
    for (const auto part : {&SuiteRun::first_pass, &SuiteRun::refine, &SuiteRun::later_passes}) {
        (this->*part)();
        if (ended_early())
            return;
    }
    summarise();
}

void SuiteRun::summarise() {
    summarise_all();
    if (suite_.samples == SampleStorage::summary)
        database_.drop_samples(measured_.id);
}

std::optional<FirstPass::Visit> SuiteRun::next_of_first_pass() const {
    const double left_s = budget_.left_s(laboratory_.now());
    return order_.next(left_s - budget_.kept_by_first_pass_s(), left_s);
}

void SuiteRun::first_pass() {
    while (!ended_early()) {
        const auto next = next_of_first_pass();
        if (!next)
            break;
        const double least_s = visit(point(next->argument), next->finishes ? suite_.passes - 1 : 0,
                                     next->budget_s, next->finishes);
        order_.visited(next->argument, least_s);
    }
    if (!ended_early())
        outcome_.left_out = order_.open();
}

bool SuiteRun::may_be_refined() const {
    // Replay reaches the refinement's state only from first-pass values; once a later pass has begun, it is
    // over. A starved suite has no time for more arguments.
    return refines() && order_.open() == 0 &&
           std::ranges::none_of(points_, [](const auto& p) { return p.second.visits > 1; });
}

void SuiteRun::refine() {
    if (!may_be_refined())
        return;
    while (const auto next = refinement_.next()) {
        const double allowed_s = fair_share_s(budget_.kept_by_refinement_s(), 1);
        if (allowed_s <= 0)
            return;
        visit(point(*next), 0, allowed_s);
        if (ended_early())
            return;
    }
}

/// Later passes alternate in direction, so that a drift of the machine does not tilt the curve. Passes beyond
/// those planned serve the arguments that are not settled yet.
void SuiteRun::later_passes() {
    for (int pass = 1;; ++pass) {
        std::vector<std::int64_t> open = open_in_pass(pass);
        if (pass >= suite_.passes && open.empty())
            return;
        if (pass % 2 == 1)
            std::ranges::reverse(open);
        const double kept_s = kept_by_pass_s(pass);
        for (std::size_t i = 0; i < open.size(); ++i) {
            visit(point(open[i]), pass, fair_share_s(kept_s, open.size() - i));
            if (ended_early())
                return;
        }
    }
}

// --- turns

void SuiteRun::take_turn(std::int64_t argument, const std::function<void()>& visit) {
    budget_.start(laboratory_.now());
    try {
        visit();
    } catch (const LaboratoryError& failed) {
        if (suite_.algorithm.empty()) {
            outcome_.error = failed.what();
            outcome_.mpi_error = true;
        } else {
            outcome_.refused[argument] = failed.what();
            point(argument).impossible = true;
            order_.leave(argument);
            refinement_.exclude(argument);
        }
    }
    visits_.leave();
    budget_.pause(laboratory_.now());
}

void SuiteRun::visit_first(std::int64_t argument, const FirstPass::Visit& next) {
    take_turn(argument, [&] {
        const double least_s =
            visit(point(argument), next.finishes ? suite_.passes - 1 : 0, next.budget_s, next.finishes);
        if (!outcome_.stopped)
            order_.visited(argument, least_s);
    });
}

double SuiteRun::left_for_refinement_s() const {
    return fair_share_s(budget_.kept_by_refinement_s(), 1);
}

void SuiteRun::visit_refined(std::int64_t argument) {
    take_turn(argument, [&] { visit(point(argument), 0, left_for_refinement_s()); });
}

std::vector<std::int64_t> SuiteRun::open_in_pass(int pass) const {
    std::vector<std::int64_t> open;
    for (const auto& [argument, there] : points_)
        if (!there.finished && !there.impossible && (pass >= suite_.passes || there.visits <= pass))
            open.push_back(argument);
    return open;
}

double SuiteRun::kept_by_pass_s(int pass) const {
    return budget_.kept_by_pass_s(pass, laboratory_.now());
}

void SuiteRun::visit_later(std::int64_t argument, int pass, double kept_s, std::size_t arguments) {
    take_turn(argument, [&] { visit(point(argument), pass, fair_share_s(kept_s, arguments)); });
}

void SuiteRun::keep_early_passes(std::int64_t argument) {
    Point& there = point(argument);
    there.early_passes_only = there.finished = true;
    database_.add_batches(there.id, {}, there.measurement, true);
    report(there);
}

void SuiteRun::report(Point& point) {
    if (!std::exchange(point.reported, true) && listener_.on_point)
        listener_.on_point(point.measurement);
}

SuiteOutcome SuiteRun::end() {
    budget_.start(laboratory_.now());
    if (!ended_early()) {
        outcome_.left_out = order_.open();
        try {
            summarise();
        } catch (const LaboratoryError& failed) {
            outcome_.error = failed.what();
            outcome_.mpi_error = true;
        }
    }
    budget_.pause(laboratory_.now());
    visits_.finished();
    return outcome_;
}

double SuiteRun::visit(Point& point, int pass, double budget_s, bool finishes) {
    if (laboratory_.stop_wanted()) {
        outcome_.stopped = true;
        return 0;
    }
    Measurement& m = point.measurement;
    Visits::Outcome done = visits_.measure(point, {.pass = pass, .budget_s = budget_s, .finishes = finishes});
    outcome_.stopped = done.stopped;
    if (!done.concluded)
        return 0;
    for (Batch& batch : done.fresh)
        if (batch.node_durations.size() > most_node_times)
            batch.node_durations.clear(); // not kept: a thousand ranks have too many
    database_.add_batches(point.id, done.fresh, m, point.finished);
    learn_from(m, pass == 0 || finishes);
    const double share = std::max(share_of_visits(points_, suite_.passes, order_.size()),
                                  budget_.share_used(laboratory_.now()));
    if (listener_.on_visit)
        listener_.on_visit(m.argument, std::clamp(share, 0.0, 1.0));
    if (point.finished)
        report(point);
    return done.least_s;
}

/// Passes a value to the run and to the refinement.
void SuiteRun::learn_from(const Measurement& m, bool first) {
    const bool has_value = !std::isnan(m.value_s);
    if (has_value)
        known_.settle(m.probe_s);
    if (has_value && run_.first_reference_s == 0)
        run_.first_reference_s = known_.reference(m.probe_s).value_or(0);
    if (run_.reference_core_speed == 0)
        run_.reference_core_speed = core_speed(m);
    if (first && has_value)
        refinement_.add(m.argument, m.value_s, m.standard_error_s);
    else if (first)
        refinement_.exclude(m.argument);
}

void SuiteRun::summarise_all() {
    visits_.begin_summary();
    // With one mode, one way to start, an unchanged judgement of the cores and overheads certain at once,
    // every value is final.
    const bool news = visits_.may_have_news() || known_.judgement() != judgement_;
    std::vector<StoredMeasurement> updated;
    for (auto& [argument, there] : points_) {
        if (!news || there.impossible || there.batches.empty() ||
            has(there.measurement.flags, Flag::wrong_result))
            continue;
        visits_.form_anew(there);
        updated.push_back({there.id, true, there.measurement, {}});
    }
    database_.update_measurements(updated);
    outcome_.worst_segment = worst_segment(suite_.arguments, points_);
}

} // namespace skampi
