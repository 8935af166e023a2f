// SPDX-License-Identifier: GPL-2.0-or-later
#include "inputs.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "merge/pooling.hpp"
#include "store/row.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <sys/stat.h>

namespace skampi {

namespace {

[[noreturn]] void refuse_merged(const std::string& path, const std::string& run) {
    throw InputError(fmt::format("{}: run {} is merged and lacks the values of its runs, "
                                 "expected the files it was merged from",
                                 printable(path), printable(run)));
}

/// A merged run has its runs only at the arguments of its grid.
void refuse_other_grid(const std::string& path, const Run& run) {
    const std::string_view complete = grid_name(skalib::Grid::union_);
    if (!run.merged_grid.empty() && run.merged_grid != complete)
        throw InputError(fmt::format("{}: run {} was merged with --grid {} and lacks arguments of its runs, "
                                     "expected --grid {} or the files it was merged from",
                                     printable(path), printable(run.uuid), printable(run.merged_grid),
                                     complete));
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
    return fmt::format("{}: run {}{}{}; its finished measurements are merged", printable(path),
                       printable(run.uuid), ended ? "" : " has not ended",
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

/// Whether a run without a value measured the argument.
bool was_there(const Source& source) {
    return source.left_out || source.own.flags != 0 || source.own.discarded > 0 || source.own.time_used_s > 0;
}

/// The measurements of the runs that a merged one was made of, added to the suite's by uuid: all that merging
/// needs.
void unmerge(const StoredMeasurement& stored, std::map<std::string, std::vector<Measurement>>& measurements) {
    if (!stored.merge)
        return;
    // The rows of one run follow one another, first what it reported itself.
    const std::vector<Source>& sources = stored.merge->sources;
    for (auto next = sources.begin(); next != sources.end();) {
        const Source& source = *next++;
        Measurement m = source.own;
        m.argument = stored.measurement.argument;
        m.message_bytes = stored.measurement.message_bytes;
        m.ranks = stored.measurement.ranks;
        m.chunks = stored.measurement.chunks;
        m.messages = stored.measurement.messages;
        int other_mode = m.mode;
        for (; next != sources.end() && next->other_mode && next->run == source.run; ++next)
            m.modes.push_back(
                {++other_mode, 0, next->own.value_s, next->own.probe_s, next->own.summary.count});
        std::ranges::stable_sort(m.modes, {}, &ModeValue::probe_s); // as they were: fastest first
        if (source.abstained() ? was_there(source) : !source.interpolated && !source.other_mode)
            measurements[source.run].push_back(std::move(m));
    }
}

/// Two files may hold one run; they may not hold different values of it.
/// @throws InputError naming the first that differs
void refuse_other_values(Inputs& inputs, const SourceRun& a, const SourceRun& b) {
    if (a.origin == Origin::merged || b.origin == Origin::merged || !has_ended(a.run) || !has_ended(b.run))
        return; // values may change until the end of the run, when they are formed anew
    const auto read = [&](const SourceRun& source, SuiteId suite) {
        const LazyCurve curve = inputs.curves(source, suite)[source.run.uuid];
        std::vector<Measurement> measurements;
        for (std::size_t place = 0; place < curve.headers.size(); ++place)
            measurements.push_back(curve.load(place));
        return measurements;
    };
    const std::vector<StoredSuite> others = inputs.suites(b);
    for (const StoredSuite& suite : inputs.suites(a)) {
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
                "{} and {}: both have run {}, with {} and {} s at argument {} of suite \"{}\", expected equal values",
                printable(a.file), printable(b.file), printable(a.run.uuid), same->second.value_s, m.value_s,
                m.argument, printable(suite.suite.name)));
        }
    }
}

/// The series of a run in one of the files. @throws InputError when none has it
Series series_of_run(const std::vector<std::string>& paths, const std::string& uuid) {
    for (const std::string& path : paths) {
        const Database database = Database::open(path);
        for (const RunId id : database.runs())
            if (const Run run = database.run(id); run.uuid == uuid)
                return Series(run);
    }
    throw InputError(fmt::format("--series-of {}: found no such run in the inputs", printable(uuid)));
}

// --- what waits in the temporary database

/// Rows are in the order of their use.
std::string schema_of_waiting() {
    const auto part = [](const char* table, const std::string& columns) {
        return std::string("CREATE TABLE ") + table + " (" + columns +
               ", suite, run, argument, ordinal, PRIMARY KEY (suite, run, argument, ordinal)) WITHOUT ROWID;";
    };
    return "CREATE TABLE suite (id INTEGER PRIMARY KEY, " + ColumnList<StoredSuite>().names + ", stored);" +
           "CREATE INDEX suite_stored ON suite (stored);"
           "CREATE TABLE fact (suite, name, value, PRIMARY KEY (suite, name)) WITHOUT ROWID;" +
           "CREATE TABLE event (" + ColumnList<Event>().names +
           ", stored, number, PRIMARY KEY (stored, number)) WITHOUT ROWID;" + "CREATE TABLE measurement (" +
           ColumnList<Measurement>().names +
           ", suite, run, modes, node_times, PRIMARY KEY (suite, run, argument)) WITHOUT ROWID;" +
           part("mode", ColumnList<ModeValue>().names) + part("node_time", ColumnList<NodeTime>().names);
}

template <typename Row>
void keep(const Connection& waiting, const std::string& sql, const Row& row, const auto&... key) {
    Query insert = waiting.query(sql);
    RowWriter(insert).write(row);
    insert.run(key...);
}

template <typename Row>
void keep_parts(const Connection& waiting, const char* table, SuiteId suite, const std::string& run,
                std::int64_t argument, const std::vector<Row>& rows) {
    if (rows.empty())
        return;
    const std::string sql = insert_sql<Row>(table, {"suite", "run", "argument", "ordinal"});
    for (std::size_t i = 0; i < rows.size(); ++i)
        keep(waiting, sql, rows[i], suite, run, argument, static_cast<std::int64_t>(i));
}

void keep(const Connection& waiting, SuiteId suite, const std::string& run, const Measurement& m) {
    static const std::string sql =
        insert_sql<Measurement>("measurement", {"suite", "run", "modes", "node_times"});
    keep(waiting, sql, m, suite, run, std::ssize(m.modes), std::ssize(m.node_times));
    keep_parts(waiting, "mode", suite, run, m.argument, m.modes);
    keep_parts(waiting, "node_time", suite, run, m.argument, m.node_times);
}

template <typename Row>
std::vector<Row> kept_parts(const Connection& waiting, const char* table, SuiteId suite,
                            const std::string& run, std::int64_t argument) {
    static const std::string sql = select_sql<Row>(
        "", std::string(table) + " WHERE suite = ? AND run = ? AND argument = ? ORDER BY ordinal");
    Query query = waiting.query(sql);
    query.bind(suite);
    query.bind(run);
    query.bind(argument);
    std::vector<Row> rows;
    while (query.next())
        rows.push_back(RowReader(waiting, query).read<Row>());
    return rows;
}

/// The measurements of a run in one suite, from an argument on. @param most -1 = all
std::vector<Measurement> kept(const Connection& waiting, SuiteId suite, const std::string& run,
                              std::int64_t from, std::int64_t most) {
    static const std::string sql = select_sql<Measurement>(
        "modes, node_times",
        "measurement WHERE suite = ? AND run = ? AND argument >= ? ORDER BY argument LIMIT ?");
    Query query = waiting.query(sql);
    query.bind(suite);
    query.bind(run);
    query.bind(from);
    query.bind(most);
    std::vector<Measurement> measurements;
    while (query.next()) {
        Measurement& m = measurements.emplace_back(RowReader(waiting, query).read<Measurement>());
        if (query.integer() > 0)
            m.modes = kept_parts<ModeValue>(waiting, "mode", suite, run, m.argument);
        if (query.integer() > 0)
            m.node_times = kept_parts<NodeTime>(waiting, "node_time", suite, run, m.argument);
    }
    return measurements;
}

/// Loads the measurements of a curve, a few at once: they are asked for one after the other, by turns with
/// those of other runs.
class CurveReader {
public:
    /// @param waiting outlives this
    CurveReader(const Connection& waiting, SuiteId suite, const LazyCurve& curve)
        : waiting_(&waiting)
        , suite_(suite)
        , run_(curve.run) {
        for (const PointHeader& header : curve.headers)
            arguments_.push_back(header.argument);
    }

