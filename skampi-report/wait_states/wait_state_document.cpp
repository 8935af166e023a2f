// SPDX-License-Identifier: GPL-2.0-or-later
#include "wait_states/wait_state_document.hpp"

#include "document/figure_names.hpp"
#include "drawing/box_plot.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skampi {

namespace {

using cube::PatternStatistics;
using cube::Problem;

/// Tables and plots of more patterns than this are data, not a report: they are in the CSV and JSON forms.
constexpr std::size_t most_rows = 480;
constexpr std::size_t most_name = 60;

std::string number(const cube::WholeNumber& value) {
    if (const auto* exact = std::get_if<std::int64_t>(&value))
        return fmt::format("{}", *exact);
    return fmt::format("{:.6g}", std::get<double>(value));
}

std::string time(double value_s) {
    return format_time(value_s);
}

std::optional<Box> box_of(const PatternStatistics* pattern) {
    if (pattern == nullptr || !pattern->moments)
        return std::nullopt;
    const cube::Moments& m = *pattern->moments;
    Box box{m.minimum_s, m.median_s, m.maximum_s, m.mean_s, {}, {}};
    if (pattern->quartiles) {
        box.lower_quartile = pattern->quartiles->lower_s;
        box.upper_quartile = pattern->quartiles->upper_s;
    }
    return box;
}

double sum_of(const PatternStatistics& pattern) {
    return pattern.moments && std::isfinite(pattern.moments->sum_s) ? pattern.moments->sum_s : -1;
}

/// The largest sum first; those without values last.
std::vector<const PatternStatistics*> by_sum(const WaitStates& file) {
    std::vector<const PatternStatistics*> patterns;
    for (const PatternStatistics& pattern : file.read.file.patterns)
        patterns.push_back(&pattern);
    std::ranges::stable_sort(patterns, [](const auto* a, const auto* b) { return sum_of(*a) > sum_of(*b); });
    return patterns;
}

std::int64_t instances(const WaitStates& file) {
    double count = 0;
    for (const PatternStatistics& pattern : file.read.file.patterns)
        count += cube::as_double(pattern.count);
    return count < 9e18 ? static_cast<std::int64_t>(count) : std::numeric_limits<std::int64_t>::max();
}

std::int64_t pattern_count(const WaitStates& file) {
    return std::ssize(file.read.file.patterns);
}

std::string dialect_words(cube::Dialect dialect) {
    switch (dialect) {
    case cube::Dialect::documented:
        return "documented (Cube's manual)";
    case cube::Dialect::scout:
        return "scout (Scalasca)";
    case cube::Dialect::expert:
        return "EXPERT";
    }
    return {};
}

std::string answer(const std::vector<WaitStates>& files,
                   const std::vector<WaitStateComparison>& comparisons) {
    std::string text;
    for (const WaitStates& file : files)
        if (file.read.errors > 0)
            text += fmt::format("In {} {} the format's rules and {} left out. ", file.label,
                                count_of(file.read.errors, "place breaks", "places break"),
                                file.read.errors == 1 ? "is" : "are");
    if (comparisons.empty()) {
        const WaitStates& file = files.front();
        if (file.read.file.patterns.empty())
            return text + "This file holds no wait states.";
        text += fmt::format("{} with {}.", count_of(pattern_count(file), "pattern"),
                            count_of(instances(file), "instance"));
        if (const PatternStatistics& worst = *by_sum(file).front(); worst.moments)
            text +=
                fmt::format(" The largest sum: {}, {} in {}.", shortened(worst.name, most_name),
                            time(worst.moments->sum_s),
                            count_of(static_cast<std::int64_t>(std::min(cube::as_double(worst.count), 9e18)),
                                     "instance"));
        return text;
    }
    for (const WaitStateComparison& comparison : comparisons) {
        text += fmt::format("{} against {}: {} in both", comparison.other->label, comparison.reference->label,
                            count_of(std::ssize(comparison.patterns), "pattern"));
        const PatternComparison* most = nullptr;
        for (const PatternComparison& pattern : comparison.patterns)
            if (pattern.sum_difference_s && std::isfinite(*pattern.sum_difference_s) &&
                (!most || std::fabs(*pattern.sum_difference_s) > std::fabs(*most->sum_difference_s)))
                most = &pattern;
        if (most && *most->sum_difference_s == 0)
            text += "; all sums are the same";
        else if (most)
            text += fmt::format(
                "; the largest difference of sums: {}, {} {}", shortened(most->reference->name, most_name),
                time(std::fabs(*most->sum_difference_s)), *most->sum_difference_s < 0 ? "less" : "more");
        text += ". ";
    }
    text += "Each file is one run: its noise cannot be known from one.";
    return text;
}

FactList file_box(const std::vector<WaitStates>& files) {
    FactList box{files.size() == 1 ? "File" : "Files", {}};
    for (const WaitStates& file : files) {
        if (files.size() > 1) {
            box.facts.push_back(
                {file.label,
                 fmt::format("{}; {}, {} in dialect {}", shortened(file.path, 120),
                             count_of(pattern_count(file), "pattern"), count_of(instances(file), "instance"),
                             dialect_words(file.read.file.dialect))});
            continue;
        }
        box.facts.push_back({"Path", shortened(file.path, 120)});
        box.facts.push_back({"Dialect", dialect_words(file.read.file.dialect)});
        box.facts.push_back({"Patterns", std::to_string(file.read.file.patterns.size())});
        box.facts.push_back({"Instances", std::to_string(instances(file))});
    }
    return box;
}

FactList reading_box(const std::vector<WaitStates>& files) {
    FactList box{"What was read", {}};
    for (const WaitStates& file : files) {
        std::size_t without = 0;
        std::size_t severest = 0;
        for (const PatternStatistics& pattern : file.read.file.patterns) {
            without += pattern.moments ? 0 : 1;
            severest += pattern.severest.size();
        }
        if (files.size() > 1) {
            box.facts.push_back(
                {file.label,
                 fmt::format("{} a rule, {} kept, {} with a count only, {}",
                             count_of(file.read.errors, "place breaks", "places break"),
                             count_of(file.read.strange, "strange value"), count_of(without, "pattern"),
                             count_of(severest, "severe instance"))});
            continue;
        }
        box.facts.push_back({"Places that break a rule", std::to_string(file.read.errors)});
        box.facts.push_back({"Strange values, kept", std::to_string(file.read.strange)});
        box.facts.push_back({"Patterns with a count only", std::to_string(without)});
        box.facts.push_back({"Severe instances", std::to_string(severest)});
    }
    return box;
}

Table largest_sums(const WaitStates& file) {
    Table table;
    table.title = "Largest sums";
    table.header = {"pattern", "sum", "mean", "instances"};
    table.columns = {ColumnKind::prose, ColumnKind::number, ColumnKind::number, ColumnKind::number};
    for (const PatternStatistics* pattern : by_sum(file)) {
        if (table.rows.size() == 6 || !pattern->moments)
            break;
        table.rows.push_back({shortened(pattern->name, most_name), time(pattern->moments->sum_s),
                              time(pattern->moments->mean_s), number(pattern->count)});
    }
    return table;
}

std::string of_most(std::size_t shown, std::size_t all, const char* what) {
    return all > shown ? fmt::format("The {} {} with the largest sums, of {}", shown, what, all) : "";
}

constexpr const char* box_caption =
    "The box reaches from the lower to the upper quartile, with a bar at the median; the line from the smallest "
    "to the largest; the cross is the mean.";

/// @param overview takes the first plot, which then is not in the section
Section tables_and_boxes(const WaitStates& file, FigureNames& names, std::optional<FigureBlock>* overview) {
    Section section;
    section.title = "Wait states";
    std::vector<const PatternStatistics*> patterns = by_sum(file);
    const std::size_t all = patterns.size();
    patterns.resize(std::min(all, most_rows));
    if (patterns.empty()) {
        section.blocks.push_back(Paragraph{"This file holds no wait states.", Tone::remark});
        return section;
    }
    Section boxes;
    boxes.title = "Distributions";
    std::vector<BoxRow> rows;
    for (const PatternStatistics* pattern : patterns)
        if (const std::optional<Box> box = box_of(pattern))
            rows.push_back({pattern->name, {box}});
    for (std::size_t begin = 0; begin < rows.size(); begin += most_box_rows) {
        const std::size_t end = std::min(rows.size(), begin + most_box_rows);
        const std::vector<BoxRow> part(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                       rows.begin() + static_cast<std::ptrdiff_t>(end));
        FigureBlock figure{box_figure(names.next(), part, {""}),
                           fmt::format("Patterns by their sums, {} to {} of {}. {}", begin + 1, end,
                                       rows.size(), box_caption),
                           box_characters(part, {""})};
        if (begin == 0 && overview != nullptr)
            *overview = std::move(figure);
        else
            boxes.blocks.push_back(std::move(figure));
    }
    Table distribution;
    distribution.title = of_most(patterns.size(), all, "patterns");
    distribution.header = {"pattern", "minimum", "lower quartile", "median", "upper quartile", "maximum"};
    distribution.columns = {ColumnKind::prose,  ColumnKind::number, ColumnKind::number,
                            ColumnKind::number, ColumnKind::number, ColumnKind::number};
    Table sums;
    sums.title = distribution.title;
    sums.header = {"pattern", "instances", "sum", "mean", "standard deviation"};
    sums.columns = {ColumnKind::prose, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                    ColumnKind::number};
    for (const PatternStatistics* pattern : patterns) {
        const std::string name = shortened(pattern->name, most_name);
        if (!pattern->moments) {
            sums.rows.push_back({name, number(pattern->count), "not in the file", "", ""});
            continue;
        }
        const cube::Moments& m = *pattern->moments;
        const std::optional<cube::Quartiles>& q = pattern->quartiles;
        sums.rows.push_back({name, number(pattern->count), time(m.sum_s), time(m.mean_s),
                             pattern->variance_s2 && *pattern->variance_s2 >= 0
                                 ? time(std::sqrt(*pattern->variance_s2))
                                 : ""});
        distribution.rows.push_back({name, time(m.minimum_s), q ? time(q->lower_s) : "", time(m.median_s),
                                     q ? time(q->upper_s) : "", time(m.maximum_s)});
    }
    if (!distribution.rows.empty()) {
        boxes.blocks.push_back(std::move(distribution));
        section.subsections.push_back(std::move(boxes));
    }
    Section sums_part;
    sums_part.title = "Sums and means";
    sums_part.blocks.push_back(std::move(sums));
    section.subsections.push_back(std::move(sums_part));
    return section;
}

std::optional<Section> severest(const WaitStates& file) {
    Section section;
    section.title = "Most severe instances";
    Table table;
    const bool markers = file.read.file.dialect == cube::Dialect::expert;
    table.header = {"pattern", "call path", "enter", "exit", "duration"};
    table.columns = {ColumnKind::prose, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number};
    const bool ranks = file.read.file.dialect == cube::Dialect::scout;
    if (ranks || markers) {
        table.header.emplace_back(ranks ? "rank" : "marker");
        table.columns.push_back(ColumnKind::number);
    }
    std::size_t all = 0;
    for (const PatternStatistics* pattern : by_sum(file))
        for (const cube::Instance& instance : pattern->severest) {
            if (++all > most_rows)
                continue;
            std::vector<std::string>& row = table.rows.emplace_back(
                std::vector{shortened(pattern->name, most_name), number(instance.cnode),
                            fmt::format("{:.7f} s", instance.enter_s),
                            fmt::format("{:.7f} s", instance.exit_s), time(instance.duration_s)});
            if (ranks)
                row.push_back(instance.rank ? number(*instance.rank) : "");
            if (markers)
                row.push_back(
                    instance.marker_s && instance.marker_location
                        ? fmt::format("{:.7f} s at {}", *instance.marker_s, number(*instance.marker_location))
                        : "");
        }
    if (table.rows.empty())
        return std::nullopt;
    if (all > most_rows)
        table.title =
            fmt::format("{} instances of the patterns with the largest sums, of {}", most_rows, all);
    section.blocks.push_back(
        Paragraph{"Call path: its number (cnode) in the CUBE file that belongs to this one. "
                  "Enter and exit: on the time line of the run.",
                  Tone::plain});
    section.blocks.push_back(std::move(table));
    return section;
}

std::string difference(const std::optional<double>& value_s) {
    return !value_s || *value_s == 0 ? (value_s ? "0" : "")
                                     : (*value_s < 0 ? "-" : "+") + time(std::fabs(*value_s));
}

std::string names_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 40;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + shortened(names[i], most_name);
    return names.size() > most ? text + fmt::format(" and {} more", names.size() - most) : text;
}

