#include "analysis/history/history.hpp"

#include "analysis/history/run_places.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "model/quantity.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <tuple>

namespace skampi {

namespace {

/// Values of one number while runs are read, in the order of reading.
struct Column {
    std::vector<std::size_t> runs;
    std::vector<double> values;
    void add(std::size_t run, double value) {
        runs.push_back(run);
        values.push_back(value);
    }
};

struct SuiteColumns {
    std::string name;
    std::size_t runs = 0; ///< with any value of it
    std::map<std::int64_t, Column> by_argument;
    std::map<std::int64_t, std::string> texts; ///< "MPI_Bcast at 1 MiB"
};

struct HeadlineColumn {
    std::string name;
    std::string suite;
    LineUnit unit = LineUnit::time;
    Column column;
    std::size_t may_go_on = 0;                                 ///< values left out for it
    std::vector<std::pair<std::size_t, std::string>> doubtful; ///< runs in the order of reading, their doubts
};

struct SeriesBeingRead {
    HistorySeries series;
    std::vector<bool> merged; ///< of each run of it
    std::vector<HeadlineColumn> headlines;
    std::vector<SuiteColumns> suites;
};

SeriesBeingRead& series_of(const RunRecord& record, std::vector<SeriesBeingRead>& all) {
    for (SeriesBeingRead& each : all)
        if (std::tie(each.series.plan_hash, each.series.machine, each.series.variant, each.series.ranks) ==
            std::tie(record.plan_hash, record.machine, record.variant, record.ranks))
            return each;
    SeriesBeingRead& series = all.emplace_back();
    series.series.plan_hash = record.plan_hash;
    series.series.machine = record.machine;
    series.series.variant = record.variant;
    series.series.ranks = record.ranks;
    return series;
}

/// Arguments that only a few runs have (a refinement went there) are forgotten from time to time, so that
/// what is kept does not grow with all that was ever measured.
void forget_rare(SuiteColumns& suite) {
    std::erase_if(suite.by_argument,
                  [&](const auto& each) { return 2 * each.second.runs.size() <= suite.runs; });
    std::erase_if(suite.texts, [&](const auto& each) { return !suite.by_argument.contains(each.first); });
}

/// What is in doubt of the runs of a series and of its headlines.
std::vector<HistoryNote> doubts_of(const SeriesBeingRead& read) {
    std::vector<HistoryNote> notes;
    std::size_t doubtful = 0;
    const HistoryRun* last = nullptr;
    for (const HistoryRun& run : read.series.runs)
        if (!run.doubts.empty()) {
            ++doubtful;
            if (!last || run.started_s >= last->started_s)
                last = &run;
        }
    const std::string& series = read.series.name;
    if (last)
        notes.push_back({.kind = NoteKind::runs_in_doubt,
                         .series = series,
                         .runs = doubtful,
                         .of_runs = read.series.runs.size(),
                         .last_moment = last->moment(),
                         .last_doubts = last->doubts});
    HistoryNote in_doubt{.kind = NoteKind::headlines_in_doubt, .series = series};
    for (const HeadlineColumn& headline : read.headlines) {
        const std::size_t values = headline.column.runs.size();
        if (headline.may_go_on > 0)
            notes.push_back({.kind = NoteKind::headline_not_followed,
                             .series = series,
                             .runs = headline.may_go_on,
                             .of_runs = headline.may_go_on + values,
                             .headline = headline.name});
        if (headline.doubtful.empty())
            continue;
        const auto start_s = [&](const auto& each) { return read.series.runs[each.first].started_s; };
        const auto& [run, doubts] = *std::ranges::max_element( // of several the last
            headline.doubtful.rbegin(), headline.doubtful.rend(), {}, start_s);
        in_doubt.headlines.push_back(
            {headline.name, headline.doubtful.size(), values, read.series.runs[run].moment(), doubts});
    }
    if (!in_doubt.headlines.empty())
        notes.push_back(std::move(in_doubt));
    return notes;
}

void take_in(RunRecord&& record, std::vector<SeriesBeingRead>& all) {
    SeriesBeingRead& series = series_of(record, all);
    const std::size_t place = series.series.runs.size();
    series.series.runs.push_back(std::move(record.run));
    series.merged.push_back(!record.launches.empty());
    for (RunRecord::Headline& headline : record.headlines) {
        auto found = std::ranges::find(series.headlines, headline.name, &HeadlineColumn::name);
        if (found == series.headlines.end()) {
            found = series.headlines.emplace(series.headlines.end());
            found->name = headline.name;
            found->suite = headline.suite;
            found->unit = headline.unit;
        }
        if (headline.may_go_on) { // where the peak of others is nobody knows of this run
            ++found->may_go_on;
            continue;
        }
        found->column.add(place, headline.value);
        if (!headline.doubts.empty())
            found->doubtful.emplace_back(place, headline.doubts);
    }
    for (RunRecord::Suite& own : record.suites) {
        auto suite = std::ranges::find(series.suites, own.name, &SuiteColumns::name);
        if (suite == series.suites.end()) {
            series.suites.push_back({own.name, 0, {}, {}});
            suite = std::prev(series.suites.end());
        }
        for (RunRecord::Time& time : own.times) {
            suite->by_argument[time.argument].add(place, time.value_s);
            suite->texts.try_emplace(time.argument, std::move(time.text));
        }
        ++suite->runs;
        constexpr std::size_t now_and_then = 32;
        if (suite->runs % now_and_then == 0)
            forget_rare(*suite);
    }
}

/// Whether one is the other times a number: then it says nothing of its own.
bool is_multiple(const HistoryLine& a, const HistoryLine& b) {
    if (a.runs != b.runs)
        return false;
    const double factor = a.values.front() / b.values.front();
    for (std::size_t i = 0; i < a.values.size(); ++i)
        if (std::fabs(a.values[i] - factor * b.values[i]) > 1e-9 * a.values[i])
            return false;
    return true;
}

/// In the order of time; `order` says which place of reading comes when.
HistoryLine line_of(Column&& column, const std::vector<std::size_t>& place_of_read) {
    std::vector<std::pair<std::size_t, double>> points;
    for (std::size_t i = 0; i < column.runs.size(); ++i)
        points.emplace_back(place_of_read[column.runs[i]], column.values[i]);
    std::ranges::sort(points);
    HistoryLine line;
    for (const auto& [run, value] : points) {
        line.runs.push_back(run);
        line.values.push_back(value);
    }
    return line;
}

/// The changes of facts, but of those that are another one all the time: which node the batch system chose.
std::vector<FactChange> changes_of(const std::vector<HistoryRun>& runs) {
    std::vector<FactChange> all;
    std::map<std::string, std::size_t> how_often;
    const auto value = [](const HistoryRun& run, const std::string& name) {
        const auto found = run.facts.find(name);
        return found == run.facts.end() ? std::string() : found->second;
    };
    for (std::size_t i = 1; i < runs.size(); ++i) {
        std::set<std::string> names;
        for (const HistoryRun* run : {&runs[i - 1], &runs[i]})
            for (const auto& [name, text] : run->facts)
                names.insert(name);
        for (const std::string& name : names)
            if (std::string before = value(runs[i - 1], name), after = value(runs[i], name);
                before != after) {
                all.push_back({i, name, std::move(before), std::move(after)});
                ++how_often[name];
            }
    }
    const std::size_t most = std::max<std::size_t>(4, runs.size() / 10);
    std::erase_if(all, [&](const FactChange& change) { return how_often[change.name] > most; });
    return all;
}

/// @param begin  @param end between the events before and behind
std::optional<double> probe_ratio_at(const std::vector<HistoryRun>& runs, std::size_t run, std::size_t begin,
                                     std::size_t end) {
    std::vector<double> before;
    std::vector<double> after;
    for (std::size_t i = std::max(begin, run - std::min(run, change_window));
         i < std::min(end, run + change_window); ++i)
        if (runs[i].probe_s > 0)
            (i < run ? before : after).push_back(runs[i].probe_s);
    if (before.empty() || after.empty())
        return std::nullopt;
    constexpr double least = 0.03;
    const double ratio = skalib::median(std::move(after)) / skalib::median(std::move(before));
    return std::fabs(std::log(ratio)) > least ? std::optional(ratio) : std::nullopt;
}

std::size_t runs_between(const FactChange& change, std::size_t run) {
    return change.run > run ? change.run - run : run - change.run;
}

void find_events(HistorySeries& series) {
    struct Found {
        std::size_t run;
        HistoryEvent::Step step;
    };
    std::vector<Found> found;
    for (const HistoryLine& line : series.lines)
        for (const ChangePoint& change : line.changes)
            found.push_back({line.runs[change.at], {&line, &change}});
    std::ranges::stable_sort(found, {}, &Found::run);
    for (std::size_t begin = 0, end = 0; begin < found.size(); begin = end) {
        std::set<const HistoryLine*> lines; // each steps once at an event
        while (end < found.size() && found[end].run - found[begin].run <= facts_reach &&
               lines.insert(found[end].step.line).second)
            ++end;
        HistoryEvent event;
        const auto strongest = std::max_element(
            found.begin() + static_cast<std::ptrdiff_t>(begin),
            found.begin() + static_cast<std::ptrdiff_t>(end),
            [](const Found& a, const Found& b) { return a.step.change->strength < b.step.change->strength; });
        event.run = strongest->run;
        for (std::size_t i = begin; i < end; ++i)
            event.steps.push_back(found[i].step);
        std::ranges::stable_sort(event.steps, [](const HistoryEvent::Step& a, const HistoryEvent::Step& b) {
            return std::fabs(std::log(a.line->slowdown(*a.change))) >
                   std::fabs(std::log(b.line->slowdown(*b.change)));
        });
        const auto distance = [&](const FactChange& change) { return runs_between(change, event.run); };
        for (const FactChange& change : series.changes)
            if (distance(change) <= facts_reach)
                event.changed.push_back(change);
        std::ranges::stable_sort(event.changed, {}, distance);
        series.events.push_back(std::move(event));
    }
    for (std::size_t i = 0; i < series.events.size(); ++i)
        series.events[i].probe_ratio =
            probe_ratio_at(series.runs, series.events[i].run, i == 0 ? 0 : series.events[i - 1].run,
                           i + 1 < series.events.size() ? series.events[i + 1].run : series.runs.size());
}

/// The probe of the machine is a call of the library: where the library or its settings changed, it may
/// differ because of them.
bool library_changed_at(const HistorySeries& series, std::size_t run) {
    return std::ranges::any_of(series.changes, [&](const FactChange& change) {
        return runs_between(change, run) <= facts_reach &&
               (change.name == history_fact_library || change.name.starts_with(history_fact_setting));
    });
}

/// The steps of all lines, what the machine explains of them, and the drifts.
void find_steps(HistorySeries& series) {
    std::vector<LineOverRuns> lines;
    for (const HistoryLine& line : series.lines) {
        LineOverRuns& own = lines.emplace_back();
        own.runs = line.runs;
        for (std::size_t i = 0; i < line.runs.size(); ++i) {
            const HistoryRun& run = series.runs[line.runs[i]];
            own.values.push_back({line.values[i], run.probe_s, run.core_speed});
        }
    }
    std::vector<std::vector<ChangePoint>> found = find_changes(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        HistoryLine& line = series.lines[i];
        line.changes = std::move(found[i]);
        for (std::size_t k = 0; k < line.changes.size(); ++k) {
            const std::size_t begin = k == 0 ? 0 : line.changes[k - 1].at;
            const std::size_t end = k + 1 < line.changes.size() ? line.changes[k + 1].at : line.values.size();
            std::optional<MachineShare> share = line.unit == LineUnit::bytes
                                                    ? std::nullopt
                                                    : machine_share(lines[i], line.changes[k].at, begin, end,
                                                                    line.unit == LineUnit::time ? 1 : -1);
            if (share && !share->by_speed && library_changed_at(series, line.runs[line.changes[k].at]))
                share.reset();
            line.machine.push_back(share);
        }
        line.drift =
            find_drift(line.values, line.changes.empty() ? 0 : line.changes.back().at, series.lines.size());
    }
}

/// Gives runs whose start cannot be right that of the run before them.
void correct_starts(SeriesBeingRead& read, double now_s, std::vector<HistoryNote>& notes) {
    std::vector<PlaceOfRun> places;
    for (std::size_t i = 0; i < read.series.runs.size(); ++i)
        places.push_back({read.series.runs[i].file, read.series.runs[i].started_s, read.merged[i]});
    const std::vector<double> right = right_starts(places, now_s);
    HistoryNote note{
        .kind = NoteKind::wrong_start, .series = read.series.name, .of_runs = read.series.runs.size()};
    for (std::size_t i = 0; i < right.size(); ++i) {
        HistoryRun& run = read.series.runs[i];
        if (run.started_s == right[i])
            continue;
        run.started_s = right[i];
        ++note.runs;
        note.last_moment = run.moment();
    }
    if (note.runs > 0)
        notes.push_back(std::move(note));
}

HistorySeries finished_series(SeriesBeingRead&& read) {
    HistorySeries series = std::move(read.series);
    std::vector<std::size_t> order(series.runs.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return series.runs[i].started_s; });
    std::vector<std::size_t> place_of_read(order.size());
    std::vector<HistoryRun> runs;
    for (std::size_t place = 0; place < order.size(); ++place) {
        place_of_read[order[place]] = place;
        runs.push_back(std::move(series.runs[order[place]]));
    }
    series.runs = std::move(runs);
    const auto in_most_runs = [&](const HistoryLine& line) {
        return 2 * line.runs.size() > series.runs.size();
    };
    for (HeadlineColumn& headline : read.headlines) {
        HistoryLine line = line_of(std::move(headline.column), place_of_read);
        if (!in_most_runs(line))
            continue;
        line.name = headline.name;
        line.suite = headline.suite;
        line.unit = headline.unit;
        line.headline = true;
        series.lines.push_back(std::move(line));
    }
    const std::size_t headline_count = series.lines.size();
    for (SuiteColumns& suite : read.suites) {
        forget_rare(suite);
        std::vector<std::int64_t> arguments;
        for (const auto& [argument, column] : suite.by_argument)
            arguments.push_back(argument);
        if (arguments.empty())
            continue;
        const std::set<std::int64_t> chosen{arguments.front(), arguments[arguments.size() / 2],
                                            arguments.back()};
        for (const std::int64_t argument : chosen) {
            HistoryLine line = line_of(std::move(suite.by_argument.at(argument)), place_of_read);
            if (!in_most_runs(line))
                continue;
            line.name = suite.texts.at(argument);
            line.suite = suite.name;
            const auto headlines_end = series.lines.begin() + static_cast<std::ptrdiff_t>(headline_count);
            if (std::any_of(series.lines.begin(), headlines_end,
                            [&](const HistoryLine& each) { return is_multiple(each, line); }))
                continue;
            series.lines.push_back(std::move(line));
        }
    }
    series.changes = changes_of(series.runs);
    find_steps(series);
    find_events(series);
    return series;
}

/// What tells the series apart.
void name_series(std::vector<SeriesBeingRead>& all) {
    const auto differ = [&](auto member) {
        return std::ranges::any_of(all, [&](const SeriesBeingRead& each) {
            return each.series.*member != all.front().series.*member;
        });
    };
    const bool machines = differ(&HistorySeries::machine);
    const bool variants = differ(&HistorySeries::variant);
    const bool ranks = differ(&HistorySeries::ranks);
    for (SeriesBeingRead& each : all) {
        HistorySeries& series = each.series;
        std::vector<std::string> parts;
        if (machines)
            parts.push_back(series.machine.empty() ? "no machine named"
                                                   : shortened(printable(series.machine), 40));
        if (variants)
            parts.push_back(series.variant.empty() ? "the usual variant"
                                                   : shortened(printable(series.variant), 40));
        if (ranks)
            parts.push_back(count_of(series.ranks, "rank"));
        series.name = fmt::format("{}", fmt::join(parts, ", "));
    }
    // What is left is another plan.
    for (SeriesBeingRead& each : all)
        if (std::ranges::count_if(all, [&](const SeriesBeingRead& other) {
                return std::tie(other.series.machine, other.series.variant, other.series.ranks) ==
                       std::tie(each.series.machine, each.series.variant, each.series.ranks);
            }) > 1)
            each.series.name += (each.series.name.empty() ? "plan " : ", plan ") +
                                shortened(printable(each.series.plan_hash), 8);
}

} // namespace

