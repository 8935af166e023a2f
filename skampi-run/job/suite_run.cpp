#include "job/suite_run.hpp"

#include "model/adjusted.hpp"
#include "shared/argument_meaning.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace skampi {
namespace {

constexpr double first_pass_share = 0.5;      // of the repetitions, so that refinement sees settled values
constexpr double first_pass_time_share = 0.6; // of Time_Suite
constexpr double many_late = 0.1;             // share of missed windows that calls for longer ones
constexpr int late_series_bound = 6;          // then windows are given up for barriers
constexpr int passes_for_replacing = 2; // times those planned; then disturbed values do: neighbours stay
constexpr double window_margin_s = 2e-6;
constexpr double longest_empty_window_s = 1e-4;
constexpr std::int64_t alone_count = 50; // of a nonblocking operation alone, in each pass
constexpr int alone_attempts = 3;        // in a pass, while something disturbs them

std::int64_t ceil_div(double a, double b) {
    return static_cast<std::int64_t>(std::ceil(a / b));
}

double time_in(const Batch& batch) {
    return std::accumulate(batch.duration_s.begin(), batch.duration_s.end(), 0.0) *
           static_cast<double>(batch.block);
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
    probes_ = &run_.probes
                   .try_emplace(
                       {suite.operation.pattern, meaning_of(suite, suite.arguments.start, ranks_there).ranks},
                       mode_ratio)
                   .first->second;
}

void SuiteRun::restore() {
    for (const StoredMeasurement& stored : database_.measurements(id_)) {
        Point& restored = points_[stored.measurement.argument];
        restored.id = stored.id;
        restored.measurement = stored.measurement;
        restored.finished = stored.finished;
        restored.batches = database_.batches(stored.id);
        used_before_s_ += stored.measurement.time_used_s;
        for (const Batch& batch : restored.batches) {
            restored.batch_time_s.push_back(time_in(batch));
            restored.visits = std::max(restored.visits, batch.pass + 1);
        }
        remember_probes(restored.batches);
        if (stored.finished && restored.visits == 0)
            restored.visits = suite_.passes;
        if (restored.visits > 0) {
            restored.estimate_s = std::max(tempo_.clock_resolution_s, restored.measurement.summary.minimum +
                                                                          restored.measurement.overhead_s);
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
        there.measurement.message_bytes = meaning.message_bytes;
        there.measurement.ranks = meaning.ranks;
        there.measurement.chunks = meaning.chunks;
        there.id = database_.begin_measurement(id_, there.measurement);
    }
    return there;
}

SuiteOutcome SuiteRun::measure(const std::function<void(const Measurement&)>& on_point) {
    on_point_ = on_point;
    begin_s_ = laboratory_.now();
    judgement_ = known().judgement();
    restore();

    const std::vector<std::int64_t>& grid = refinement_.first_pass();
    for (std::size_t i = 0; i < grid.size(); ++i) {
        Point& there = point(grid[i]);
        if (there.visits > 0 || there.impossible)
            continue;
        // What is left is shared by the arguments to come, so that the last ones are not starved.
        const double budget_s = time_left_s() * first_pass_time_share / static_cast<double>(grid.size() - i);
        if (!visit(there, 0, budget_s))
            return outcome_;
    }
    const double allowed_s = suite_.max_suite_time_s.value_or(std::numeric_limits<double>::infinity());
    // Replay reaches the refinement's state only from first-pass values; once a later pass has begun, it is
    // over.
    const bool refined =
        std::any_of(points_.begin(), points_.end(), [](const auto& p) { return p.second.visits > 1; });
    while (const auto next = refined ? std::nullopt : refinement_.next()) {
        if (time_left_s() < allowed_s * (1 - first_pass_time_share) && std::isfinite(allowed_s))
            break;
        if (!visit(point(*next), 0, time_left_s()))
            return outcome_;
    }

    // Later passes alternate in direction, so that a drift of the machine does not tilt the curve. Passes
    // beyond those planned serve the arguments that are not settled yet.
    for (int pass = 1;; ++pass) {
        std::vector<Point*> open;
        for (auto& [argument, there] : points_)
            if (!there.finished && !there.impossible && (pass < suite_.passes ? there.visits <= pass : true))
                open.push_back(&there);
        if (pass >= suite_.passes && open.empty())
            break;
        if (pass % 2 == 1)
            std::reverse(open.begin(), open.end());
        for (std::size_t i = 0; i < open.size(); ++i) {
            const double passes_left = std::max(1, suite_.passes - pass);
            const double budget_s = time_left_s() / passes_left / static_cast<double>(open.size() - i);
            if (!visit(*open[i], pass, budget_s))
                return outcome_;
        }
    }
    summarise_all();
    if (suite_.samples == SampleStorage::summary)
        database_.drop_samples(id_);
    return outcome_;
}

KnownModes& SuiteRun::known() const {
    return suite_.operation.pattern == Pattern::simple ? run_.modes_alone : run_.modes;
}

double SuiteRun::time_left_s() const {
    if (!suite_.max_suite_time_s)
        return std::numeric_limits<double>::infinity();
    return std::max(0.0, *suite_.max_suite_time_s - used_before_s_ - (laboratory_.now() - begin_s_));
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
                          suite_.operation.pattern == Pattern::master_worker || !has_warm_buffers();
    if (one_call)
        return 1;
    // Powers of two, so that few overheads need to be known.
    const std::int64_t least = skalib::block_size(std::max(point.estimate_s, 1e-10), tempo_.block_s);
    std::int64_t block = 1;
    while (block < least)
        block *= 2;
    return block;
}

SeriesOrder SuiteRun::plan_series(const Point& point, std::int64_t count, std::int64_t block) const {
    const double single_s = call_s(point) * static_cast<double>(block);
    SeriesOrder order;
    order.block = block;
    order.synchronization = synchronization_;
    order.window_s = point.window_s;
    order.per_batch =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(tempo_.batch_s / single_s), 1, count);
    order.batches = (count + order.per_batch - 1) / order.per_batch;
    const double batch_s = single_s * static_cast<double>(order.per_batch);
    order.probe_every = tempo_.probe_share <= 0 ? 0
                        : probe_cost_s_ > 0
                            ? std::max<std::int64_t>(1, ceil_div(probe_cost_s_ / tempo_.probe_share, batch_s))
                            : order.batches;
    return order;
}

skalib::RepetitionControl SuiteRun::repetition_of(const ChosenValues& chosen) const {
    skalib::RepetitionControl control(suite_.repetition, tempo_.clock_resolution_s);
    for (std::size_t i = 0; i < chosen.values_s.size(); ++i)
        control.add(chosen.values_s[i], chosen.blocks[i]);
    return control;
}

SuiteRun::Standing SuiteRun::standing_of(const Point& point) const {
    Standing standing;
    standing.chosen = choose_values(suite_, point.batches, split(), known(), majority_mode(split()));
    skalib::RepetitionControl control = repetition_of(standing.chosen);
    control.set_time_used(point.measurement.time_used_s);
    standing.summary = control.summary();
    standing.repetition = {control.reason(), std::ssize(standing.chosen.values_s), control.wanted(),
                           control.wanted()};
    if (standing.chosen.disturbed) // as long as there may be others
        standing.repetition.wanted = std::max(
            standing.repetition.wanted, suite_.repetition.min_count - standing.chosen.mode().undisturbed);
    return standing;
}

std::int64_t SuiteRun::wanted_in(const RepetitionState& repetition, int pass) const {
    if (pass + 1 >= suite_.passes || repetition.reason == skalib::StopReason::time_limit)
        return repetition.wanted;
    const double share = first_pass_share + (1 - first_pass_share) * pass / (suite_.passes - 1);
    // A later pass brings news of the machine's state even where the error is small enough already.
    const std::int64_t goal = ceil_div(share * static_cast<double>(repetition.have + repetition.wanted), 1);
    return std::max<std::int64_t>(0, goal - repetition.have);
}

void SuiteRun::remember_probes(const std::vector<Batch>& batches) {
    // Several batches may lie between the same two probes.
    std::vector<double> probes_s;
    for (const Batch& batch : batches)
        for (const double probe_s : {batch.probe_before_s, batch.probe_after_s})
            if (probe_s > 0 && std::ranges::find(probes_s, probe_s) == probes_s.end())
                probes_s.push_back(probe_s);
    probes_->add(probes_s);
    for (const Batch& batch : batches)
        known().learn(batch);
}

Overhead SuiteRun::overhead_for(const Point& point, std::int64_t block) {
    const OverheadKey key{suite_.operation.pattern, point.measurement.ranks, synchronization_, block};
    if (const auto known = run_.overheads.find(key); known != run_.overheads.end())
        return known->second;
    if (point.batches.empty() && point.estimate_s == 0)
        return {};
    SeriesOrder order;
    order.block = block;
    order.per_batch = 32;
    order.batches = tempo_.overhead_batches;
    order.warm_up = tempo_.min_warm_up;
    order.synchronization = synchronization_;
    // An empty call needs no window of the operation's length: for a message of 2 GiB that would be minutes.
    order.window_s = std::clamp(point.window_s, 2 * window_margin_s, longest_empty_window_s);
    order.empty = true;
    SeriesResult result = laboratory_.series(order);
    run_.inside_s += result.inside_s;
    std::vector<double> values_s;
    for (const Batch& batch : result.batches)
        values_s.insert(values_s.end(), batch.duration_s.begin(), batch.duration_s.end());
    const skalib::Summary summary = skalib::summarise(values_s, 0.25);
    return run_.overheads[key] = {summary.cut_mean, summary.cut_standard_error};
}

ChosenValues SuiteRun::alone_chosen(const Point& point) const {
    return choose_values(suite_, point.alone, split(), known(), majority_mode(split()));
}

bool SuiteRun::alone_is_disturbed(const Point& point) const {
    return !point.alone.empty() && alone_chosen(point).disturbed;
}

double SuiteRun::alone_s_of(const Point& point) {
    const ChosenValues chosen = alone_chosen(point);
    const double alone_s =
        chosen.values_s.empty()
            ? point.estimate_s
            : skalib::summarise(chosen.values_s, suite_.repetition.cut_quantile).value(suite_.value);
    return std::max(alone_s - overhead_for(point, 1).value_s, tempo_.clock_resolution_s);
}

void SuiteRun::adapt_window(Point& point, const SeriesResult& result) {
    if (suite_.operation.pattern != Pattern::collective || synchronization_ != Synchronization::window)
        return;
    std::int64_t late = 0;
    std::int64_t all = 0;
    std::vector<double> elapsed_s;
    for (const Batch& batch : result.batches) {
        late += batch.late;
        all += batch.late + static_cast<std::int64_t>(batch.duration_s.size());
        elapsed_s.insert(elapsed_s.end(), batch.duration_s.begin(), batch.duration_s.end());
    }
    if (static_cast<double>(late) > many_late * static_cast<double>(all)) {
        point.window_s *= 2;
        ++late_series_;
        ++point.late_series;
        if (std::max(late_series_, point.late_series) < late_series_bound)
            return;
        // Windows cannot be kept on this machine now: barriers can, and the flag says so.
        synchronization_ = Synchronization::dissemination;
        return;
    }
    late_series_ = point.late_series = 0;
    std::sort(elapsed_s.begin(), elapsed_s.end());
    if (!elapsed_s.empty()) {
        const double needed_s = 1.3 * skalib::quantile(elapsed_s, 0.95) + window_margin_s;
        // Growing is bounded, so that one disturbed series does not cost a suite its time.
        point.window_s = std::min(needed_s, 2 * point.window_s);
    }
}

bool SuiteRun::has_warm_buffers() const {
    return suite_.buffers == BufferPolicy::warm || suite_.buffers == BufferPolicy::warm_4k;
}

bool SuiteRun::visit(Point& point, int pass, double budget_s) {
    if (laboratory_.stop_wanted()) {
        outcome_.stopped = true;
        return false;
    }
    Visit visit{.point = point,
                .pass = pass,
                .budget_s = budget_s,
                .begin_s = laboratory_.now(),
                .fresh = {},
                .standing = {}};
    if (!prepare(point))
        return outcome_.error.empty();
    if (!begin_warm_up(visit) || (laboratory_.computes() && !measure_alone(visit)) || !repeat(visit))
        return false;
    conclude(visit);
    database_.add_batches(point.id, visit.fresh, point.measurement, point.finished);
    learn_from(point.measurement, pass);
    if (point.finished)
        on_point_(point.measurement);
    return true;
}

bool SuiteRun::prepare(Point& point) {
    Measurement& m = point.measurement;
    if (const std::string problem = laboratory_.prepare(index_, m.argument); !problem.empty()) {
        point.impossible = true;
        refinement_.exclude(m.argument);
        if (points_.size() == 1) // not even the first argument
            outcome_.error = problem;
        return false;
    }
    m.messages = laboratory_.messages();
    if (!laboratory_.delivered_right())
        set(m.flags, Flag::wrong_result);
    return true;
}

bool SuiteRun::carry_out(Visit& visit, SeriesOrder& order, std::vector<Batch>& batches) {
    Point& point = visit.point;
    order.computation_s = order.alone ? 0 : point.measurement.computation_s;
    SeriesResult result = laboratory_.series(order);
    run_.inside_s += result.inside_s;
    if (!result.error.empty()) {
        outcome_.error = result.error;
        outcome_.mpi_error = true;
        return false;
    }
    if (result.probe_cost_s > 0)
        probe_cost_s_ = result.probe_cost_s;
    remember_probes(result.batches);
    const skalib::ModeSplit& modes = split();
    for (Batch& batch : result.batches) {
        batch.pass = visit.pass;
        batch.dropped = batch.probe_before_s > 0 && !modes.mode(batch.probe_before_s, batch.probe_after_s);
        run_.ledger.add(batch);
        run_.ledger.shared += known().shared(batch) ? 1 : 0;
    }
    adapt_window(point, result);
    for (const Batch& batch : result.batches)
        if (!batch.duration_s.empty() && point.estimate_s > 0) {
            const double fastest_s = *std::min_element(batch.duration_s.begin(), batch.duration_s.end());
            point.estimate_s = std::min(point.estimate_s, std::max(fastest_s, tempo_.clock_resolution_s));
        }
    if (order.warm_up > 0 && result.warm_up_call_s > 0 && point.estimate_s == 0)
        point.estimate_s = result.warm_up_call_s;
    for (Batch& batch : result.batches)
        batches.push_back(std::move(batch));
    return true;
}

/// The first calls tell how long they take; the warm-up's others are made before the first batch.
bool SuiteRun::begin_warm_up(Visit& visit) {
    Point& point = visit.point;
    std::int64_t warmed = 0;
    if (point.estimate_s == 0) {
        SeriesOrder first;
        first.warm_up = tempo_.min_warm_up;
        const double first_begin_s = laboratory_.now();
        if (!carry_out(visit, first, visit.fresh))
            return false;
        warmed = first.warm_up;
        if (!has_warm_buffers())
            point.wall_s = (laboratory_.now() - first_begin_s) / static_cast<double>(warmed);
    }
    if (point.window_s == 0)
        point.window_s = 2 * point.estimate_s + 2 * window_margin_s;
    visit.warm_up = std::clamp(ceil_div(tempo_.warm_up_s, std::max(point.estimate_s, point.wall_s)),
                               tempo_.min_warm_up, tempo_.max_warm_up) -
                    warmed;
    return true;
}

/// Overlap: the operation without its computation, in every pass, so that the machine's state is the same for
/// it as beside computation.
bool SuiteRun::measure_alone(Visit& visit) {
    Point& point = visit.point;
    Measurement& m = point.measurement;
    const double estimate_s = point.estimate_s;
    const double window_s = point.window_s;
    const bool goes_on = m.computation_s > 0 && point.alone.empty();
    for (int attempt = 0; attempt < alone_attempts; ++attempt) {
        SeriesOrder order = plan_series(point, alone_count, 1);
        order.warm_up = std::max(visit.warm_up, tempo_.min_warm_up);
        order.alone = true;
        std::vector<Batch> alone;
        if (!carry_out(visit, order, alone))
            return false;
        point.alone.insert(point.alone.end(), alone.begin(), alone.end());
        if (!alone_is_disturbed(point))
            break;
    }
    if (goes_on)
        point.alone.clear(); // a run that goes on has lost the former single values: what they gave stays
    else
        m.alone_s = alone_s_of(point);
    if (m.computation_s == 0) { // one for all passes
        m.computation_s = m.alone_s;
        point.estimate_s += m.computation_s;
        point.window_s += 2 * m.computation_s;
    } else {
        point.estimate_s = estimate_s; // those of a call that computes
        point.window_s = window_s;
    }
    return true;
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
    // Even without time left a visit yields a few values: a single one would show no error at all.
    const std::int64_t few = std::min<std::int64_t>(4, suite_.repetition.min_count);
    double allowed_s = visit.budget_s - (laboratory_.now() - visit.begin_s);
    if (suite_.repetition.max_time_s)
        allowed_s = std::min(allowed_s, *suite_.repetition.max_time_s - point.measurement.time_used_s);
    if (visit.done >= few && allowed_s <= 0)
        return 0;
    if (visit.done >= few && 2 * visit.disturbed > visit.done) // a later pass may find the cores undisturbed
        return 0;
    const double single_s = std::max(call_s(point), point.wall_s) * static_cast<double>(block);
    if (std::isfinite(allowed_s))
        count = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::max(0.0, allowed_s) / single_s),
                                         std::min(few, count), count);
    return count;
}

