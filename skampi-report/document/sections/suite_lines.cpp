#include "document/sections/suite_lines.hpp"

#include "analysis/curve_model.hpp"
#include "analysis/headline.hpp"
#include "document/sections/section_kinds.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "words/meaning.hpp"
#include "words/section_words.hpp"
#include "words/suite_answer.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

std::vector<const Curve*> curves_in(const Subject& subject) {
    std::vector<const Curve*> curves;
    for (const Curve& curve : subject.curves)
        curves.push_back(&curve);
    return curves;
}

bool is_over_lengths(const Suite& suite) {
    return suite.varied == Varied::message_length &&
           (suite.end_is_max || suite.arguments.start < suite.arguments.end);
}

/// Whether it measures one length that another suite of the same algorithm goes over.
bool is_one_length_of_another(const Curve& curve, const Subject& subject) {
    const Suite& own = curve.suite();
    if (own.varied != Varied::message_length || is_over_lengths(own))
        return false;
    return std::ranges::any_of(subject.curves, [&](const Curve& each) {
        const Suite& other = each.suite();
        return is_over_lengths(other) && other.operation.name == own.operation.name &&
               other.algorithm == own.algorithm && other.datatype == own.datatype &&
               other.arguments.start <= own.arguments.start &&
               (other.end_is_max || own.arguments.start <= other.arguments.end);
    });
}

/// Where the answer is which algorithm to take, lengths that were added at its borders are part of it.
std::vector<const Curve*> listed_curves(const Material& material) {
    const Subject& subject = material.subject();
    std::vector<const Curve*> curves = curves_in(subject);
    if (material.options.algorithms)
        std::erase_if(curves, [&](const Curve* curve) { return is_one_length_of_another(*curve, subject); });
    return curves;
}

void add_unlisted(Section& section, std::size_t unlisted) {
    if (unlisted > 0)
        section.blocks.push_back(Paragraph{lengths_at_borders(unlisted), Tone::remark});
}

/// A plot that is one of many: its legend stands once, before all of them.
Figure small_suite_figure(const std::string& id, const Curve& curve, const CostModel& model) {
    Figure figure = suite_figure(id, curve, model);
    figure.panels.resize(1);
    figure.columns = 1;
    figure.width_cm = 8.1;
    figure.height_cm = 3.5;
    for (Layer& layer : figure.panels.front().layers)
        layer.label.clear();
    return figure;
}

Section suite_part(const Curve& curve, FigureNames& names, bool small) {
    Section part;
    part.title = shortened(title_of(curve), small ? 45 : 90);
    const CostModel model = curve_model(curve);
    part.blocks.push_back(Paragraph{suite_answer(curve, model), Tone::plain});
    Figure figure =
        small ? small_suite_figure(names.next(), curve, model) : suite_figure(names.next(), curve, model);
    part.blocks.push_back(FigureBlock{std::move(figure), ""});
    return part;
}

} // namespace

namespace {

/// What is true of each of several suites stands below their table.
bool all_points_flagged(const std::vector<const Curve*>& curves) {
    return curves.size() > 1 && std::ranges::all_of(curves, [](const Curve* curve) {
               return std::ranges::none_of(curve->points, [](const StoredMeasurement& point) {
                   return point.measurement.flags == 0;
               });
           });
}

bool has_time(const StoredMeasurement* point) {
    return above_zero(point->measurement);
}

void leave_out_empty_columns(Table& table) {
    for (std::size_t column = table.header.size(); column-- > 1;) {
        if (std::ranges::any_of(table.rows, [&](const auto& row) { return !row[column].empty(); }))
            continue;
        const auto place = static_cast<std::ptrdiff_t>(column);
        table.header.erase(table.header.begin() + place);
        table.columns.erase(table.columns.begin() + place);
        for (auto& row : table.rows)
            row.erase(row.begin() + place);
    }
}

} // namespace

Table suite_lines(const std::vector<const Curve*>& curves, std::size_t most, bool with_flags) {
    Table table;
    table.header = {"suite", "from", "to", "peak", "flagged"};
    table.columns = {ColumnKind::text, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::text};
    const bool all_flagged = with_flags && all_points_flagged(curves);
    for (const Curve* const each : curves) {
        const Curve& curve = *each;
        if (table.rows.size() == most)
            break;
        std::string name = shortened_name(title_of(curve), 21);
        std::vector<const StoredMeasurement*> drawn = dependable_points(curve); // as the plots show them
        if (std::ranges::any_of(drawn, has_time))
            std::erase_if(drawn, std::not_fn(has_time));
        if (drawn.empty()) {
            table.rows.push_back(
                {std::move(name), "no value", "", "", std::string(to_text(curve.stored.state))});
            continue;
        }
        const StoredMeasurement* const peak = peak_bandwidth(curve);
        const std::string part = part_text(curve.stored, false);
        const std::string flagged = all_flagged || !with_flags ? std::string() : flagged_text(curve);
        table.rows.push_back({std::move(name), time_at(curve, *drawn.front()),
                              drawn.size() > 1 ? time_at_last(curve, *drawn.back()) : "",
                              peak != nullptr ? bandwidth_at(curve, *peak) : "",
                              flagged + (flagged.empty() || part.empty() ? "" : ", ") + part});
    }
    if (std::string times = times_note(curves); !times.empty())
        table.notes.push_back(std::move(times));
    if (all_flagged && flags_of(curves) != 0)
        table.notes.push_back(all_flagged_text(flagged_text(curves)));
    else if (with_flags && flags_of(curves) != 0)
        table.notes.emplace_back(flagged_note);
    leave_out_empty_columns(table);
    return table;
}

std::optional<Section> suites_on_screen(const Material& material) {
    constexpr std::size_t most = 40; // with all else on one screen
    const Subject& subject = material.subject();
    Section section;
    section.title = "Suites";
    // Of a study the suites of one job are listed.
    if (!material.contest.other_sizes.empty() && subject.run && subject.run->ranks > 0)
        section.title = fmt::format("Suites on {}", count_of(subject.run->ranks, "rank"));
    const std::vector<const Curve*> curves = listed_curves(material);
    Table lines = suite_lines(curves, most);
    if (lines.rows.empty())
        return std::nullopt;
    section.blocks.push_back(std::move(lines));
    add_unlisted(section, subject.curves.size() - curves.size());
    section.blocks.push_back(Paragraph{more_on_screen(curves.size() > most ? most : 0), Tone::remark});
    return section;
}

std::optional<Section> suites_on_paper(const Material& material) {
    constexpr std::size_t most_large = 12; // larger plots of more suites would be a book
    const std::vector<const Curve*> curves = listed_curves(material);
    std::vector<const Curve*> plotted, single;
    for (const Curve* curve : curves)
        (drawable(*curve) ? plotted : single).push_back(curve);
    Section section;
    section.title = "Suites";
    section.as_cards = plotted.size() > most_large;
    if (!plotted.empty())
        section.blocks.push_back(Paragraph{suite_plots_introduction(section.as_cards), Tone::plain});
    for (const Curve* curve : plotted)
        section.subsections.push_back(suite_part(*curve, material.names, section.as_cards));
    if (!single.empty()) {
        Table lines = suite_lines(single, single.size());
        lines.title = plotted.empty() ? "" : "Suites without a plot";
        section.blocks.push_back(std::move(lines));
    }
    add_unlisted(section, material.subject().curves.size() - curves.size());
    if (section.blocks.empty())
        return std::nullopt;
    return section;
}

} // namespace skampi
