#include "launches/shown_runs.hpp"

#include "base/utc.hpp"
#include "merge/merge_suite.hpp"
#include "merge/merged_plan.hpp"
#include "merge/references.hpp"
#include "model/machine_state.hpp"
#include "model/machine_states.hpp"
#include "model/measured_value.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace skampi {

namespace {

/// @param take gets the finished points of a suite, ascending argument  @return how many are not
int for_each_finished(const Database& database, SuiteId suite,
                      const std::function<void(StoredMeasurement&&)>& take) {
    int unfinished = 0;
    database.for_each_measurement(suite, [&](StoredMeasurement&& point) {
        if (point.finished)
            take(std::move(point));
        else
            ++unfinished;
    });
    return unfinished;
}

LaunchState recorded_state(const Measurement& recorded) {
    return {recorded.probe_s, recorded.way_there, core_speed(recorded)};
}

ValueDoubts doubts_of(const Measurement& own) {
    const bool doubtful = is_doubtful(own);
    return {doubtful, probe_in_doubt(own.flags, doubtful), has(own.flags, Flag::disturbed)};
}

ValueMet met_by(const Measurement& recorded) {
    return {static_cast<float>(recorded.probe_s), doubts_of(recorded)};
}

/// Notes what a launch says that the merged value does not rest on.
void take_not_shown(Curve& curve, const Measurement& merged, const Source& source) {
    const Measurement& own = source.own;
    const bool of_mode = own.mode == merged.mode;
    if (source.interpolated || source.abstained() || (of_mode && (!source.left_out || source.aside)) ||
        has(own.flags, Flag::unsynchronised) != has(merged.flags, Flag::unsynchronised))
        return;
    std::vector<NotShown>& of_run = curve.not_shown[source.run];
    if (source.aside && !of_run.empty() && of_run.back().argument == merged.argument &&
        of_run.back().mode == own.mode)
        return; // it reported another value of that mode
    const bool in_doubt = (own.flags & doubtful_alone & ~merged.flags) != 0;
    of_run.push_back({merged.argument, own.mode, own.value_s, recorded_state(own), in_doubt, doubts_of(own)});
}

/// What the launches recorded of the machine at each argument of a suite, by uuid.
class RecordedStates {
public:
    void add(const std::string& uuid, const Measurement& recorded) {
        launches_[uuid].push_back(recorded_state(recorded));
    }
    [[nodiscard]] std::map<std::string, LaunchState> medians() const {
        std::map<std::string, LaunchState> states;
        for (const auto& [uuid, met] : launches_)
            states[uuid] = median_state(met);
        return states;
    }

private:
    std::map<std::string, std::vector<LaunchState>> launches_;
};

/// Of the states of the machine that a merged value knows; 0 = none.
double fastest_probe_s(const Measurement& merged) {
    double fastest_s = has_value(merged) ? merged.probe_s : 0;
    for (const ModeValue& mode : merged.modes)
        if (mode.probe_s > 0 && !(fastest_s > 0 && fastest_s <= mode.probe_s))
            fastest_s = mode.probe_s;
    return fastest_s;
}

/// Notes why a launch is left out, if not because of its flags. @param fastest_s probe of the fastest state
void take_left_out(Curve& curve, const Measurement& merged, const Source& source, double fastest_s) {
    if (lost_core(source.own.probe_s, fastest_s)) {
        double& longest_s = curve.launches_without_core[source.run];
        longest_s = std::max(longest_s, source.own.probe_s);
        curve.probe_with_core_s = fastest_s;
        curve.launches_of_other_start.erase(source.run); // who waits for a core misses windows, too
    } else if (has(source.own.flags, Flag::unsynchronised) != has(merged.flags, Flag::unsynchronised) &&
               !curve.launches_without_core.contains(source.run)) {
        curve.launches_of_other_start.insert(source.run);
    }
}

/// Adds a merged point, and notes where its value comes from, which the point forgets: of many launches the
/// texts of the sources would be all that fills the memory.
void take_merged(Curve& curve, StoredMeasurement&& point, std::map<std::string, Contribution>& contributions,
                 RecordedStates& states) {
    if (point.merge) {
        const double fastest_s = fastest_probe_s(point.measurement);
        for (const Source& source : point.merge->sources) {
            take_not_shown(curve, point.measurement, source);
            if (source.aside)
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
                take_left_out(curve, point.measurement, source, fastest_s);
            Contribution& run = contributions[source.run];
            run.database = source.database;
            if (source.abstained()) {
                curve.abstentions[source.run].insert(point.measurement.argument);
                continue;
            }
            ++run.points;
            run.interpolated += source.interpolated ? 1 : 0;
            run.chosen += source.chosen ? 1 : 0;
            // Only what the launch itself measured, in the mode of the merged value: whoever wants more
            // interpolates.
            if (source.left_out)
                curve.abstentions[source.run].insert(point.measurement.argument);
            else if (!source.interpolated) {
                curve.launches[source.run][point.measurement.argument] = own.value_s;
                states.add(source.run, own);
                curve.met[source.run][point.measurement.argument] = met_by(own);
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
    for (auto& [uuid, values] : curve.launches)
        values.shrink_to_fit();
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

/// Of those that say when they began: the launches of a merged run, or the raw run itself.
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
            curve.unfinished = for_each_finished(database, curve.stored.id, [&](StoredMeasurement&& point) {
                curve.by_launches.single_measurements +=
                    point.measurement.summary.count + point.measurement.discarded;
                curve.by_launches.discarded += point.measurement.discarded;
                if (has_value(point.measurement)) {
                    ++curve.by_launches.values;
                    curve.by_launches.disturbed += has(point.measurement.flags, Flag::disturbed) ? 1 : 0;
                    curve.launches[run.uuid][point.measurement.argument] = point.measurement.value_s;
                    curve.met[run.uuid][point.measurement.argument] = met_by(point.measurement);
                    states.add(run.uuid, point.measurement);
                }
                curve.points.push_back(std::move(point));
            });
        }
        curve.launch_states = states.medians();
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
    curve.launch_states = states.medians();
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
