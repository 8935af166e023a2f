// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/section_kinds.hpp"

#include "words/method.hpp"

#include <utility>

namespace skampi {

std::optional<Section> method_section(const Material& material) {
    Section section{"How it was measured", {}, {}};
    MeasuredKinds kinds = measured_kinds(material.subjects);
    kinds.compared = kinds.compared && !material.options.turns; // but in rounds (turns_method())
    for (MethodPart& part : method_parts(kinds)) {
        Section& shown = section.subsections.emplace_back();
        shown.title = std::move(part.title);
        for (std::string& text : part.paragraphs)
            shown.blocks.emplace_back(Paragraph{std::move(text)});
        if (!part.terms.empty())
            shown.blocks.emplace_back(FactList{"", std::move(part.terms)});
        for (std::string& text : part.details)
            shown.blocks.emplace_back(Paragraph{std::move(text), Tone::plain, {}, Rank::reference});
    }
    return section;
}

} // namespace skampi
