#include "suite/suite_run.hpp"

#include "model/adjusted.hpp"
#include "plan/argument_meaning.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace skampi {
namespace {

// Where a refinement follows the first pass: of the repetitions, so that it sees settled values, and of
// Time_Suite, for the first pass alone and with the refinement. Without one all passes are alike.
constexpr double first_pass_share = 0.5;
constexpr double first_pass_time_share = 0.4;
constexpr double refined_time_share = 0.6;
constexpr double many_late = 0.1;       // share of missed windows that calls for longer ones
constexpr int late_series_bound = 6;    // then windows are given up for barriers
constexpr int hopeless_series_as = 2;   // late ones: hardly anything is left of it
constexpr int batches_begun_late = 4;   // in a row, to tell that none will be in time
constexpr int passes_for_replacing = 2; // times those planned; then disturbed values do: neighbours stay
constexpr std::int64_t few_values = 4;  // a single one would show no error at all
constexpr double shortest_limit_in_batches = 100; // so that one 100 times slower lasts as long
constexpr std::int64_t lead_in_share = 4;         // a fourth of a batch, or
constexpr double lead_in_s = 60e-6;               // what short calls need in any
constexpr double longest_for_agreement_s = 2e-3;  // still below a scheduler slice
constexpr double window_margin_s = 2e-6;
constexpr double longest_empty_window_s = 1e-4;
constexpr std::int64_t alone_count = 50;     // of a nonblocking operation alone, in each pass
constexpr int alone_attempts = 3;            // in a pass, while something disturbs them
constexpr int overhead_attempts = 3;         // at a time, while something disturbs them
constexpr int overhead_series_bound = 12;    // of one key in one suite
constexpr double warm_up_time_share = 0.25;  // of a visit's, at most, where calls take long
constexpr double overhead_time_share = 0.02; // of the time left

std::int64_t ceil_div(double a, double b) {
    return static_cast<std::int64_t>(std::ceil(a / b));
}

double time_in(const Batch& batch) {
    return std::accumulate(batch.duration_s.begin(), batch.duration_s.end(), 0.0) *
           static_cast<double>(batch.block);
}

/// As 32-bit floats: a run that goes on decides by the very values of an uninterrupted one.
void keep_as_stored(std::vector<double>& durations_s) {
    for (double& duration_s : durations_s)
        duration_s = static_cast<float>(duration_s);
}

KnownModes& modes_for(const Suite& suite, RunState& run) {
    return suite.operation.pattern == Pattern::simple ? run.modes_alone : run.modes;
}

skalib::ProbeHistory& probes_for(const Suite& suite, int ranks_there, RunState& run) {
    const int ranks = meaning_of(suite, suite.arguments.start, ranks_there).ranks;
    ProbeKey key{suite.operation.pattern, ranks};
    if (key.pattern == Pattern::ping_pong) {
        key.partner = suite.partner;
    } else if (key.pattern == Pattern::collective) {
        key.join = suite.join;
    }
    return run.probes.try_emplace(key, mode_ratio).first->second;
}

/// Adds each probe once: several batches may lie between the same two, and one that closes a batch may open
/// the next. @param before the batch measured before at the same argument; null = none
void add_probes(skalib::ProbeHistory& history, const std::vector<Batch>& batches, const Batch* before) {
    std::vector<double> probes_s;
    for (const Batch& batch : batches) {
        if (batch.probe_before_s > 0) {
            const bool same = before != nullptr && before->probe_before_s == batch.probe_before_s &&
                              before->probe_after_s == batch.probe_after_s;
            if (!same && (before == nullptr || before->probe_after_s != batch.probe_before_s))
                probes_s.push_back(batch.probe_before_s);
            if (!same)
                probes_s.push_back(batch.probe_after_s);
        }
        before = &batch;
    }
    history.add(probes_s);
}

} // namespace

void LedgerTotals::add(const Batch& batch) {
    ++batches;
    dirty += batch.dirty ? 1 : 0;
    dropped += batch.dropped ? 1 : 0;
    late += batch.late;
    involuntary_switches += batch.involuntary_switches;
    migrations += batch.migrations;
    steal_ticks += batch.steal_ticks;
}

void restore_run_state(const Database& database, RunId run, int ranks_there, const std::string& here,
                       RunState& state) {
    double last_end_s = 0;
    double used_s = 0; // all that is known of suites whose batches were not kept
    for (const StoredSuite& stored : database.suites(run)) {
        state.remembered.insert(stored.id);
        const auto measured_on = stored.facts.find(fact_measured_on);
        const bool elsewhere = measured_on != stored.facts.end() && measured_on->second != here;
        if (elsewhere)
            state.elsewhere.insert(stored.id);
        skalib::ProbeHistory& history = probes_for(stored.suite, ranks_there, state);
        for (const StoredMeasurement& m : database.measurements(stored.id)) {
            used_s += m.measurement.time_used_s;
            const std::vector<Batch> batches = database.batches(m.id);
            add_probes(history, batches, nullptr);
            for (const Batch& batch : batches) {
                if (!elsewhere)
                    modes_for(stored.suite, state).learn(batch);
                last_end_s = std::max(last_end_s, batch.start_s + time_in(batch));
            }
        }
    }
    state.time_line_begin_s = std::max(last_end_s, used_s);
}

SuiteRun::SuiteRun(const Suite& suite, int index, int ranks_there, Laboratory& laboratory, const Tempo& tempo,
                   Database& database, SuiteId id, RunState& run)
    : suite_(suite)
    , index_(index)
    , ranks_there_(ranks_there)
    , laboratory_(laboratory)
    , tempo_(tempo)
    , database_(database)
    , id_(id)
    , run_(run)
    , refinement_(suite.arguments)
    , synchronization_(suite.synchronization) {
    probes_ = &probes_for(suite, ranks_there, run_);
}

