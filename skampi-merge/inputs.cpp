#include "inputs.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace skampi {

namespace {

/// So many connections cost little memory and no more descriptors than every system allows.
constexpr std::size_t most_open = 16;

[[noreturn]] void refuse_merged(const std::string& path, const std::string& run) {
    throw InputError(fmt::format("{}: run {} is itself merged and does not hold the values of its runs, "
                                 "expected the files it was merged from",
                                 printable(path), printable(run)));
}

/// A merged run holds its runs at the arguments of its grid: beside all of them some are lost.
void refuse_other_grid(const std::string& path, const Run& run) {
    const auto way = run.facts.find("merged by");
    if (way == run.facts.end())
        return;
    for (const skalib::Grid grid : {skalib::Grid::first, skalib::Grid::common}) {
        const std::string option = fmt::format("--grid {}", grid_name(grid));
        if (way->second.find(" " + option + " ") != std::string::npos)
            throw InputError(fmt::format("{}: run {} was merged with {} and lacks arguments of its runs, "
                                         "expected --grid {} or the files it was merged from",
                                         printable(path), printable(run.uuid), option,
                                         grid_name(skalib::Grid::union_)));
    }
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

/// The finished measurements of one suite in a run that is stored as it was measured; none = it lacks it.
std::vector<Measurement> measurements_of(const Database& database, SuiteId suite) {
    std::vector<Measurement> measurements;
    for (StoredMeasurement& stored : database.measurements(suite))
        if (stored.finished)
            measurements.push_back(std::move(stored.measurement));
    return measurements;
}

/// Whether a run without a value was at the argument; it does not lack it, then.
bool was_there(const Source& source) {
    return source.left_out || source.flags != 0 || source.discarded > 0 || source.time_used_s > 0;
}

/// The measurements of the runs that a merged suite was made of, by uuid, as far as they are still known: all
/// that merging asks for, but quartiles and node times only of a run that was chosen.
std::map<std::string, std::vector<Measurement>> unmerged(const std::vector<StoredMeasurement>& merged) {
    std::map<std::string, std::vector<Measurement>> measurements;
    for (const StoredMeasurement& stored : merged) {
        if (!stored.merge)
            continue;
        const auto chosen =
            std::ranges::count_if(stored.merge->sources, [](const Source& source) { return source.chosen; });
        // The rows of one run follow one another, first what it reported itself.
        const std::vector<Source>& sources = stored.merge->sources;
        for (auto next = sources.begin(); next != sources.end();) {
            const Source& source = *next++;
            const bool measured = source.value_s && !source.interpolated && !source.aside;
            Measurement m;
            m.argument = stored.measurement.argument;
            m.message_bytes = stored.measurement.message_bytes;
            m.ranks = stored.measurement.ranks;
            m.chunks = stored.measurement.chunks;
            m.messages = stored.measurement.messages;
            m.summary = skalib::Summary::unknown();
            for (; next != sources.end() && next->aside && next->run == source.run; ++next)
                m.modes.push_back(
                    {next->mode, 0, next->value_s.value_or(0), next->probe_s, whole_count(next->count)});
            if (!source.value_s && was_there(source)) {
                m.value_s = m.adjusted_s = m.standard_error_s = std::numeric_limits<double>::quiet_NaN();
                m.flags = source.flags;
                m.discarded = source.discarded;
                m.time_used_s = source.time_used_s;
                measurements[source.run].push_back(std::move(m));
                continue;
            }
            if (!measured)
                continue;
            m.mode = source.mode;
            m.flags = source.flags;
            if (source.chosen && chosen == 1) {
                m.summary = stored.measurement.summary;
                m.node_times = stored.measurement.node_times;
                m.overhead_s = stored.measurement.overhead_s;
                m.overhead_error_s = stored.measurement.overhead_error_s;
            }
            m.summary.count = whole_count(source.count);
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
            measurements[source.run].push_back(std::move(m));
        }
    }
    return measurements;
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

/// The series of a run in one of the files. @throws InputError when none has it
Series series_of_run(Inputs& inputs, const std::string& uuid) {
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

/// All runs in one file. @param only of this series; none = all
void add_runs(const Database& database, const std::string& path, std::size_t input,
              const std::optional<Series>& only, std::vector<SourceRun>& runs,
              std::vector<std::string>& warnings) {
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        if (only && Series(run) != *only)
            continue;
        const RunContents contents = database.contents(id);
        const bool csv = is_imported(run);
        const bool merged = run.kind == "merged" || (csv && is_merged_uuid(run.uuid));
        if (merged)
            refuse_other_grid(path, run);
        if (merged && (contents.points_of_source.empty() || !contents.all_have_sources))
            refuse_merged(path, run.uuid);
        if (!merged) {
            if (const std::string lacking = shortcomings(run, path, database.suites(id)); !lacking.empty())
                warnings.push_back(lacking);
            runs.push_back({run, path, csv ? Origin::csv : Origin::raw, contents.points, input, id});
            continue;
        }
        for (const auto& [uuid, points] : contents.points_of_source) {
            SourceRun source{run, path, Origin::merged, points, input, id};
            source.run.uuid = uuid;
            source.run.launch = 0;
            runs.push_back(std::move(source));
        }
    }
}

} // namespace

Inputs::Inputs(std::vector<std::string> paths)
    : paths_(std::move(paths))
    , open_(std::min(most_open, paths_.size())) {}

bool Inputs::all_stay_open() const {
    return open_.size() == paths_.size();
}

Database& Inputs::opened(std::size_t input) {
    if (input < open_.size()) {
        if (!open_[input])
            open_[input].emplace(Database::open(paths_[input]));
        return *open_[input];
    }
    if (!last_ || last_input_ != input) {
        last_.reset();
        last_.emplace(Database::open(paths_[input]));
        last_input_ = input;
    }
    return *last_;
}

std::vector<SourceRun> runs_in(Inputs& inputs, const std::string& series_of,
                               std::vector<std::string>& warnings) {
    std::optional<Series> only;
    if (!series_of.empty())
        only = series_of_run(inputs, series_of);
    std::vector<SourceRun> runs;
    for (std::size_t input = 0; input < inputs.size(); ++input)
        inputs.read(input, [&](const Database& database) {
            add_runs(database, inputs.path(input), input, only, runs, warnings);
        });
    return runs;
}

void refuse_contradicting_copies(Inputs& inputs, const std::vector<SourceRun>& runs) {
    std::map<std::string, const SourceRun*> first;
    for (const SourceRun& source : runs)
        if (const auto [place, is_new] = first.try_emplace(source.run.uuid, &source); !is_new)
            refuse_other_values(inputs, *place->second, source);
}

namespace {

/// Of the runs that a merged run was made of and that are taken from files of their own: how many did not
/// come to the end of a suite, by its name.
std::map<std::string, std::size_t> counted_elsewhere(Inputs& inputs, const std::vector<SourceRun>& runs,
                                                     const SourceRun& merged) {
    std::map<std::string, std::size_t> unfinished;
    if (merged.origin != Origin::merged)
        return unfinished;
    const RunContents contents =
        inputs.read(merged.input, [&](const Database& database) { return database.contents(merged.stored); });
    for (const SourceRun& source : runs) {
        if (source.origin == Origin::merged || !contents.points_of_source.contains(source.run.uuid))
            continue;
        for (const StoredSuite& suite : inputs.read(
                 source.input, [&](const Database& database) { return database.suites(source.stored); }))
            if (suite.state != SuiteState::finished)
                ++unfinished[suite.suite.name];
    }
    return unfinished;
}

} // namespace

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
            found = known
                        .emplace(stored, plan.merged.add(suites, source.file, launches.at(stored),
                                                         counted_elsewhere(inputs, runs, source)))
                        .first;
        }
        plan.ids.push_back(found->second);
    }
    return plan;
}

