// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/point_merger.hpp"

#include "merge/interpolation.hpp"
#include "merge/pooling.hpp"
#include "skalib/merge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>

namespace skampi {

namespace {

constexpr Flags flags_of_merging = (Flag::interpolated | Flag::one_run) | static_cast<Flags>(Flag::scattered);

/// Half of an interval between launches, as a share of the value. Beyond it another set of launches would
/// give a value that differs by some percent.
constexpr double wide_interval = 0.05;

/// The smallest number of launches with an interval of 95 %. If it is not wide the value is good, however
/// short each launch was.
constexpr std::size_t enough_without_repeatability = 6;

/// The least average number of values not in doubt at an argument for a few to count alone. (Shares add up to
/// nearly 2.)
constexpr double enough_along_curve = 2 - 1e-9;

/// What a run measured at an argument, with a value or without.
std::optional<Measurement> measured_at(const LazyCurve& run, std::int64_t argument) {
    const auto own = std::ranges::lower_bound(run.headers, argument, {}, &PointHeader::argument);
    if (own == run.headers.end() || own->argument != argument)
        return std::nullopt;
    return run.load(static_cast<std::size_t>(own - run.headers.begin()));
}

/// A run that has no value at an argument.
/// @param own what it measured there nevertheless: its flags say why it has none
Source abstaining(const LazyCurve& run, const std::optional<Measurement>& own) {
    Source source;
    source.run = run.run;
    source.database = run.file;
    source.left_out = own.has_value();
    if (own)
        source.own = *own;
    source.own.summary = skalib::Summary::unknown();
    source.own.node_times.clear();
    source.own.value_s = source.own.adjusted_s = std::numeric_limits<double>::quiet_NaN();
    return source;
}

const RunValue& value_of(const std::vector<RunValue>& values, std::size_t run, std::size_t mode) {
    return *std::ranges::find_if(values,
                                 [&](const RunValue& each) { return each.run == run && each.mode == mode; });
}

/// The value whose statistics describe a chosen one: itself or, as a secondary mode has none, the nearest
/// value of the launches that reported the mode.
const RunValue& with_statistics(const RunValue& chosen, const std::vector<RunValue>& values) {
    if (!chosen.secondary)
        return chosen;
    const auto order = [&](const RunValue& each) {
        const Measurement& m = each.measurement;
        // The first two decide; the others make the choice independent of the order of runs.
        return std::tuple(each.left_out != LeftOut::no, std::fabs(m.value_s - chosen.measurement.value_s),
                          m.value_s, m.standard_error_s, m.summary.count, m.summary.mean_all);
    };
    const RunValue* nearest = nullptr;
    for (const RunValue& each : values)
        if (each.mode == chosen.mode && !each.secondary &&
            (nearest == nullptr || order(each) < order(*nearest)))
            nearest = &each;
    return nearest == nullptr ? chosen : *nearest;
}

Flags merged_flags(const std::vector<const RunValue*>& used) {
    Flags flags = 0;
    for (const Flag flag : all_flags()) {
        const auto flagged = std::ranges::count_if(
            used, [&](const RunValue* each) { return has(each->measurement.flags, flag); });
        // One launch that is not repeatable makes the value so. A few disturbed ones do not move a median;
        // half do.
        const bool one_is_enough = flag == Flag::not_repeatable;
        if (flagged > 0 && (one_is_enough || 2 * flagged >= std::ssize(used)))
            set(flags, flag);
    }
    return flags & ~flags_of_merging;
}

/// The statistics of all single measurements of the values used: of those measured at the argument or, if
/// all are interpolated, of the interpolated ones.
/// @param summary of the chosen value, changed in place
void pool_values(const std::vector<const RunValue*>& used, double count, skalib::Summary& summary) {
    std::vector<const skalib::Summary*> measured;
    std::vector<const skalib::Summary*> interpolated;
    for (const RunValue* each : used)
        if (!each->secondary) // only its count is known
            (each->interpolated ? interpolated : measured).push_back(&each->measurement.summary);
    if (measured.empty() && interpolated.empty()) {
        summary = skalib::Summary::unknown();
        summary.count = whole_count(count);
    } else {
        const skalib::Summary chosen = summary;
        pool(measured.empty() ? interpolated : measured, summary);
        // The quartiles stay those of the chosen value: if that is interpolated, they may lie beyond all that
        // was measured.
        summary.minimum = std::fmin(summary.minimum, chosen.minimum);
        summary.maximum = std::fmax(summary.maximum, chosen.maximum);
    }
}

void copy_planned(Measurement& m, const Measurement& planned) {
    m.message_bytes = planned.message_bytes;
    m.ranks = planned.ranks;
    m.chunks = planned.chunks;
    m.messages = planned.messages;
}

/// Whether a gap lies between any two probes, even one with a launch beyond it that is no state
/// (state_bounds()).
bool probes_have_gap(const std::vector<RunValue>& values) {
    std::vector<double> probes_s;
    for (const RunValue& each : values)
        if (each.measurement.probe_s > 0 && each.left_out != LeftOut::no_core)
            probes_s.push_back(each.measurement.probe_s);
    std::ranges::sort(probes_s);
    return std::ranges::adjacent_find(
               probes_s, [](double a_s, double b_s) { return b_s >= mode_ratio * a_s; }) != probes_s.end();
}

} // namespace

MergedMeasurement PointMerger::merge(std::int64_t argument, std::vector<RunValue>& values,
                                     std::optional<std::size_t> preferred) {
    const std::size_t main = preferred ? *preferred : choose_mode(values);
    leave_doubtful_out(values);
    const skalib::MergedPoint point = merge_mode(argument, values, main, &Measurement::value_s);
    MergedMeasurement merged;
    Measurement& m = merged.measurement;
    m = chosen_measurement(values, main, point);
    m.value_s = point.value;
    m.standard_error_s = point.standard_error;
    m.discarded = 0;
    m.time_used_s = 0;
    std::vector<const RunValue*> used;
    for (const RunValue& each : values) {
        m.discarded += each.measurement.discarded;
        m.time_used_s += each.measurement.time_used_s;
        if (each.mode == main && each.left_out == LeftOut::no)
            used.push_back(&each);
    }
    pool_values(used, point.count, m.summary);
    m.alone_s = merge_positive(argument, used, &Measurement::alone_s);
    m.computation_s = merge_positive(argument, used, &Measurement::computation_s);
    m.flags = merged_flags(used);
    if (point.chosen_interpolated)
        set(m.flags, Flag::interpolated);
    if (point.runs == 1)
        set(m.flags, Flag::one_run);
    if (point.interval.high - point.interval.low > 2 * wide_interval * std::fabs(m.value_s))
        set(m.flags, Flag::scattered);
    else if (way_.value != skalib::MergedValue::minimum && point.runs >= enough_without_repeatability)
        m.flags &= ~(Flag::not_repeatable | Flag::timed_out);
    add_modes(values, main, m);
    const auto planned =
        std::ranges::find_if(values, [](const RunValue& each) { return !each.interpolated; });
    if (planned != values.end())
        copy_planned(m, planned->measurement);
    merged.facts = facts_of(point, values, main);
    adjust(used, merged);
    return merged;
}

MergedMeasurement PointMerger::without_value(std::int64_t argument) const {
    MergedMeasurement merged;
    Measurement& m = merged.measurement;
    m.argument = argument;
    m.summary = skalib::Summary::unknown();
    m.value_s = m.standard_error_s = m.adjusted_s = std::numeric_limits<double>::quiet_NaN();
    for (const LazyCurve& run : runs_) {
        const std::optional<Measurement> own = measured_at(run, argument);
        merged.facts.sources.push_back(abstaining(run, own));
        if (!own)
            continue;
        copy_planned(m, *own);
        m.flags |= own->flags;
        m.discarded += own->discarded;
        m.time_used_s += own->time_used_s;
    }
    m.flags &= ~flags_of_merging;
    return merged;
}

MergedMeasurement PointMerger::without_value(std::int64_t argument, std::vector<RunValue>& values,
                                             std::size_t shown) const {
    MergedMeasurement merged = without_value(argument);
    leave_doubtful_out(values);
    skalib::MergedPoint none;
    none.chosen = none.chosen_too = runs_.size();
    merged.facts = facts_of(none, values, shown);
    Measurement& m = merged.measurement;
    m.mode = static_cast<int>(shown);
    m.modes = mode_values(argument, values);
    if (!m.modes.empty())
        set(m.flags, Flag::several_modes);
    return merged;
}

/// The mode that most launches report. Among equally common ones, that with most launches of the mode chosen
/// at the previous argument, then the fastest.
std::size_t PointMerger::choose_mode(const std::vector<RunValue>& values) {
    struct Launches {
        std::size_t all = 0;
        std::size_t of_former = 0;
        auto operator<=>(const Launches&) const = default;
    };
    const bool exclude_doubtful = excludes_doubtful(values, way_);
    std::map<std::size_t, Launches> launches;
    for (const RunValue& each : values) {
        if (each.secondary || each.left_out != LeftOut::no ||
            (exclude_doubtful && is_doubtful(each.measurement)))
            continue;
        ++launches[each.mode].all;
        launches[each.mode].of_former += in_former_mode_.contains(each.run) ? 1 : 0;
    }
    const std::size_t main =
        std::max_element(launches.begin(), launches.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
        })->first;
    if (launches.size() > 1) { // a single mode says nothing about the other launches
        in_former_mode_.clear();
        for (const RunValue& each : values)
            if (!each.secondary && each.mode == main)
                in_former_mode_.insert(each.run);
    }
    return main;
}