    Measurement operator()(std::size_t place) {
        if (place < first_ || place >= first_ + loaded_.size()) {
            first_ = place;
            loaded_ = kept(*waiting_, suite_, run_, arguments_[place], LazyCurve::loaded_in_a_row);
        }
        return loaded_[place - first_];
    }

private:
    const Connection* waiting_;
    SuiteId suite_;
    std::string run_;
    std::vector<std::int64_t> arguments_;
    std::size_t first_ = 0; ///< of the loaded ones
    std::vector<Measurement> loaded_;
};

} // namespace

Inputs::Inputs(const std::vector<std::string>& paths, const RunSelection& selection,
               const std::string& output, const std::function<void(double bytes, double of)>& advanced)
    : waiting_(Connection::to_temporary(output.empty() ? paths.front() : output)) {
    waiting_->execute(schema_of_waiting().c_str());
    std::optional<Series> only;
    if (!selection.series_of.empty())
        only = series_of_run(paths, selection.series_of);
    std::set<std::string> missing(selection.runs.begin(), selection.runs.end());
    std::vector<double> bytes;
    for (const std::string& path : paths) {
        std::error_code unknown;
        const std::uintmax_t size = std::filesystem::file_size(path, unknown);
        bytes.push_back(unknown ? 0 : static_cast<double>(size));
    }
    constexpr double share_of_text = 0.8; // of the time to read a file that is no database
    const double all = std::accumulate(bytes.begin(), bytes.end(), 0.0);
    double before = 0;
    for (std::size_t input = 0; input < paths.size(); ++input) {
        double as_text = 0; // bytes of it, of a file that is no database
        const Database database = Database::open(paths[input], [&](double read) {
            as_text = share_of_text * std::min(read, bytes[input]);
            advanced(before + as_text, all);
        });
        const std::vector<RunId> ids = database.runs();
        // One state of the file, even if it is being written.
        database.in_one_state([&] {
            double read = 0;
            for (const RunId id : ids) {
                const Run run = database.run(id);
                missing.erase(run.uuid);
                if (selection.holds(run) && (!only || Series(run) == *only))
                    read_run(database, id, paths[input], input, run);
                advanced(before + as_text +
                             (bytes[input] - as_text) * ++read / static_cast<double>(ids.size()),
                         all);
            }
        });
        before += bytes[input];
    }
    if (!missing.empty())
        throw InputError(
            fmt::format("--run {}: found no such run in the inputs", printable(*missing.begin())));
}

