// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/session_section.hpp"

#include "document/sections/contest_section.hpp"
#include "document/sections/family_section.hpp"
#include "launches/comparable.hpp"
#include "model/quantity.hpp"
#include "words/section_words.hpp"
#include "words/session_words.hpp"

#include <fmt/format.h>
#include <utility>

namespace skampi {

std::optional<Section> session_section(const Material& material) {
    const SessionContest& session = *material.options.turns;
    if (session.look.number == 0)
        return std::nullopt;
    Section section{"Variants in turns", {}, {}};
    for (Table& table : session_tables(session))
        section.blocks.emplace_back(std::move(table));
    add_known(section, {session_method(session)});
    add_known(section, session_again(session));
    return section;
}

std::optional<Section> variants_section(const Material& material) {
    const Rivals& rivals = material.contest;
    Section section{"Times of the variants", {Paragraph{variants_introduction, Tone::plain}}, {}};
    for (const Curve& curve : rivals.reference->curves) {
        Family family{title_of(curve), {}};
        if (!drawable(curve))
            continue;
        family.members.emplace_back(curve, shortened(rivals.reference->label, 40));
        for (const Subject* other : rivals.others)
            if (const Curve* twin = matching_curve(*other, curve);
                twin && drawable(*twin) && comparability(curve, *twin).kind() != Comparable::other_quantity)
                family.members.emplace_back(*twin, shortened(other->label, 40));
        if (family.members.size() < 2)
            continue;
        std::vector<const Curve*> curves;
        std::vector<std::string> labels;
        for (const FamilyMember& member : family.members) {
            curves.push_back(member.curve.get());
            labels.push_back(member.label);
        }
        Figure figure = overlay_figure(material.names.next(), curves, labels);
        std::erase_if(figure.panels,
                      [](const Panel& panel) { return panel.y.quantity == AxisQuantity::ratio; });
        figure.columns = 1;
        figure.width_cm = 11;
        Section part;
        part.title = shortened(family.name, 90);
        part.blocks.emplace_back(
            FigureBlock{std::move(figure), fmt::format("Time of {}.", enumeration(labels))});
        if (Table times = family_table(family); !times.rows.empty())
            part.blocks.emplace_back(std::move(times));
        section.subsections.push_back(std::move(part));
    }
    if (section.subsections.empty())
        return std::nullopt;
    return section;
}

} // namespace skampi