bool SuiteRun::repeat(Visit& visit) {
    Point& point = visit.point;
    Measurement& m = point.measurement;
    const Synchronization began_with = synchronization_;
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
        visit.warm_up = 0;
        const std::size_t before = visit.fresh.size();
        const double series_begin_s = laboratory_.now();
        if (!carry_out(visit, order, visit.fresh))
            return false;
        m.time_used_s += laboratory_.now() - series_begin_s;
        for (std::size_t b = before; b < visit.fresh.size(); ++b) {
            const Batch& batch = visit.fresh[b];
            point.batches.push_back(batch);
            point.batch_time_s.push_back(time_in(batch));
            visit.done += std::ssize(batch.duration_s);
            visit.disturbed += disturbed(batch, known()) ? std::ssize(batch.duration_s) : 0;
        }
        if (synchronization_ != began_with) {
            // The values of missed windows do not mix with those taken between barriers.
            set(m.flags, Flag::unsynchronised);
            point.batches.clear();
            point.batch_time_s.clear();
            visit.standing = standing_of(point);
            break;
        }
        call_time_s = call_s(point);
        visit.standing = standing_of(point);
    }
    if (visit.done == 0)
        visit.standing = standing_of(point);
    return true;
}

/// Forms the value from what there is, says what is to be said of it, and decides whether the point is done.
void SuiteRun::conclude(Visit& visit) {
    Point& point = visit.point;
    Measurement& m = point.measurement;
    RepetitionState& repetition = visit.standing.repetition;
    if (synchronization_ != suite_.synchronization)
        set(m.flags, Flag::unsynchronised);
    point.visits = std::max(point.visits, visit.pass + 1);
    const ChosenValues::Mode& seen = visit.standing.chosen.mode();
    const bool given_up = point.visits >= passes_for_replacing * suite_.passes &&
                          2 * seen.undisturbed < seen.count && repetition.wanted > 0;
    if (given_up)
        repetition.wanted = repetition.wanted_for_error;
    point.repetition = repetition;
    evaluate(suite_, visit.standing.chosen, visit.standing.summary, overhead_for(point, block_of(point)),
             known(), run_.reference_clock_hz, tempo_.clock_resolution_s, m);
    const bool more = repetition.wanted > 0;
    const bool time_over = time_left_s() <= 0 || repetition.reason == skalib::StopReason::time_limit;
    const bool passes_done = visit.pass + 1 >= suite_.passes;
    point.finished = (passes_done && !more) || time_over;
    if (point.finished)
        m.node_times = node_times_of(suite_, visit.standing.chosen, m.overhead_s);
    if (repetition.reason == skalib::StopReason::max_count)
        set(m.flags, Flag::unsettled);
    if (given_up || alone_is_disturbed(point))
        set(m.flags, Flag::disturbed);
    if (repetition.reason == skalib::StopReason::time_limit || (point.finished && more))
        set(m.flags, Flag::timed_out);
    if (has(m.flags, Flag::wrong_result))
        m.value_s = m.standard_error_s = m.adjusted_s = std::numeric_limits<double>::quiet_NaN();
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
    // With one mode, and cores that are judged as before, every value is what it would become.
    const bool news = split().count() > 1 || known().judgement() != judgement_;
    const int majority = majority_mode(split());
    std::vector<StoredMeasurement> updated;
    for (auto& [argument, there] : points_) {
        if (there.impossible)
            continue;
        ++outcome_.points;
        Measurement& m = there.measurement;
        if (news && !there.batches.empty() && !has(m.flags, Flag::wrong_result)) {
            const Flags stop = m.flags & (Flag::unsettled | Flag::timed_out);
            if (!there.alone.empty())
                m.alone_s = alone_s_of(there);
            const ChosenValues chosen = choose_values(suite_, there.batches, split(), known(), majority);
            evaluate(suite_, chosen, skalib::summarise(chosen.values_s, suite_.repetition.cut_quantile),
                     overhead_for(there, block_of(there)), known(), run_.reference_clock_hz,
                     tempo_.clock_resolution_s, m);
            m.node_times = node_times_of(suite_, chosen, m.overhead_s);
            m.flags |= stop;
            if (alone_is_disturbed(there))
                set(m.flags, Flag::disturbed);
            // What was enough may be too little now that some of it is left out.
            if (stop == 0 && repetition_of(chosen).wanted() > 0)
                set(m.flags, Flag::unsettled);
            updated.push_back({there.id, true, m, {}});
        }
        if (has(m.flags, Flag::unsettled) || has(m.flags, Flag::timed_out))
            ++outcome_.unsettled;
    }
    database_.update_measurements(updated);
}

} // namespace skampi