std::string HistoryRun::moment() const {
    std::string text = started_utc.substr(0, 16);
    if (text.size() == 16)
        text[10] = ' ';
    return text;
}

namespace {

/// Of the values since the last change.
std::vector<double> newest_logarithms(const HistoryLine& line) {
    std::vector<double> logs;
    for (std::size_t i = line.changes.empty() ? 0 : line.changes.back().at; i < line.values.size(); ++i)
        if (line.values[i] > 0)
            logs.push_back(std::log(line.values[i]));
    return logs;
}

} // namespace

std::optional<StateLevels> HistoryLine::states() const {
    const std::optional<StateLevels> found = state_levels(newest_logarithms(*this));
    if (!found || found->high - found->low <= std::log1p(much_scatter))
        return std::nullopt;
    return StateLevels{std::exp(found->low), std::exp(found->high)};
}

std::optional<double> HistoryLine::scatter() const {
    constexpr std::size_t enough = 8;
    std::vector<double> logs = newest_logarithms(*this);
    if (logs.size() < enough)
        return std::nullopt;
    if (const std::optional<double> bound = state_bound(logs))
        level_states(logs, std::vector<double>(logs), *bound);
    const double middle = skalib::median(logs);
    for (double& each : logs)
        each = std::fabs(each - middle);
    constexpr double to_deviation = 1.4826; // of the median absolute deviation, for normal values
    return to_deviation * skalib::median(logs);
}

