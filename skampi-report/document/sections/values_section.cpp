#include "document/sections/section_kinds.hpp"

#include "document/sections/suite_tables.hpp"
#include "model/quantity.hpp"
#include "words/suite_answer.hpp"

#include <string>
#include <utility>
#include <vector>

namespace skampi {

std::optional<Section> values_section(const Material& material) {
    Section section;
    section.title = "Tables of values";
    Flags all = 0;
    for (const Curve& curve : material.subject().curves) {
        if (!drawable(curve))
            continue;
        Table table = values_table(curve);
        table.title = shortened(title_of(curve), 90);
        table.dense = true;
        all |= flags_of({&curve});
        section.blocks.push_back(std::move(table));
    }
    if (section.blocks.empty())
        return std::nullopt;
    if (std::string legend = flag_legend(all); !legend.empty())
        section.blocks.insert(section.blocks.begin(), Paragraph{std::move(legend), Tone::plain});
    return section;
}

} // namespace skampi
