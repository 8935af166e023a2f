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

/// How large a step is, in words of time.
std::string by_how_much(double slowdown) {
    if (slowdown >= 2)
        return fmt::format("takes {} as long", format_times(slowdown));
    return slowdown > 1 ? fmt::format("takes {} longer", format_percent(slowdown - 1))
                        : fmt::format("takes {} less time", format_percent(1 - slowdown));
}

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

/// Headlines that share their last doubts say them once.
std::string headlines_text(const std::vector<HeadlineInDoubt>& headlines) {
    std::string all;
    for (std::size_t i = 0; i < headlines.size(); ++i) {
        const HeadlineInDoubt& each = headlines[i];
        const bool again = i > 0 && each.last_moment == headlines[i - 1].last_moment &&
                           each.last_doubts == headlines[i - 1].last_doubts;
        all +=
            fmt::format("{}{} in {} of {} ({})", i == 0 ? "" : "; ", each.name, each.in_doubt,
                        count_of(each.values, "run"),
                        again ? "the same" : fmt::format("last {}: {}", each.last_moment, each.last_doubts));
    }
    return all;
}

std::string note_text(const HistoryNote& note) {
    switch (note.kind) {
    case NoteKind::runs_twice:
        return fmt::format("{} {} in several files and {} counted once.", count_of(note.runs, "run"),
                           note.runs == 1 ? "is" : "are", note.runs == 1 ? "is" : "are");
    case NoteKind::merged_left_out:
        return fmt::format(
            "{} left out, because launches of {} are shown{}.",
            note.runs == 1 ? "One merged run is" : fmt::format("{} merged runs are", note.runs),
            note.runs == 1 ? "it" : "them",
            note.launches_shown_nowhere == 0
                ? ""
                : fmt::format("; {} of them {} not shown", count_of(note.launches_shown_nowhere, "other"),
                              note.launches_shown_nowhere == 1 ? "is" : "are"));
    case NoteKind::without_start:
        return fmt::format("{} without a start {} left out.", count_of(note.runs, "run"),
                           note.runs == 1 ? "is" : "are");
    case NoteKind::wrong_start:
        return fmt::format(
            "The start of {} of {} is in the future or contradicts the order in which the runs were stored, "
            "last {}: the order counts. Check the clock of the machine.",
            note.runs, count_of(note.of_runs, "run"), note.last_moment);
    case NoteKind::runs_in_doubt:
        return fmt::format("{} of {} in doubt, last {}: {}.", note.runs, count_of(note.of_runs, "run"),
                           note.last_moment, note.last_doubts);
    case NoteKind::headline_not_followed:
        return fmt::format("{} has no value in {} of {}: without longer messages it may be higher.",
                           note.headline, note.runs, count_of(note.of_runs, "run"));
    case NoteKind::headlines_in_doubt:
        return fmt::format("In doubt: {}.", headlines_text(note.headlines));
    }
    return {};
}

/// What of the largest step of an event the machine explains; empty where it stayed the same.
std::string machine_sentence(const HistoryEvent& event) {
    const HistoryEvent::Step& step = event.steps.front();
    const auto place = static_cast<std::size_t>(step.change - step.line->changes.data());
    if (place >= step.line->machine.size() || !step.line->machine[place])
        return {};
    const MachineShare& share = *step.line->machine[place];
    return fmt::format(" {} became {} ({}): for one state of the machine, {} {}{}.",
                       share.by_speed ? "The core" : "The machine's probe",
                       share.machine_ratio > 1 ? "slower" : "faster",
                       format_times(std::max(share.machine_ratio, 1 / share.machine_ratio)), step.line->name,
                       format_time_ratio(share.low, share.high),
                       share.explained ? ", so the machine explains the step" : "");
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

} // namespace

std::string from_to(const std::string& first, const std::string& last) {
    return first == last ? "of " + first : fmt::format("from {} to {}", first, last);
}

/// Of all series, the newest first.
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
        std::string text = fact_change_text(change);
        if (change.run > event.run)
            text += fmt::format(" ({} later)", count_of(change.run - event.run, "run"));
        else if (change.run < event.run)
            text += fmt::format(" ({} earlier)", count_of(event.run - change.run, "run"));
        parts.push_back(std::move(text));
    }
    if (event.probe_ratio)
        parts.push_back(*event.probe_ratio > 1
                            ? fmt::format("the probe (an exchange of one byte) takes {} as long",
                                          format_times(*event.probe_ratio))
                            : fmt::format("the probe (an exchange of one byte) took {} as long before",
                                          format_times(1 / *event.probe_ratio)));
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

