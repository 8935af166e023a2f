#include "document/sections/build_document.hpp"

#include "document/sections/first_page.hpp"
#include "document/sections/section_kinds.hpp"

#include <algorithm>
#include <utility>

namespace skampi {

namespace {

void add_section(const SectionKind& kind, const Material& material, Document& document) {
    if (!kind.applies(material))
        return;
    if (std::optional<Section> section = kind.make(material))
        document.sections.push_back(std::move(*section));
}

} // namespace

Document build_document(const std::vector<Subject>& subjects, const DocumentOptions& options) {
    FigureNames names;
    const Contest contest = contest_of(subjects, options.baseline, options.comparisons);
    const Material material{subjects, options, contest, names};
    Document document;
    document.paper = options.content.paper;
    document.cover = first_page(material);
    for (const std::string& chapter :
         options.content.chapters.empty() ? chapter_names() : options.content.chapters)
        for (const SectionKind& kind : sections_in_full())
            if (kind.chapter == chapter)
                add_section(kind, material, document);
    return document;
}

Document build_brief_document(const std::vector<Subject>& subjects, const DocumentOptions& options,
                              const Brevity& brevity) {
    FigureNames names;
    const Contest contest = contest_of(subjects, options.baseline, options.comparisons);
    const Material material{subjects, options, contest, names, brevity};
    Document document;
    document.cover = first_page_in_short(material);
    for (const SectionKind& kind : sections_in_short())
        // A content file leaves out nothing else of a report for a terminal.
        if (kind.chapter != "comparisons" || options.content.shows(kind.chapter))
            add_section(kind, material, document);
    return document;
}

} // namespace skampi