/// Leaves doubtful values out, in each mode that has enough others. If nearly all are doubtful, only those
/// whose probe was slowed too.
void PointMerger::leave_doubtful_out(std::vector<RunValue>& values) const {
    if (way_.weights == skalib::Weights::count)
        return;
    std::map<std::size_t, std::vector<RunValue*>> modes;
    for (RunValue& each : values)
        if (each.left_out == LeftOut::no)
            modes[each.mode].push_back(&each);
    for (const auto& [mode, of_mode] : modes) {
        std::vector<skalib::Contribution> contributions;
        for (const RunValue* each : of_mode)
            contributions.push_back(
                {each->run,
                 {0, {each->measurement.value_s, 0, 0}, {}, is_doubtful(each->measurement)},
                 each->interpolated});
        const bool along_curve =
            way_.modes && mode < launches_.sound.size() && launches_.sound[mode] > enough_along_curve;
        if (!all_doubtful_go(of_mode, along_curve && skalib::leaves_doubtful_out(contributions)))
            for (std::size_t i = 0; i < of_mode.size(); ++i)
                contributions[i].point.doubtful = contributions[i].point.doubtful && of_mode[i]->slowed;
        if (skalib::leaves_doubtful_out(contributions))
            for (std::size_t i = 0; i < of_mode.size(); ++i)
                if (contributions[i].point.doubtful)
                    of_mode[i]->left_out = LeftOut::doubtful;
    }
}

