// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/history_words.hpp"

#include "base/text.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace skampi {

namespace {

std::size_t runs_in(const History& history) {
    std::size_t runs = 0;
    for (const HistorySeries& series : history.series)
        runs += series.runs.size();
    return runs;
}

std::pair<std::string, std::string> first_and_last(const History& history) {
    const HistoryRun* first = nullptr;
    const HistoryRun* last = nullptr;
    for (const HistorySeries& series : history.series) {
        if (!first || series.runs.front().started_s < first->started_s)
            first = &series.runs.front();
        if (!last || series.runs.back().started_s > last->started_s)
            last = &series.runs.back();
    }
    return {first->moment(), last->moment()};
}

/// The strongest drift; empty where there is none.
std::string drift_sentence(const History& history) {
    const HistorySeries* series = nullptr;
    const HistoryLine* most = nullptr;
    std::size_t count = 0;
    for (const HistorySeries& each : history.series)
        for (const HistoryLine& line : each.lines) {
            if (!line.drift)
                continue;
            ++count;
            if (!most || std::fabs(line.drift->per_100_runs) > std::fabs(most->drift->per_100_runs)) {
                most = &line;
                series = &each;
            }
        }
    if (!most)
        return {};
    return fmt::format(" {} gradually: {}{} by {} in 100 runs{}.",
                       count == 1 ? "One line changes" : fmt::format("{} lines change", count), most->name,
                       series_in_brackets(history, *series), drift_text(*most->drift),
                       count == 1 ? "" : ", the most");
}

/// That steps are hidden where values scatter much; empty where they do not.
std::string scatter_sentence(const History& history) {
    std::size_t lines = 0;
    std::size_t scattered = 0;
    double most = 0;
    for (const HistorySeries& series : history.series)
        for (const HistoryLine& line : series.lines) {
            ++lines;
            const double scatter = line.scatter().value_or(0);
            scattered += scatter > much_scatter ? 1 : 0;
            most = std::max(most, scatter);
        }
    if (scattered == 0)
        return {};
    return fmt::format(
        " {} of {} {} from run to run by more than {}, {}by {}: a step that is not much larger "
        "may not be seen. Measure while nothing else uses the cores; where cores are left "
        "over, bind the ranks.",
        scattered, count_of(lines, "line"), scattered == 1 ? "scatters" : "scatter",
        format_percent(much_scatter), scattered == 1 ? "" : "up to ", scatter_text(most));
}

/// "MPI_Bcast, 8 B, takes 1.20 times as long (time × 1.19 to 1.21) since 2026-01-13 10:00 UTC: 1.000 µs
/// → 1.200 µs; 2 of 2 lines
/// ..."
std::string last_event_sentence(const History& history, const PlacedEvent& placed) {
    const HistoryEvent& event = *placed.event;
    const HistorySeries& series = *placed.series;
    const auto& [line, step] = event.steps.front();
    const Statement& statement = step->statement;
    std::string text = fmt::format(
        "{}{} {} (time × {} to {}) since {} UTC{}: {} → {}", line->name,
        line->name.find(", ") == std::string::npos ? "" : ",", format_time_ratio(statement.ratio),
        format_ratio(statement.low), format_ratio(statement.high), series.runs[event.run].moment(),
        series_in_brackets(history, series), line->text(step->before), line->text(step->after));
    if (event.steps.size() > 1) {
        const auto slower =
            std::ranges::count(event.steps, Verdict::slower,
                               [](const HistoryEvent::Step& each) { return each.step->statement.verdict; });
        const auto faster = static_cast<std::ptrdiff_t>(event.steps.size()) - slower;
        text += fmt::format("; {} of {} lines step at that time, {}", event.steps.size(), series.lines.size(),
                            faster == 0   ? "all slower"
                            : slower == 0 ? "all faster"
                                          : fmt::format("{} slower and {} faster", slower, faster));
    }
    return text + fmt::format(". What changed: {}.", what_changed(event, 3));
}

} // namespace

std::string from_to(const std::string& first, const std::string& last) {
    return first == last ? "of " + first : fmt::format("from {} to {}", first, last);
}

std::vector<PlacedEvent> newest_first(const History& history) {
    std::vector<PlacedEvent> all;
    for (const HistorySeries& series : history.series)
        for (const HistoryEvent& event : series.events)
            all.push_back({&series, &event});
    std::ranges::stable_sort(all, std::greater{}, [](const PlacedEvent& each) {
        return each.series->runs[each.event->run].started_s;
    });
    return all;
}

std::string series_in_brackets(const History& history, const HistorySeries& series) {
    return history.series.size() == 1 || series.name.empty() ? std::string() : " (" + series.name + ")";
}

std::string fact_change_text(const FactChange& change) {
    const auto shown = [](const std::string& value) { return value.empty() ? std::string("none") : value; };
    return fmt::format("{}: {} → {}", change.name, shown(change.before), shown(change.after));
}

std::string what_changed(const HistoryEvent& event, std::size_t most) {
    std::vector<std::string> parts;
    for (const FactChange& change : event.changed) {
        if (parts.size() == most) {
            parts.push_back(fmt::format("{} more", event.changed.size() - most));
            break;
        }
        const std::size_t runs = std::max(change.run, event.run) - std::min(change.run, event.run);
        parts.push_back(fact_change_text(change) +
                        (runs == 0 ? ""
                                   : fmt::format(" ({} {})", count_of(runs, "run"),
                                                 change.run > event.run ? "later" : "earlier")));
    }
    if (event.probe_ratio)
        parts.push_back("the probe (an exchange of one byte) changed as well: it " +
                        format_time_ratio(*event.probe_ratio));
    return parts.empty() ? "no recorded fact" : fmt::format("{}", fmt::join(parts, "; "));
}

