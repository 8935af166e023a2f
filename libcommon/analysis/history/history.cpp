// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/history/history.hpp"

#include "analysis/history/run_places.hpp"
#include "analysis/history/step_detector.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "model/machine_states.hpp"
#include "model/quantity.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace skampi {

namespace {

/// A line while runs are read: its runs are places in the order of reading.
struct Column {
    HistoryLine line;
    std::size_t order = 0; ///< that in which the columns of a series were met
};

struct SuiteColumns {
    std::vector<std::size_t> runs;                                  ///< with any value of it
    std::map<std::size_t, double> probes_s;                         ///< of these runs, in the suite
    std::map<std::pair<std::string, std::int64_t>, Column> columns; ///< by headline (of times none), argument
};

struct SeriesBeingRead {
    HistorySeries series;
    std::map<std::pair<std::string, std::string>, SuiteColumns> suites; ///< by name and plan
    std::size_t columns = 0;
};

SeriesBeingRead& series_of(const RunRecord& record, std::vector<SeriesBeingRead>& all) {
    const auto key = [](const auto& each) { return std::tie(each.machine, each.variant, each.ranks); };
    for (SeriesBeingRead& each : all)
        if (key(each.series) == key(record))
            return each;
    SeriesBeingRead& read = all.emplace_back();
    read.series.machine = record.machine;
    read.series.variant = record.variant;
    read.series.ranks = record.ranks;
    return read;
}

void take_in(RunRecord&& record, std::vector<SeriesBeingRead>& all) {
    SeriesBeingRead& read = series_of(record, all);
    const std::size_t place = read.series.runs.size();
    read.series.runs.push_back(std::move(record.run));
    read.series.runs.back().merged = !record.launches.empty();
    for (RunRecord::Suite& suite : record.suites) {
        SuiteColumns& own = read.suites[{suite.name, suite.plan}];
        if (own.runs.empty() || own.runs.back() != place)
            own.runs.push_back(place);
        own.probes_s[place] = suite.probe_s;
        for (HistoryValue& value : suite.values) {
            const auto [found, first] =
                own.columns.try_emplace({value.headline ? value.line : "", value.argument});
            HistoryLine& line = found->second.line;
            if (first) {
                found->second.order = read.columns++;
                line.name = std::move(value.line);
                line.suite = suite.name;
                line.unit = value.unit;
                line.headline = value.headline;
            }
            line.runs.push_back(place);
            line.values.push_back(value.value);
        }
    }
}

/// Removes the values of runs in which a rank had no core during the suite (lost_core()), as merging does. So
/// many of them in a row that they may be a step stay.
void leave_out_starved(SuiteColumns& suite, const std::vector<std::size_t>& place_of_read) {
    double fastest_s = 0;
    for (const auto& [run, probe_s] : suite.probes_s)
        fastest_s = faster_probe(fastest_s, probe_s);
    const auto starved = [&](std::size_t run) { return lost_core(suite.probes_s[run], fastest_s); };
    std::vector<std::size_t> runs = suite.runs;
    std::ranges::sort(runs, {}, [&](std::size_t run) { return place_of_read[run]; });
    std::set<std::size_t> left_out;
    for (auto begin = std::ranges::find_if(runs, starved); begin != runs.end();) {
        const auto end = std::find_if_not(begin, runs.end(), starved);
        if (end - begin < static_cast<std::ptrdiff_t>(least_between_changes))
            left_out.insert(begin, end);
        begin = std::find_if(end, runs.end(), starved);
    }
    for (auto& [place, column] : suite.columns) {
        HistoryLine& line = column.line;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < line.runs.size(); ++i)
            if (!left_out.contains(line.runs[i])) {
                line.runs[kept] = line.runs[i];
                line.values[kept++] = line.values[i];
            }
        line.runs.resize(kept);
        line.values.resize(kept);
    }
    std::erase_if(suite.columns, [](const auto& each) { return each.second.line.runs.empty(); });
}

