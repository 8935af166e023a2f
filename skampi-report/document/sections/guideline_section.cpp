// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/guideline_section.hpp"

#include "model/quantity.hpp"
#include "words/guideline_words.hpp"

#include <fmt/format.h>

namespace skampi {

std::optional<Section> guideline_section(const SelfConsistency& found, const Subject& first) {
    if (found.places == 0)
        return std::nullopt;
    const std::vector<const GuidelineResult*> violated = found.violated();
    Section section;
    section.title = "Self-consistency";
    section.blocks.push_back(Paragraph{guidelines_sentence(found, violated.size()), Tone::plain});
    section.blocks.push_back(Paragraph{guideline_certainty(first), Tone::plain});
    if (violated.empty())
        return section;
    Table table;
    table.title = "Guidelines violated, the worst first";
    table.header = {"guideline", "violated in", "worst at", "takes", "instead of", "ratio", "at least"};
    table.columns = {ColumnKind::prose, ColumnKind::text,   ColumnKind::prose, ColumnKind::number,
                     ColumnKind::prose, ColumnKind::number, ColumnKind::number};
    for (const GuidelineResult* const each : violated) {
        const Violation& worst = each->worst();
        table.rows.push_back({guideline_text(each->guideline),
                              fmt::format("{} of {}", each->violations.size(), each->places),
                              violation_place(worst), format_time(worst.time_s(), 4, worst.unit),
                              violation_instead(worst, each->guideline.kind),
                              format_ratio(worst.statement.ratio), format_ratio(worst.statement.low)});
    }
    section.blocks.push_back(std::move(table));
    section.blocks.push_back(Paragraph{std::string(guideline_terms), Tone::plain});
    return section;
}

} // namespace skampi
