// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/section_kinds.hpp"

#include "analysis/models/operation_surface.hpp"
#include "analysis/models/rank_study.hpp"
#include "document/sections/family_section.hpp"
#include "document/sections/surface_table.hpp"
#include "words/section_words.hpp"

#include <utility>
#include <vector>

namespace skampi {

std::optional<Section> ranks_section(const Material& material) {
    const Rivals& contest = material.contest;
    std::vector<const Subject*> all{contest.reference};
    all.insert(all.end(), contest.others.begin(), contest.others.end());
    all.insert(all.end(), contest.other_sizes.begin(), contest.other_sizes.end());
    const std::vector<Family> of_ranks = families_of_ranks(all);
    if (of_ranks.empty())
        return std::nullopt;
    Section section;
    section.title = "Different numbers of ranks";
    section.blocks.push_back(Paragraph{ranks_introduction, Tone::plain});
    const Subject study = over_ranks(contest.sizes());
    if (Table growth = scaling_table(scalings(study)); !contest.other_sizes.empty() && !growth.rows.empty()) {
        if (!contest.comparisons.empty()) // else the first page has it
            section.blocks.push_back(std::move(growth));
        if (Table surfaces = surface_table(operation_surfaces(study)); !surfaces.rows.empty())
            section.blocks.push_back(std::move(surfaces));
    }
    for (const Family& family : of_ranks)
        section.subsections.push_back(family_section(family, material.names, &study));
    return section;
}

} // namespace skampi
