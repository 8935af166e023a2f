#include "subject.hpp"

#include "quantity.hpp"

#include "merge/merge_suite.hpp"
#include "model/series.hpp"
#include "skalib/merge.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace skampi {

namespace {

bool usable(const Measurement& measurement) {
    return std::isfinite(measurement.value_s) && !has(measurement.flags, Flag::wrong_result);
}

/// A result CSV does not tell whether its run came to an end.
bool has_ended(const Run& run) {
    return !run.ended_utc.empty() || run.facts.contains("read from");
}

bool has_value(const Database& database, RunId run) {
    for (const StoredSuite& suite : database.suites(run))
        for (const StoredMeasurement& point : database.measurements(suite.id))
            if (point.finished)
                return true;
    return false;
}

std::vector<StoredMeasurement> finished_points(const Database& database, SuiteId suite, int& unfinished) {
    std::vector<StoredMeasurement> points;
    for (StoredMeasurement& point : database.measurements(suite)) {
        if (point.finished)
            points.push_back(std::move(point));
        else
            ++unfinished;
    }
    return points;
}

/// Notes where the values of merged points come from, and lets the points forget it: of many launches the
/// texts of the sources would be all that fills the memory.
void take_sources(Curve& curve, std::map<std::string, Contribution>& contributions) {
    for (StoredMeasurement& point : curve.points) {
        if (!point.merge)
            continue;
        for (const Source& source : point.merge->sources) {
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
            curve.launches[source.run][point.measurement.argument] = *source.value_s;
            if (const double ratio = *source.value_s / point.measurement.value_s; std::isfinite(ratio))
                run.ratios.push_back(ratio);
        }
        point.merge->sources = {};
    }
}

/// One run as it is stored.
void show_run(const Database& database, RunId id, Run run, Subject& subject) {
    for (StoredSuite& suite : database.suites(id)) {
        Curve curve;
        curve.stored = std::move(suite);
        curve.clock_resolution_s = run.clock_resolution_s;
        curve.points = finished_points(database, curve.stored.id, curve.unfinished);
        if (run.kind == "merged")
            take_sources(curve, subject.contributions);
        else
            for (const StoredMeasurement& point : curve.points)
                if (usable(point.measurement))
                    curve.launches[run.uuid][point.measurement.argument] = point.measurement.value_s;
        subject.curves.push_back(std::move(curve));
    }
    subject.events = database.events(id);
    subject.ended = has_ended(run);
    subject.shown_runs = {id};
    subject.run = std::move(run);
}

/// One raw run of a series.
struct Launch {
    RunId id = 0;
    std::string uuid;
    std::string started_utc;
    std::vector<SuiteId> suites; ///< by place in the plan; 0 = it lacks the suite
};

/// The plan of a series, and how far its launches came.
struct PlannedSuite {
    StoredSuite stored;
    std::size_t with_it = 0;   ///< launches that planned it
    std::size_t not_ended = 0; ///< of those, launches in which it was not finished
};

std::vector<PlannedSuite> make_plan(const Database& database, std::vector<Launch>& launches) {
    std::vector<PlannedSuite> plan;
    std::map<std::string, std::size_t> places;
    for (Launch& launch : launches)
        for (StoredSuite& stored : database.suites(launch.id)) {
            const auto [place, is_new] = places.try_emplace(stored.suite.name, plan.size());
            if (is_new)
                plan.push_back({stored, 0, 0});
            PlannedSuite& planned = plan[place->second];
            if (planned.stored.suite.operation.name != stored.suite.operation.name ||
                planned.stored.suite.varied != stored.suite.varied)
                continue;
            launch.suites.resize(std::max(launch.suites.size(), plan.size()));
            launch.suites[place->second] = stored.id;
            ++planned.with_it;
            // What was found out is a fact of the series as far as all launches found the same.
            std::erase_if(planned.stored.facts, [&](const auto& fact) {
                const auto own = stored.facts.find(fact.first);
                return own == stored.facts.end() || own->second != fact.second;
            });
            if (stored.state == SuiteState::finished)
                continue;
            ++planned.not_ended;
            planned.stored.state = stored.state;
            planned.stored.reason = stored.reason;
        }
    for (PlannedSuite& planned : plan) {
        if (planned.not_ended == 0)
            continue;
        std::string& reason = planned.stored.reason;
        reason = fmt::format("in {} of {}{}", planned.not_ended,
                             count_of(static_cast<std::int64_t>(planned.with_it), "launch", "launches"),
                             reason.empty() ? "" : ": " + reason);
    }
    return plan;
}

/// What all launches of a series have in common, after one more.
void join(Run& all, const Run& run) {
    all.started_utc = std::min(all.started_utc, run.started_utc);
    all.ended_utc =
        all.ended_utc.empty() || run.ended_utc.empty() ? "" : std::max(all.ended_utc, run.ended_utc);
    all.clock_resolution_s = std::max(all.clock_resolution_s, run.clock_resolution_s);
    all.clock_cost_s = std::max(all.clock_cost_s, run.clock_cost_s);
    all.measuring_share += run.measuring_share;
    for (std::string Run::*member : {&Run::mpi_library, &Run::host, &Run::machine, &Run::tool_version})
        if (all.*member != run.*member)
            all.*member = "differs between the launches";
    for (auto& [name, value] : all.facts) {
        const auto own = run.facts.find(name);
        if (own == run.facts.end() || own->second != value)
            value = "differs between the launches";
    }
}

/// The launches' values, merged suite by suite.
void show_series(const Database& database, std::vector<Launch> launches, Run run, Subject& subject) {
    std::sort(launches.begin(), launches.end(), [](const Launch& a, const Launch& b) {
        return std::tie(a.started_utc, a.uuid) < std::tie(b.started_utc, b.uuid);
    });
    for (const Launch& launch : launches)
        subject.shown_runs.push_back(launch.id);
    std::vector<PlannedSuite> plan = make_plan(database, launches);
    for (std::size_t place = 0; place < plan.size(); ++place) {
        Curve curve;
        curve.stored = std::move(plan[place].stored);
        curve.clock_resolution_s = run.clock_resolution_s;
        std::vector<SuiteCurve> curves;
        for (const Launch& launch : launches) {
            SuiteCurve& own = curves.emplace_back(SuiteCurve{launch.uuid, subject.path, {}});
            if (place >= launch.suites.size() || launch.suites[place] == 0)
                continue;
            for (StoredMeasurement& point : finished_points(database, launch.suites[place], curve.unfinished))
                own.measurements.push_back(std::move(point.measurement));
        }
        MergedSuite merged = merge_suite(curves, skalib::Grid::union_, skalib::MergedValue::median);
        curves.clear();
        for (MergedMeasurement& point : merged.points)
            curve.points.push_back({0, true, std::move(point.measurement), std::move(point.facts)});
        take_sources(curve, subject.contributions);
        subject.curves.push_back(std::move(curve));
    }
    std::set<std::tuple<std::string, std::string, std::string>> known;
    for (const Launch& launch : launches)
        for (Event& event : database.events(launch.id))
            if (event.kind != "info" && known.insert({event.kind, event.suite, event.text}).second)
                subject.events.push_back(std::move(event));
    run.uuid.clear();
    run.kind = "merged";
    run.launch = 0;
    run.merged_runs = static_cast<int>(launches.size());
    run.measuring_share /= static_cast<double>(launches.size());
    subject.merged_here = true;
    subject.run = std::move(run);
}

} // namespace

