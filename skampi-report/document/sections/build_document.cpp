// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/build_document.hpp"

#include "document/sections/first_page.hpp"
#include "document/sections/section_kinds.hpp"
#include "words/section_words.hpp"

#include <algorithm>
#include <utility>

namespace skampi {

namespace {

Rank rank_of(const SectionKind& kind, const Material& material) {
    const Rank rank = material.contest.comparisons.empty() ? kind.rank : kind.compared.value_or(kind.rank);
    const bool named = !material.options.content.chapters.empty();
    return named && rank == Rank::reference ? Rank::overview : rank;
}

/// If suites were asked for, only what concerns them, and they come last.
constexpr auto chapters_of_suites = {"turns", "algorithms", "databases", "comparisons", "suites"};

std::vector<std::string> chapters(const Content& content, Room room) {
    if (!content.chapters.empty())
        return content.chapters;
    if (room == Room::suites)
        return {chapters_of_suites.begin(), chapters_of_suites.end()};
    return chapter_names();
}

} // namespace

Document build_document(const std::vector<Subject>& subjects, const DocumentOptions& options, Room room) {
    FigureNames names;
    const Rivals contest = contest_of(subjects, options.baseline, options.comparisons);
    const Material material{subjects, options, contest, names};
    Document document;
    document.paper = options.content.paper;
    document.cover = first_page(material);
    const std::string& path = material.subject().path;
    const bool of_one = std::ranges::all_of(subjects, [&](const Subject& each) { return each.path == path; });
    document.more = more_than_shown(of_one ? path : "...");
    for (const std::string& chapter : chapters(options.content, room))
        for (const SectionKind& kind : section_kinds()) {
            const Rank rank = rank_of(kind, material);
            if (kind.chapter != chapter || !kind.applies(material) || rank > rank_of(room))
                continue; // what would not be shown is not made: models of all suites take their time
            if (std::optional<Section> section = kind.make(material)) {
                section->rank = rank;
                document.sections.push_back(std::move(*section));
            }
        }
    return cut(std::move(document), room);
}

} // namespace skampi
