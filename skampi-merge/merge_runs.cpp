#include "merge_runs.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "merge/merge_suite.hpp"
#include "model/series.hpp"
#include "run_group.hpp"
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

bool is_csv(const Run& run) {
    const auto read_from = run.facts.find("read from");
    return read_from != run.facts.end() && read_from->second == "result CSV";
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
    const bool ended = !run.ended_utc.empty() || is_csv(run);
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
        const bool csv = is_csv(run);
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

/// The measurements of one of the runs that a merged suite was made of, as far as they are still known:
/// value, error and count of all it measured itself; statistics and node times where it was the chosen one.
std::vector<Measurement> unmerged(const std::vector<StoredMeasurement>& merged, const std::string& run) {
    std::vector<Measurement> measurements;
    for (const StoredMeasurement& stored : merged) {
        if (!stored.merge)
            continue;
        const auto& sources = stored.merge->sources;
        const auto own = std::find_if(sources.begin(), sources.end(),
                                      [&](const Source& source) { return source.run == run; });
        if (own == sources.end() || !own->value_s || own->interpolated)
            continue;
        Measurement m;
        m.argument = stored.measurement.argument;
        m.message_bytes = stored.measurement.message_bytes;
        m.ranks = stored.measurement.ranks;
        m.chunks = stored.measurement.chunks;
        m.messages = stored.measurement.messages;
        m.summary = skalib::Summary::unknown();
        if (own->chosen) {
            m.summary = stored.measurement.summary;
            m.node_times = stored.measurement.node_times;
            m.flags = stored.measurement.flags & ~(Flag::interpolated | Flag::one_run);
            m.overhead_s = stored.measurement.overhead_s;
            m.overhead_error_s = stored.measurement.overhead_error_s;
            m.mode = stored.measurement.mode;
            m.mode_share = stored.measurement.mode_share;
        }
        m.summary.count = std::llround(own->count);
        m.summary.cut_count = std::min(m.summary.cut_count, m.summary.count);
        m.value_s = m.adjusted_s = *own->value_s;
        m.standard_error_s = own->standard_error_s;
        measurements.push_back(std::move(m));
    }
    return measurements;
}

/// The suites of all runs: the plan of the merged run, and where each run has them.
struct Plan {
    std::vector<Suite> suites;
    std::vector<std::map<std::string, SuiteId>> ids; ///< per run
};

Plan make_plan(Inputs& inputs, const std::vector<SourceRun>& runs) {
    Plan plan;
    std::map<std::string, std::pair<std::size_t, std::string>> known; // suite -> place in the plan, file
    for (const SourceRun& source : runs) {
        auto& ids = plan.ids.emplace_back();
        inputs.read(source.input, [&](const Database& database) {
            for (StoredSuite& stored : database.suites(source.stored)) {
                ids[stored.suite.name] = stored.id;
                const auto [place, is_new] =
                    known.try_emplace(stored.suite.name, plan.suites.size(), source.file);
                if (is_new) {
                    plan.suites.push_back(std::move(stored.suite));
                    continue;
                }
                const Suite& first = plan.suites[place->second.first];
                if (first.operation.name != stored.suite.operation.name ||
                    first.varied != stored.suite.varied)
                    throw InputError(fmt::format(
                        "{} and {}: suite \"{}\" measures {} over {} in one and {} over {} in the other, "
                        "expected the same",
                        printable(place->second.second), printable(source.file), printable(first.name),
                        printable(first.operation.name), to_text(first.varied),
                        printable(stored.suite.operation.name), to_text(stored.suite.varied)));
            }
        });
    }
    return plan;
}

std::vector<SuiteCurve> read_suite(Inputs& inputs, const std::vector<SourceRun>& runs, const Plan& plan,
                                   const std::string& name) {
    // One merged suite holds several of the runs: it is read once for all of them.
    std::map<std::pair<std::size_t, SuiteId>, std::vector<StoredMeasurement>> merged;
    std::vector<SuiteCurve> curves;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const SourceRun& source = runs[i];
        SuiteCurve curve{source.run.uuid, source.file, {}};
        if (const auto id = plan.ids[i].find(name); id != plan.ids[i].end()) {
            const auto stored = [&] {
                return inputs.read(source.input, [&](const Database& database) {
                    return database.measurements(id->second);
                });
            };
            if (source.origin == Origin::merged) {
                auto [place, is_new] = merged.try_emplace({source.input, id->second});
                if (is_new)
                    place->second = stored();
                curve.measurements = unmerged(place->second, source.run.uuid);
            } else {
                for (StoredMeasurement& each : stored())
                    if (each.finished)
                        curve.measurements.push_back(std::move(each.measurement));
            }
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

/// What a reader has to know of the runs merged, each thing once.
std::vector<Event> events_worth_keeping(Inputs& inputs, const std::vector<SourceRun>& runs) {
    std::vector<Event> events;
    std::set<std::tuple<std::string, std::string, std::string>> known;
    std::set<std::pair<std::size_t, RunId>> read;
    for (const SourceRun& source : runs)
        if (read.insert({source.input, source.stored}).second)
            inputs.read(source.input, [&](const Database& database) {
                for (Event& event : database.events(source.stored))
                    if (event.kind != "info" && known.insert({event.kind, event.suite, event.text}).second)
                        events.push_back(std::move(event));
            });
    return events;
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

void refuse_strangers(const std::vector<SourceRun>& runs, bool force) {
    if (force)
        return;
    for (const SourceRun& source : runs)
        if (const std::vector<std::string> found = differences(runs.front(), source); !found.empty())
            throw InputError(
                fmt::format("{} and {} do not belong together: {} (--force merges them nevertheless)",
                            printable(runs.front().file), printable(source.file), fmt::join(found, "; ")));
}

void write_suite(Database& output, const StoredSuite& stored, const MergedSuite& merged) {
    output.begin_suite(stored.id);
    std::map<std::string, std::string> facts;
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
    if (merged.points.empty())
        output.end_suite(stored.id, SuiteState::failed, "no run has a value");
    else
        output.end_suite(stored.id, SuiteState::finished);
}

void write_output(const std::string& path, const MergeOptions& options, const std::vector<SourceRun>& runs,
                  const Plan& plan, Inputs& inputs, MergeOutcome& outcome) {
    Database output = Database::open_for_writing(path);
    const Run run = merged_run(runs, options);
    const RunId id = output.begin_run(run, plan.suites);
    for (const StoredSuite& stored : output.suites(id)) {
        const std::vector<SuiteCurve> curves = read_suite(inputs, runs, plan, stored.suite.name);
        const MergedSuite merged = merge_suite(curves, options.grid, options.value, options.weights);
        output.in_one_commit([&] { write_suite(output, stored, merged); });
        outcome.points += merged.points.size();
        outcome.abstained += merged.abstained;
        if (merged.points.empty())
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
    const std::vector<SourceRun> runs = in_canonical_order(std::move(found), outcome.notes);
    refuse_strangers(runs, options.force);
    const Plan plan = make_plan(inputs, runs);

    // Declared before the database in it, so that it is closed when the file is put in place or removed.
    OutputFile file(options.output);
    try {
        write_output(file.temporary_path(), options, runs, plan, inputs, outcome);
    } catch (const StoreError& error) {
        // The user knows the file by its final name.
        const std::string temporary = printable(file.temporary_path());
        const std::string what = error.what();
        if (!what.starts_with(temporary))
            throw;
        throw Error(error.status(), printable(options.output) + what.substr(temporary.size()));
    }
    file.commit();
    outcome.runs = runs.size();
    return outcome;
}

} // namespace skampi
