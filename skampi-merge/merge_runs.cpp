#include "merge_runs.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "merge/merge_suite.hpp"
#include "merge/merged_plan.hpp"
#include "merge/run_group.hpp"
#include "model/series.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace skampi {
namespace {

namespace fs = std::filesystem;

/// The input files. Most are kept open; beyond a number that every system allows they are opened anew for
/// each suite.
class Inputs {
public:
    explicit Inputs(std::vector<std::string> paths)
        : paths_(std::move(paths))
        , open_(paths_.size()) {}

    [[nodiscard]] std::size_t size() const { return paths_.size(); }
    [[nodiscard]] const std::string& path(std::size_t input) const { return paths_[input]; }

    /// Hands the opened file to a function and returns what that returns.
    template <typename Use>
    auto read(std::size_t input, Use&& use) {
        constexpr std::size_t most_open = 128;
        if (input >= most_open) {
            // Kept until another one is wanted: a suite's runs of one file are read one after the other.
            if (!last_ || last_input_ != input) {
                last_.reset();
                last_.emplace(Database::open(paths_[input]));
                last_input_ = input;
            }
            return use(std::as_const(*last_));
        }
        if (!open_[input])
            open_[input].emplace(Database::open(paths_[input]));
        return use(std::as_const(*open_[input]));
    }

private:
    std::vector<std::string> paths_;
    std::vector<std::optional<Database>> open_;
    std::optional<Database> last_; ///< of those that are not kept open
    std::size_t last_input_ = 0;
};

[[noreturn]] void refuse_merged(const std::string& path, const std::string& run) {
    throw InputError(fmt::format("{}: run {} is itself merged and does not hold the values of its runs, "
                                 "expected the files it was merged from",
                                 printable(path), printable(run)));
}

/// Finished measurements of a run; of a merged one, per run it was made of.
struct RunContents {
    std::int64_t points = 0;
    std::map<std::string, std::int64_t> points_of_source; ///< uuid -> values measured by it
    bool merged_values = false;                           ///< flags that only a merged measurement has
    bool all_have_sources = true;                         ///< as far as they have a value
};

RunContents contents_of(const Database& database, const std::vector<StoredSuite>& suites) {
    RunContents contents;
    for (const StoredSuite& suite : suites)
        for (const StoredMeasurement& stored : database.measurements(suite.id)) {
            if (!stored.finished)
                continue;
            ++contents.points;
            const Measurement& m = stored.measurement;
            if (has(m.flags, Flag::interpolated) || has(m.flags, Flag::one_run))
                contents.merged_values = true;
            if (stored.merge)
                for (const Source& source : stored.merge->sources)
                    contents.points_of_source[source.run] += source.value_s && !source.interpolated ? 1 : 0;
            else if (std::isfinite(m.value_s))
                contents.all_have_sources = false;
        }
    return contents;
}

/// One line about what a run lacks; empty for a complete one.
std::string shortcomings(const Run& run, const std::string& path, const std::vector<StoredSuite>& suites) {
    std::string lacking;
    std::size_t unfinished = 0;
    constexpr std::size_t most_named = 3;
    for (const StoredSuite& suite : suites) {
        if (suite.state == SuiteState::finished)
            continue;
        if (++unfinished <= most_named)
            lacking += fmt::format("{}\"{}\" {}{}", unfinished > 1 ? ", " : "", printable(suite.suite.name),
                                   to_text(suite.state),
                                   suite.reason.empty() ? "" : " (" + printable(suite.reason) + ")");
    }
    if (unfinished > most_named)
        lacking += fmt::format(" and {} more", unfinished - most_named);
    const bool ended = has_ended(run);
    if (ended && unfinished == 0)
        return {};
    return fmt::format("{}: run {}{}{}; merged as far as it went", printable(path), printable(run.uuid),
                       ended ? "" : " has not ended",
                       unfinished == 0 ? ""
                                       : (ended ? " has" : ", and has") +
                                             std::string(" suites not finished: ") + lacking);
}

/// The series of a run in one of the files. @throws InputError when none has it
Series series_of(Inputs& inputs, const std::string& uuid) {
    for (std::size_t input = 0; input < inputs.size(); ++input) {
        const auto found = inputs.read(input, [&](const Database& database) -> std::optional<Series> {
            for (const RunId id : database.runs())
                if (const Run run = database.run(id); run.uuid == uuid)
                    return Series(run);
            return std::nullopt;
        });
        if (found)
            return *found;
    }
    throw InputError(fmt::format("--series-of {}: no input holds this run", printable(uuid)));
}

/// All runs in one file.
/// @param only of this series; none = all
std::vector<SourceRun> runs_in(const Database& database, const std::string& path, std::size_t input,
                               const std::optional<Series>& only, std::vector<std::string>& warnings) {
    std::vector<SourceRun> runs;
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        if (only && Series(run) != *only)
            continue;
        const std::vector<StoredSuite> suites = database.suites(id);
        const RunContents contents = contents_of(database, suites);
        const bool csv = is_from_csv(run);
        const bool merged = run.kind == "merged";
        if (csv && (contents.merged_values || is_merged_uuid(run.uuid)))
            refuse_merged(path, run.uuid);
        if (!merged) {
            if (const std::string lacking = shortcomings(run, path, suites); !lacking.empty())
                warnings.push_back(lacking);
            runs.push_back({run, path, csv ? Origin::csv : Origin::raw, contents.points, input, id});
            continue;
        }
        if (contents.points_of_source.empty() || !contents.all_have_sources)
            refuse_merged(path, run.uuid);
        for (const auto& [uuid, points] : contents.points_of_source) {
            SourceRun source{run, path, Origin::merged, points, input, id};
            source.run.uuid = uuid;
            source.run.launch = 0;
            runs.push_back(std::move(source));
        }
    }
    return runs;
}

