// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/history/history_gate.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "contest/gate.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

/// Which runs of each series are new.
class NewRunsOf {
public:
    /// @param history with a series
    NewRunsOf(const History& history, const NewRuns& runs)
        : newest_(&*std::ranges::max_element(
              history.series, {}, [](const HistorySeries& each) { return each.runs.back().started_s; })) {
        const std::size_t count = newest_->runs.size();
        if (runs.since_s)
            first_s_ = *runs.since_s;
        else {
            first_ = count - std::min(count, runs.last);
            if (*first_ > 0) // a moment behind the run before
                first_s_ = newest_->runs[*first_ - 1].started_s + 1;
        }
    }
    [[nodiscard]] bool holds(const HistorySeries& series, std::size_t run) const {
        return first_ && &series == newest_ ? run >= *first_ : series.runs[run].started_s >= first_s_;
    }
    /// The series with the newest run.
    [[nodiscard]] const HistorySeries& newest() const { return *newest_; }

private:
    const HistorySeries* newest_;
    std::optional<std::size_t> first_; ///< new one of that series; none = by the time
    double first_s_ = 0;
};

/// Of none of both, lines of too few runs are its condition.
struct Condition {
    std::string text;
    std::optional<Gate> gate;
    std::optional<double> oldest_s;
};

/// @throws InputError
Condition parse_condition(const std::string& text) {
    constexpr std::string_view older = "older than ";
    if (text == "too few runs")
        return {text, {}, {}};
    if (!text.starts_with(older))
        return {text, parse_gate(text), {}};
    const char* const end = text.data() + text.size();
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data() + older.size(), end, number);
    const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    const double unit_s = unit == "min" ? 60 : unit == "h" ? 3600 : unit == "d" ? seconds_per_day : 0;
    if (error != std::errc() || !(number * unit_s > 0))
        throw InputError(fmt::format("--fail-if '{}': expected a time, such as older than 26h (min, h, d)",
                                     printable(text)));
    return {text, {}, number * unit_s};
}

bool means(const Condition& condition, const HistoryLine& line) {
    return line.unit != LineUnit::bytes && // a length is neither slow nor fast
           (!condition.gate || condition.gate->suites.empty() ||
            suite_selected(line.suite, {condition.gate->suites}));
}

const HistoryEvent* event_of(const HistorySeries& series, const ChangePoint& step) {
    const auto found = std::ranges::find_if(series.events, [&](const HistoryEvent& each) {
        return std::ranges::find(each.steps, &step, &HistoryEvent::Step::step) != each.steps.end();
    });
    return found == series.events.end() ? nullptr : &*found;
}

/// @param said lines of too few runs that are in the findings
void add_findings(const Condition& condition, const HistorySeries& series, const NewRunsOf& runs,
                  std::set<const HistoryLine*>& said, std::vector<HistoryFinding>& findings) {
    HistoryFinding too_few{.kind = HistoryFinding::Kind::too_few_runs,
                           .condition = condition.text,
                           .fails = !condition.gate,
                           .series = &series,
                           .lines = 0};
    for (const HistoryLine& line : series.lines) {
        if (!means(condition, line))
            continue;
        if (line.values.size() < least_for_a_step) {
            if (runs.holds(series, line.runs.back()) && said.insert(&line).second && too_few.lines++ == 0)
                too_few.line = &line;
            continue;
        }
        for (const ChangePoint& step : line.steps)
            if (condition.gate && condition.gate->beyond(step.statement.ratio) &&
                runs.holds(series, line.runs[step.found_at]))
                findings.push_back({.condition = condition.text,
                                    .series = &series,
                                    .line = &line,
                                    .step = &step,
                                    .event = event_of(series, step)});
    }
    if (too_few.lines > 0)
        findings.push_back(std::move(too_few));
}

} // namespace

std::vector<HistoryFinding> check_history(const History& history, const std::vector<std::string>& texts,
                                          const NewRuns& new_runs, double now_s) {
    std::vector<HistoryFinding> findings;
    std::vector<Condition> conditions;
    std::ranges::transform(texts, std::back_inserter(conditions), parse_condition);
    if (history.series.empty())
        return findings;
    // Where too few runs are a condition, gates need not warn of them.
    std::stable_partition(conditions.begin(), conditions.end(),
                          [](const Condition& each) { return !each.gate; });
    const NewRunsOf runs(history, new_runs);
    std::set<const HistoryLine*> said;
    for (const Condition& condition : conditions) {
        if (condition.oldest_s) {
            const double age_s = now_s - runs.newest().runs.back().started_s;
            if (age_s > *condition.oldest_s)
                findings.push_back({.kind = HistoryFinding::Kind::too_old,
                                    .condition = condition.text,
                                    .series = &runs.newest(),
                                    .age_s = age_s});
            continue;
        }
        bool meant = false;
        for (const HistorySeries& series : history.series) {
            add_findings(condition, series, runs, said, findings);
            meant = meant || std::ranges::any_of(series.lines, [&](const HistoryLine& line) {
                        return means(condition, line);
                    });
        }
        if (!meant)
            throw InputError(fmt::format(
                "--fail-if '{}': means no suite of these runs, expected a name or a pattern of one",
                printable(condition.text)));
    }
    return findings;
}

} // namespace skampi
