#include "document/sections/section_kinds.hpp"
#include "document/sections/suite_lines.hpp"

#include "analysis/models/curve_model.hpp"
#include "words/section_words.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <fmt/format.h>
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
    leave_out_quartiles_of_merged(figure, curve);
    part.blocks.push_back(FigureBlock{std::move(figure), ""});
    return part;
}

} // namespace

std::optional<Section> suites_on_screen(const Material& material) {
    constexpr std::size_t most = 40; // with all else on one screen
    // Of a study the suites of the largest job are listed.
    const bool study = !material.contest.other_sizes.empty();
    const Subject& subject = study ? *material.contest.sizes().back() : material.subject();
    Section section;
    section.title = "Suites";
    if (study && subject.run && subject.run->ranks > 0)
        section.title = fmt::format("Suites on {}", count_of(subject.run->ranks, "rank"));
    const std::vector<const Curve*> curves = study ? curves_in(subject) : listed_curves(material);
    Table lines = suite_lines(curves, most);
    if (lines.rows.empty())
        return std::nullopt;
    section.blocks.push_back(std::move(lines));
    add_unlisted(section, subject.curves.size() - curves.size());
    section.blocks.push_back(
        Paragraph{more_on_screen(curves.size() > most ? most : 0, subject.path), Tone::remark});
    return section;
}

std::optional<Section> suites_on_paper(const Material& material) {
    constexpr std::size_t most_large = 12; // larger plots of more suites would be a book
    const std::vector<const Curve*> curves = listed_curves(material);
    std::vector<const Curve*> plotted, single;
    // Algorithms are drawn over one another on the first page.
    for (const Curve* curve : curves)
        (!material.options.algorithms && drawable(*curve) ? plotted : single).push_back(curve);
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
