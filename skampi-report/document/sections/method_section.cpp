#include "document/sections/section_kinds.hpp"

#include "words/method.hpp"

#include <utility>

namespace skampi {

std::optional<Section> method_section(const Material& material) {
    Section section;
    section.title = "How it was measured";
    for (MethodPart& part : method_parts(measured_kinds(material.subjects))) {
        Section& subsection = section.subsections.emplace_back();
        subsection.title = std::move(part.title);
        for (std::string& text : part.paragraphs)
            subsection.blocks.push_back(Paragraph{std::move(text), Tone::plain});
        if (!part.terms.empty())
            subsection.blocks.push_back(FactList{"", std::move(part.terms)});
    }
    return section;
}

} // namespace skampi