/// Headlines and, of the arguments that most runs of a suite have, the smallest, a middle and the largest.
/// Suites that fewer than one run in ten has are left out: they were tried, or have been gone for long.
std::vector<Column> chosen_columns(SeriesBeingRead& read) {
    std::vector<Column> chosen;
    for (auto& [key, suite] : read.suites) {
        if (10 * suite.runs.size() < read.series.runs.size())
            continue;
        std::vector<Column*> times;
        for (auto& [place, column] : suite.columns)
            if (2 * column.line.runs.size() > suite.runs.size()) {
                if (column.line.headline)
                    chosen.push_back(std::move(column));
                else
                    times.push_back(&column);
            }
        if (times.empty())
            continue;
        for (const std::size_t i : std::set<std::size_t>{0, times.size() / 2, times.size() - 1})
            chosen.push_back(std::move(*times[i]));
    }
    std::ranges::sort(chosen, {},
                      [](const Column& each) { return std::pair(!each.line.headline, each.order); });
    return chosen;
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

/// @param place_of_read which place of reading comes when
void order_in_time(HistoryLine& line, const std::vector<std::size_t>& place_of_read) {
    std::vector<std::pair<std::size_t, double>> points;
    for (std::size_t i = 0; i < line.runs.size(); ++i)
        points.emplace_back(place_of_read[line.runs[i]], line.values[i]);
    std::ranges::sort(points);
    for (std::size_t i = 0; i < points.size(); ++i)
        std::tie(line.runs[i], line.values[i]) = points[i];
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
        for (const ChangePoint& step : line.steps)
            found.push_back({line.runs[step.at], {&line, &step}});
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
            [](const Found& a, const Found& b) { return a.step.step->strength < b.step.step->strength; });
        event.run = strongest->run;
        for (std::size_t i = begin; i < end; ++i)
            event.steps.push_back(found[i].step);
        std::ranges::stable_sort(event.steps, std::greater{}, [](const HistoryEvent::Step& each) {
            return std::fabs(std::log(each.step->statement.ratio));
        });
        const auto distance = [&](const FactChange& change) { return runs_between(change, event.run); };
        for (const FactChange& change : series.changes)
            if (distance(change) <= facts_reach)
                event.changed.push_back(change);
        std::ranges::stable_sort(event.changed, {}, distance);
        series.events.push_back(std::move(event));
    }
    for (std::size_t i = 0; i < series.events.size(); ++i) {
        HistoryEvent& event = series.events[i];
        event.probe_ratio =
            probe_ratio_at(series.runs, event.run, i == 0 ? 0 : series.events[i - 1].run,
                           i + 1 < series.events.size() ? series.events[i + 1].run : series.runs.size());
        // A slower probe explains no faster operation.
        if (event.probe_ratio && (*event.probe_ratio > 1) != (event.steps.front().step->statement.ratio > 1))
            event.probe_ratio.reset();
    }
}

void find_steps(HistorySeries& series) {
    std::vector<LineOverRuns> lines;
    for (const HistoryLine& line : series.lines)
        lines.push_back({line.runs, line.values});
    std::vector<std::vector<ChangePoint>> steps = find_changes(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        HistoryLine& line = series.lines[i];
        line.steps = std::move(steps[i]);
        if (line.unit == LineUnit::bandwidth) // it is inverse to a time
            for (ChangePoint& step : line.steps) {
                Statement& of_times = step.statement;
                of_times.verdict = of_times.verdict == Verdict::slower ? Verdict::faster : Verdict::slower;
                of_times.ratio = 1 / of_times.ratio;
                of_times.low = 1 / std::exchange(of_times.high, 1 / of_times.low);
            }
        line.drift = find_drift(line.values, line.steps.empty() ? 0 : line.steps.back().at, lines.size());
    }
}

/// Gives runs whose start cannot be right that of the run before them.
std::optional<HistoryNote> correct_starts(HistorySeries& series, double now_s) {
    const std::vector<double> right = right_starts(series.runs, now_s);
    HistoryNote note{.kind = NoteKind::wrong_start, .series = series.name, .of_runs = series.runs.size()};
    for (std::size_t i = 0; i < right.size(); ++i) {
        HistoryRun& run = series.runs[i];
        if (run.started_s == right[i])
            continue;
        run.started_s = right[i];
        ++note.runs;
        note.last_moment = run.moment();
    }
    return note.runs == 0 ? std::nullopt : std::optional(std::move(note));
}

/// What is in doubt of the runs of a series.
std::optional<HistoryNote> doubts_of(const HistorySeries& series) {
    HistoryNote note{.kind = NoteKind::runs_in_doubt, .series = series.name, .of_runs = series.runs.size()};
    for (const HistoryRun& run : series.runs)
        if (!run.doubts.empty()) {
            ++note.runs;
            note.last_moment = run.moment();
            note.last_doubts = run.doubts;
        }
    return note.runs == 0 ? std::nullopt : std::optional(note);
}