std::size_t Subject::launches() const {
    std::set<std::string> uuids;
    for (const Curve& curve : curves)
        for (const auto& [uuid, values] : curve.launches)
            uuids.insert(uuid);
    return uuids.size();
}

Subject read_subject(const Database& database) {
    Subject subject;
    subject.path = database.path();
    const std::vector<RunId> ids = database.runs();
    subject.runs_in_database = static_cast<int>(ids.size());
    if (ids.empty())
        return subject;

    std::vector<RunId> raw; // newest first, with a value
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
        Run run = database.run(*id);
        if (!has_value(database, *id))
            continue;
        if (run.kind == "merged") {
            show_run(database, *id, std::move(run), subject);
            return subject;
        }
        raw.push_back(*id);
    }
    if (raw.empty()) {
        show_run(database, ids.back(), database.run(ids.back()), subject);
        return subject;
    }
    Run shown = database.run(raw.front());
    const Series series(shown);
    std::vector<Launch> launches;
    bool ended = true;
    for (const RunId id : raw) {
        const Run run = database.run(id);
        if (const auto differences = series.differences(Series(run)); !differences.empty()) {
            if (subject.strangers++ == 0)
                subject.strangers_differ = differences.front();
            continue;
        }
        ended = ended && has_ended(run);
        if (!launches.empty())
            join(shown, run);
        launches.push_back({id, run.uuid, run.started_utc, {}});
    }
    if (launches.size() == 1) {
        show_run(database, raw.front(), std::move(shown), subject);
        return subject;
    }
    subject.ended = ended;
    show_series(database, std::move(launches), std::move(shown), subject);
    return subject;
}