void SuiteRun::restore() {
    const bool remembered = !run_.remembered.insert(id_).second;
    for (const StoredMeasurement& stored : database_.measurements(id_)) {
        Point& restored = points_[stored.measurement.argument];
        restored.id = stored.id;
        restored.measurement = stored.measurement;
        restored.finished = stored.finished;
        restored.batches = database_.batches(stored.id);
        if (run_.elsewhere.contains(id_))
            for (Batch& batch : restored.batches)
                batch.core_throughput = 0; // other cores can do more, or less
        used_before_s_ += stored.measurement.time_used_s;
        for (const Batch& batch : restored.batches) {
            restored.batch_time_s.push_back(time_in(batch));
            restored.visits = std::max(restored.visits, batch.pass + 1);
            if (batch.synchronization != suite_.synchronization)
                synchronization_ = batch.synchronization; // windows were given up
            if (!remembered)
                known().learn(batch);
        }
        if (!remembered)
            add_probes(*probes_, restored.batches, nullptr);
        if (stored.finished && restored.visits == 0)
            restored.visits = suite_.passes;
        if (restored.visits > 0) {
            if (stored.measurement.summary.count > 0)
                restored.estimate_s =
                    std::max(tempo_.clock_resolution_s,
                             restored.measurement.summary.minimum + restored.measurement.overhead_s);
            if (std::isnan(stored.measurement.value_s))
                refinement_.exclude(stored.measurement.argument);
            else
                refinement_.add(stored.measurement.argument, stored.measurement.value_s,
                                stored.measurement.standard_error_s);
        }
    }
}

SuiteRun::Point& SuiteRun::point(std::int64_t argument) {
    Point& there = points_[argument];
    if (there.id == 0) {
        const ArgumentMeaning meaning = meaning_of(suite_, argument, ranks_there_);
        there.measurement.argument = argument;
        there.measurement.message_bytes = has_message_length(suite_.operation) ? meaning.message_bytes : 0;
        there.measurement.ranks = meaning.ranks;
        there.measurement.chunks = meaning.chunks;
        there.id = database_.begin_measurement(id_, there.measurement);
    }
    return there;
}

SuiteOutcome SuiteRun::measure(const std::function<void(const Measurement&)>& on_point,
                               const std::function<void(std::int64_t, double)>& on_visit,
                               const std::function<void()>& on_ready) {
    on_point_ = on_point;
    on_visit_ = on_visit;
    on_ready_ = on_ready;
    begin_s_ = laboratory_.now();
    judgement_ = known().judgement();
    restore();
    try {
        measure_all();
    } catch (const LaboratoryError& failed) {
        outcome_.error = failed.what();
        outcome_.mpi_error = true;
    }
    for (const auto& [key, calls] : empty_calls_) {
        const Overhead overhead =
            overhead_of(key, calls.batches, split(), known(), majority_mode(split()), overhead_enough(), {},
                        tempo_.clock_resolution_s, calls.agreement_s);
        if (!overhead.doubtful)
            run_.overheads[key].push_back(overhead);
    }
    return outcome_;
}

void SuiteRun::measure_all() {
    for (const auto part : {&SuiteRun::first_pass, &SuiteRun::refine, &SuiteRun::later_passes}) {
        (this->*part)();
        if (outcome_.stopped || !outcome_.error.empty())
            return;
    }
    summarise_all();
    if (suite_.samples == SampleStorage::summary)
        database_.drop_samples(id_);
}

void SuiteRun::first_pass() {
    const std::vector<std::int64_t>& grid = refinement_.first_pass();
    const double kept_s = (1 - share_of_first_pass(first_pass_time_share)) * suite_time_s();
    for (std::size_t i = 0; i < grid.size(); ++i) {
        Point& there = point(grid[i]);
        if (there.visits > 0 || there.impossible)
            continue;
        visit(there, 0, fair_share_s(kept_s, grid.size() - i));
        if (outcome_.stopped || !outcome_.error.empty())
            return;
    }
}

void SuiteRun::refine() {
    const double kept_s = (1 - refined_time_share) * suite_time_s();
    // Replay reaches the refinement's state only from first-pass values; once a later pass has begun, it is
    // over.
    if (std::any_of(points_.begin(), points_.end(), [](const auto& p) { return p.second.visits > 1; }))
        return;
    while (const auto next = refinement_.next()) {
        const double allowed_s = fair_share_s(kept_s, 1);
        if (allowed_s <= 0)
            return;
        visit(point(*next), 0, allowed_s);
        if (outcome_.stopped || !outcome_.error.empty())
            return;
    }
}

/// Later passes alternate in direction, so that a drift of the machine does not tilt the curve. Passes beyond
/// those planned serve the arguments that are not settled yet.
void SuiteRun::later_passes() {
    for (int pass = 1;; ++pass) {
        std::vector<Point*> open;
        for (auto& [argument, there] : points_)
            if (!there.finished && !there.impossible && (pass < suite_.passes ? there.visits <= pass : true))
                open.push_back(&there);
        if (pass >= suite_.passes && open.empty())
            return;
        if (pass % 2 == 1)
            std::reverse(open.begin(), open.end());
        const double kept_s = time_left_s() * (1 - 1.0 / std::max(1, suite_.passes - pass));
        for (std::size_t i = 0; i < open.size(); ++i) {
            visit(*open[i], pass, fair_share_s(kept_s, open.size() - i));
            if (outcome_.stopped || !outcome_.error.empty())
                return;
        }
    }
}