HistorySeries finished_series(SeriesBeingRead&& read) {
    HistorySeries& series = read.series;
    std::vector<std::size_t> order(series.runs.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return series.runs[i].started_s; });
    std::vector<std::size_t> place_of_read(order.size());
    std::vector<HistoryRun> runs;
    for (std::size_t place = 0; place < order.size(); ++place) {
        place_of_read[order[place]] = place;
        runs.push_back(std::move(series.runs[order[place]]));
    }
    for (auto& [key, suite] : read.suites)
        leave_out_starved(suite, place_of_read);
    std::vector<Column> columns = chosen_columns(read);
    series.runs = std::move(runs);
    for (Column& column : columns) {
        order_in_time(column.line, place_of_read);
        if (std::ranges::none_of(series.lines, [&](const HistoryLine& each) {
                return each.headline && is_multiple(each, column.line);
            }))
            series.lines.push_back(std::move(column.line));
    }
    for (HistoryLine& line : series.lines) // where a suite of the same name went on measuring something else
        if (line.runs.back() + 1 < series.runs.size() &&
            std::ranges::count(series.lines, line.name, &HistoryLine::name) > 1)
            line.name += ", until " + series.runs[line.runs.back()].moment();
    series.changes = changes_of(series.runs);
    find_steps(series);
    find_events(series);
    return std::move(series);
}

/// Names series by what they differ in.
void name_series(std::vector<SeriesBeingRead>& all) {
    const auto differ = [&](auto member) {
        return std::ranges::any_of(all, [&](const SeriesBeingRead& each) {
            return each.series.*member != all.front().series.*member;
        });
    };
    const bool machines = differ(&HistorySeries::machine);
    const bool variants = differ(&HistorySeries::variant);
    const bool ranks = differ(&HistorySeries::ranks);
    const auto named = [](const std::string& name, const char* without) {
        return name.empty() ? without : shortened(printable(name), 40);
    };
    for (SeriesBeingRead& each : all) {
        HistorySeries& series = each.series;
        std::vector<std::string> parts;
        if (machines)
            parts.push_back(named(series.machine, "no machine named"));
        if (variants)
            parts.push_back(named(series.variant, "the usual variant"));
        if (ranks)
            parts.push_back(count_of(series.ranks, "rank"));
        series.name = fmt::format("{}", fmt::join(parts, ", "));
    }
}

} // namespace

std::string HistoryRun::moment() const {
    std::string text = started_utc.substr(0, 16);
    if (text.size() == 16)
        text[10] = ' ';
    return text;
}

std::span<const double> HistoryLine::between_steps(std::size_t part) const {
    const std::size_t begin = part == 0 ? 0 : steps[part - 1].at;
    const std::size_t end = part == steps.size() ? values.size() : steps[part].at;
    return std::span(values).subspan(begin, end - begin);
}

double HistoryLine::level(std::size_t part) const {
    const std::span<const double> own = between_steps(part);
    return skalib::lower_median({own.begin(), own.end()});
}

std::optional<double> HistoryLine::scatter() const {
    constexpr std::size_t enough = 8;
    std::vector<double> logs;
    for (const double value : between_steps(steps.size()))
        logs.push_back(std::log(value));
    if (logs.size() < enough)
        return std::nullopt;
    return skalib::deviation_by_mad * skalib::median_absolute_deviation(logs);
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

struct HistoryBuilder::State {
    double now_s = 0;
    std::vector<SeriesBeingRead> all;
    std::vector<RunRecord> merged; ///< they wait for all launches to be known
    std::set<std::string> seen;
    std::size_t twice = 0;

    /// Takes in the merged runs whose launches are not shown yet: those of fewer launches first, which say
    /// more exactly when something changed.
    /// @return how many are left out
    std::size_t take_in_merged() {
        std::ranges::sort(merged, {}, [](const RunRecord& each) {
            return std::tuple(each.launches.size(), each.run.started_s, each.run.uuid);
        });
        std::size_t left_out = 0;
        for (RunRecord& record : merged) {
            if (std::ranges::any_of(record.launches,
                                    [&](const std::string& uuid) { return seen.contains(uuid); })) {
                ++left_out;
                continue;
            }
            seen.insert(record.launches.begin(), record.launches.end());
            take_in(std::move(record), all);
        }
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
    const std::size_t left_out = state_->take_in_merged();
    if (state_->twice > 0)
        history.notes.push_back({.kind = NoteKind::runs_twice, .runs = state_->twice});
    if (left_out > 0)
        history.notes.push_back({.kind = NoteKind::merged_left_out, .runs = left_out});
    name_series(state_->all);
    for (SeriesBeingRead& each : state_->all) {
        const std::optional<HistoryNote> corrected = correct_starts(each.series, state_->now_s);
        history.series.push_back(finished_series(std::move(each)));
        for (const auto& note : {corrected, doubts_of(history.series.back())})
            if (note)
                history.notes.push_back(*note);
    }
    std::ranges::stable_sort(history.series, std::greater{},
                             [](const HistorySeries& each) { return each.runs.size(); });
    return history;
}

} // namespace skampi
