#include "document/sections/section_kinds.hpp"

#include "document/sections/algorithm_section.hpp"
#include "document/sections/contest_section.hpp"
#include "document/sections/guideline_section.hpp"
#include "document/sections/session_section.hpp"
#include "model/pattern.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skampi {

namespace {

using Made = std::optional<Section>;

bool always(const Material&) {
    return true;
}

bool of_a_run(const Material& material) {
    return material.subject().run.has_value();
}

bool of_session(const Material& material) {
    return material.options.turns != nullptr;
}

bool with_algorithms(const Material& material) {
    return material.options.algorithms != nullptr;
}

bool of_several(const Material& material) {
    return !material.contest.comparisons.empty();
}

/// Of a session only its own statements compare: launches without regard to their rounds say something else.
bool of_databases(const Material& material) {
    return of_several(material) && !of_session(material);
}

/// What is said of the operations of one side alone.
bool of_one(const Material& material) {
    return of_a_run(material) && !of_several(material);
}

bool has_own(const Material& material) {
    return !material.options.content.comparisons.empty();
}

/// A comparison on a terminal shows what decides and nothing else.
bool not_only_decision(const Material& material) {
    return !(material.brevity.only_decision && of_several(material));
}

Made with_parts(Section section) {
    if (section.subsections.empty())
        return std::nullopt;
    return section;
}

template <Pattern pattern>
Made suites_of(const Material& material) {
    return pattern_section(material, pattern);
}

Made operations(const Material& material) {
    return with_parts(operations_compared(material.subject(), material.names));
}

Made operations_in_short(const Material& material) {
    Table table = operations_table(material.subject());
    if (table.rows.empty())
        return std::nullopt;
    return Section{"Operations compared", {std::move(table)}, {}};
}

Made guidelines(const Material& material) {
    return guideline_section(material.consistency(), *material.jobs().front());
}

Made guidelines_in_short(const Material& material) {
    constexpr std::size_t most = 8;
    return guideline_section(material.consistency(), *material.jobs().front(), most);
}

Made databases(const Material& material) {
    return databases_compared(material.contest, material.names, material.brevity.only_decision);
}

/// Those that differ have plots: what does not is on the first page.
Made databases_in_short(const Material& material) {
    return databases_compared(material.contest, material.names, true);
}

Made own(const Material& material) {
    return own_comparisons(material.options.content, material.subjects, material.names);
}

constexpr auto before_suites = std::to_array<SectionKind>({
    {"turns", of_session, session_section},
    {"turns", of_session, variants_section},
    {"algorithms", with_algorithms, algorithm_section},
    {"machine", of_a_run, machine_section},
});

/// A section for each pattern, by its row.
template <std::size_t... row>
constexpr auto suites_of_rows(std::index_sequence<row...>) {
    return std::to_array<SectionKind>({{"suites", of_a_run, suites_of<pattern_rows[row].pattern>}...});
}
constexpr auto suites = suites_of_rows(std::make_index_sequence<pattern_rows.size()>());

constexpr auto after_suites = std::to_array<SectionKind>({
    {"operations", of_a_run, operations},
    {"guidelines", of_a_run, guidelines},
    {"databases", of_databases, databases},
    {"databases", always, ranks_section},
    {"comparisons", has_own, own},
    {"method", always, method_section},
    {"values", of_a_run, values_section},
    {"facts", of_a_run, facts_section},
});

constexpr auto in_full = [] {
    std::array<SectionKind, before_suites.size() + suites.size() + after_suites.size()> all{};
    const auto patterns = std::ranges::copy(before_suites, all.begin()).out;
    std::ranges::copy(after_suites, std::ranges::copy(suites, patterns).out);
    return all;
}();

constexpr auto on_paper = std::to_array<SectionKind>({
    {"turns", of_session, session_on_paper},
    {"algorithms", with_algorithms, algorithm_section},
    {"databases", of_databases, databases_in_short},
    {"databases", always, ranks_in_short},
    {"comparisons", has_own, own},
    {"guidelines", of_one, guidelines_in_short},
    {"operations", of_one, operations_in_short},
    {"suites", of_one, suites_on_paper},
    {"method", always, method_in_short},
});

constexpr auto on_screen = std::to_array<SectionKind>({
    {"algorithms", with_algorithms, algorithms_on_screen},
    {"comparisons", has_own, own},
    {"suites", of_one, suites_on_screen},
});

constexpr auto in_short = std::to_array<SectionKind>({
    {"turns", of_session, session_section},
    {"turns", of_session, variants_section},
    {"algorithms", with_algorithms, algorithm_section},
    {"databases", of_databases, databases},
    {"databases", always, ranks_in_short},
    {"suites", not_only_decision, suites_in_short},
    {"comparisons", has_own, own},
    {"guidelines", not_only_decision, guidelines_in_short},
});

} // namespace

std::span<const SectionKind> sections_in_full() {
    return in_full;
}

std::span<const SectionKind> sections_in_short() {
    return in_short;
}

std::span<const SectionKind> sections_on_paper() {
    return on_paper;
}

std::span<const SectionKind> sections_on_screen() {
    return on_screen;
}

std::vector<std::string> chapter_names() {
    std::vector<std::string> names;
    for (const SectionKind& kind : in_full)
        if (std::ranges::find(names, kind.chapter) == names.end())
            names.emplace_back(kind.chapter);
    return names;
}

} // namespace skampi