std::string HistoryLine::text(double value) const {
    switch (unit) {
    case LineUnit::time:
        return format_time(value);
    case LineUnit::bandwidth:
        return format_bandwidth(value);
    case LineUnit::bytes:
        // Interpolated between two lengths: whole bytes would say more than is known.
        return format_length(std::llround(value));
    }
    return {};
}

double HistoryLine::slowdown(const ChangePoint& change) const {
    return unit == LineUnit::bandwidth ? change.before / change.after : change.after / change.before;
}

bool HistoryLine::explained(const ChangePoint& change) const {
    const auto place = static_cast<std::size_t>(&change - changes.data());
    return place < machine.size() && machine[place] && machine[place]->explained;
}

struct HistoryBuilder::State {
    double now_s = 0;
    std::vector<SeriesBeingRead> all;
    std::vector<RunRecord> merged; ///< they wait for all launches to be known
    std::set<std::string> seen;
    std::size_t twice = 0;

    struct LeftOut {
        std::size_t runs = 0;
        std::set<std::string> launches; ///< of these, which nothing else shows
    };
    /// Takes in the merged runs whose launches are not shown yet: those of fewer launches first, for these
    /// tell more of when something changed.
    LeftOut take_in_merged() {
        std::ranges::sort(merged, {}, [](const RunRecord& each) {
            return std::tuple(each.launches.size(), each.run.started_s, each.run.uuid);
        });
        LeftOut left_out;
        for (RunRecord& record : merged) {
            if (std::ranges::any_of(record.launches,
                                    [&](const std::string& uuid) { return seen.contains(uuid); })) {
                ++left_out.runs;
                left_out.launches.insert(record.launches.begin(), record.launches.end());
                continue;
            }
            seen.insert(record.launches.begin(), record.launches.end());
            skampi::take_in(std::move(record), all);
        }
        merged.clear();
        std::erase_if(left_out.launches, [&](const std::string& uuid) { return seen.contains(uuid); });
        return left_out;
    }
};