KnownModes& SuiteRun::known() const {
    return modes_for(suite_, run_);
}

std::int64_t SuiteRun::overhead_enough() const {
    return std::max<std::int64_t>(1, tempo_.overhead_batches * tempo_.overhead_per_batch / 4);
}

double SuiteRun::suite_time_s() const {
    return suite_.max_suite_time_s.value_or(std::numeric_limits<double>::infinity());
}

double SuiteRun::time_left_s() const {
    return std::max(0.0, suite_time_s() - used_before_s_ - (laboratory_.now() - begin_s_));
}

double SuiteRun::share_of_first_pass(double if_refined) const {
    return is_dynamic(suite_.arguments.scale) ? if_refined : 1.0 / suite_.passes;
}

double SuiteRun::fair_share_s(double kept_s, std::size_t arguments) const {
    const double left_s = time_left_s();
    return std::isfinite(left_s) ? std::max(0.0, left_s - kept_s) / static_cast<double>(arguments) : left_s;
}

double SuiteRun::deadline_of(const Visit& visit) const {
    double end_s = begin_s_ + suite_time_s() - used_before_s_;
    if (suite_.repetition.max_time_s)
        end_s = std::min(end_s, visit.begin_s + *suite_.repetition.max_time_s - visit.used_before_s);
    return end_s;
}

double SuiteRun::batch_s() const {
    double length_s =
        std::max(tempo_.batch_s, std::min(agreement_s_ / tempo_.agreement_share, longest_for_agreement_s));
    for (const std::optional<double>& limit_s : {suite_.max_suite_time_s, suite_.repetition.max_time_s})
        if (limit_s)
            length_s = std::min(length_s, *limit_s / shortest_limit_in_batches);
    return length_s;
}

int SuiteRun::majority_mode(const skalib::ModeSplit& split) const {
    if (split.count() == 1)
        return 0;
    std::vector<double> time_s(split.count());
    for (const auto& [argument, there] : points_)
        for (std::size_t i = 0; i < there.batches.size(); ++i) {
            const Batch& batch = there.batches[i];
            if (batch.probe_before_s <= 0)
                continue;
            if (const auto mode = split.mode(batch.probe_before_s, batch.probe_after_s))
                time_s[*mode] += there.batch_time_s[i];
        }
    return static_cast<int>(std::max_element(time_s.begin(), time_s.end()) - time_s.begin());
}

Synchronization SuiteRun::majority_synchronization() const {
    std::map<Synchronization, std::int64_t> usable; // batches
    for (const auto& [argument, there] : points_)
        for (const Batch& batch : there.batches)
            usable[batch.synchronization] += !batch.dropped && !batch.duration_s.empty() ? 1 : 0;
    const auto most = std::ranges::max_element(usable, {}, [](const auto& kind) { return kind.second; });
    return most == usable.end() ? synchronization_ : most->first;
}

double SuiteRun::call_s(const Point& point) const {
    const double estimate_s = std::max(point.estimate_s, tempo_.clock_resolution_s / 10);
    if (suite_.operation.pattern != Pattern::collective)
        return estimate_s;
    return synchronization_ == Synchronization::window ? std::max(point.window_s, estimate_s)
                                                       : 3 * estimate_s;
}

std::int64_t SuiteRun::block_of(const Point& point) const {
    if (!point.batches.empty()) // one block size for all, because the overhead depends on it
        return point.batches.front().block;
    const bool one_call = suite_.operation.pattern == Pattern::collective ||
                          suite_.operation.pattern == Pattern::master_worker || !has_warm_buffers() ||
                          laboratory_.acts_between_calls();
    if (one_call)
        return 1;
    // Powers of two, so that few overheads need to be known.
    const double call_s = point.estimate_s - tempo_.clock_cost_s;
    const std::int64_t least = skalib::block_size(std::max(call_s, 1e-10), tempo_.block_s);
    std::int64_t block = 1;
    while (block < least)
        block *= 2;
    return block;
}

SeriesOrder SuiteRun::plan_series(const Point& point, std::int64_t count, std::int64_t block) const {
    const double single_s = std::max(call_s(point), point.call_wall_s) * static_cast<double>(block);
    SeriesOrder order;
    order.block = block;
    order.synchronization = synchronization_;
    order.window_s = in_windows(order) ? point.window_s : 0;
    order.per_batch = std::clamp<std::int64_t>(static_cast<std::int64_t>(batch_s() / single_s), 1, count);
    order.batches = (count + order.per_batch - 1) / order.per_batch;
    if (suite_.operation.pattern == Pattern::collective)
        order.lead_in =
            std::min(tempo_.most_lead_in, std::max(order.per_batch / lead_in_share,
                                                   static_cast<std::int64_t>(lead_in_s / single_s)));
    const double planned_s = single_s * static_cast<double>(order.lead_in + order.per_batch);
    order.probe_every =
        tempo_.probe_share <= 0 ? 0
        : probe_cost_s_ > 0
            ? std::max<std::int64_t>(1, ceil_div(probe_cost_s_ / tempo_.probe_share, planned_s))
            : order.batches;
    order.look_every = look_every(planned_s);
    return order;
}

std::int64_t SuiteRun::look_every(double batch_s) const {
    return std::max<std::int64_t>(1, ceil_div(tempo_.look_s, std::max(batch_s, tempo_.clock_resolution_s)));
}