/// @param overview takes the plot, if any
Section compared(const WaitStateComparison& comparison, FigureNames& names,
                 std::optional<FigureBlock>* overview) {
    Section section;
    const std::string& reference = comparison.reference->label;
    const std::string& other = comparison.other->label;
    section.title = fmt::format("{} against {}", other, reference);
    std::vector<const PatternComparison*> patterns;
    for (const PatternComparison& pattern : comparison.patterns)
        patterns.push_back(&pattern);
    std::ranges::stable_sort(patterns, [](const auto* a, const auto* b) {
        return std::fabs(a->sum_difference_s.value_or(0)) > std::fabs(b->sum_difference_s.value_or(0));
    });
    const std::size_t all = patterns.size();
    patterns.resize(std::min(all, most_rows));

    std::vector<BoxRow> rows;
    for (const PatternComparison* pattern : patterns)
        if (rows.size() < most_box_rows && (pattern->reference->moments || pattern->other->moments))
            rows.push_back({pattern->reference->name, {box_of(pattern->reference), box_of(pattern->other)}});
    if (!rows.empty()) {
        FigureBlock figure{box_figure(names.next(), rows, {reference, other}),
                           std::string("Patterns by the differences of their sums. ") + box_caption,
                           box_characters(rows, {reference, other})};
        if (overview != nullptr)
            *overview = std::move(figure);
        else
            section.blocks.push_back(std::move(figure));
    }

    Table table;
    table.title = all > patterns.size() ? fmt::format("The {} patterns with the largest differences, of {}",
                                                      patterns.size(), all)
                                        : "";
    table.header = {"pattern",    "instances",     "difference", "sum",
                    "difference", "ratio of sums", "mean",       "ratio of means"};
    table.columns = {ColumnKind::prose,  ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::number};
    for (const PatternComparison* pattern : patterns) {
        const std::optional<cube::Moments>& m = pattern->other->moments;
        const double more = pattern->count_difference;
        table.rows.push_back({shortened(pattern->reference->name, most_name), number(pattern->other->count),
                              fmt::format("{}{:.6g}", more > 0 ? "+" : "", more + 0.0),
                              m ? time(m->sum_s) : "", difference(pattern->sum_difference_s),
                              pattern->sum_ratio ? format_ratio(*pattern->sum_ratio) : "",
                              m ? time(m->mean_s) : "",
                              pattern->mean_ratio ? format_ratio(*pattern->mean_ratio) : ""});
    }
    if (table.rows.empty())
        section.blocks.push_back(Paragraph{"The files have no pattern in common.", Tone::warning});
    else
        section.blocks.push_back(Paragraph{
            fmt::format("Instances, sum and mean are those of {}; differences and ratios are {} minus, "
                        "and divided by, {}.",
                        other, other, reference),
            Tone::plain});
    section.blocks.push_back(std::move(table));
    const auto only = [&](const std::vector<std::string>& patterns_there, const std::string& file) {
        if (!patterns_there.empty())
            section.blocks.push_back(
                Paragraph{fmt::format("Only in {}: {}.", file, names_of(patterns_there)), Tone::warning});
    };
    only(comparison.only_in_reference, reference);
    only(comparison.only_in_other, other);
    return section;
}