void Inputs::read_run(const Database& database, RunId id, const std::string& path, std::size_t input,
                      const Run& run) {
    const RunContents contents = database.contents(id);
    const bool csv = is_imported(run);
    const bool merged = run.kind == "merged" || (csv && is_merged_uuid(run.uuid));
    if (merged)
        refuse_other_grid(path, run);
    // With the sources that have no value: no measurement names them.
    std::map<std::string, std::int64_t> points_of_source = contents.points_of_source;
    const std::map<std::string, MergedSource> sources =
        merged ? merged_sources(run) : std::map<std::string, MergedSource>();
    for (const auto& [uuid, own] : sources)
        points_of_source.try_emplace(uuid, 0);
    if (merged && (points_of_source.empty() || !contents.all_have_sources))
        refuse_merged(path, run.uuid);
    const std::vector<StoredSuite> suites = database.suites(id);
    Stored& stored = stored_[{input, id}];
    stored.number = std::ssize(stored_);
    if (merged) {
        SourceRun source{run, path, Origin::merged, 0, input, id};
        // Launches are merged in the order of their starts, as those that follow one another are correlated.
        const MergedSource unknown{"", "", run.started_utc, false,    0,          run.measuring_share,
                                   {}, {}, run.user,        run.node, run.network};
        source.run.sources.clear(); // each would carry those of all
        for (const auto& [uuid, points] : points_of_source) {
            source.run.uuid = uuid;
            source.points = points;
            const auto found = sources.find(uuid);
            const MergedSource& own = found == sources.end() ? unknown : found->second;
            source.run.started_utc = own.started_utc;
            source.own_start = own.own_start;
            source.run.launch = own.launch;
            source.run.measuring_share = own.measuring_share;
            source.imported_from = own.imported_from;
            source.run.user = own.user;
            source.run.node = own.node;
            source.run.network = own.network;
            source.own_end = !own.ended_utc.empty();
            source.run.ended_utc = source.own_end ? own.ended_utc : run.ended_utc;
            runs_.push_back(source);
            stored.members.insert(uuid);
        }
    } else {
        if (const std::string lacking = shortcomings(run, path, suites); !lacking.empty())
            warnings_.push_back(lacking);
        runs_.push_back({run, path, csv ? Origin::csv : Origin::raw, contents.points, input, id});
    }
    Transaction transaction(*waiting_);
    for (const StoredSuite& suite : suites) {
        static const std::string sql = insert_sql<StoredSuite>("suite", {"stored"});
        keep(*waiting_, sql, suite, stored.number);
        const SuiteId kept_as = waiting_->last_insert_id();
        for (const auto& [name, value] : suite.facts)
            waiting_->query("INSERT INTO fact VALUES (?, ?, ?)").run(kept_as, name, value);
        std::map<std::string, std::vector<Measurement>> of_runs;
        if (merged)
            database.for_each_measurement(suite.id,
                                          [&](const StoredMeasurement& stored) { unmerge(stored, of_runs); });
        else
            of_runs.emplace(run.uuid, measurements_of(database, suite.id));
        for (const auto& [uuid, measurements] : of_runs)
            for (const Measurement& m : measurements)
                keep(*waiting_, kept_as, uuid, m);
    }
    MergedEvents worth_keeping;
    worth_keeping.add(database.events(id));
    std::int64_t number = 0;
    for (const Event& event : worth_keeping.events())
        keep(*waiting_, insert_sql<Event>("event", {"stored", "number"}), event, stored.number, number++);
    transaction.commit();
}