skalib::RepetitionControl SuiteRun::repetition_of(const ChosenValues& chosen) const {
    skalib::RepetitionControl control(suite_.repetition, tempo_.clock_resolution_s, suite_.value);
    for (std::size_t i = 0; i < chosen.values_s.size(); ++i)
        control.add(chosen.values_s[i], chosen.blocks[i], chosen.origins[i]);
    return control;
}

SuiteRun::Standing SuiteRun::standing_of(const Point& point) const {
    Standing standing;
    standing.chosen = choose_values(suite_.repetition, point.batches, split(), known(),
                                    {majority_mode(split()), synchronization_});
    skalib::RepetitionControl control = repetition_of(standing.chosen);
    control.set_time_used(point.measurement.time_used_s);
    standing.summary = control.summary();
    RepetitionState& repetition = standing.repetition;
    repetition = {control.reason(), std::ssize(standing.chosen.values_s), control.expected(),
                  control.wanted(), control.wanted()};
    if (standing.chosen.disturbed || standing.chosen.doubtful) // as long as there may be others
        repetition.wanted =
            std::max(repetition.wanted, standing.chosen.undisturbed_missing(suite_.repetition.min_count));
    return standing;
}

std::int64_t SuiteRun::wanted_in(const RepetitionState& repetition, int pass) const {
    if (pass + 1 >= suite_.passes || repetition.reason == skalib::StopReason::time_limit)
        return repetition.wanted;
    const double first = share_of_first_pass(first_pass_share);
    const double share = first + (1 - first) * pass / (suite_.passes - 1);
    // A later pass brings news of the machine's state even where the error is small enough already.
    const std::int64_t expected = std::max(repetition.expected, repetition.have + repetition.wanted);
    const std::int64_t goal = ceil_div(share * static_cast<double>(expected), 1);
    return std::clamp<std::int64_t>(goal - repetition.have, 0, repetition.wanted);
}

Overhead SuiteRun::overhead_for(Point& point, std::size_t mode, Synchronization synchronization,
                                bool may_repeat) {
    if (suite_.absolute)
        return {};
    const OverheadKey key = overhead_key(suite_, point.measurement.ranks, synchronization, block_of(point));
    EmptyCalls& calls = empty_calls_[key];
    const auto overhead_now = [&] {
        const bool one_mode = split().count() == 1;
        if (one_mode && calls.certain && calls.judgement == known().judgement())
            return *calls.certain;
        const Overhead overhead =
            overhead_of(key, calls.batches, split(), known(), static_cast<int>(mode), overhead_enough(),
                        run_.overheads[key], tempo_.clock_resolution_s, calls.agreement_s);
        calls.certain = one_mode && !overhead.doubtful ? std::optional(overhead) : std::nullopt;
        calls.judgement = known().judgement();
        return overhead;
    };
    Overhead overhead = overhead_now();
    for (int attempt = 0; attempt < (may_repeat || calls.series == 0 ? overhead_attempts : 0); ++attempt) {
        const bool impossible = longer_than_a_call(overhead, point, synchronization);
        if ((!overhead.doubtful && !impossible) || calls.series >= overhead_series_bound || must_end())
            break;
        if (impossible) {
            calls.batches.clear();
            calls.certain.reset();
        }
        const double begin_s = laboratory_.now();
        const double budget_s = overhead_time_share * (deadline_s_ - begin_s);
        measure_overhead(point, key, synchronization, calls);
        overhead = overhead_now();
        if (laboratory_.now() - begin_s > budget_s)
            break;
    }
    return overhead;
}

/// The loop alone cannot take longer than with calls in it: it was interrupted, and nothing had noticed.
bool SuiteRun::longer_than_a_call(const Overhead& overhead, const Point& point,
                                  Synchronization synchronization) const {
    if (point.batches.empty())
        return false;
    const Batch& batch = point.batches.back();
    if (batch.synchronization != synchronization || batch.duration_s.empty())
        return false;
    return overhead.value_s > skalib::median(batch.duration_s);
}

void SuiteRun::measure_overhead(Point& point, const OverheadKey& key, Synchronization synchronization,
                                EmptyCalls& calls) {
    if (prepared_ != point.measurement.argument && !prepare(point))
        return;
    ++calls.series;
    SeriesOrder order;
    order.empty = true;
    order.block = key.block;
    order.synchronization = synchronization;
    // An empty call needs no window of the operation's length: for a message of 2 GiB that would be minutes.
    order.window_s =
        in_windows(order) ? std::clamp(point.window_s, 2 * window_margin_s, longest_empty_window_s) : 0;
    const double single_s = std::max(point.call_wall_s * static_cast<double>(key.block), order.window_s);
    order.per_batch = std::clamp<std::int64_t>(static_cast<std::int64_t>(batch_s() / single_s), 1,
                                               tempo_.overhead_per_batch);
    order.batches =
        (tempo_.overhead_batches * tempo_.overhead_per_batch + order.per_batch - 1) / order.per_batch;
    const double budget_s = (deadline_s_ - laboratory_.now()) * overhead_time_share / calls.series;
    order.probe_every = tempo_.probe_share > 0 && 2 * probe_cost_s_ < budget_s ? order.batches : 0;
    order.look_every = look_every(single_s * static_cast<double>(order.per_batch));
    order.warm_up = point.call_wall_s < tempo_.longest_warm_up_s ? tempo_.min_warm_up : 0;
    order.deadline_s = deadline_s_;
    order.budget_end_s = laboratory_.now() + budget_s;
    order.least_batches = 1;
    // Their probes are not stored, so that they do not count among the run's.
    SeriesResult result = carry_out(order, 0);
    if (synchronization == synchronization_)
        adapt_window(point, order, result);
    calls.agreement_s = result.agreement_s;
    calls.certain.reset();
    for (Batch& batch : result.batches)
        calls.batches.push_back(std::move(batch));
}