void label_subjects(std::vector<Subject>& subjects) {
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
    const auto stem = [](const Subject& subject) {
        return shortened(std::filesystem::path(subject.path).stem().string(), 30);
    };
    const auto machine = [](const Subject& subject) {
        return subject.run ? shortened(subject.run->machine, 30) : std::string();
    };
    const auto library = [](const Subject& subject) {
        return subject.run ? shortened(subject.run->mpi_library, 30) : std::string();
    };
    if (all_different(stem))
        label_with(stem);
    else if (all_different(machine))
        label_with(machine);
    else if (all_different(library))
        label_with(library);
    else
        for (std::size_t i = 0; i < subjects.size(); ++i)
            subjects[i].label = stem(subjects[i]) + " (" + std::to_string(i + 1) + ")";
}

std::map<std::string, double> launch_values(const Curve& curve, std::int64_t argument, bool interpolate) {
    std::map<std::string, double> values;
    for (const auto& [uuid, points] : curve.launches) {
        const auto exact = points.find(argument);
        if (exact != points.end()) {
            values[uuid] = exact->second;
        } else if (interpolate) {
            const auto abstained = curve.abstentions.find(uuid);
            if (abstained != curve.abstentions.end() && abstained->second.contains(argument))
                continue; // it was there and has no value: that is not to be invented
            std::vector<skalib::CurvePoint> line;
            const auto behind = points.lower_bound(argument);
            if (behind == points.end() || behind == points.begin())
                continue;
            const auto before = std::prev(behind);
            for (const auto& [at, value] : {*before, *behind})
                line.push_back({at, {value, 0, 1}, {}});
            if (const auto point = skalib::interpolate(line, argument))
                values[uuid] = point->value.value;
        }
    }
    return values;
}

const Curve* matching_curve(const Subject& subject, const Curve& curve) {
    const Suite& wanted = curve.suite();
    const auto same_kind = [&](const Suite& suite) {
        return suite.operation.name == wanted.operation.name && suite.varied == wanted.varied;
    };
    for (const Curve& candidate : subject.curves)
        if (candidate.suite().name == wanted.name && same_kind(candidate.suite()))
            return &candidate;
    const Curve* only = nullptr;
    for (const Curve& candidate : subject.curves) {
        const Suite& suite = candidate.suite();
        if (!same_kind(suite) || (wanted.varied != Varied::nodes && suite.ranks != wanted.ranks) ||
            (wanted.varied != Varied::message_length && suite.message_bytes != wanted.message_bytes) ||
            (wanted.varied != Varied::chunks && suite.chunks != wanted.chunks))
            continue;
        if (only)
            return nullptr;
        only = &candidate;
    }
    return only;
}

Meaning meaning_of(const Curve& curve) {
    return curve.suite().operation.meaning;
}

double messages(const Curve& curve, const Measurement& measurement) {
    if (measurement.messages > 0)
        return measurement.messages;
    // What a CSV does not hold follows from the meaning, where it is sure that data are moved.
    if (curve.suite().varied != Varied::message_length || measurement.computation_s > 0)
        return 0;
    switch (meaning_of(curve)) {
    case Meaning::round_trip:
    case Meaning::exchange:
        return 2;
    case Meaning::one_way:
    case Meaning::one_sided:
    case Meaning::collective:
        return 1;
    case Meaning::unknown:
    case Meaning::window:
    case Meaning::work:
    case Meaning::local:
        break;
    }
    return 0;
}

double bytes_moved(const Curve& curve, const Measurement& measurement) {
    const double directions = meaning_of(curve) == Meaning::exchange ? 2 : 1;
    return messages(curve, measurement) / directions *
           static_cast<double>(std::max<std::int64_t>(0, measurement.message_bytes));
}

} // namespace skampi