/// The measurements of one of the runs that a merged suite was made of, as far as they are still known: all
/// that merging asks for, but quartiles and node times only where it was the run chosen.
std::vector<Measurement> unmerged(const std::vector<StoredMeasurement>& merged, const std::string& run) {
    std::vector<Measurement> measurements;
    for (const StoredMeasurement& stored : merged) {
        if (!stored.merge)
            continue;
        Measurement m;
        m.argument = stored.measurement.argument;
        m.message_bytes = stored.measurement.message_bytes;
        m.ranks = stored.measurement.ranks;
        m.chunks = stored.measurement.chunks;
        m.messages = stored.measurement.messages;
        m.summary = skalib::Summary::unknown();
        bool measured = false;
        const auto chosen =
            std::ranges::count_if(stored.merge->sources, [](const Source& source) { return source.chosen; });
        for (const Source& source : stored.merge->sources) {
            if (source.run != run || !source.value_s || source.interpolated)
                continue;
            if (source.aside) {
                m.modes.push_back(
                    {source.mode, 0, *source.value_s, source.probe_s, std::llround(source.count)});
                continue;
            }
            measured = true;
            m.mode = source.mode;
            m.flags = source.flags;
            if (source.chosen && chosen == 1) {
                m.summary = stored.measurement.summary;
                m.node_times = stored.measurement.node_times;
                m.overhead_s = stored.measurement.overhead_s;
                m.overhead_error_s = stored.measurement.overhead_error_s;
            }
            m.summary.count = std::llround(source.count);
            m.summary.cut_count = std::min(m.summary.cut_count, m.summary.count);
            m.summary.minimum = source.minimum_s;
            m.summary.maximum = source.maximum_s;
            m.value_s = *source.value_s;
            m.adjusted_s = source.adjusted_s == 0 ? m.value_s : source.adjusted_s;
            m.standard_error_s = source.standard_error_s;
            m.probe_s = source.probe_s;
            m.core_clock_hz = source.core_clock_hz;
            m.discarded = source.discarded;
            m.time_used_s = source.time_used_s;
        }
        if (measured)
            measurements.push_back(std::move(m));
    }
    return measurements;
}