std::string what_stepped(const HistoryEvent& event) {
    const HistoryEvent::Step& first = event.steps.front();
    return event.steps.size() == 1 ? first.line->name
                                   : fmt::format("{} and {} more", first.line->name, event.steps.size() - 1);
}

std::string scatter_text(double scatter) {
    return format_percent(std::exp(scatter) - 1);
}

std::string history_answer(const History& history) {
    const std::vector<PlacedEvent> events = newest_first(history);
    const auto [first, last] = first_and_last(history);
    const std::size_t runs = runs_in(history);
    std::size_t lines = 0;
    std::size_t too_short = 0; // series
    for (const HistorySeries& series : history.series) {
        lines += series.lines.size();
        too_short += series.runs.size() < least_for_a_step ? 1 : 0;
    }
    const std::string which_runs =
        fmt::format("{}{} {} UTC", count_of(runs, "run"),
                    history.series.size() == 1 ? "" : fmt::format(" in {} series", history.series.size()),
                    from_to(first, last));
    if (too_short == history.series.size() && events.empty())
        return fmt::format("Too few runs to find a step: {}; a series needs {}.", which_runs,
                           least_for_a_step);
    std::string text;
    if (events.empty())
        text = fmt::format("No step was found: {} in {}.", count_of(lines, "line"), which_runs);
    else
        text = last_event_sentence(history, events.front()) +
               (events.size() == 1
                    ? fmt::format(" It is the only change in {}.", which_runs)
                    : fmt::format(" It is the last of {} changes in {}.", events.size(), which_runs));
    text += scatter_sentence(history);
    text += drift_sentence(history);
    if (too_short > 0)
        text += fmt::format(" {} with fewer than {} runs: too few to find a step.",
                            count_of(too_short, "series", "series"), least_for_a_step);
    return text;
}

std::string drift_text(const Drift& drift) {
    return fmt::format("{:+.2g} % ({:.2g} to {:.2g} %)", 100 * drift.per_100_runs, 100 * drift.low,
                       100 * drift.high);
}

std::string note_sentence(const HistoryNote& note) {
    const std::string runs = count_of(note.runs, "run");
    const std::string of_runs = fmt::format("{}{} of {}", note.series.empty() ? "" : note.series + ": ",
                                            note.runs, count_of(note.of_runs, "run"));
    const char* const are = note.runs == 1 ? "is" : "are";
    switch (note.kind) {
    case NoteKind::runs_twice:
        return fmt::format("{} {} in several files and {} counted once.", runs, are, are);
    case NoteKind::merged_left_out:
        return fmt::format("{} left out, because launches of {} are shown.",
                           note.runs == 1 ? "One merged run is"
                                          : fmt::format("{} merged runs are", note.runs),
                           note.runs == 1 ? "it" : "them");
    case NoteKind::without_start:
        return fmt::format("{} without a start {} left out.", runs, are);
    case NoteKind::wrong_start:
        return fmt::format("The start of {} is in the future or contradicts the order in which the runs were "
                           "stored, last {}: the order counts. Check the clock of the machine.",
                           of_runs, note.last_moment);
    case NoteKind::runs_in_doubt:
        return fmt::format("{} in doubt, last {}: {}.", of_runs, note.last_moment, note.last_doubts);
    }
    return {};
}

std::string finding_line(const HistoryFinding& finding, const HistoryFinding* before) {
    using Kind = HistoryFinding::Kind;
    const HistorySeries& series = *finding.series;
    const std::string name = series.name.empty() ? "" : fmt::format(" ({})", series.name);
    const std::string begin = fmt::format("--fail-if '{}': ", printable(finding.condition));
    switch (finding.kind) {
    case Kind::step: {
        const ChangePoint& step = *finding.step;
        const Statement& statement = step.statement;
        const std::string values = fmt::format("{} → {} (time × {})", finding.line->text(step.before),
                                               finding.line->text(step.after), format_ratio(statement.ratio));
        if (before && before->kind == Kind::step && before->event == finding.event &&
            before->condition == finding.condition)
            return fmt::format("{}{}{}, too: {}", begin, finding.line->name, name, values);
        return fmt::format(
            "{}{}{} has become {} since {} UTC: {}. What changed: {}", begin, finding.line->name, name,
            statement.verdict == Verdict::slower ? "slower" : "faster",
            series.runs[finding.line->runs[step.at]].moment(), values, what_changed(*finding.event, 3));
    }
    case Kind::too_few_runs: {
        const std::size_t others = finding.lines - 1;
        return fmt::format("{}too few runs{}: {} of {}{}; steps are looked for from {} on{}", begin, name,
                           count_of(finding.line->values.size(), "run"), finding.line->name,
                           others == 0 ? "" : fmt::format(" and {}", count_of(others, "other line")),
                           least_for_a_step, finding.fails ? "" : ", so the condition passes");
    }
    case Kind::too_old:
        return fmt::format("{}the newest run{} began {} ago, {} UTC", begin, name, rough_time(finding.age_s),
                           series.runs.back().moment());
    }
    return {};
}

} // namespace skampi
