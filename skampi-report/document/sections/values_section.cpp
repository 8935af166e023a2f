#include "document/sections/section_kinds.hpp"

#include "document/sections/suite_tables.hpp"
#include "model/quantity.hpp"
#include "words/value_words.hpp"

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

std::optional<Section> values_section(const Material& material) {
    Section section;
    section.title = "Tables of values";
    std::vector<const Curve*> all;
    std::vector<std::string> columns; // of all tables
    for (const Curve& curve : material.subject().curves) {
        if (!drawable(curve))
            continue;
        Table table = values_table(curve);
        table.title = shortened(title_of(curve), 90);
        table.dense = true;
        all.push_back(&curve);
        columns.insert(columns.end(), table.header.begin(), table.header.end());
        section.blocks.push_back(std::move(table));
    }
    if (section.blocks.empty())
        return std::nullopt;
    section.blocks.insert(
        section.blocks.begin(),
        Paragraph{fmt::format("{}", fmt::join(values_notes(all, columns), " ")), Tone::plain});
    return section;
}

} // namespace skampi