std::vector<StoredSuite> Inputs::suites(const SourceRun& run) const {
    std::vector<StoredSuite> suites;
    Query query = waiting_->query(select_sql<StoredSuite>("id", "suite WHERE stored = ? ORDER BY id"));
    query.bind(stored(run).number);
    while (query.next()) {
        StoredSuite& suite = suites.emplace_back(RowReader(*waiting_, query).read<StoredSuite>());
        suite.id = query.integer();
        Query facts = waiting_->query("SELECT name, value FROM fact WHERE suite = ?");
        facts.bind(suite.id);
        while (facts.next()) {
            std::string name = facts.text();
            suite.facts.emplace(std::move(name), facts.text());
        }
    }
    return suites;
}

const std::set<std::string>& Inputs::members(const SourceRun& run) const {
    return stored(run).members;
}

std::vector<Event> Inputs::events(const SourceRun& run) const {
    Query query = waiting_->query(select_sql<Event>("", "event WHERE stored = ? ORDER BY number"));
    query.bind(stored(run).number);
    std::vector<Event> events;
    while (query.next())
        events.push_back(RowReader(*waiting_, query).read<Event>());
    return events;
}

std::map<std::string, LazyCurve> Inputs::curves(const SourceRun& run, SuiteId suite) const {
    std::map<std::string, LazyCurve> of_runs;
    const std::set<std::string>& merged = members(run);
    for (const std::string& uuid : merged.empty() ? std::set{run.run.uuid} : merged) {
        LazyCurve& curve = of_runs[uuid];
        curve.run = uuid;
        curve.file = run.file;
        for (const Measurement& m :
             kept(*waiting_, suite, uuid, std::numeric_limits<std::int64_t>::min(), -1))
            curve.add(m);
        curve.load = CurveReader(*waiting_, suite, curve);
    }
    return of_runs;
}