ChosenValues SuiteRun::alone_chosen(const Point& point) const {
    return choose_values(suite_.repetition, point.alone, split(), known(),
                         {majority_mode(split()), synchronization_});
}

bool SuiteRun::alone_is_disturbed(const Point& point) const {
    return !point.alone.empty() && alone_chosen(point).disturbed;
}

double SuiteRun::alone_s_of(Point& point) {
    const ChosenValues chosen = alone_chosen(point);
    if (chosen.values_s.empty())
        return 0; // not measured: a call of the warm-up is no value
    const double alone_s =
        skalib::summarise(chosen.values_s, suite_.repetition.cut_quantile).value(suite_.value);
    const double overhead_s = overhead_for(point, chosen.chosen, chosen.synchronization).value_s;
    return std::max(alone_s - overhead_s, tempo_.clock_resolution_s);
}

void SuiteRun::adapt_window(Point& point, const SeriesOrder& order, const SeriesResult& result) {
    if (order.window_s == 0)
        return;
    std::int64_t late = 0;
    std::int64_t all = 0;
    std::vector<double> elapsed_s;
    for (const Batch& batch : result.batches) {
        late_batches_ = batch.duration_s.empty() ? late_batches_ + 1 : 0;
        late += batch.late;
        all += batch.late + static_cast<std::int64_t>(batch.duration_s.size());
        elapsed_s.insert(elapsed_s.end(), batch.duration_s.begin(), batch.duration_s.end());
    }
    if (static_cast<double>(late) > many_late * static_cast<double>(all)) {
        // Calls that run late follow each other without a pause: their time is known, though not their value.
        if (!order.empty)
            point.window_s = 2 * std::max(point.window_s, point.call_wall_s);
        // Each batch agrees on its start anew: where all begin late, no window would be long enough.
        const int weight = late_batches_ >= batches_begun_late ? late_series_bound
                           : windows_are_hopeless(all, late)   ? hopeless_series_as
                                                               : 1;
        late_series_ += weight;
        point.late_series += weight;
        if (std::max(late_series_, point.late_series) < late_series_bound)
            return;
        // Windows cannot be kept on this machine now: barriers can, and the flag says so.
        synchronization_ = Synchronization::dissemination;
        return;
    }
    if (order.empty)
        return; // nothing is learnt of the operation's windows
    late_series_ = point.late_series = 0;
    if (!result.span_s.empty()) // the rank that keeps time may end before others
        elapsed_s = result.span_s;
    std::sort(elapsed_s.begin(), elapsed_s.end());
    if (!elapsed_s.empty()) {
        const double needed_s = 1.3 * skalib::quantile(elapsed_s, 0.95) + window_margin_s;
        // Growing is bounded, so that one disturbed series does not cost a suite its time.
        point.window_s = std::min(needed_s, 2 * point.window_s);
    }
}

bool SuiteRun::in_windows(const SeriesOrder& order) const {
    return suite_.operation.pattern == Pattern::collective &&
           order.synchronization == Synchronization::window;
}

bool SuiteRun::has_warm_buffers() const {
    return suite_.buffers == BufferPolicy::warm || suite_.buffers == BufferPolicy::warm_4k;
}

void SuiteRun::visit(Point& point, int pass, double budget_s) {
    if (laboratory_.stop_wanted()) {
        outcome_.stopped = true;
        return;
    }
    Measurement& m = point.measurement;
    Visit visit{.point = point,
                .pass = pass,
                .budget_end_s = laboratory_.now() + budget_s,
                .used_before_s = m.time_used_s,
                .fresh = {},
                .standing = {}};
    if (time_left_s() > 0) {
        if (!prepare(point))
            return;
        visit.begin_s = laboratory_.now();
        deadline_s_ = deadline_of(visit);
        warm_up(visit);
        if (laboratory_.computes() && !must_end())
            measure_alone(visit);
        repeat(visit);
        if (laboratory_.stop_wanted()) {
            outcome_.stopped = true;
            if (visit.fresh.empty())
                return;
        }
    }
    conclude(visit);
    for (Batch& batch : visit.fresh)
        if (batch.node_durations.size() > most_node_times)
            batch.node_durations.clear(); // a thousand ranks' single measurements are for nobody to keep
    database_.add_batches(point.id, visit.fresh, m, point.finished);
    learn_from(m, pass);
    if (on_visit_)
        on_visit_(m.argument, share_done());
    if (point.finished)
        on_point_(m);
}

double SuiteRun::share_done() const {
    int stays = 0;
    for (const auto& [argument, there] : points_)
        stays += there.finished || there.impossible ? suite_.passes : std::min(there.visits, suite_.passes);
    const std::size_t arguments = std::max(points_.size(), refinement_.first_pass().size());
    const double of_stays = stays / (static_cast<double>(suite_.passes) * static_cast<double>(arguments));
    const double of_time = suite_.max_suite_time_s ? 1 - time_left_s() / *suite_.max_suite_time_s : 0;
    return std::clamp(std::max(of_stays, of_time), 0.0, 1.0);
}

