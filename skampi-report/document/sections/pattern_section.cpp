#include "document/sections/section_kinds.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/models/operation_surface.hpp"
#include "document/sections/family_section.hpp"
#include "document/sections/single_measurements.hpp"
#include "document/sections/suite_section.hpp"
#include "document/sections/suite_tables.hpp"
#include "document/sections/surface_table.hpp"
#include "model/quantity.hpp"
#include "words/section_words.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include <string>
#include <vector>

namespace skampi {

std::optional<Section> pattern_section(const Material& material, Pattern pattern) {
    const Subject& subject = material.subject();
    FigureNames& names = material.names;
    Section section;
    section.title = pattern_title(pattern);
    section.blocks.push_back(Paragraph{pattern_introduction(pattern), Tone::plain});
    const JumpCauses causes(subject);
    std::vector<const Curve*> single;
    for (const Curve& curve : subject.curves) {
        if (curve.suite().operation.pattern != pattern)
            continue;
        if (drawable(curve))
            section.subsections.push_back(suite_section(subject, curve, names.next(), causes));
        else
            single.push_back(&curve);
        if (material.options.box_plots && drawable(curve))
            for (Block& block : single_measurements_blocks(material, curve))
                section.subsections.back().blocks.push_back(std::move(block));
    }
    for (const Family& family : families(subject, pattern))
        section.subsections.push_back(family_section(family, names));
    if (single.empty() && section.subsections.empty())
        return std::nullopt;
    if (pattern == Pattern::collective)
        if (Table table = surface_table(operation_surfaces(subject)); !table.rows.empty())
            section.blocks.push_back(std::move(table));
    if (!single.empty()) {
        Section values;
        values.title = section.subsections.empty() ? "Values" : "Suites without a plot";
        for (Table& table : tables_without_plot(single))
            values.blocks.push_back(std::move(table));
        section.subsections.push_back(std::move(values));
    }
    return section;
}

std::optional<Section> suites_in_short(const Material& material) {
    const Subject& subject = material.subject();
    Section suites;
    suites.title = "Suites";
    std::vector<const Curve*> single;
    for (const Curve& curve : subject.curves) {
        if (!drawable(curve)) {
            single.push_back(&curve);
            continue;
        }
        Section part;
        part.title = shortened(title_of(curve), 90);
        const std::string who = who_takes_part(curve);
        part.blocks.push_back(
            Paragraph{what_is_measured(curve) + (who.empty() ? "" : " ") + who, Tone::plain});
        const CostModel model = curve_model(curve);
        part.blocks.push_back(Paragraph{suite_answer(curve, model), Tone::plain});
        part.blocks.push_back(FigureBlock{suite_figure(material.names.next(), curve, model), ""});
        Table values = values_table(curve, material.brevity.most_rows, model.jumps);
        values.notes = values_notes({&curve}, values.header);
        part.blocks.push_back(std::move(values));
        suites.subsections.push_back(std::move(part));
    }
    if (!single.empty()) {
        Section part;
        part.title = "Suites without a plot";
        for (Table& table : tables_without_plot(single))
            part.blocks.push_back(std::move(table));
        suites.subsections.push_back(std::move(part));
    }
    if (suites.subsections.empty())
        return std::nullopt;
    return suites;
}

} // namespace skampi
