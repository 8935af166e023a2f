// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/shown_runs.hpp"

#include "base/utc.hpp"
#include "merge/merge_suite.hpp"
#include "merge/merged_plan.hpp"
#include "merge/references.hpp"
#include "model/machine_state.hpp"
#include "model/machine_states.hpp"
#include "model/measured_value.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace skampi {

namespace {

/// @param take gets the finished points of a suite, ascending argument
/// @param begun as long as none is finished it gets, flagged, those that are not: a pass may take hours
/// @return how many are not finished
int for_each_finished(const Database& database, SuiteId suite,
                      const std::function<void(StoredMeasurement&&)>& take, bool begun = false) {
    std::vector<StoredMeasurement> unfinished;
    bool any = false;
    database.for_each_measurement(suite, [&](StoredMeasurement&& point) {
        any = any || point.finished;
        if (point.finished)
            take(std::move(point));
        else
            unfinished.push_back(std::move(point));
    });
    const int count = static_cast<int>(unfinished.size());
    for (StoredMeasurement& point : unfinished)
        if (begun && !any && above_zero(point.measurement)) {
            point.measurement.flags |= static_cast<Flags>(Flag::not_repeatable);
            take(std::move(point));
        }
    return count;
}

/// What the launches recorded of the machine while they measured a suite, by uuid.
class RecordedStates {
public:
    void add(const std::string& uuid, const Measurement& recorded) {
        Recorded& launch = launches_[uuid];
        if (recorded.probe_s > 0)
            launch.probes_s.push_back(recorded.probe_s);
        if (const double speed = core_speed(recorded); speed > 0)
            launch.speeds.push_back(speed);
    }
    /// For a value that is not shown.
    void add_other(const std::string& uuid, std::int64_t argument, double probe_s) {
        if (probe_s > 0)
            launches_[uuid].other_probes_s.emplace_back(argument, probe_s);
    }
    void keep_medians(Curve& curve) && {
        for (auto& [uuid, recorded] : launches_) {
            SuiteLaunch& launch = curve.launches[uuid];
            for (const auto& [argument, probe_s] : recorded.other_probes_s)
                if (!launch.values.contains(argument))
                    recorded.probes_s.push_back(probe_s);
            launch.probe_s = recorded.probes_s.empty() ? 0 : skalib::median(std::move(recorded.probes_s));
            launch.core_speed = recorded.speeds.empty() ? 0 : skalib::median(std::move(recorded.speeds));
        }
    }

private:
    struct Recorded {
        std::vector<double> probes_s;
        std::vector<double> speeds;
        std::vector<std::pair<std::int64_t, double>> other_probes_s;
    };
    std::map<std::string, Recorded> launches_;
};

bool start_differs(const Measurement& own, const Measurement& merged) {
    return has(own.flags, Flag::unsynchronised) != has(merged.flags, Flag::unsynchronised);
}

/// Notes the values of a launch that the merged value does not use.
void take_not_shown(SuiteLaunch& launch, const Measurement& merged, const Source& source, double fastest_s,
                    RecordedStates& states) {
    const Measurement& own = source.own;
    const bool of_mode = own.mode == merged.mode;
    if (source.interpolated || source.abstained() || (of_mode && (!source.left_out || source.other_mode)) ||
        start_differs(own, merged) || lost_core(own.probe_s, fastest_s) ||
        launch.others.contains(merged.argument))
        return;
    launch.others[merged.argument] = own.value_s;
    states.add_other(source.run, merged.argument, own.probe_s);
}

/// The fastest probe among the machine states of a merged value; 0 = none.
double fastest_probe_s(const Measurement& merged) {
    double fastest_s = has_value(merged) ? merged.probe_s : 0;
    for (const ModeValue& mode : merged.modes)
        fastest_s = faster_probe(fastest_s, mode.probe_s);
    return fastest_s;
}

/// Notes why a launch is left out, if not because of its flags. @param fastest_s probe of the fastest state
void take_left_out(Curve& curve, SuiteLaunch& launch, const Measurement& merged, const Source& source,
                   double fastest_s) {
    if (lost_core(source.own.probe_s, fastest_s)) {
        launch.without_core_s = std::max(launch.without_core_s, source.own.probe_s);
        curve.probe_with_core_s = fastest_s;
        launch.other_start = false; // a rank that waits for a core misses windows, too
    } else if (start_differs(source.own, merged) && !(launch.without_core_s > 0)) {
        launch.other_start = true;
    }
}

/// Adds a merged point, and notes the origin of its value. The point does not keep it, because the texts of
/// many launches' sources would fill the memory.
void take_merged(Curve& curve, StoredMeasurement&& point, std::map<std::string, Contribution>& contributions,
                 RecordedStates& states) {
    if (point.merge) {
        const double fastest_s = fastest_probe_s(point.measurement);
        for (const Source& source : point.merge->sources) {
            SuiteLaunch& launch = curve.launches[source.run];
            take_not_shown(launch, point.measurement, source, fastest_s, states);
            if (source.other_mode)
                continue;
            const Measurement& own = source.own;
            curve.by_launches.single_measurements += own.discarded;
            curve.by_launches.discarded += own.discarded;
            if (!source.abstained() && !source.interpolated) {
                ++curve.by_launches.values;
                curve.by_launches.disturbed += has(own.flags, Flag::disturbed) ? 1 : 0;
                curve.by_launches.single_measurements += own.summary.count;
            }
            if (source.left_out && !source.abstained())
                take_left_out(curve, launch, point.measurement, source, fastest_s);
            Contribution& run = contributions[source.run];
            run.database = source.database;
            if (source.abstained()) {
                launch.abstentions.insert(point.measurement.argument);
                continue;
            }
            ++run.points;
            run.interpolated += source.interpolated ? 1 : 0;
            run.chosen += source.chosen ? 1 : 0;
            // Only what the launch itself measured, in the mode of the merged value: callers that need more
            // interpolate.
            if (source.left_out)
                launch.abstentions.insert(point.measurement.argument);
            else if (!source.interpolated) {
                launch.values[point.measurement.argument] = own.value_s;
                states.add(source.run, own);
            }
            if (const double ratio = own.value_s / point.measurement.value_s; std::isfinite(ratio))
                run.ratios.push_back(ratio);
        }
        const auto measured_here = [](const Source& source) {
            return !source.abstained() && !source.left_out && !source.interpolated;
        };
        if (!point.merge->sources.empty() && std::ranges::none_of(point.merge->sources, measured_here))
            curve.counted_elsewhere += point.measurement.summary.count;
        std::vector<Source>().swap(point.merge->sources); // "= {}" would keep the room
    }
    curve.points.push_back(std::move(point));
}

/// Gives back the room that the launches' values do not need.
void shrink_launches(Curve& curve) {
    for (auto& [uuid, launch] : curve.launches) {
        launch.values.shrink_to_fit();
        launch.others.shrink_to_fit();
    }
}

/// A plan has a length for operations without messages, too: to readers it means nothing.
void forget_meaningless_length(Curve& curve) {
    Suite& suite = curve.stored.suite;
    if (!has_message_length(suite.operation) &&
        std::ranges::none_of(curve.points, [](const StoredMeasurement& point) {
            return point.measurement.message_bytes != 0; // what moves messages has bytes all the same
        }))
        suite.message_bytes = 0;
}

/// The launches of a merged run with a known begin, or the raw run itself.
std::map<std::string, LaunchTime> launch_times(const Run& run) {
    std::map<std::string, LaunchTime> times;
    const auto add = [&](const std::string& uuid, const std::string& began, const std::string& ended) {
        if (const std::optional<double> begin_s = utc_seconds(began))
            times[uuid] = {*begin_s, std::max(*begin_s, utc_seconds(ended).value_or(*begin_s))};
    };
    for (const auto& [uuid, source] : merged_sources(run))
        if (source.own_start)
            add(uuid, source.started_utc, source.ended_utc);
    if (run.kind != "merged")
        add(run.uuid, run.started_utc, run.ended_utc);
    return times;
}

} // namespace

