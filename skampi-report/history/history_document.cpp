// SPDX-License-Identifier: GPL-2.0-or-later
#include "history/history_document.hpp"

#include "base/utc.hpp"
#include "base/utf8.hpp"
#include "document/figure_names.hpp"
#include "model/quantity.hpp"
#include "skalib/statistics.hpp"
#include "words/history_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace skampi {

namespace {

constexpr std::size_t events_on_first_page = 12;

Table event_table(const History& history, const std::vector<PlacedEvent>& events) {
    Table table;
    table.title = events.size() > events_on_first_page
                      ? fmt::format("The last {} of {} steps", events_on_first_page, events.size())
                      : "Steps, the last one first";
    table.header = {"since (UTC)", "what", "from → to", "time ×", "changed there"};
    table.columns = {ColumnKind::text, ColumnKind::prose, ColumnKind::prose, ColumnKind::number,
                     ColumnKind::prose};
    for (const PlacedEvent& each : events) {
        if (table.rows.size() == events_on_first_page)
            break;
        const HistoryEvent::Step& step = each.event->steps.front();
        table.rows.push_back(
            {each.series->runs[each.event->run].moment(),
             what_stepped(*each.event) + series_in_brackets(history, *each.series),
             fmt::format("{} → {}", step.line->text(step.step->before), step.line->text(step.step->after)),
             format_ratio(step.step->statement.ratio), what_changed(*each.event, 4)});
    }
    return table;
}

AxisQuantity quantity_of(LineUnit unit) {
    switch (unit) {
    case LineUnit::time:
        return AxisQuantity::time;
    case LineUnit::bandwidth:
        return AxisQuantity::bandwidth;
    case LineUnit::bytes:
        break;
    }
    return AxisQuantity::bytes_with_unit;
}

/// From where to where a line's values are drawn.
std::pair<double, double> drawn_range(const HistoryLine& line) {
    // A few values far away would leave no room for the others.
    std::vector<double> sorted = line.values;
    std::ranges::sort(sorted);
    const double quarter = skalib::quantile(sorted, 0.25);
    const double three_quarters = skalib::quantile(sorted, 0.75);
    constexpr double far = 3; // interquartile ranges: of normal noise one value in 400,000
    const double reach = far * (three_quarters - quarter);
    std::vector<double> shown{quarter, three_quarters};
    for (const double value : sorted)
        if (value >= quarter - reach && value <= three_quarters + reach)
            shown.push_back(value);
    for (std::size_t part = 0; part <= line.steps.size(); ++part)
        shown.push_back(line.level(part));
    const auto [low, high] = std::ranges::minmax(shown);
    const double room = 0.3 * (high - low);
    constexpr double least = 0.05; // of the level now: noise below it would fill the plot
    const double level = line.level(line.steps.size());
    // What scatters by more without a step leaves no room for the others.
    const double most = line.steps.empty() ? 2 : std::numeric_limits<double>::infinity();
    return {std::clamp(std::max(sorted.front(), low - room), level / most, (1 - least) * level),
            std::clamp(std::min(sorted.back(), high + room), (1 + least) * level, most * level)};
}

/// The values over time, the levels between the steps, and the steps.
Panel panel_of(const HistorySeries& series, const HistoryLine& line, bool small) {
    Panel panel;
    panel.title = line.name;
    const auto day = [&](std::size_t i) { return series.runs[line.runs[i]].started_s / seconds_per_day; };
    panel.x = date_axis(series.runs.front().started_s / seconds_per_day,
                        series.runs.back().started_s / seconds_per_day, small ? 3 : 6);
    const auto [lowest, highest] = drawn_range(line);
    panel.y = close_axis({lowest, highest}, quantity_of(line.unit), small ? 4 : 6);
    Layer values{LayerStyle::open_points, 0, "", {}};
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        const double y = std::clamp(line.values[i], panel.y.low, panel.y.high);
        values.points.push_back({day(i), y, y, y, false});
    }
    Layer levels{LayerStyle::median, 0, "", {}};
    std::size_t begin = 0;
    for (std::size_t part = 0; part <= line.steps.size(); ++part) {
        const double level = line.level(part);
        const std::size_t end = begin + line.between_steps(part).size();
        levels.points.push_back({day(begin), level, level, level, part > 0});
        levels.points.push_back({day(end - 1), level, level, level, false});
        if (part > 0)
            panel.vertical_marks.push_back(day(begin));
        begin = end;
    }
    panel.layers = {std::move(values), std::move(levels)};
    return panel;
}

bool can_be_drawn(const HistorySeries& series, const HistoryLine& line) {
    return line.values.size() > 1 && series.runs.back().started_s > series.runs.front().started_s;
}

