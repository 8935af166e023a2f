#include "subject/subject.hpp"

#include "analysis/comparable.hpp"
#include "analysis/rank_study.hpp"

#include "subject/library_name.hpp"

#include "model/quantity.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "merge/merge_suite.hpp"
#include "merge/merge_words.hpp"
#include "merge/merged_plan.hpp"
#include "merge/references.hpp"
#include "merge/run_group.hpp"
#include "model/machine_state.hpp"
#include "model/machine_states.hpp"
#include "skalib/curve.hpp"
#include "skalib/merge.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace skampi {

namespace {

bool has_values(const Database& database, RunId run) {
    bool found = false;
    for (const StoredSuite& suite : database.suites(run)) {
        database.for_each_measurement(suite.id, [&](const StoredMeasurement& point) {
            found = found || (point.finished && above_zero(point.measurement));
        });
        if (found)
            break;
    }
    return found;
}

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

/// @param recorded a Measurement or a Source
template <typename Recorded>
LaunchState recorded_state(const Recorded& recorded) {
    return {recorded.probe_s, recorded.way_there, core_speed(recorded)};
}

/// Notes what a launch says in another mode than that of the merged value.
void take_other_mode(Curve& curve, const Measurement& merged, const Source& source) {
    if (source.mode == merged.mode || source.interpolated || (source.flags & doubtful_alone) != 0 ||
        !source.value_s || !std::isfinite(*source.value_s))
        return;
    std::vector<InOtherMode>& of_run = curve.in_other_modes[source.run];
    if (source.aside && !of_run.empty() && of_run.back().argument == merged.argument &&
        of_run.back().mode == source.mode)
        return; // it reported another value of that mode
    of_run.push_back({merged.argument, source.mode, *source.value_s, recorded_state(source)});
}

/// What the launches recorded of the machine at each argument of a suite, by uuid.
class RecordedStates {
public:
    /// @param recorded a Measurement or a Source
    template <typename Recorded>
    void add(const std::string& uuid, const Recorded& recorded) {
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
    if (lost_core(source.probe_s, fastest_s)) {
        double& longest_s = curve.launches_without_core[source.run];
        longest_s = std::max(longest_s, source.probe_s);
        curve.probe_with_core_s = fastest_s;
        curve.launches_of_other_start.erase(source.run); // who waits for a core misses windows, too
    } else if (has(source.flags, Flag::unsynchronised) != has(merged.flags, Flag::unsynchronised) &&
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
            take_other_mode(curve, point.measurement, source);
            if (source.aside)
                continue;
            if (source.left_out && source.value_s)
                take_left_out(curve, point.measurement, source, fastest_s);
            Contribution& run = contributions[source.run];
            run.database = source.database;
            if (!source.value_s) {
                curve.abstentions[source.run].insert(point.measurement.argument);
                continue;
            }
            ++run.points;
            run.interpolated += source.interpolated ? 1 : 0;
            run.chosen += source.chosen ? 1 : 0;
            if (!std::isfinite(*source.value_s)) {
                curve.abstentions[source.run].insert(point.measurement.argument);
                continue;
            }
            // Only what the launch itself measured, in the mode of the merged value: whoever wants more
            // interpolates.
            if (source.left_out)
                curve.abstentions[source.run].insert(point.measurement.argument);
            else if (!source.interpolated) {
                curve.launches[source.run][point.measurement.argument] = *source.value_s;
                states.add(source.run, source);
            }
            if (const double ratio = *source.value_s / point.measurement.value_s; std::isfinite(ratio))
                run.ratios.push_back(ratio);
        }
        const auto measured_here = [](const Source& source) {
            return source.value_s && !source.left_out && !source.interpolated;
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

std::string group_of(const Run& run) {
    const auto group = run.facts.find(fact_merged_group);
    return group == run.facts.end() ? std::string() : group->second;
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

/// One run as it is stored.
void show_run(const Database& database, RunId id, Run run, Subject& subject) {
    for (StoredSuite& suite : database.suites(id)) {
        Curve curve;
        curve.stored = std::move(suite);
        curve.clock_resolution_s = run.clock_resolution_s;
        curve.clock_cost_s = run.clock_cost_s;
        curve.simulated = is_simulated(run);
        RecordedStates states;
        if (run.kind == "merged") {
            curve.correlation = curve.stored.launch_correlation.value_or(0);
            curve.unfinished = for_each_finished(database, curve.stored.id, [&](StoredMeasurement&& point) {
                take_merged(curve, std::move(point), subject.contributions, states);
            });
        } else {
            curve.unfinished = for_each_finished(database, curve.stored.id, [&](StoredMeasurement&& point) {
                if (has_value(point.measurement)) {
                    curve.launches[run.uuid][point.measurement.argument] = point.measurement.value_s;
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

/// One raw run of a series.
struct Launch {
    SourceRun source;
    std::vector<SuiteId> suites; ///< by place in the plan; 0 = it lacks the suite
};

/// The launches' values, merged suite by suite.
void show_series(const Database& database, std::vector<SourceRun> runs, Subject& subject) {
    std::vector<std::string> notes; // of runs that are in several files: these are in one
    runs = in_canonical_order(std::move(runs), notes);
    const MergeWay way;
    Run run = merged_run(runs, way);
    const std::vector<MachineState> references = stored_references(runs);
    const bool in_a_row = of_one_session(runs);
    MergedPlan plan;
    MergedEvents events;
    std::vector<Launch> launches;
    for (SourceRun& source : runs) {
        std::vector<SuiteId> suites = plan.add(database.suites(source.stored), source.file);
        events.add(database.events(source.stored));
        subject.shown_runs.push_back(source.stored);
        launches.push_back({std::move(source), std::move(suites)});
    }
    for (std::size_t place = 0; place < plan.suites().size(); ++place) {
        Curve curve;
        curve.stored = plan.suites()[place].stored;
        curve.clock_resolution_s = run.clock_resolution_s;
        curve.clock_cost_s = run.clock_cost_s;
        curve.simulated = is_simulated(run);
        std::vector<SuiteCurve> curves;
        for (const Launch& launch : launches) {
            SuiteCurve& own = curves.emplace_back(SuiteCurve{launch.source.run.uuid, subject.path, {}});
            if (place >= launch.suites.size() || launch.suites[place] == 0)
                continue;
            curve.unfinished +=
                for_each_finished(database, launch.suites[place], [&](StoredMeasurement&& point) {
                    own.measurements.push_back(std::move(point.measurement));
                });
        }
        RecordedStates states;
        const MergedSuite merged = merge_suite(
            lazy_curves(curves), way, {probe_share(curve.suite().operation.pattern), references, in_a_row},
            [&](MergedMeasurement&& point) {
                take_merged(curve, {0, true, std::move(point.measurement), std::move(point.facts)},
                            subject.contributions, states);
            });
        for (auto& [name, value] : facts_of_merging(merged))
            curve.stored.facts[name] = value;
        curve.correlation = merged.correlation;
        curve.launch_states = states.medians();
        shrink_launches(curve);
        forget_meaningless_length(curve);
        subject.curves.push_back(std::move(curve));
    }
    subject.events = std::move(events.events());
    subject.ended = has_ended(run);
    run.uuid.clear(); // it is in no file
    subject.merged_here = true;
    subject.launch_times = launch_times(run);
    subject.run = std::move(run);
}

/// The merged runs that have a value, and the raw ones, newest first.
std::pair<std::vector<RunId>, std::vector<RunId>> runs_with_values(const Database& database) {
    std::vector<RunId> merged;
    std::vector<RunId> raw;
    for (const RunId id : database.runs())
        if (has_values(database, id))
            (database.run(id).kind == "merged" ? merged : raw).push_back(id);
    std::ranges::reverse(raw);
    return {std::move(merged), std::move(raw)};
}

/// The newest that came to its end: one that has just begun, perhaps with other settings, or was interrupted
/// does not decide what is shown. Of none the newest.
RunId deciding_run(const Database& database, const std::vector<RunId>& newest_first) {
    for (const RunId id : newest_first)
        if (has_ended(database.run(id)))
            return id;
    return newest_first.front();
}

/// For a message, the first few. @param none what is said where there are none
std::string first_few(const std::vector<std::string>& names, const char* none) {
    constexpr std::size_t most = 10;
    if (names.empty())
        return none;
    if (names.size() <= most)
        return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{}, ...", fmt::join(names.begin(), names.begin() + most, ", "));
}

/// For a message.
std::string known_suites(const std::vector<Subject>& subjects) {
    std::vector<std::string> names;
    for (const Subject& subject : subjects)
        for (const Curve& curve : subject.curves)
            if (const std::string name = printable(shortened(curve.suite().name, 40));
                std::ranges::find(names, name) == names.end())
                names.push_back(name);
    return first_few(names, "none: the database has no suites");
}

/// A subject of which nothing is known but where it comes from.
Subject subject_of(const Database& database, std::size_t runs) {
    Subject subject;
    subject.path = database.path();
    subject.runs_in_database = static_cast<int>(runs);
    return subject;
}

/// Those that are of one series with the first, merged; a single one as it is.
/// @param runs not empty
void show_launches(const Database& database, const std::vector<RunId>& runs, Subject& subject) {
    RunGroup group;
    std::vector<SourceRun> launches;
    for (const RunId id : runs) {
        SourceRun source;
        source.run = database.run(id);
        source.file = subject.path;
        source.origin = is_imported(source.run) ? Origin::csv : Origin::raw;
        source.stored = id;
        if (const auto differences = group.differences(source); !differences.empty()) {
            if (subject.strangers++ == 0)
                subject.strangers_differ = differences.front();
            continue;
        }
        group.take_in(source);
        launches.push_back(std::move(source));
    }
    if (launches.size() == 1)
        show_run(database, launches.front().stored, std::move(launches.front().run), subject);
    else
        show_series(database, std::move(launches), subject);
}

} // namespace

std::vector<RunId> runs_called(const Database& database, const std::vector<std::string>& names) {
    std::vector<RunId> found;
    if (names.empty())
        return found;
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        const std::string group = group_of(run);
        if (std::ranges::any_of(names,
                                [&](const std::string& name) { return name == run.uuid || name == group; }))
            found.push_back(id);
    }
    return found;
}

void require_runs(const std::vector<Database>& databases, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (std::ranges::any_of(
                databases, [&](const Database& database) { return !runs_called(database, {name}).empty(); }))
            continue;
        std::vector<std::string> known;
        for (const Database& database : databases)
            for (const RunId id : database.runs()) {
                const Run run = database.run(id);
                const std::string group = group_of(run);
                known.push_back(printable(group.empty() ? run.uuid : group));
            }
        throw InputError(fmt::format("--run {}: no run is called so, expected one of {}", printable(name),
                                     first_few(known, "none: the databases hold no run")));
    }
}

std::vector<Subject> read_subjects(const Database& database, const std::vector<std::string>& chosen) {
    const std::vector<RunId> ids = database.runs();
    std::vector<RunId> shown = runs_called(database, chosen);
    std::vector<RunId> raw;
    if (shown.empty())
        std::tie(shown, raw) = runs_with_values(database);
    if (shown.empty() && raw.empty() && !ids.empty())
        shown.push_back(ids.back());
    std::vector<Subject> subjects;
    for (const RunId id : shown)
        show_run(database, id, database.run(id), subjects.emplace_back(subject_of(database, ids.size())));
    if (!subjects.empty())
        return subjects;

    Subject& subject = subjects.emplace_back(subject_of(database, ids.size()));
    if (ids.empty())
        return subjects;
    const RunId deciding = deciding_run(database, raw);
    std::stable_partition(raw.begin(), raw.end(), [&](RunId id) { return id == deciding; });
    show_launches(database, raw, subject);
    return subjects;
}

std::vector<Subject> read_study(const Database& database) {
    constexpr std::size_t fewest_sizes = 3;
    const auto [merged, raw] = runs_with_values(database);
    if (!merged.empty() || raw.empty())
        return {};
    const Series study = series_of_study(database.run(deciding_run(database, raw)));
    std::map<int, std::vector<RunId>> by_ranks;
    std::vector<std::string> differences; // of the newest that is of another study
    int strangers = 0;
    for (const RunId id : raw) {
        const Run run = database.run(id);
        if (series_of_study(run) == study && has_ended(run))
            by_ranks[run.ranks].push_back(id);
        else if (strangers++ == 0)
            differences = study.differences(series_of_study(run));
    }
    std::vector<Subject> subjects;
    if (by_ranks.size() >= fewest_sizes)
        for (const auto& [ranks, runs] : by_ranks)
            subjects.push_back(read_series(database, runs));
    if (!subjects.empty() && strangers > 0) {
        subjects.front().strangers += strangers;
        subjects.front().strangers_differ = differences.empty() ? "it has not ended" : differences.front();
    }
    return subjects;
}

Subject read_series(const Database& database, const std::vector<RunId>& runs) {
    Subject subject = subject_of(database, database.runs().size());
    show_launches(database, runs, subject);
    return subject;
}

Subject read_subject(const Database& database) {
    return std::move(read_subjects(database).front());
}

Subject read_run(const Database& database, RunId id) {
    Subject subject;
    subject.path = database.path();
    show_run(database, id, database.run(id), subject);
    return subject;
}

namespace {

bool are_parts(const Subject& a, const Subject& b) {
    const auto is_of_one_launch = [](const Subject& each) {
        return each.run && each.run->kind == "raw" && !is_imported(*each.run) && !each.merged_here;
    };
    if (!is_of_one_launch(a) || !is_of_one_launch(b) || a.curves.empty() || b.curves.empty())
        return false;
    Series first(*a.run);
    Series second(*b.run);
    if (!first.forget("plan_hash").differences(second.forget("plan_hash")).empty())
        return false;
    const auto has_twin = [](const Subject& in, const Curve& curve) {
        return matching_curve(in, curve) || std::ranges::any_of(in.curves, [&](const Curve& each) {
                   return each.suite().name == curve.suite().name;
               });
    };
    return std::ranges::none_of(a.curves, [&](const Curve& curve) { return has_twin(b, curve); }) &&
           std::ranges::none_of(b.curves, [&](const Curve& curve) { return has_twin(a, curve); });
}

void join(Subject& whole, Subject part) {
    Run& run = *whole.run;
    // To a reader they are one launch: its suites are not to be told to rest on as many as there are parts.
    for (Curve& curve : part.curves) {
        const auto own = curve.launches.find(part.run->uuid);
        if (own != curve.launches.end())
            curve.launches = {{run.uuid, std::move(own->second)}};
        const auto missing = curve.abstentions.find(part.run->uuid);
        if (missing != curve.abstentions.end())
            curve.abstentions = {{run.uuid, std::move(missing->second)}};
        whole.curves.push_back(std::move(curve));
    }
    whole.other_parts.push_back(part.path);
    whole.ended = whole.ended && part.ended;
    whole.suites_left_out += part.suites_left_out;
    whole.strangers += part.strangers;
    if (whole.strangers_differ.empty())
        whole.strangers_differ = std::move(part.strangers_differ);
    std::ranges::move(part.events, std::back_inserter(whole.events));
    run.started_utc = std::min(run.started_utc, part.run->started_utc);
    run.ended_utc = run.ended_utc.empty() || part.run->ended_utc.empty()
                        ? std::string()
                        : std::max(run.ended_utc, part.run->ended_utc);
    run.measuring_share = 0; // of all parts together nothing is known
    run.parameter_text += "\n" + part.run->parameter_text;
}

} // namespace

void join_parts(std::vector<Subject>& subjects) {
    std::vector<Subject> joined;
    for (Subject& subject : subjects) {
        const auto whole =
            std::ranges::find_if(joined, [&](const Subject& each) { return are_parts(each, subject); });
        if (whole == joined.end())
            joined.push_back(std::move(subject));
        else
            join(*whole, std::move(subject));
    }
    subjects = std::move(joined);
}

std::vector<std::string> names_of_files(const std::vector<std::string>& paths, bool with_endings) {
    std::vector<std::filesystem::path> absolute;
    for (const std::string& path : paths) {
        std::error_code error;
        const std::filesystem::path whole = std::filesystem::absolute(path, error);
        absolute.push_back((error ? std::filesystem::path(path) : whole).lexically_normal());
    }
    const auto name_of = [](const std::filesystem::path& path, std::size_t folders, bool with_ending) {
        std::filesystem::path name = with_ending ? path.filename() : path.stem();
        std::filesystem::path folder = path.parent_path();
        for (; folders > 0 && folder.has_relative_path(); --folders, folder = folder.parent_path())
            name = folder.filename() / name;
        return name.string();
    };
    std::vector<std::string> names;
    for (const std::filesystem::path& path : absolute) {
        const auto deepest = static_cast<std::size_t>(std::distance(path.begin(), path.end()));
        const auto tells = [&](std::size_t folders, bool with_ending) {
            const std::string name = name_of(path, folders, with_ending);
            return std::ranges::none_of(absolute, [&](const std::filesystem::path& other) {
                return other != path && name_of(other, folders, with_ending) == name;
            });
        };
        std::size_t folders = 0;
        bool with_ending = with_endings;
        while (folders < deepest && !tells(folders, with_ending))
            ++folders;
        if (folders == deepest) // "x.db" and "x.csv" of one folder
            for (folders = 0, with_ending = true; folders < deepest && !tells(folders, true);)
                ++folders;
        names.push_back(name_of(path, folders, with_ending));
    }
    return names;
}

void label_subjects(std::vector<Subject>& subjects) {
    std::vector<std::string> paths;
    for (const Subject& subject : subjects)
        paths.push_back(subject.path);
    std::map<std::string, std::string> names;
    const std::vector<std::string> in_order = names_of_files(paths);
    for (std::size_t i = 0; i < paths.size(); ++i)
        names[paths[i]] = in_order[i];
    const auto all_different = [&](auto text_of) {
        std::set<std::string> seen;
        for (const Subject& subject : subjects) {
            const std::string text = text_of(subject);
            if (text.empty() || !seen.insert(text).second)
                return false;
        }
        return true;
    };
    const auto label_with = [&](auto text_of) {
        for (Subject& subject : subjects)
            subject.label = text_of(subject);
    };
    const auto stem = [&](const Subject& subject) { return shortened_name(names.at(subject.path), 30); };
    const bool one_file = std::ranges::all_of(
        subjects, [&](const Subject& subject) { return subject.path == subjects.front().path; });
    // What differs comes first: long labels are cut at their end.
    const auto with_stem = [&](const Subject& subject, const std::string& group) {
        return group.empty() ? stem(subject) : one_file ? group : group + " in " + stem(subject);
    };
    const auto group_and_stem = [&](const Subject& subject) {
        return with_stem(subject, shortened(subject.group, 30));
    };
    const auto ends_of_group_and_stem = [&](const Subject& subject) { // of long ones that begin alike
        return with_stem(subject, shortened_name(subject.group, 30));
    };
    const auto machine = [](const Subject& subject) {
        return subject.run ? shortened(subject.run->machine, 30) : std::string();
    };
    const auto library = [](const Subject& subject) {
        return subject.run ? shortened(library_name(*subject.run), 30) : std::string();
    };
    const auto ranks = [&](const Subject& subject) {
        return one_file && subject.run && subject.run->ranks > 0 ? count_of(subject.run->ranks, "rank")
                                                                 : std::string();
    };
    if (all_different(stem))
        label_with(stem);
    else if (all_different(group_and_stem))
        label_with(group_and_stem);
    else if (all_different(ends_of_group_and_stem))
        label_with(ends_of_group_and_stem);
    else if (all_different(ranks))
        label_with(ranks);
    else if (all_different(machine))
        label_with(machine);
    else if (all_different(library))
        label_with(library);
    else
        for (std::size_t i = 0; i < subjects.size(); ++i)
            subjects[i].label = ends_of_group_and_stem(subjects[i]) + " (" + std::to_string(i + 1) + ")";
}

void require_suite(const std::vector<Subject>& subjects, const std::string& glob, const std::string& where) {
    const auto has_one = [&](const Subject& subject) {
        return std::ranges::any_of(
            subject.curves, [&](const Curve& curve) { return suite_selected(curve.suite().name, {glob}); });
    };
    if (std::ranges::none_of(subjects, has_one))
        throw InputError(fmt::format("{}{}: no suite has such a name, expected one of {}", where,
                                     printable(glob), known_suites(subjects)));
}

void select_suites(std::vector<Subject>& subjects, const std::vector<std::string>& globs) {
    for (const std::string& glob : globs)
        require_suite(subjects, glob, "--suite ");
    for (Subject& subject : subjects)
        subject.suites_left_out += static_cast<int>(std::erase_if(
            subject.curves, [&](const Curve& curve) { return !suite_selected(curve.suite().name, globs); }));
}

} // namespace skampi