HistoryBuilder::HistoryBuilder(double now_s)
    : state_(std::make_unique<State>()) {
    state_->now_s = now_s;
}
HistoryBuilder::HistoryBuilder()
    : HistoryBuilder(utc_now_s()) {}
HistoryBuilder::~HistoryBuilder() = default;

void HistoryBuilder::add(RunRecord&& record) {
    if (!record.run.uuid.empty() && !state_->seen.insert(record.run.uuid).second)
        ++state_->twice;
    else if (!record.launches.empty())
        state_->merged.push_back(std::move(record));
    else
        take_in(std::move(record), state_->all);
}

History HistoryBuilder::finished() {
    History history;
    if (state_->twice > 0)
        history.notes.push_back({.kind = NoteKind::runs_twice, .runs = state_->twice});
    if (const State::LeftOut left_out = state_->take_in_merged(); left_out.runs > 0)
        history.notes.push_back({.kind = NoteKind::merged_left_out,
                                 .runs = left_out.runs,
                                 .launches_shown_nowhere = left_out.launches.size()});
    name_series(state_->all);
    for (SeriesBeingRead& each : state_->all) {
        correct_starts(each, state_->now_s, history.notes);
        std::ranges::move(doubts_of(each), std::back_inserter(history.notes));
        history.series.push_back(finished_series(std::move(each)));
    }
    std::ranges::stable_sort(history.series, std::greater{},
                             [](const HistorySeries& each) { return each.runs.size(); });
    return history;
}

} // namespace skampi
