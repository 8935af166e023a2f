// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/section_kinds.hpp"

#include "launches/library_name.hpp"
#include "model/quantity.hpp"
#include "words/section_words.hpp"
#include "words/system_facts.hpp"

#include <string>
#include <utility>

namespace skampi {

std::optional<Section> machine_section(const Material& material) {
    Section section;
    section.title = "Machine";
    const Run& run = *material.subject().run;
    FactList facts;
    add_known(facts.facts, "Machine", run.machine);
    add_known(facts.facts, "Measured by", run.user);
    add_known(facts.facts, "Hosts", hosts_of(run));
    const bool with_ranks = !is_sequential(run);
    if (with_ranks) {
        add_known(facts.facts, "Placement of the ranks", shortened(run.placement, 300));
        add_known(facts.facts, "Binding of the ranks", run.binding);
        add_known(facts.facts, "Launcher", run.launcher);
    }
    for (MachineFact& each : machine_facts(run))
        facts.facts.push_back(std::move(each.fact));
    if (with_ranks)
        add_known(facts.facts, "MPI library", library_name(run));
    if (!facts.facts.empty())
        section.blocks.push_back(std::move(facts));
    if (!run.comment.empty())
        section.blocks.push_back(Verbatim{run.comment});
    if (with_ranks && run.node.empty() && run.network.empty())
        section.blocks.push_back(Paragraph{no_description, Tone::remark});
    for (const auto& [title, text] :
         {std::pair{"Description of a node", &run.node}, {"Network", &run.network}})
        if (!text->empty())
            section.subsections.push_back({title, {Verbatim{*text}}, {}});
    return section;
}

} // namespace skampi
