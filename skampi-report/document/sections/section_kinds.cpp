// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/section_kinds.hpp"

#include "document/sections/algorithm_section.hpp"
#include "document/sections/contest_section.hpp"
#include "document/sections/guideline_section.hpp"
#include "document/sections/session_section.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skampi {

namespace {

using OptionalSection = std::optional<Section>;

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

/// For a session only its own statements compare: comparing launches without their rounds would be different.
bool of_databases(const Material& material) {
    return !material.contest.comparisons.empty() && !of_session(material);
}

bool has_own(const Material& material) {
    return !material.options.content.comparisons.empty();
}

OptionalSection operations(const Material& material) {
    Section section = operations_compared(material.subject(), material.names);
    return section.subsections.empty() ? OptionalSection() : std::move(section);
}

OptionalSection algorithms(const Material& material) {
    return algorithm_section(*material.options.algorithms);
}

OptionalSection guidelines(const Material& material) {
    return guideline_section(material.consistency(), *material.jobs().front());
}

OptionalSection databases(const Material& material) {
    return databases_compared(material.contest, material.names);
}

OptionalSection own(const Material& material) {
    return own_comparisons(material.options.content, material.subjects, material.names);
}

constexpr auto kinds = std::to_array<SectionKind>({
    {"turns", of_session, session_section, Rank::overview},
    {"turns", of_session, variants_section, Rank::detail},
    {"algorithms", with_algorithms, algorithms, Rank::decision},
    {"databases", of_databases, databases, Rank::overview},
    {"databases", always, ranks_section, Rank::overview},
    {"comparisons", has_own, own, Rank::decision},
    {"guidelines", of_a_run, guidelines, Rank::overview, Rank::detail},
    {"operations", of_a_run, operations, Rank::overview, Rank::detail},
    {"suites", of_a_run, suites_section, Rank::decision, Rank::detail},
    {"method", always, method_section, Rank::overview},
    {"machine", of_a_run, machine_section, Rank::reference},
    {"facts", of_a_run, facts_section, Rank::reference},
});

} // namespace

std::span<const SectionKind> section_kinds() {
    return kinds;
}

std::vector<std::string> chapter_names() {
    std::vector<std::string> names;
    for (const SectionKind& kind : kinds)
        if (std::ranges::find(names, kind.chapter) == names.end())
            names.emplace_back(kind.chapter);
    return names;
}

} // namespace skampi