/// That steps are hidden where values scatter much or alternate between two states; empty where they do not.
std::string scatter_sentence(const History& history) {
    std::size_t lines = 0;
    std::size_t scattered = 0;
    double most = 0;
    std::size_t alternating = 0;
    const HistoryLine* widest = nullptr;
    const auto apart = [](const StateLevels& states) { return states.high / states.low; };
    for (const HistorySeries& series : history.series)
        for (const HistoryLine& line : series.lines) {
            ++lines;
            const double scatter = line.scatter().value_or(0);
            scattered += scatter > much_scatter ? 1 : 0;
            most = std::max(most, scatter);
            if (const std::optional<StateLevels> states = line.states()) {
                ++alternating;
                if (!widest || apart(*states) > apart(*widest->states()))
                    widest = &line;
            }
        }
    const auto of_lines = [&](std::size_t count, const char* one, const char* several) {
        return fmt::format("{} of {} {}", count, count_of(lines, "line"), count == 1 ? one : several);
    };
    std::string text;
    if (widest) {
        const StateLevels states = *widest->states();
        text +=
            fmt::format(" {} between two states{} ({}: {} or {}): a step that is not larger may not be seen.",
                        of_lines(alternating, "alternates", "alternate"),
                        alternating == 1 ? "" : fmt::format(", up to {} apart", format_times(apart(states))),
                        widest->name, widest->text(states.low), widest->text(states.high));
    }
    if (scattered > 0)
        text +=
            fmt::format(" {} from run to run by more than {}{}: a step that is not much larger is not seen.",
                        of_lines(scattered, "scatters", "scatter"), format_percent(much_scatter),
                        scattered == 1 ? fmt::format(", by {}", scatter_text(most))
                                       : fmt::format(", up to {}", scatter_text(most)));
    if (!text.empty())
        text += " Measure while nothing else uses the cores; where cores are left over, bind the ranks.";
    return text;
}

/// "; until 2026-11-27 05:16 it was 281.0 ns": of a line that stepped before, so that who reads the last step
/// alone does not take the way back for a gain.
std::string level_before_that(const HistorySeries& series, const HistoryEvent::Step& step) {
    const HistoryLine& line = *step.line;
    const auto place = step.change - line.changes.data();
    if (place < 1)
        return {};
    const ChangePoint& former = line.changes[static_cast<std::size_t>(place) - 1];
    return fmt::format("; until {} it was {}", series.runs[line.runs[former.at]].moment(),
                       line.text(former.before));
}

namespace {

/// "MPI_Bcast, 8 B, takes 20 % longer since 2026-01-13 10:00 UTC: 1.000 µs → 1.200 µs; 2 of 2 lines step ..."
std::string last_event_sentence(const History& history, const PlacedEvent& placed) {
    const HistoryEvent& event = *placed.event;
    const HistorySeries& series = *placed.series;
    const HistoryEvent::Step& step = event.steps.front();
    std::string text =
        fmt::format("{}{} {} since {} UTC{}: {} → {}{}", step.line->name,
                    step.line->name.find(", ") == std::string::npos ? "" : ",",
                    by_how_much(step.line->slowdown(*step.change)), series.runs[event.run].moment(),
                    series_in_brackets(history, series), step.line->text(step.change->before),
                    step.line->text(step.change->after), level_before_that(series, step));
    if (event.steps.size() > 1) {
        const auto slower = std::ranges::count_if(event.steps, [](const HistoryEvent::Step& each) {
            return each.line->slowdown(*each.change) > 1;
        });
        const auto faster = static_cast<std::ptrdiff_t>(event.steps.size()) - slower;
        text += fmt::format("; {} of {} lines step at that time, {}", event.steps.size(), series.lines.size(),
                            faster == 0   ? "all slower"
                            : slower == 0 ? "all faster"
                                          : fmt::format("{} slower and {} faster", slower, faster));
    }
    return text + fmt::format(". What changed: {}.", what_changed(event, 3)) + machine_sentence(event);
}

} // namespace

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
    return (note.series.empty() ? "" : note.series + ": ") + note_text(note);
}

namespace {

/// "2026-03-19 10:00 UTC" of "2026-03-19T10:00:00Z"; what is no such time stays as it is.
std::string minute_text(const std::string& utc) {
    constexpr std::size_t day = 10;
    constexpr std::size_t minute = 16;
    return utc.size() > minute && utc[day] == 'T'
               ? fmt::format("{} {} UTC", utc.substr(0, day), utc.substr(day + 1, minute - day - 1))
               : utc;
}

} // namespace

std::string gate_finding_line(const HistoryGateFinding& finding, const HistoryGateFinding* before) {
    using Kind = HistoryGateFinding::Kind;
    const std::string series = finding.series.empty() ? "" : fmt::format(" ({})", finding.series);
    const std::string begin = fmt::format("--fail-if '{}': ", printable(finding.gate));
    const std::string values =
        fmt::format("{} → {} (time × {})", finding.before, finding.after, format_ratio(finding.ratio));
    switch (finding.kind) {
    case Kind::step:
        if (before && before->kind == Kind::step && before->event && before->event == finding.event &&
            before->gate == finding.gate)
            return fmt::format("{}{}{}, too: {}", begin, finding.line, series, values);
        return fmt::format("{}{}{} has become {} since {}: {}{}", begin, finding.line, series,
                           finding.ratio > 1 ? "slower" : "faster", minute_text(finding.since_utc), values,
                           finding.event ? ". What changed: " + what_changed(*finding.event, 3) : "");
    case Kind::explained:
        return fmt::format(
            "{}{}{}: {} since {}; the machine explains it (time × {}), so the condition passes", begin,
            finding.line, series, values, minute_text(finding.since_utc),
            format_ratio(finding.machine_ratio));
    case Kind::too_few_runs:
    case Kind::too_few_values:
        break;
    }
    return fmt::format("{}{}{}: {}, so the condition passes; steps are looked for from {} on", begin,
                       finding.kind == Kind::too_few_runs ? "too few runs" : finding.line, series,
                       count_of(finding.runs, "run"), least_for_a_step);
}

std::string history_plots_caption() {
    return "Over the starts of the runs: the change since the level before the first step, which stands in the "
           "title, in percent (one axis for all such plots), or where it is large as a multiple of that level "
           "(× 10 = ten times as much; one logarithmic axis for all).";
}

} // namespace skampi