std::vector<std::string> each_file_once(const std::vector<std::string>& paths,
                                        std::vector<std::string>& notes) {
    std::vector<std::string> once;
    std::map<std::pair<dev_t, ino_t>, std::size_t> known;
    for (const std::string& path : paths) {
        struct stat file = {};
        if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) {
            once.push_back(path); // a pipe, or nothing: reading it shows
            continue;
        }
        const auto [place, is_new] = known.try_emplace({file.st_dev, file.st_ino}, once.size());
        if (is_new) {
            once.push_back(path);
            continue;
        }
        std::string& other = once[place->second];
        notes.push_back(fmt::format("{} and {} are the same file: it is read once",
                                    printable(std::min(other, path)), printable(std::max(other, path))));
        other = std::min(other, path);
    }
    return once;
}

void refuse_contradicting_copies(Inputs& inputs) {
    std::map<std::string, const SourceRun*> first;
    for (const SourceRun& source : inputs.runs())
        if (const auto [place, is_new] = first.try_emplace(source.run.uuid, &source); !is_new)
            refuse_other_values(inputs, *place->second, source);
}

namespace {

/// For each suite name, how many sources of a merged run with files of their own did not end it.
std::map<std::string, int> counted_elsewhere(Inputs& inputs, const std::vector<SourceRun>& runs,
                                             const SourceRun& merged) {
    std::map<std::string, int> unfinished;
    const std::set<std::string>& members = inputs.members(merged);
    if (members.empty())
        return unfinished;
    for (const SourceRun& source : runs) {
        if (source.origin == Origin::merged || !members.contains(source.run.uuid))
            continue;
        for (const StoredSuite& suite : inputs.suites(source))
            if (suite.state != SuiteState::finished)
                ++unfinished[suite.suite.name];
    }
    return unfinished;
}

} // namespace

Plan make_plan(Inputs& inputs, const std::vector<SourceRun>& runs) {
    Plan plan;
    // One merged run holds several of the runs: it planned its suites once.
    std::map<std::pair<std::size_t, RunId>, int> launches;
    for (const SourceRun& source : runs)
        ++launches[{source.input, source.stored}];
    std::map<std::pair<std::size_t, RunId>, std::vector<SuiteId>> known;
    for (const SourceRun& source : runs) {
        const auto stored = std::pair(source.input, source.stored);
        auto found = known.find(stored);
        if (found == known.end())
            found =
                known
                    .emplace(stored, plan.merged.add(inputs.suites(source), source.file, launches.at(stored),
                                                     counted_elsewhere(inputs, runs, source)))
                    .first;
        plan.ids.push_back(found->second);
    }
    return plan;
}

std::vector<LazyCurve> read_suite(Inputs& inputs, const std::vector<SourceRun>& runs, const Plan& plan,
                                  std::size_t place) {
    std::vector<LazyCurve> curves(runs.size());
    std::map<std::pair<std::size_t, RunId>, std::vector<std::size_t>> members; // of what is stored as one
    for (std::size_t run = 0; run < runs.size(); ++run) {
        curves[run].run = runs[run].run.uuid;
        curves[run].file = runs[run].file;
        if (place < plan.ids[run].size() && plan.ids[run][place] != 0)
            members[{runs[run].input, runs[run].stored}].push_back(run);
    }
    for (const auto& [stored, of_it] : members) {
        auto measured = inputs.curves(runs[of_it.front()], plan.ids[of_it.front()][place]);
        for (const std::size_t run : of_it)
            if (const auto own = measured.find(curves[run].run); own != measured.end())
                curves[run] = std::move(own->second);
    }
    return curves;
}

std::vector<Event> events_worth_keeping(Inputs& inputs, const std::vector<SourceRun>& runs) {
    MergedEvents merged;
    std::set<std::pair<std::size_t, RunId>> read;
    for (const SourceRun& source : runs)
        if (read.insert({source.input, source.stored}).second)
            merged.add(inputs.events(source));
    return std::move(merged.events());
}

} // namespace skampi