/// Whether all doubtful values of a mode are left out. A few others count alone only if they are such as
/// launches reported, if most doubtful ones were disturbed (nothing else makes all of them longer), and if
/// most of the curve has such values: at single arguments they would be dents in a curve of disturbed ones.
/// @param are_shorter whether the others are, along the curve
bool PointMerger::all_doubtful_go(std::span<const RunValue* const> of_mode, bool are_shorter) const {
    std::size_t sound = 0;
    std::size_t reported = 0; // of these
    std::size_t doubtful = 0;
    std::size_t disturbed = 0; // of these
    for (const RunValue* each : of_mode) {
        const bool in_doubt = is_doubtful(each->measurement);
        (in_doubt ? doubtful : sound) += 1;
        reported += !in_doubt && !each->secondary && !each->interpolated ? 1 : 0;
        disturbed += in_doubt && has(each->measurement.flags, Flag::disturbed) ? 1 : 0;
    }
    return skalib::enough_without(sound, doubtful) ||
           (are_shorter && reported > 0 && 2 * disturbed > doubtful);
}

/// Includes the effects of the clock's step and of launches in a row on the interval.
skalib::MergedPoint PointMerger::merge_values(std::int64_t argument,
                                              std::vector<skalib::Contribution> contributions,
                                              double correlation) const {
    skalib::MergedPoint point = skalib::merge_contributions(argument, std::move(contributions), runs_.size(),
                                                            {way_.value, way_.weights, correlation});
    if (launches_.step_s && point.interval.confidence > 0) {
        const double half_step = launches_.step_s(point.value) / 2;
        point.interval.low = point.value - std::hypot(point.value - point.interval.low, half_step);
        point.interval.high = point.value + std::hypot(point.interval.high - point.value, half_step);
    }
    if (launches_.in_a_row)
        point.interval.confidence = 0;
    return point;
}

/// Merges one member of the values in one mode.
skalib::MergedPoint PointMerger::merge_mode(std::int64_t argument, const std::vector<RunValue>& values,
                                            std::size_t mode, double Measurement::*member) const {
    std::vector<skalib::Contribution> contributions;
    contributions.reserve(values.size());
    for (const RunValue& each : values)
        if (const Measurement& own = each.measurement; each.mode == mode && each.left_out == LeftOut::no)
            contributions.push_back(
                {each.run,
                 {argument, {own.*member, own.standard_error_s, std::max(1.0, each.count())}, {}, false},
                 each.interpolated});
    return merge_values(argument, std::move(contributions), launches_.correlation);
}