/// Small plots of lines.
FigureBlock figure_of(const HistorySeries& series, std::span<const HistoryLine* const> lines,
                      FigureNames& names) {
    constexpr int columns = 3;
    Figure figure;
    figure.id = names.next();
    figure.small = true;
    figure.columns = columns;
    std::vector<std::string> titles;
    for (const HistoryLine* line : lines) {
        figure.panels.push_back(panel_of(series, *line, true));
        figure.panels.back().title = shortened_name(line->name, longest_small_title(figure));
        titles.push_back(line->name);
    }
    const auto rows = static_cast<double>((lines.size() + static_cast<std::size_t>(columns) - 1) /
                                          static_cast<std::size_t>(columns));
    figure.height_cm = 3.2 * rows;
    figure.description = fmt::format("Over the starts of the runs: {}.", fmt::join(titles, "; "));
    return {std::move(figure), "Over the starts of the runs, each with an axis of its own."};
}

FigureBlock single_figure(const HistorySeries& series, const HistoryLine& line, FigureNames& names) {
    Figure figure;
    figure.id = names.next();
    figure.panels.push_back(panel_of(series, line, false));
    figure.panels.front().x.title = "start of the run, UTC";
    figure.description = fmt::format("{} over the starts of the runs.", line.name);
    return {std::move(figure), ""};
}

Table step_table(const HistorySeries& series) {
    Table table;
    table.title = "All steps, line by line";
    table.header = {"since (UTC)", "what", "from", "to", "time × (95 %)"};
    table.columns = {ColumnKind::text, ColumnKind::prose, ColumnKind::number, ColumnKind::number,
                     ColumnKind::text};
    for (auto event = series.events.rbegin(); event != series.events.rend(); ++event)
        for (const HistoryEvent::Step& step : event->steps)
            table.rows.push_back({series.runs[step.line->runs[step.step->at]].moment(), step.line->name,
                                  step.line->text(step.step->before), step.line->text(step.step->after),
                                  fmt::format("{} ({} to {})", format_ratio(step.step->statement.ratio),
                                              format_ratio(step.step->statement.low),
                                              format_ratio(step.step->statement.high))});
    return table;
}

Table fact_table(const HistorySeries& series) {
    Table table;
    table.title = "What changed between runs, the last one first";
    table.header = {"since (UTC)", "what", "from", "to"};
    table.columns = {ColumnKind::text, ColumnKind::text, ColumnKind::prose, ColumnKind::prose};
    constexpr std::size_t most = 60;
    for (auto change = series.changes.rbegin(); change != series.changes.rend() && table.rows.size() < most;
         ++change)
        table.rows.push_back({series.runs[change->run].moment(), change->name,
                              change->before.empty() ? "none" : change->before,
                              change->after.empty() ? "none" : change->after});
    return table;
}

/// Level and noise of each line as they are now.
Table level_table(const HistorySeries& series) {
    Table table;
    table.title = "Levels now";
    table.header = {"what", "now", "runs since", "steps", "noise between runs", "drift in 100 runs (95 %)"};
    table.columns = {ColumnKind::prose,  ColumnKind::number, ColumnKind::number,
                     ColumnKind::number, ColumnKind::number, ColumnKind::prose};
    for (const HistoryLine& line : series.lines) {
        const std::optional<double> scatter = line.scatter();
        table.rows.push_back({line.name, line.text(line.level(line.steps.size())),
                              std::to_string(line.between_steps(line.steps.size()).size()),
                              std::to_string(line.steps.size()), scatter ? scatter_text(*scatter) : "",
                              line.drift ? drift_text(*line.drift) : ""});
    }
    return table;
}

/// @param drawn lines that the first page shows already
Section series_section(const History& history, const HistorySeries& series,
                       std::span<const HistoryLine* const> drawn, bool brief, FigureNames& names) {
    Section section;
    section.title = history.series.size() == 1 ? "Over time" : fmt::format("Over time: {}", series.name);
    section.begins_page = &series != &history.series.front();
    std::vector<const HistoryLine*> stepped;
    std::vector<const HistoryLine*> headlines;
    std::vector<const HistoryLine*> quiet;
    for (const HistoryLine& line : series.lines)
        if (can_be_drawn(series, line) && std::ranges::find(drawn, &line) == drawn.end())
            (!line.steps.empty() ? stepped : line.headline ? headlines : quiet).push_back(&line);
    section.blocks.push_back(Paragraph{
        fmt::format(
            "{} {} UTC. {}, vertical lines the first runs behind a step; values far from all others stand "
            "at the edge.",
            count_of(series.runs.size(), "run"),
            from_to(series.runs.front().moment(), series.runs.back().moment()),
            brief ? "In the plots + is a run" : "Circles are runs, lines the usual level between steps"),
        Tone::plain});
    if (!series.events.empty())
        section.blocks.push_back(step_table(series));
    if (!series.changes.empty())
        section.blocks.push_back(fact_table(series));
    const auto add_figures = [&](const std::string& title, const std::vector<const HistoryLine*>& lines) {
        if (lines.empty())
            return;
        Section part;
        part.title = title;
        if (brief) {
            constexpr std::size_t most = 12; // a screen for each
            for (std::size_t i = 0; i < std::min(most, lines.size()); ++i) {
                part.blocks.push_back(Paragraph{lines[i]->name, Tone::plain});
                part.blocks.push_back(single_figure(series, *lines[i], names));
            }
            if (lines.size() > most)
                part.blocks.push_back(Paragraph{
                    fmt::format("{} more: in the other formats.", lines.size() - most), Tone::remark});
        } else {
            constexpr std::size_t on_a_page = 18;
            for (std::size_t begin = 0; begin < lines.size(); begin += on_a_page)
                part.blocks.push_back(figure_of(
                    series, std::span(lines).subspan(begin, std::min(on_a_page, lines.size() - begin)),
                    names));
        }
        section.subsections.push_back(std::move(part));
    };
    add_figures("With steps", stepped);
    add_figures("Headlines without a step", headlines);
    if (!brief)
        add_figures("Without a step", quiet);
    Section levels;
    levels.title = "Levels";
    levels.blocks.push_back(level_table(series));
    section.subsections.push_back(std::move(levels));
    return section;
}