/// The suites of all runs, and where each run has them.
struct Plan {
    MergedPlan merged;
    std::vector<std::vector<SuiteId>> ids; ///< per run, by place in the plan
};

Plan make_plan(Inputs& inputs, const std::vector<SourceRun>& runs) {
    Plan plan;
    // One merged run holds several of the runs: it planned its suites once.
    std::map<std::pair<std::size_t, RunId>, std::size_t> launches;
    for (const SourceRun& source : runs)
        ++launches[{source.input, source.stored}];
    std::map<std::pair<std::size_t, RunId>, std::vector<SuiteId>> known;
    for (const SourceRun& source : runs) {
        const auto stored = std::pair(source.input, source.stored);
        auto found = known.find(stored);
        if (found == known.end()) {
            const std::vector<StoredSuite> suites = inputs.read(
                source.input, [&](const Database& database) { return database.suites(source.stored); });
            found = known.emplace(stored, plan.merged.add(suites, source.file, launches.at(stored))).first;
        }
        plan.ids.push_back(found->second);
    }
    return plan;
}

/// The finished measurements of one suite in a run that is stored as it was measured; none = it lacks it.
std::vector<Measurement> measurements_of(const Database& database, SuiteId suite) {
    std::vector<Measurement> measurements;
    for (StoredMeasurement& stored : database.measurements(suite))
        if (stored.finished)
            measurements.push_back(std::move(stored.measurement));
    return measurements;
}