std::string group_of(const Run& run) {
    const auto group = run.facts.find(fact_merged_group);
    return group == run.facts.end() ? std::string() : group->second;
}

void show_run(const Database& database, RunId id, Run run, Subject& subject) {
    for (StoredSuite& suite : database.suites(id)) {
        Curve curve;
        curve.stored = std::move(suite);
        curve.clock_resolution_s = run.clock_resolution_s;
        curve.clock_cost_s = run.clock_cost_s;
        curve.simulated = is_simulated(run);
        RecordedStates states;
        if (run.kind == "merged") {
            curve.correlation = curve.stored.merge.launch_correlation.value_or(0);
            curve.unfinished = for_each_finished(database, curve.stored.id, [&](StoredMeasurement&& point) {
                take_merged(curve, std::move(point), subject.contributions, states);
            });
        } else {
            curve.unfinished = for_each_finished(
                database, curve.stored.id,
                [&](StoredMeasurement&& point) {
                    curve.by_launches.single_measurements +=
                        point.measurement.summary.count + point.measurement.discarded;
                    curve.by_launches.discarded += point.measurement.discarded;
                    if (has_value(point.measurement)) {
                        ++curve.by_launches.values;
                        curve.by_launches.disturbed += has(point.measurement.flags, Flag::disturbed) ? 1 : 0;
                        curve.launches[run.uuid].values[point.measurement.argument] =
                            point.measurement.value_s;
                        states.add(run.uuid, point.measurement);
                    }
                    curve.points.push_back(std::move(point));
                },
                true);
        }
        std::move(states).keep_medians(curve);
        shrink_launches(curve);
        forget_meaningless_length(curve);
        subject.curves.push_back(std::move(curve));
    }
    subject.events = database.events(id);
    subject.ended = has_ended(run);
    subject.shown_runs = {id};
    subject.group = group_of(run);
    subject.launch_times = launch_times(run);
    subject.run = std::move(run);
}