/// All that is taken from the run or the two runs that the value comes from.
Measurement PointMerger::chosen_measurement(const std::vector<RunValue>& values, std::size_t mode,
                                            const skalib::MergedPoint& point) const {
    const RunValue& one = value_of(values, point.chosen, mode);
    const RunValue& other = value_of(values, point.chosen_too, mode);
    const auto mean_of = [&](const RunValue& a, const RunValue& b) {
        return &a == &b ? a.measurement : interpolate(a.measurement, b.measurement, 0.5, point.argument);
    };
    Measurement m = mean_of(one, other);
    if (one.secondary || other.secondary) {
        const Measurement known = mean_of(with_statistics(one, values), with_statistics(other, values));
        m.summary = known.summary;
        m.node_times = known.node_times;
    }
    m.argument = point.argument;
    return m;
}

/// Merges a member of the values in which it is above 0, as the value is merged; 0 where it is in none.
double PointMerger::merge_positive(std::int64_t argument, const std::vector<const RunValue*>& used,
                                   double Measurement::*member) const {
    std::vector<RunValue> positive;
    for (const RunValue* each : used)
        if (each->measurement.*member > 0)
            positive.push_back(*each);
    return positive.empty() ? 0 : merge_mode(argument, positive, positive.front().mode, member).value;
}

void PointMerger::add_modes(const std::vector<RunValue>& values, std::size_t main, Measurement& m) const {
    m.modes = mode_values(m.argument, values);
    m.mode = static_cast<int>(main);
    m.mode_share = 1;
    if (m.modes.size() > 1 || probes_have_gap(values))
        set(m.flags, Flag::several_modes);
    if (m.modes.size() < 2)
        m.modes.clear();
    for (const ModeValue& mode : m.modes)
        if (mode.mode == m.mode)
            m.mode_share = mode.share;
}

/// The values of the modes that launches report or saw, each merged within its mode.
std::vector<ModeValue> PointMerger::mode_values(std::int64_t argument,
                                                const std::vector<RunValue>& values) const {
    std::map<std::size_t, std::size_t> launches; // that report the mode
    std::size_t reported = 0;
    for (const RunValue& each : values) {
        if (each.left_out == LeftOut::no || each.left_out == LeftOut::doubtful)
            launches[each.mode] += each.secondary ? 0 : 1;
        reported += each.secondary ? 0 : 1;
    }
    std::vector<ModeValue> modes;
    for (const auto& [mode, holding] : launches) {
        const skalib::MergedPoint point = merge_mode(argument, values, mode, &Measurement::value_s);
        std::vector<double> probes_s;
        for (const RunValue& each : values)
            if (each.mode == mode && each.left_out != LeftOut::no_core && each.measurement.probe_s > 0)
                probes_s.push_back(each.measurement.probe_s);
        ModeValue& value = modes.emplace_back();
        value.mode = static_cast<int>(mode);
        value.share = static_cast<double>(holding) / static_cast<double>(reported);
        value.value_s = point.value;
        value.probe_s = skalib::lower_median(std::move(probes_s));
        value.count = whole_count(point.count);
        value.runs = static_cast<int>(point.runs);
        value.interval_low_s = point.interval.low;
        value.interval_high_s = point.interval.high;
        value.interval_confidence = point.interval.confidence;
    }
    return modes;
}

namespace {

/// The mean distance of values from their median, as a share of it.
double scatter(const std::vector<double>& values) {
    const double median = skalib::median(values);
    double sum = 0;
    for (const double value : values)
        sum += std::fabs(std::log(value / median));
    return sum / static_cast<double>(values.size());
}

/// Whether adjusting increases the scatter of a point's launches: a machine may slow short messages as theory
/// says, but hardly long ones, which wait for memory (docs/decisions/one-reference.md).
bool increases_scatter(const std::vector<const RunValue*>& used, const SuiteAdjustment& adjustment) {
    constexpr std::size_t fewest = 4; // fewer prove nothing
    std::vector<double> raw;
    std::vector<double> adjusted;
    for (const RunValue* each : used) {
        const Measurement& own = each->measurement;
        const double adjusted_s =
            adjustment.adjusted(own.value_s, each->run, {own.probe_s, core_speed(own)}, adjustment.chosen);
        if (!(adjusted_s > 0) || !(own.value_s > 0))
            continue;
        raw.push_back(own.value_s);
        adjusted.push_back(adjusted_s);
    }
    return raw.size() >= fewest && scatter(adjusted) > scatter(raw);
}

} // namespace

