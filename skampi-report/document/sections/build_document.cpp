#include "document/sections/build_document.hpp"

#include "document/sections/first_page.hpp"
#include "document/sections/section_kinds.hpp"
#include "words/session_words.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

void add_section(const SectionKind& kind, const Material& material, Document& document) {
    if (!kind.applies(material))
        return;
    if (std::optional<Section> section = kind.make(material))
        document.sections.push_back(std::move(*section));
}

void leave_out_details(Table& table) {
    const std::size_t columns = table.header.size() - table.details;
    table.header.resize(columns);
    table.columns.resize(columns);
    for (auto& row : table.rows)
        row.resize(columns);
    std::erase_if(table.tints, [&](const TintedCell& cell) { return cell.column >= table.header.size(); });
}

void add_chapter(std::span<const SectionKind> kinds, std::string_view chapter, const Material& material,
                 Document& document) {
    for (const SectionKind& kind : kinds)
        if (kind.chapter == chapter)
            add_section(kind, material, document);
}

bool has_chapter(std::span<const SectionKind> kinds, std::string_view chapter) {
    return std::ranges::find(kinds, chapter, &SectionKind::chapter) != kinds.end();
}

/// A comparison begins with what is compared, before anything that is said of one side.
std::vector<std::string> usual_chapters(const Rivals& contest) {
    std::vector<std::string> chapters = chapter_names();
    if (!contest.comparisons.empty())
        std::stable_partition(chapters.begin(), chapters.end(), [](const std::string& chapter) {
            return chapter == "turns" || chapter == "databases" || chapter == "comparisons";
        });
    return chapters;
}

} // namespace

Document build_document(const std::vector<Subject>& subjects, const DocumentOptions& options) {
    FigureNames names;
    const Rivals contest = contest_of(subjects, options.baseline, options.comparisons);
    const Material material{subjects, options, contest, names};
    Document document;
    document.paper = options.content.paper;
    document.cover = first_page(material);
    for (const std::string& chapter :
         options.content.chapters.empty() ? usual_chapters(contest) : options.content.chapters)
        add_chapter(sections_in_full(), chapter, material, document);
    return document;
}

Document build_paper_document(const std::vector<Subject>& subjects, const DocumentOptions& options) {
    FigureNames names;
    const Rivals contest = contest_of(subjects, options.baseline, options.comparisons);
    const Material material{subjects, options, contest, names};
    Document document;
    document.paper = options.content.paper;
    document.brief = true;
    document.cover = first_page(material);
    const std::span<const SectionKind> kinds = sections_on_paper();
    if (options.content.chapters.empty())
        for (const SectionKind& kind : kinds)
            add_section(kind, material, document);
    for (const std::string& chapter : options.content.chapters)
        add_chapter(has_chapter(kinds, chapter) ? kinds : sections_in_full(), chapter, material, document);
    return document;
}

Document build_screen_document(const std::vector<Subject>& subjects, const DocumentOptions& options) {
    FigureNames names;
    const Rivals contest = contest_of(subjects, options.baseline, options.comparisons);
    const Material material{subjects, options, contest, names};
    Document document;
    document.cover = first_page_in_short(material);
    document.cover.system = {"", options.turns ? session_variants(*options.turns) : std::vector<Fact>()};
    std::ranges::move(left_out_facts(material.subject()), std::back_inserter(document.cover.system.facts));
    document.cover.trust.facts.clear();
    for (Table& winners : document.cover.winners)
        leave_out_details(winners);
    for (const SectionKind& kind : sections_on_screen()) {
        if (!options.content.shows(kind.chapter))
            continue;
        add_section(kind, material, document);
        if (kind.chapter == "suites" && document.cover.lists_all_suites && !document.sections.empty()) {
            document.sections.back().title.clear(); // where to go on is left of it
            std::erase_if(document.sections.back().blocks,
                          [](const Block& block) { return std::holds_alternative<Table>(block); });
        }
    }
    return document;
}

Document build_brief_document(const std::vector<Subject>& subjects, const DocumentOptions& options,
                              const Brevity& brevity) {
    FigureNames names;
    const Rivals contest = contest_of(subjects, options.baseline, options.comparisons);
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