namespace {

/// One raw run of a series.
struct Launch {
    SourceRun source;
    std::vector<SuiteId> suites; ///< by place in the plan; 0 = it lacks the suite
};

/// Several launches that are merged here.
struct LaunchSeries {
    const Database& database;
    Run run; ///< made of what all agree on
    std::vector<Launch> launches = {};
    MergedPlan plan = {};
    std::vector<MachineState> references = {};
    bool in_a_row = false;
};

/// A suite of them.
struct MergedCurve {
    Curve curve;
    std::map<std::string, Contribution> contributions;
    std::vector<MetState> states; ///< of the machine, by mode
    std::size_t most_common = 0;  ///< of these
};

/// @param place of the suite in the plan
/// @param state_probe_s of the state that the other suites are shown in; 0 = none
MergedCurve merged_curve(const LaunchSeries& series, std::size_t place, double state_probe_s) {
    const MergeWay way;
    const std::string& path = series.database.path();
    MergedCurve found;
    Curve& curve = found.curve;
    curve.stored = series.plan.suites()[place].stored;
    curve.clock_resolution_s = series.run.clock_resolution_s;
    curve.clock_cost_s = series.run.clock_cost_s;
    curve.simulated = is_simulated(series.run);
    std::vector<SuiteCurve> curves;
    for (const Launch& launch : series.launches) {
        SuiteCurve& own = curves.emplace_back(SuiteCurve{launch.source.run.uuid, path, {}});
        if (place >= launch.suites.size() || launch.suites[place] == 0)
            continue;
        curve.unfinished +=
            for_each_finished(series.database, launch.suites[place], [&](StoredMeasurement&& point) {
                own.measurements.push_back(std::move(point.measurement));
            });
    }
    RecordedStates states;
    MergedSuite merged = merge_suite(
        lazy_curves(curves), way,
        {probe_share(curve.suite().operation.pattern), series.references, series.in_a_row, state_probe_s,
         [&](double value_s) {
             return value_step_s(curve.suite(), {curve.clock_resolution_s, curve.clock_cost_s}, value_s);
         }},
        [&](MergedMeasurement&& point) {
            take_merged(curve, {0, true, std::move(point.measurement), std::move(point.facts)},
                        found.contributions, states);
        });
    keep_findings(merged, curve.stored.merge);
    if (std::ranges::none_of(curve.points,
                             [](const StoredMeasurement& point) { return has_value(point.measurement); }))
        no_value(curve.stored);
    curve.correlation = merged.correlation;
    std::move(states).keep_medians(curve);
    shrink_launches(curve);
    forget_meaningless_length(curve);
    found.states = std::move(merged.states);
    found.most_common = merged.most_common;
    return found;
}

/// All suites, in one state of the machine as far as they met it.
std::vector<MergedCurve> merged_curves(const LaunchSeries& series) {
    std::vector<MergedCurve> all;
    std::vector<std::vector<MetState>> states;
    for (std::size_t place = 0; place < series.plan.suites().size(); ++place) {
        all.push_back(merged_curve(series, place, 0));
        states.push_back(all.back().states);
    }
    const double common_s = common_state_s(states);
    for (std::size_t place = 0; place < all.size(); ++place)
        if (MergedCurve& each = all[place];
            shown_mode(each.states, each.most_common, common_s) != each.most_common)
            each = merged_curve(series, place, common_s);
    return all;
}

void add_contribution(Contribution& to, Contribution&& more) {
    to.database = std::move(more.database);
    to.points += more.points;
    to.interpolated += more.interpolated;
    to.chosen += more.chosen;
    to.ratios.insert(to.ratios.end(), more.ratios.begin(), more.ratios.end());
}

} // namespace

void show_series(const Database& database, std::vector<SourceRun> runs, Subject& subject) {
    std::vector<std::string> notes; // of runs that are in several files: these are in one
    runs = in_canonical_order(std::move(runs), notes);
    LaunchSeries series{.database = database, .run = merged_run(runs, MergeWay())};
    series.references = stored_references(runs);
    series.in_a_row = of_one_session(runs);
    MergedEvents events;
    for (SourceRun& source : runs) {
        std::vector<SuiteId> suites = series.plan.add(database.suites(source.stored), source.file);
        events.add(database.events(source.stored));
        subject.shown_runs.push_back(source.stored);
        series.launches.push_back({std::move(source), std::move(suites)});
    }
    for (MergedCurve& merged : merged_curves(series)) {
        subject.curves.push_back(std::move(merged.curve));
        for (auto& [uuid, contribution] : merged.contributions)
            add_contribution(subject.contributions[uuid], std::move(contribution));
    }
    subject.events = std::move(events.events());
    subject.ended = has_ended(series.run);
    series.run.uuid.clear(); // it is in no file
    subject.merged_here = true;
    subject.launch_times = launch_times(series.run);
    subject.run = std::move(series.run);
}

} // namespace skampi
