// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/section_kinds.hpp"

#include "analysis/models/operation_surface.hpp"
#include "document/sections/family_section.hpp"
#include "document/sections/suite_lines.hpp"
#include "document/sections/suite_section.hpp"
#include "document/sections/surface_table.hpp"
#include "model/pattern.hpp"
#include "words/section_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace skampi {

namespace {

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

/// A line for each suite, of a study those of the largest job. Where the answer is which algorithm to take,
/// lengths that were added at its borders are part of it.
void add_lines(const Material& material, Section& section) {
    const bool study = !material.contest.other_sizes.empty();
    const Subject& subject = study ? *material.contest.sizes().back() : material.subject();
    std::vector<const Curve*> curves;
    for (const Curve& curve : subject.curves)
        if (study || !material.options.algorithms || !is_one_length_of_another(curve, subject))
            curves.push_back(&curve);
    Table lines = suite_lines(curves);
    if (lines.rows.empty())
        return;
    if (study && subject.run && subject.run->ranks > 0)
        lines.title = "On " + count_of(subject.run->ranks, "rank");
    section.blocks.emplace_back(std::move(lines));
    if (const std::size_t unlisted = subject.curves.size() - curves.size(); unlisted > 0)
        section.blocks.emplace_back(Paragraph{lengths_at_borders(unlisted), Tone::remark});
}

} // namespace

std::optional<Section> suites_section(const Material& material) {
    const Subject& subject = material.subject();
    Section section{"Suites", {}, {}};
    section.as_cards = true;
    add_lines(material, section);
    // Algorithms are drawn over one another on the first page.
    const Rank of_suites = material.options.algorithms ? Rank::detail : Rank::overview;
    const JumpCauses causes(subject);
    for (const PatternRow& row : pattern_rows) {
        for (const Curve& curve : subject.curves)
            if (curve.suite().operation.pattern == row.pattern) {
                section.subsections.push_back(suite_section(material, curve, causes));
                // A suite without a plot gets a line.
                section.subsections.back().rank = drawable(curve) ? of_suites : Rank::detail;
            }
        for (const Family& family : families(subject, row.pattern)) {
            section.subsections.push_back(family_section(family, material.names));
            section.subsections.back().rank = Rank::detail;
        }
    }
    if (!section.subsections.empty())
        section.blocks.emplace_back(Paragraph{suite_plots_introduction, Tone::plain, {}, of_suites});
    if (Table table = surface_table(operation_surfaces(subject)); !table.rows.empty()) {
        table.rank = Rank::detail;
        section.blocks.emplace_back(std::move(table));
    }
    if (section.blocks.empty())
        return std::nullopt;
    return section;
}

} // namespace skampi