/// Forms the adjusted value of the launches that the value rests on. Its interval holds for every adjustment
/// that these launches may have chosen.
/// @param used the values of these launches
void PointMerger::adjust(const std::vector<const RunValue*>& used, MergedMeasurement& merged) const {
    Measurement& m = merged.measurement;
    MergeFacts& facts = merged.facts;
    m.adjusted_s = std::numeric_limits<double>::quiet_NaN();
    if (!adjustment_.adjusts() || increases_scatter(used, adjustment_))
        return;
    for (const Adjustment& adjustment : adjustment_.possible) {
        std::vector<skalib::Contribution> contributions;
        for (const RunValue* each : used) {
            const Measurement& own = each->measurement;
            const double adjusted_s =
                adjustment_.adjusted(own.value_s, each->run, {own.probe_s, core_speed(own)}, adjustment);
            if (std::isfinite(adjusted_s))
                contributions.push_back({each->run,
                                         {m.argument,
                                          {adjusted_s, own.standard_error_s, std::max(1.0, each->count())},
                                          {},
                                          false},
                                         each->interpolated});
        }
        if (2 * contributions.size() <= used.size())
            return; // it would be the value of other launches
        const skalib::MergedPoint point =
            merge_values(m.argument, std::move(contributions), adjustment_.correlation);
        if (adjustment == adjustment_.chosen) {
            m.adjusted_s = point.value;
            facts.adjusted_confidence = point.interval.confidence;
        }
        facts.adjusted_low_s = facts.adjusted_low_s > 0 ? std::min(facts.adjusted_low_s, point.interval.low)
                                                        : point.interval.low;
        facts.adjusted_high_s = std::max(facts.adjusted_high_s, point.interval.high);
    }
}

/// All of a source except `chosen` and `left_out`.
Source PointMerger::source_of(const RunValue& value) const {
    Source source{.run = runs_[value.run].run,
                  .database = runs_[value.run].file,
                  .interpolated = value.interpolated,
                  .other_mode = value.secondary,
                  .own = value.measurement};
    source.own.mode = static_cast<int>(value.mode);
    source.own.modes.clear();
    if (value.interpolated)
        source.own.node_times.clear(); // of what it measured itself
    return source;
}

MergeFacts PointMerger::facts_of(const skalib::MergedPoint& point, const std::vector<RunValue>& values,
                                 std::size_t main) const {
    MergeFacts facts;
    facts.runs = static_cast<int>(point.runs);
    facts.minimum_s = point.minimum;
    facts.maximum_s = point.maximum;
    facts.mad_s = point.mad;
    facts.between_runs_error_s = point.between_runs_error;
    facts.interval_low_s = point.interval.low;
    facts.interval_high_s = point.interval.high;
    facts.interval_confidence = point.interval.confidence;
    facts.in_a_row = launches_.in_a_row;
    facts.value_kind = value_name(way_.value);
    facts.adjusted_share = adjustment_.reference.probe_s > 0 ? adjustment_.chosen.share : 0;
    facts.adjusted_by_speed = adjustment_.reference.core_speed > 0 && adjustment_.chosen.by_core_speed;
    for (const Flag flag : all_flags()) {
        const auto flagged = std::ranges::count_if(values, [&](const RunValue& each) {
            return !each.secondary && has(each.measurement.flags, flag);
        });
        if (flagged > 0)
            facts.flagged += (facts.flagged.empty() ? "" : ", ") + std::to_string(flagged) + " " +
                             flag_words(static_cast<Flags>(flag));
    }
    add_sources(point, values, main, facts);
    return facts;
}

void PointMerger::add_sources(const skalib::MergedPoint& point, const std::vector<RunValue>& values,
                              std::size_t main, MergeFacts& facts) const {
    facts.sources.reserve(std::max(values.size(), runs_.size()));
    auto next = values.begin();
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        bool any = false;
        for (; next != values.end() && next->run == run; ++next, any = true) {
            Source source = source_of(*next);
            source.left_out = point.runs == 0 || next->mode != main || next->left_out != LeftOut::no;
            source.chosen = next->mode == main && (run == point.chosen || run == point.chosen_too);
            facts.measured_runs += next->secondary ? 0 : 1;
            facts.sources.push_back(std::move(source));
            for (const ModeValue& mode : next->duplicates) {
                Source duplicate =
                    source_of({run, secondary_measurement(next->measurement, mode), false, true, next->mode});
                duplicate.left_out = true;
                facts.sources.push_back(std::move(duplicate));
            }
        }
        if (!any)
            facts.sources.push_back(abstaining(runs_[run], measured_at(runs_[run], point.argument)));
    }
}

} // namespace skampi