bool SuiteRun::prepare(Point& point) {
    Measurement& m = point.measurement;
    prepared_.reset();
    if (const std::string problem = laboratory_.prepare(index_, m.argument); !problem.empty()) {
        point.impossible = true;
        outcome_.impossible[m.argument] = problem;
        refinement_.exclude(m.argument);
        if (points_.size() == 1) // not even the first argument
            outcome_.error = problem;
        return false;
    }
    prepared_ = m.argument;
    if (on_ready_)
        on_ready_();
    on_ready_ = {}; // once
    m.messages = laboratory_.messages();
    if (m.messages > 0) // what moves messages has bytes, however it is varied
        m.message_bytes = meaning_of(suite_, m.argument, ranks_there_).message_bytes;
    if (!laboratory_.delivered_right())
        set(m.flags, Flag::wrong_result);
    return true;
}

SeriesResult SuiteRun::carry_out(SeriesOrder& order, int pass) {
    SeriesResult result = laboratory_.series(order);
    run_.inside_s += result.inside_s;
    if (result.agreement_s > 0)
        agreement_s_ = result.agreement_s;
    if (result.probe_cost_s > 0)
        probe_cost_s_ = result.probe_cost_s;
    for (Batch& batch : result.batches) {
        batch.pass = pass;
        batch.synchronization = order.synchronization;
        batch.start_s += run_.time_line_begin_s;
        keep_as_stored(batch.duration_s);
        for (NodeDurations& node : batch.node_durations)
            keep_as_stored(node.duration_s);
        known().learn(batch);
    }
    return result;
}

std::vector<Batch> SuiteRun::carry_out(Visit& visit, SeriesOrder& order) {
    Point& point = visit.point;
    order.computation_s = order.alone ? 0 : point.measurement.computation_s;
    order.deadline_s = deadline_s_;
    SeriesResult result = carry_out(order, visit.pass);
    if (!order.alone) // their probes are not stored, so that they do not count among the run's
        add_probes(*probes_, result.batches, point.batches.empty() ? nullptr : &point.batches.back());
    if (result.way_there > 0)
        point.measurement.way_there = result.way_there;
    std::int64_t calls = result.warm_up_calls;
    for (Batch& batch : result.batches) {
        batch.dropped = batch.probe_before_s > 0 && !split().mode(batch.probe_before_s, batch.probe_after_s);
        run_.ledger.add(batch);
        run_.ledger.shared += known().shared(batch) ? 1 : 0;
        calls += (std::ssize(batch.duration_s) + batch.late) * batch.block;
    }
    if (calls > 0 && !order.alone)
        point.call_wall_s = result.inside_s / static_cast<double>(calls);
    adapt_window(point, order, result);
    for (const Batch& batch : result.batches)
        if (!batch.duration_s.empty() && point.estimate_s > 0) {
            const double fastest_s = *std::min_element(batch.duration_s.begin(), batch.duration_s.end());
            point.estimate_s = std::min(point.estimate_s, std::max(fastest_s, tempo_.clock_resolution_s));
        }
    if (result.warm_up_span_s > 0)
        point.warm_up_span_s = result.warm_up_span_s;
    if (result.warm_up_call_s > 0 && point.estimate_s == 0)
        point.estimate_s = result.warm_up_call_s;
    return std::move(result.batches);
}

/// The first calls tell how long they take. At the first visit the others follow at once, because the first
/// ones say little of how long calls take in a row; else they are made before the first batch.
void SuiteRun::warm_up(Visit& visit) {
    Point& point = visit.point;
    const auto warm = [&](std::int64_t calls, std::int64_t least, double longest_s) {
        SeriesOrder order;
        order.warm_up = calls;
        order.least_warm_up = least;
        order.longest_warm_up_s = longest_s;
        carry_out(visit, order);
    };
    // A run that goes on knows how long calls take where time is kept, not how long windows must be.
    const bool first_time =
        point.estimate_s == 0 || (suite_.operation.pattern == Pattern::collective && point.window_s == 0);
    if (first_time)
        warm(tempo_.min_warm_up, 1, warm_up_time_share * (visit.budget_end_s - visit.begin_s));
    if (point.estimate_s == 0)
        return; // no time for a single call
    if (point.window_s == 0)
        point.window_s = 2 * std::max(point.estimate_s, point.warm_up_span_s) + 2 * window_margin_s;
    const double call_s =
        has_warm_buffers() ? point.estimate_s : std::max(point.estimate_s, point.call_wall_s);
    visit.warm_up = std::clamp(ceil_div(tempo_.warm_up_s, call_s), tempo_.min_warm_up, tempo_.max_warm_up) -
                    (first_time ? tempo_.min_warm_up : 0);
    if (first_time && visit.warm_up > 0 && !must_end()) {
        warm(visit.warm_up, 0, tempo_.longest_warm_up_s);
        visit.warm_up = 0;
    }
}

std::int64_t SuiteRun::least_warm_up(const Visit& visit) const {
    const double all_s = visit.point.call_wall_s * static_cast<double>(tempo_.min_warm_up);
    return all_s > warm_up_time_share * (visit.budget_end_s - visit.begin_s) ? 1 : tempo_.min_warm_up;
}