std::vector<std::vector<SuiteCurve>> read_suites(Inputs& inputs, const std::vector<SourceRun>& runs,
                                                 const Plan& plan, std::size_t first, std::size_t count) {
    std::vector<std::vector<SuiteCurve>> suites(count);
    for (std::vector<SuiteCurve>& curves : suites)
        for (const SourceRun& source : runs)
            curves.push_back({source.run.uuid, source.file, {}});
    // File by file, whatever the order of the runs.
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(runs[a].input, runs[a].stored, a) < std::tuple(runs[b].input, runs[b].stored, b);
    });
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        const SourceRun& source = runs[order[begin]];
        for (end = begin; end < order.size() && runs[order[end]].input == source.input &&
                          runs[order[end]].stored == source.stored;)
            ++end;
        const std::vector<SuiteId>& ids = plan.ids[order[begin]];
        inputs.read(source.input, [&](const Database& database) {
            for (std::size_t i = 0; i < count && first + i < ids.size(); ++i) {
                const SuiteId id = ids[first + i];
                if (id == 0)
                    continue;
                if (source.origin != Origin::merged) {
                    suites[i][order[begin]].measurements = measurements_of(database, id);
                    continue;
                }
                auto of_runs = unmerged(database.measurements(id));
                for (std::size_t member = begin; member < end; ++member)
                    suites[i][order[member]].measurements = std::move(of_runs[runs[order[member]].run.uuid]);
            }
        });
    }
    return suites;
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

} // namespace skampi