Section method() {
    Section section;
    section.title = "How steps are found";
    section.blocks.push_back(Paragraph{
        fmt::format(
            "Of every run, the headlines are followed and, of each suite, the smallest, a middle and the largest "
            "argument that most runs have. A step is a lasting change: {0} runs or more at the new level. All lines are "
            "looked at after every run, and a step is reported with the run that made it certain, so later runs do not "
            "take it back. A level is the median of its runs (of an even number the smaller of the middle two). Lines without a step have one reported on average once in {1} runs or more, all lines together. "
            "Steps are looked for from {2} runs on. Values that alternate between two states of the machine are compared "
            "within their state. A gradual change is no step; a drift is stated since the last step, from {3} runs on. "
            "Facts count as changed there if they changed "
            "up to {4} runs before or after: they need not be the cause. So does the machine's probe: as a call of the "
            "library, it may change with the library or with the machine.",
            least_between_changes, static_cast<int>(average_run_length), least_for_a_step, least_for_a_drift,
            facts_reach),
        Tone::plain});
    return section;
}

} // namespace

Document build_history_document(const History& history, const std::string& title, bool brief) {
    Document document;
    FigureNames names;
    const std::vector<PlacedEvent> events = newest_first(history);
    Cover& cover = document.cover;
    cover.title = title.empty() ? "Performance history" : title;
    const HistorySeries& main = history.series.front();
    const auto fact = [&](const char* name) {
        const auto& facts = main.runs.back().facts;
        const auto found = facts.find(name);
        return found == facts.end() ? std::string() : found->second;
    };
    cover.subtitle = main.name;
    cover.answer.text = history_answer(history);
    cover.system.title = "The last run";
    for (const char* name : {"MPI library", "Hosts", "CPU", "Kernel", "Governor", "Compiler", "SKaMPI"})
        if (std::string text = fact(name); !text.empty())
            cover.system.facts.push_back({name, std::move(text)});
    cover.trust.title = "Runs";
    std::set<std::string> files;
    for (const HistorySeries& series : history.series) {
        for (const HistoryRun& run : series.runs)
            files.insert(run.file);
        cover.trust.facts.push_back(
            {series.name.empty() ? "Series" : series.name,
             fmt::format("{}, {}, {}", count_of(series.runs.size(), "run"),
                         count_of(series.lines.size(), "line"), count_of(series.events.size(), "step"))});
    }
    cover.trust.facts.push_back({"Files", std::to_string(files.size())});
    for (const HistoryNote& note : history.notes)
        cover.trust.facts.push_back({"Note", note_sentence(note)});
    cover.headlines = event_table(history, events);

    // The lines that changed last, then headlines.
    std::vector<const HistoryLine*> small;
    constexpr std::size_t on_first_page = 9;
    const auto add_small = [&](const HistoryLine& line) {
        if (small.size() < on_first_page && can_be_drawn(main, line) &&
            std::ranges::find(small, &line) == small.end())
            small.push_back(&line);
    };
    for (auto event = main.events.rbegin(); event != main.events.rend(); ++event)
        for (std::size_t i = 0; i < std::min<std::size_t>(3, event->steps.size()); ++i)
            add_small(*event->steps[i].line);
    for (const HistoryLine& line : main.lines)
        add_small(line);
    if (brief)
        small.clear();
    if (!small.empty()) {
        cover.overview = figure_of(main, small, names);
        cover.overview->caption = "What changed last, and headlines. " + cover.overview->caption;
    }
    for (const HistorySeries& series : history.series)
        document.sections.push_back(series_section(history, series, small, brief, names));
    document.sections.push_back(method());
    return document;
}

} // namespace skampi
