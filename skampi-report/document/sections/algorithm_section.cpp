#include "document/sections/algorithm_section.hpp"

#include "model/quantity.hpp"
#include "words/algorithm_words.hpp"

#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

constexpr const char* section_title = "Which algorithm";

Table winners_of(const AlgorithmWinners& winners, double gain) {
    Table table;
    table.title =
        fmt::format("{}, {}", shortened_name(winners.of->operation, 40), count_of(winners.of->ranks, "rank"));
    table.header = {"lengths", "algorithm", "gain", "launches", "why"};
    table.columns = {ColumnKind::text, ColumnKind::text, ColumnKind::text, ColumnKind::number,
                     ColumnKind::prose};
    for (const TuningRule& rule : tuning_rules({winners})) {
        if (rule.written)
            table.tints.push_back({table.rows.size(), 2, Tint::better});
        table.rows.push_back({lengths_text(rule),
                              rule.written                           ? shortened_name(rule.algorithm, 40)
                              : rule.why_not == WhyNot::few_launches ? "unknown"
                                                                     : "keep the default",
                              rule.written ? gain_text(rule) : "-", std::to_string(rule.launches),
                              why_text(rule, gain)});
    }
    return table;
}

} // namespace

std::optional<Section> algorithm_section(const Material& material) {
    const AlgorithmFindings& found = *material.options.algorithms;
    Section section{section_title, {}, {}};
    section.blocks.emplace_back(Paragraph{algorithms_answer(found)});
    for (const AlgorithmWinners& winners : found.winners)
        if (!winners.regions.empty())
            section.blocks.emplace_back(winners_of(winners, found.rule.gain));
    for (std::string& remark : algorithm_remarks(found))
        section.blocks.emplace_back(Paragraph{std::move(remark), Tone::remark});
    section.blocks.emplace_back(Paragraph{algorithms_method(found)});
    if (std::string next = algorithms_next_step(found); !next.empty())
        section.blocks.emplace_back(Paragraph{std::move(next), Tone::remark});
    return section;
}

Section algorithms_in_short(const AlgorithmFindings& found) {
    Section section{section_title, {}, {}};
    const std::string answer = algorithms_answer(found);
    section.blocks.emplace_back(Paragraph{answer});
    for (std::string& line : rule_lines(tuning_rules(found.winners), found.rule.gain))
        if (!answer.starts_with(line)) // of a single operation it is the answer
            section.blocks.emplace_back(Paragraph{std::move(line)});
    for (std::string& remark : algorithm_remarks(found))
        section.blocks.emplace_back(Paragraph{std::move(remark), Tone::remark});
    return section;
}

std::optional<Section> algorithms_on_screen(const Material& material) {
    const AlgorithmFindings& found = *material.options.algorithms;
    Section section = algorithms_in_short(found);
    if (std::string next = algorithms_next_step(found); !next.empty())
        section.blocks.emplace_back(Paragraph{std::move(next), Tone::remark});
    return section;
}

} // namespace skampi
