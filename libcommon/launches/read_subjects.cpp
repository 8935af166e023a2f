// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/read_subjects.hpp"

#include "launches/comparable.hpp"
#include "launches/study.hpp"

#include "launches/library_name.hpp"
#include "launches/shown_runs.hpp"

#include "model/quantity.hpp"

#include "base/error.hpp"
#include "base/suggestion.hpp"
#include "base/text.hpp"
#include "merge/merged_plan.hpp"
#include "merge/run_group.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
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

/// The newest run that ended: a run that has just begun, perhaps with other settings, or was interrupted does
/// not decide what is shown. If none ended, the newest.
RunId deciding_run(const Database& database, const std::vector<RunId>& newest_first) {
    for (const RunId id : newest_first)
        if (has_ended(database.run(id)))
            return id;
    return newest_first.front();
}

/// For a message, the first few. @param none the text if there are none
std::string first_few(const std::vector<std::string>& names, const char* none) {
    constexpr std::size_t most = 10;
    if (names.empty())
        return none;
    if (names.size() <= most)
        return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{}, ...", fmt::join(names.begin(), names.begin() + most, ", "));
}

/// A subject of which only the origin is known.
Subject subject_of(const Database& database, std::size_t runs) {
    Subject subject;
    subject.path = database.path();
    subject.runs_in_database = static_cast<int>(runs);
    return subject;
}

/// The runs in one series with the first, merged; a single one unchanged.
/// @param runs not empty
void show_launches(const Database& database, const std::vector<RunId>& runs, Subject& subject) {
    RunGroup group;
    MergedPlan imported;
    std::vector<SourceRun> launches;
    for (const RunId id : runs) {
        SourceRun source;
        source.run = database.run(id);
        source.file = subject.path;
        source.origin = is_imported(source.run) ? Origin::csv : Origin::raw;
        source.stored = id;
        const std::vector<std::string> differences = group.differences(source);
        std::string why = differences.empty() ? std::string() : differences.front();
        if (why.empty() && source.origin == Origin::csv) { // which does not say its plan
            const std::vector<StoredSuite> suites = database.suites(id);
            why = imported.difference(suites);
            if (why.empty())
                (void)imported.add(suites, subject.path);
        }
        if (!why.empty()) {
            if (subject.strangers++ == 0)
                subject.strangers_differ = std::move(why);
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
    // To a reader they are one launch, so no suite may claim as many launches as there are parts.
    for (Curve& curve : part.curves) {
        const auto own = curve.launches.find(part.run->uuid);
        if (own != curve.launches.end()) {
            SuiteLaunch launch = std::move(own->second);
            curve.launches = {{run.uuid, std::move(launch)}};
        }
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
    run.measuring_share = 0; // not known for all parts together
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
        const auto distinguishes = [&](std::size_t folders, bool with_ending) {
            const std::string name = name_of(path, folders, with_ending);
            return std::ranges::none_of(absolute, [&](const std::filesystem::path& other) {
                return other != path && name_of(other, folders, with_ending) == name;
            });
        };
        std::size_t folders = 0;
        bool with_ending = with_endings;
        while (folders < deepest && !distinguishes(folders, with_ending))
            ++folders;
        if (folders == deepest) // "x.db" and "x.csv" of one folder
            for (folders = 0, with_ending = true; folders < deepest && !distinguishes(folders, true);)
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

std::set<std::string> suite_names(const std::vector<Subject>& subjects) {
    std::set<std::string> names;
    for (const Subject& subject : subjects)
        for (const Curve& curve : subject.curves)
            names.insert(curve.suite().name);
    return names;
}

void require_suite(const std::set<std::string>& names, const std::string& glob, const std::string& where) {
    if (std::ranges::any_of(names, [&](const std::string& name) { return suite_selected(name, {glob}); }))
        return;
    const std::string near =
        printable(did_you_mean(glob, std::vector<std::string_view>(names.begin(), names.end())));
    std::vector<std::string> shown;
    for (const std::string& name : names)
        shown.push_back(printable(shortened(name, 40)));
    throw InputError(fmt::format(
        "{}{}: no suite has such a name{}", where, printable(glob),
        near.empty() ? ", expected one of " + first_few(shown, "none: the database has no suites") : near));
}

void select_suites(std::vector<Subject>& subjects, const std::vector<std::string>& globs) {
    for (const std::string& glob : globs)
        require_suite(suite_names(subjects), glob, "--suite ");
    for (Subject& subject : subjects)
        subject.suites_left_out += static_cast<int>(std::erase_if(
            subject.curves, [&](const Curve& curve) { return !suite_selected(curve.suite().name, globs); }));
}

} // namespace skampi
