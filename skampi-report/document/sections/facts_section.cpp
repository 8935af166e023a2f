// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/section_kinds.hpp"

#include "launches/library_name.hpp"
#include "model/quantity.hpp"
#include "skalib/statistics.hpp"
#include "words/section_words.hpp"
#include "words/system_facts.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

Section run_part(const Subject& subject) {
    const Run& run = *subject.run;
    Section facts;
    facts.title = "Facts of the run";
    FactList list;
    add_known(list.facts, "database", subject.path);
    for (const std::string& path : subject.other_parts)
        add_known(list.facts, "with", path);
    add_known(list.facts, "run", run.uuid);
    add_known(list.facts, "kind", run.kind);
    add_known(list.facts, "tool version", run.tool_version);
    add_known(list.facts, "parameter file", run.parameter_file);
    add_known(list.facts, "plan", run.plan_hash);
    add_known(list.facts, "variant", run.variant);
    for (const auto& [name, value] : run.settings)
        add_known(list.facts, "setting " + name, value);
    add_known(list.facts, "measured", time_of_run(run));
    if (run.reference_probe_s > 0)
        add_known(list.facts, "reference probe", format_time(run.reference_probe_s));
    if (run.reference_core_speed > 0)
        add_known(list.facts, "reference core speed",
                  fmt::format("{:.3g} billion additions per second", run.reference_core_speed / 1e9));
    for (Fact& fact : remaining_facts(run))
        list.facts.push_back(std::move(fact));
    facts.blocks.push_back(std::move(list));
    return facts;
}

std::optional<Section> library_part(const Run& run) {
    const std::string text = library_text(run);
    if (text.empty())
        return std::nullopt;
    Section library;
    library.title = "What the MPI library says of itself";
    library.blocks.push_back(Verbatim{text});
    return library;
}

/// Which runs a merged run comes from and what each contributed.
std::optional<Section> merged_runs(const Subject& subject) {
    const std::map<std::string, Contribution>& runs = subject.contributions;
    if (subject.contributions.empty())
        return std::nullopt;
    Section section;
    section.title = "Runs merged";
    constexpr std::size_t most = 100;
    Table table;
    table.header = {"run", "database", "points", "interpolated", "chosen", "time / merged time"};
    table.columns = {ColumnKind::prose,  ColumnKind::prose,  ColumnKind::number,
                     ColumnKind::number, ColumnKind::number, ColumnKind::number};
    for (const auto& [uuid, run] : runs) {
        if (table.rows.size() == most) {
            table.title = fmt::format("The first {} of {} runs", most, runs.size());
            break;
        }
        table.rows.push_back({shortened(uuid, 40), shortened(run.database, 60), std::to_string(run.points),
                              std::to_string(run.interpolated), std::to_string(run.chosen),
                              run.ratios.empty() ? "-" : format_ratio(skalib::median(run.ratios))});
    }
    section.blocks.push_back(Paragraph{merged_runs_columns, Tone::plain});
    section.blocks.push_back(std::move(table));
    return section;
}

std::optional<Section> ranks_part(const Run& run) {
    if (run.rank_facts.empty() || is_sequential(run))
        return std::nullopt;
    Section ranks;
    ranks.title = "Ranks";
    constexpr std::size_t most = 64;
    Table table;
    const bool merged =
        std::ranges::any_of(run.rank_facts, [](const RankFacts& rank) { return rank.runs > 1; });
    table.header = {"rank",         "processor",   "cpu",          "cpus allowed",
                    "clock offset", "clock drift", "known within", "pages"};
    table.columns = {ColumnKind::number, ColumnKind::prose,  ColumnKind::number, ColumnKind::prose,
                     ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::text};
    if (merged) {
        table.header = {"rank", "processor", "cpus allowed", "in so many runs"};
        table.columns = {ColumnKind::number, ColumnKind::prose, ColumnKind::prose, ColumnKind::number};
    }
    for (std::size_t i = 0; i < run.rank_facts.size() && i < most; ++i) {
        const RankFacts& rank = run.rank_facts[i];
        if (merged) {
            table.rows.push_back({std::to_string(rank.rank), shortened(rank.processor, 60),
                                  shortened(rank.cpus_allowed, 60), std::to_string(rank.runs)});
            continue;
        }
        table.rows.push_back({std::to_string(rank.rank), shortened(rank.processor, 60),
                              rank.cpu < 0 ? "" : std::to_string(rank.cpu), shortened(rank.cpus_allowed, 60),
                              format_time(rank.clock_offset_s, 3),
                              fmt::format("{:.3g} ppm", 1e6 * rank.clock_drift),
                              format_time(rank.clock_bound_s, 2), shortened(rank.pages, 12)});
    }
    if (run.rank_facts.size() > most)
        table.title =
            fmt::format("{} of {} ranks", most,
                        std::max<std::size_t>(run.rank_facts.size(), static_cast<std::size_t>(run.ranks)));
    ranks.blocks.push_back(std::move(table));
    return ranks;
}

std::optional<Section> events_part(const Subject& subject) {
    if (subject.events.empty())
        return std::nullopt;
    Section events;
    events.title = "Events";
    constexpr std::size_t most = 100;
    Table table;
    table.header = {"time", "kind", "suite", "what happened"};
    table.columns = {ColumnKind::text, ColumnKind::text, ColumnKind::prose, ColumnKind::prose};
    for (std::size_t i = 0; i < subject.events.size() && i < most; ++i) {
        const Event& event = subject.events[i];
        table.rows.push_back({shortened(event.time_utc, 24), shortened(event.kind, 20),
                              shortened(event.suite, 60), shortened(event.text, 300)});
    }
    if (subject.events.size() > most)
        table.title = fmt::format("The first {} of {} events", most, subject.events.size());
    events.blocks.push_back(std::move(table));
    return events;
}

Section parameter_file_part(const Run& run) {
    Section parameters;
    parameters.title = "Parameter file";
    if (run.parameter_text.empty())
        parameters.blocks.push_back(Paragraph{no_parameter_text, Tone::remark});
    else
        parameters.blocks.push_back(Verbatim{run.parameter_text});
    return parameters;
}

} // namespace

std::optional<Section> facts_section(const Material& material) {
    const Subject& subject = material.subject();
    const Run& run = *subject.run;
    Section section;
    section.title = "Parameter file and run facts";
    section.subsections.push_back(run_part(subject));
    std::array parts{library_part(run), merged_runs(subject), ranks_part(run), events_part(subject)};
    for (std::optional<Section>& part : parts)
        if (part)
            section.subsections.push_back(std::move(*part));
    section.subsections.push_back(parameter_file_part(run));
    return section;
}

} // namespace skampi