/// Overlap: the operation without its computation, in every pass, so that the machine's state is the same for
/// it as beside computation.
void SuiteRun::measure_alone(Visit& visit) {
    Point& point = visit.point;
    Measurement& m = point.measurement;
    const double estimate_s = point.estimate_s;
    const double window_s = point.window_s;
    const bool goes_on = m.computation_s > 0 && point.alone.empty();
    for (int attempt = 0; attempt < alone_attempts && !must_end(); ++attempt) {
        SeriesOrder order = plan_series(point, alone_count, 1);
        order.warm_up = std::max(visit.warm_up, tempo_.min_warm_up);
        order.least_warm_up = least_warm_up(visit);
        order.longest_warm_up_s = tempo_.longest_warm_up_s;
        order.alone = true;
        order.budget_end_s = visit.budget_end_s;
        order.least_batches = 1;
        const std::vector<Batch> alone = carry_out(visit, order);
        point.alone.insert(point.alone.end(), alone.begin(), alone.end());
        if (const ChosenValues chosen = alone_chosen(point); !chosen.values_s.empty() && !chosen.disturbed)
            break;
    }
    if (goes_on)
        point.alone.clear(); // a run that goes on has lost the former single values: what they gave stays
    else
        m.alone_s = alone_s_of(point);
    if (m.computation_s == 0) { // one for all passes
        m.computation_s = m.alone_s > 0 ? m.alone_s : std::max(estimate_s, tempo_.clock_resolution_s);
        point.estimate_s += m.computation_s;
        point.window_s += 2 * m.computation_s;
        point.call_wall_s += m.computation_s;
    } else {
        point.estimate_s = estimate_s; // those of a call that computes
        point.window_s = window_s;
    }
}

std::int64_t SuiteRun::next_count(const Visit& visit, std::int64_t block, double call_time_s,
                                  bool disturbed_before) const {
    const Point& point = visit.point;
    const RepetitionState& repetition = visit.standing.repetition;
    std::int64_t count = wanted_in(repetition, visit.pass);
    if (visit.done == 0) {
        count = std::max(count, std::int64_t{1});
        if (visit.pass < suite_.passes || disturbed_before) {
            // The shortest stay; a probe at each end must not take more than its share of it.
            const double stay_s =
                std::max(tempo_.visit_s, tempo_.probe_share > 0 ? 2 * probe_cost_s_ / tempo_.probe_share : 0);
            std::int64_t least = ceil_div(stay_s, call_time_s * static_cast<double>(block));
            if (suite_.repetition.max_count) // leave something for the passes to come
                least =
                    std::min(least, std::max<std::int64_t>(1, *suite_.repetition.max_count / suite_.passes));
            count = std::max(count, least);
        }
    }
    if (count <= 0 || repetition.reason == skalib::StopReason::time_limit)
        return 0;
    const double now_s = laboratory_.now();
    if (must_end())
        return 0;
    // A visit yields one value, unless the suite's or the measurement's time is over; if there is time for it
    // a few, since a single one shows no error at all.
    const double allowed_s = std::min(visit.budget_end_s, deadline_s_) - now_s;
    const std::int64_t few = std::min(few_values, suite_.repetition.min_count);
    if (visit.done > 0 && allowed_s <= 0)
        return 0;
    if (visit.done >= few && 2 * visit.disturbed > visit.done) // a later pass may find the cores undisturbed
        return 0;
    const double single_s = std::max(call_s(point), point.call_wall_s) * static_cast<double>(block);
    if (std::isfinite(allowed_s))
        count = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::max(0.0, allowed_s) / single_s),
                                         std::min(few, count), count);
    return count;
}

void SuiteRun::repeat(Visit& visit) {
    Point& point = visit.point;
    Measurement& m = point.measurement;
    const bool disturbed_before = has(m.flags, Flag::disturbed);
    double call_time_s = call_s(point);
    if (point.repetition)
        visit.standing.repetition = *point.repetition;
    else
        visit.standing = standing_of(point);
    for (;;) {
        const std::int64_t block = block_of(point);
        const std::int64_t count = next_count(visit, block, call_time_s, disturbed_before);
        if (count == 0)
            break;
        SeriesOrder order = plan_series(point, count, block);
        order.warm_up = std::max<std::int64_t>(visit.warm_up, 0);
        order.least_warm_up = least_warm_up(visit);
        order.longest_warm_up_s = tempo_.longest_warm_up_s;
        order.budget_end_s = visit.budget_end_s;
        order.least_batches = visit.done > 0 ? 0 : 1;
        visit.warm_up = 0;
        const std::vector<Batch> batches = carry_out(visit, order);
        m.time_used_s = visit.used_before_s + laboratory_.now() - visit.begin_s;
        for (const Batch& batch : batches) {
            visit.fresh.push_back(batch);
            point.batches.push_back(batch);
            point.batch_time_s.push_back(time_in(batch));
            visit.done += std::ssize(batch.duration_s);
            visit.disturbed += batch.dropped || disturbed(batch, known()) ? std::ssize(batch.duration_s) : 0;
        }
        if (synchronization_ != order.synchronization) // given up: this visit begins anew between barriers
            visit.done = visit.disturbed = 0;
        // Known early, so that few values are without one when time is over.
        if (visit.done > 0)
            (void)overhead_for(point, static_cast<std::size_t>(majority_mode(split())), synchronization_,
                               true);
        call_time_s = call_s(point);
        visit.standing = standing_of(point);
    }
    m.time_used_s = visit.used_before_s + laboratory_.now() - visit.begin_s;
}