std::optional<Section> problems(const std::vector<WaitStates>& files) {
    Section section;
    section.title = "What is wrong in the files";
    for (const WaitStates& file : files) {
        if (file.read.problems.empty())
            continue;
        Table table;
        table.title = file.label;
        if (file.read.errors + file.read.strange > file.read.problems.size())
            table.title += fmt::format(": the first {} of {} places", file.read.problems.size(),
                                       file.read.errors + file.read.strange);
        table.header = {"line", "column", "kind", "what"};
        table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::text, ColumnKind::prose};
        for (const Problem& problem : file.read.problems)
            table.rows.push_back({std::to_string(problem.line), std::to_string(problem.column),
                                  problem.weight == Problem::Weight::error ? "error" : "strange",
                                  problem.text});
        section.blocks.push_back(std::move(table));
    }
    if (section.blocks.empty())
        return std::nullopt;
    section.blocks.insert(
        section.blocks.begin(),
        Paragraph{"Error: a rule of the format is broken; what could not be read is left out. "
                  "Strange: values that contradict one another, as they stand in the file.",
                  Tone::plain});
    return section;
}

} // namespace

Document build_wait_state_document(const std::vector<WaitStates>& files,
                                   const std::vector<WaitStateComparison>& comparisons,
                                   const std::string& title) {
    Document document;
    FigureNames names;
    Cover& cover = document.cover;
    cover.title = title.empty() ? "Wait states" : title;
    for (const WaitStates& file : files)
        cover.subtitle += (cover.subtitle.empty() ? "" : ", ") + file.label;
    cover.subtitle = shortened(cover.subtitle, 80);
    cover.answer.text = answer(files, comparisons);
    cover.system = file_box(files);
    cover.trust = reading_box(files);
    const WaitStates& shown = comparisons.empty() ? files.front() : *comparisons.front().reference;
    cover.headlines = largest_sums(shown);
    if (files.size() > 1)
        cover.headlines.title += " in " + shown.label;

    for (const WaitStateComparison& comparison : comparisons)
        document.sections.push_back(
            compared(comparison, names, &comparison == &comparisons.front() ? &cover.overview : nullptr));
    for (const WaitStates& file : files) {
        Section section = tables_and_boxes(file, names, files.size() == 1 ? &cover.overview : nullptr);
        if (files.size() > 1)
            section.title += " of " + file.label;
        if (std::optional<Section> worst = severest(file))
            section.subsections.push_back(std::move(*worst));
        document.sections.push_back(std::move(section));
    }
    if (std::optional<Section> wrong = problems(files))
        document.sections.push_back(std::move(*wrong));
    return document;
}

} // namespace skampi