std::vector<SuiteCurve> read_suite(Inputs& inputs, const std::vector<SourceRun>& runs, const Plan& plan,
                                   std::size_t place) {
    // One merged suite holds several of the runs: it is read once for all of them.
    std::map<std::pair<std::size_t, SuiteId>, std::vector<StoredMeasurement>> merged;
    std::vector<SuiteCurve> curves;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const SourceRun& source = runs[i];
        SuiteCurve curve{source.run.uuid, source.file, {}};
        if (const SuiteId id = place < plan.ids[i].size() ? plan.ids[i][place] : 0; id != 0) {
            const auto stored = [&] {
                return inputs.read(source.input,
                                   [&](const Database& database) { return database.measurements(id); });
            };
            if (source.origin == Origin::merged) {
                const auto [known, is_new] = merged.try_emplace({source.input, id});
                if (is_new)
                    known->second = stored();
                curve.measurements = unmerged(known->second, source.run.uuid);
            } else {
                curve.measurements = inputs.read(
                    source.input, [&](const Database& database) { return measurements_of(database, id); });
            }
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

std::vector<Event> events_worth_keeping(Inputs& inputs, const std::vector<SourceRun>& runs) {
    MergedEvents merged;
    std::set<std::pair<std::size_t, RunId>> read;
    for (const SourceRun& source : runs)
        if (read.insert({source.input, source.stored}).second)
            inputs.read(source.input,
                        [&](const Database& database) { merged.add(database.events(source.stored)); });
    return std::move(merged.events());
}

void refuse_output(const MergeOptions& options) {
    std::error_code error;
    const fs::file_status status = fs::status(options.output, error);
    if (!fs::exists(status))
        return;
    const std::string name = printable(options.output);
    if (!fs::is_regular_file(status))
        throw InputError(name + ": is no regular file, expected the name of a database to write");
    for (const std::string& input : options.inputs)
        if (fs::equivalent(input, options.output, error))
            throw InputError(name + ": is an input and cannot be the output as well");
    if (!options.overwrite)
        throw InputError(name + ": exists already, expected a new name (or --overwrite)");
}

/// Two files may hold one run; they may not hold different values of it.
/// @throws InputError naming the first that differs
void refuse_other_values(Inputs& inputs, const SourceRun& a, const SourceRun& b) {
    if (a.origin == Origin::merged || b.origin == Origin::merged || !has_ended(a.run) || !has_ended(b.run))
        return; // interpreted anew at the end of the run, values may change until then
    const auto suites_of = [&](const SourceRun& source) {
        return inputs.read(source.input,
                           [&](const Database& database) { return database.suites(source.stored); });
    };
    const auto read = [&](const SourceRun& source, SuiteId suite) {
        return inputs.read(source.input,
                           [&](const Database& database) { return measurements_of(database, suite); });
    };
    const std::vector<StoredSuite> others = suites_of(b);
    for (const StoredSuite& suite : suites_of(a)) {
        const auto twin = std::ranges::find(others, suite.suite.name,
                                            [](const StoredSuite& other) { return other.suite.name; });
        if (twin == others.end())
            continue;
        std::map<std::int64_t, Measurement> known;
        for (Measurement& m : read(a, suite.id))
            known.emplace(m.argument, std::move(m));
        for (const Measurement& m : read(b, twin->id)) {
            const auto same = known.find(m.argument);
            if (same == known.end() || (has_value(same->second) == has_value(m) &&
                                        (!has_value(m) || (same->second.value_s == m.value_s &&
                                                           same->second.summary.count == m.summary.count))))
                continue;
            throw InputError(fmt::format(
                "{} and {}: both hold run {}, with {} and {} s at argument {} of suite \"{}\", expected one value",
                printable(a.file), printable(b.file), printable(a.run.uuid), same->second.value_s, m.value_s,
                m.argument, printable(suite.suite.name)));
        }
    }
}

void refuse_contradicting_copies(Inputs& inputs, const std::vector<SourceRun>& runs) {
    std::map<std::string, const SourceRun*> first;
    for (const SourceRun& source : runs)
        if (const auto [place, is_new] = first.try_emplace(source.run.uuid, &source); !is_new)
            refuse_other_values(inputs, *place->second, source);
}

/// An argument of a suite stands for the same in all runs: so many ranks, bytes and chunks.
/// @throws InputError naming two that differ
void refuse_other_arguments(const std::vector<SuiteCurve>& curves, const std::string& suite) {
    std::map<std::int64_t, std::pair<const Measurement*, const std::string*>> first;
    for (const SuiteCurve& curve : curves)
        for (const Measurement& m : curve.measurements) {
            const auto [place, is_new] = first.try_emplace(m.argument, &m, &curve.file);
            const auto& [known, file] = place->second;
            if (is_new || (known->ranks == m.ranks && known->message_bytes == m.message_bytes &&
                           known->chunks == m.chunks))
                continue;
            throw InputError(fmt::format(
                "{} and {} do not belong together: argument {} of suite \"{}\" stands for {} ranks, {} bytes and {} chunks in one and {} ranks, {} bytes and {} chunks in the other (--force merges them nevertheless)",
                printable(*file), printable(curve.file), m.argument, printable(suite), known->ranks,
                known->message_bytes, known->chunks, m.ranks, m.message_bytes, m.chunks));
        }
}

void refuse_strangers(const std::vector<SourceRun>& runs, bool force) {
    if (force)
        return;
    RunGroup group;
    for (const SourceRun& source : runs) {
        if (const std::vector<std::string> found = group.differences(source); !found.empty())
            throw InputError(
                fmt::format("{} and {} do not belong together: {} (--force merges them nevertheless)",
                            printable(runs.front().file), printable(source.file), fmt::join(found, "; ")));
        group.take_in(source);
    }
}

bool has_any_value(const MergedSuite& merged) {
    return std::ranges::any_of(merged.points,
                               [](const MergedMeasurement& point) { return has_value(point.measurement); });
}

/// @param planned how far the suite came in the runs, and what they found out
void write_suite(Database& output, const StoredSuite& stored, const StoredSuite& planned,
                 const MergedSuite& merged) {
    output.begin_suite(stored.id);
    std::map<std::string, std::string> facts = planned.facts;
    if (merged.reference_probe_s > 0)
        facts["reference probe"] = fmt::format("{:.4g} s, the median of the runs", merged.reference_probe_s);
    if (merged.reference_clock_hz > 0)
        facts["reference core clock"] =
            fmt::format("{:.4g} Hz, the median of the runs", merged.reference_clock_hz);
    if (merged.wrong_results > 0)
        facts["wrong results"] =
            fmt::format("{} measurements of the runs were left out", merged.wrong_results);
    output.set_suite_facts(stored.id, facts);
    for (const MergedMeasurement& point : merged.points)
        output.add_merged(stored.id, point.measurement, point.facts);
    if (!has_any_value(merged))
        output.end_suite(stored.id, SuiteState::failed,
                         planned.reason.empty() ? "no run has a value"
                                                : "no run has a value; " + planned.reason);
    else
        output.end_suite(stored.id, planned.state, planned.reason);
}

void write_output(const std::string& path, const MergeOptions& options, const std::vector<SourceRun>& runs,
                  const Plan& plan, Inputs& inputs, MergeOutcome& outcome) {
    Database output = Database::open_for_making(path);
    const Run run = merged_run(runs, options.way, options.force);
    std::vector<Suite> suites;
    for (const MergedPlan::PlannedSuite& planned : plan.merged.suites())
        suites.push_back(planned.stored.suite);
    const RunId id = output.begin_run(run, suites);
    for (const StoredSuite& stored : output.suites(id)) {
        const auto place = static_cast<std::size_t>(stored.ordinal);
        const std::vector<SuiteCurve> curves = read_suite(inputs, runs, plan, place);
        if (!options.force)
            refuse_other_arguments(curves, stored.suite.name);
        const MergedSuite merged = merge_suite(curves, options.way);
        output.in_one_commit(
            [&] { write_suite(output, stored, plan.merged.suites()[place].stored, merged); });
        outcome.points += merged.points.size();
        outcome.abstained += merged.abstained;
        if (!has_any_value(merged))
            outcome.warnings.push_back(
                fmt::format("suite \"{}\": no run has a value", printable(stored.suite.name)));
        if (merged.wrong_results > 0)
            outcome.warnings.push_back(
                fmt::format("suite \"{}\": {} measurements with wrong results left out",
                            printable(stored.suite.name), merged.wrong_results));
    }
    output.in_one_commit([&] {
        for (const Event& event : events_worth_keeping(inputs, runs))
            output.add_event(id, event);
        for (const std::string& warning : outcome.warnings)
            output.add_event(id, {run.ended_utc, "warning", "", warning});
    });
    if (run.ended_utc.empty())
        output.update_run(id, run); // as unfinished as the launches are
    else
        output.end_run(id, run);
}

} // namespace

MergeOutcome merge_runs(const MergeOptions& options) {
    refuse_output(options);
    MergeOutcome outcome;
    Inputs inputs(options.inputs);
    std::optional<Series> only;
    if (!options.series_of.empty())
        only = series_of(inputs, options.series_of);
    std::vector<SourceRun> found;
    for (std::size_t input = 0; input < inputs.size(); ++input)
        for (SourceRun& source : inputs.read(input, [&](const Database& database) {
                 return runs_in(database, inputs.path(input), input, only, outcome.warnings);
             }))
            found.push_back(std::move(source));
    if (found.empty())
        throw InputError(printable(options.inputs.front()) + ": holds no run, expected results");
    refuse_contradicting_copies(inputs, found);
    const std::vector<SourceRun> runs = in_canonical_order(std::move(found), outcome.notes);
    refuse_strangers(runs, options.force);
    const Plan plan = make_plan(inputs, runs);

    // Declared before the database in it, so that it is closed when the file is put in place or removed.
    OutputFile file(options.output);
    try {
        write_output(file.temporary_path(), options, runs, plan, inputs, outcome);
    } catch (const StoreError& error) {
        remove_partial_files(options.output, getpid());
        // The user knows the file by its final name.
        const std::string temporary = printable(file.temporary_path());
        const std::string what = error.what();
        if (!what.starts_with(temporary))
            throw;
        throw Error(error.status(), printable(options.output) + what.substr(temporary.size()));
    }
    if (options.overwrite)
        file.commit();
    else
        file.commit_new();
    outcome.runs = runs.size();
    return outcome;
}

} // namespace skampi