/// Forms the value from what there is, says what is to be said of it, and decides whether the point is done.
void SuiteRun::conclude(Visit& visit) {
    Point& point = visit.point;
    Measurement& m = point.measurement;
    if (visit.done == 0)
        visit.standing = standing_of(point);
    const ChosenValues& chosen = visit.standing.chosen;
    RepetitionState& repetition = visit.standing.repetition;
    point.visits = std::max(point.visits, visit.pass + 1);
    const ChosenValues::Mode& seen = chosen.mode();
    const bool given_up = point.visits >= passes_for_replacing * suite_.passes && repetition.wanted > 0 &&
                          (2 * seen.undisturbed < seen.count || seen.count == 0);
    if (given_up)
        repetition.wanted = seen.count > 0 ? repetition.wanted_for_error : 0;
    point.repetition = repetition;
    evaluate(suite_, chosen, visit.standing.summary,
             chosen.values_s.empty() ? Overhead{} : last_overhead_for(point, chosen), known(),
             run_.reference_clock_hz, tempo_.clock_resolution_s, m);
    const bool more = repetition.wanted > 0;
    const bool time_over = time_left_s() <= 0 || repetition.reason == skalib::StopReason::time_limit;
    const bool passes_done = visit.pass + 1 >= suite_.passes;
    point.finished = (passes_done && !more) || time_over;
    keep_node_times(m, chosen);
    if (chosen.values_s.empty() && synchronization_ != suite_.synchronization)
        set(m.flags, Flag::unsynchronised);
    if ((given_up && seen.count > 0) || alone_is_disturbed(point))
        set(m.flags, Flag::disturbed);
    if (repetition.reason == skalib::StopReason::max_count || (given_up && seen.count == 0))
        set(m.flags, Flag::unsettled);
    else if (repetition.reason == skalib::StopReason::time_limit || (point.finished && more))
        set(m.flags, Flag::timed_out); // it stopped for the one or the other
    if (has(m.flags, Flag::wrong_result))
        m.value_s = m.standard_error_s = m.adjusted_s = std::numeric_limits<double>::quiet_NaN();
}

/// Of many ranks the single measurements are not stored: a run that goes on has those of its own visits only,
/// and what was formed of the others' stays until there are new ones.
void SuiteRun::keep_node_times(Measurement& m, const ChosenValues& chosen) const {
    if (std::vector<NodeTime> times = node_times_of(suite_, chosen, m.overhead_s); !times.empty())
        m.node_times = std::move(times);
}

/// What a value tells the run and the refinement.
void SuiteRun::learn_from(const Measurement& m, int pass) {
    const bool has_value = !std::isnan(m.value_s);
    if (has_value)
        known().settle(m.probe_s);
    if (has_value && run_.first_reference_s == 0)
        run_.first_reference_s = known().reference(m.probe_s).value_or(0);
    if (run_.reference_clock_hz == 0)
        run_.reference_clock_hz = m.core_clock_hz;
    if (pass == 0 && has_value)
        refinement_.add(m.argument, m.value_s, m.standard_error_s);
    else if (pass == 0)
        refinement_.exclude(m.argument);
}

/// At the end all probes of the run are known: every value is formed anew from the suite's majority mode.
void SuiteRun::summarise_all() {
    deadline_s_ = laboratory_.now() + time_left_s();
    const Preference majority{majority_mode(split()), majority_synchronization()};
    // With one mode, one way to start, cores that are judged as before and overheads that were certain at
    // once, every value is what it would become.
    const bool news =
        split().count() > 1 || known().judgement() != judgement_ ||
        synchronization_ != suite_.synchronization ||
        std::ranges::any_of(empty_calls_, [](const auto& calls) { return calls.second.series > 1; });
    std::vector<StoredMeasurement> updated;
    for (auto& [argument, there] : points_) {
        if (there.impossible)
            continue;
        Measurement& m = there.measurement;
        if (news && !there.batches.empty() && !has(m.flags, Flag::wrong_result)) {
            const Flags stop = m.flags & (Flag::unsettled | Flag::timed_out);
            if (!there.alone.empty())
                m.alone_s = alone_s_of(there);
            const ChosenValues chosen =
                choose_values(suite_.repetition, there.batches, split(), known(), majority);
            evaluate(suite_, chosen,
                     skalib::summarise(chosen.values_s, suite_.repetition.cut_quantile, chosen.origins),
                     last_overhead_for(there, chosen), known(), run_.reference_clock_hz,
                     tempo_.clock_resolution_s, m);
            keep_node_times(m, chosen);
            m.flags |= stop;
            if (alone_is_disturbed(there))
                set(m.flags, Flag::disturbed);
            // What was enough may be too little now that some of it is left out.
            if (stop == 0 && repetition_of(chosen).wanted() > 0)
                set(m.flags, Flag::unsettled);
            updated.push_back({there.id, true, m, {}});
        }
    }
    database_.update_measurements(updated);
    outcome_.worst_segment = worst_segment();
}

std::optional<skalib::SegmentError> SuiteRun::worst_segment() const {
    skalib::Refinement curve(suite_.arguments);
    for (const auto& [argument, there] : points_) {
        const Measurement& m = there.measurement;
        if (there.impossible || !std::isfinite(m.value_s))
            curve.exclude(argument);
        else
            curve.add(argument, m.value_s, std::isfinite(m.standard_error_s) ? m.standard_error_s : 0);
    }
    return curve.worst_segment();
}

/// What was subtracted by a former start of the run stays where nothing else is known now.
Overhead SuiteRun::last_overhead_for(Point& point, const ChosenValues& chosen) {
    const Measurement& m = point.measurement;
    const bool started_alike =
        has(m.flags, Flag::unsynchronised) == (chosen.synchronization != suite_.synchronization);
    const Overhead overhead = overhead_for(point, chosen.chosen, chosen.synchronization);
    const OverheadKey key = overhead_key(suite_, m.ranks, chosen.synchronization, block_of(point));
    const bool measured_here = std::ranges::any_of(
        empty_calls_[key].batches, [](const Batch& batch) { return !batch.duration_s.empty(); });
    if (!measured_here && overhead.doubtful && started_alike)
        return {m.overhead_s, m.overhead_error_s, 0, has(m.flags, Flag::unreliable)};
    return overhead;
}

} // namespace skampi
