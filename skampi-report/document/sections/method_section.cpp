#include "document/sections/section_kinds.hpp"

#include "words/method.hpp"

#include <utility>

namespace skampi {

namespace {

void fill(Section& section, MethodPart part) {
    section.title = std::move(part.title);
    for (std::string& text : part.paragraphs)
        section.blocks.push_back(Paragraph{std::move(text), Tone::plain});
    if (!part.terms.empty())
        section.blocks.push_back(FactList{"", std::move(part.terms)});
}

} // namespace

std::optional<Section> method_section(const Material& material) {
    Section section;
    section.title = "How it was measured";
    MeasuredKinds kinds = measured_kinds(material.subjects);
    kinds.compared = kinds.compared && !material.options.turns;
    for (MethodPart& part : method_parts(kinds))
        fill(section.subsections.emplace_back(), std::move(part));
    return section;
}

std::optional<Section> method_in_short(const Material& material) {
    Section section;
    MeasuredKinds kinds = measured_kinds(material.subjects);
    if (material.options.turns) {
        kinds.flags = 0;        // its tables have no values with flags
        kinds.compared = false; // but in rounds (turns_method())
    }
    fill(section, method_in_brief(kinds));
    return section;
}

} // namespace skampi
