#include "document/sections/section_kinds.hpp"

#include "document/sections/suite_tables.hpp"
#include "model/quantity.hpp"
#include "words/error_statement.hpp"

#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// "U D": a letter for each flag.
std::string flag_letters(Flags flags) {
    static constexpr std::pair<Flag, const char*> letters[] = {
        {Flag::not_repeatable, "N"}, {Flag::timed_out, "T"},     {Flag::unreliable, "R"},
        {Flag::disturbed, "D"},      {Flag::several_modes, "M"}, {Flag::unsynchronised, "B"},
        {Flag::wrong_result, "W"},   {Flag::interpolated, "I"},  {Flag::one_run, "1"},
        {Flag::scattered, "S"}};
    std::string text;
    for (const auto& [flag, letter] : letters)
        if (has(flags, flag))
            text += (text.empty() ? "" : " ") + std::string(letter);
    return text;
}

} // namespace

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
        // Letters for the flags: in words they would be most of the table.
        bool any = false;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const Flags flags = curve.points[row].measurement.flags;
            table.rows[row].back() = flag_letters(flags);
            any = any || flags != 0;
            all |= flags;
        }
        if (!any) {
            table.header.pop_back();
            table.columns.pop_back();
            for (auto& row : table.rows)
                row.pop_back();
        }
        section.blocks.push_back(std::move(table));
    }
    if (section.blocks.empty())
        return std::nullopt;
    std::vector<std::string> letters;
    for (const Flag flag : all_flags())
        if (has(all, flag))
            letters.push_back(flag_letters(static_cast<Flags>(flag)) + " " +
                              flag_text(static_cast<Flags>(flag)));
    if (!letters.empty())
        section.blocks.insert(section.blocks.begin(),
                              Paragraph{"Flags: " + enumeration(letters) + ".", Tone::plain});
    return section;
}

} // namespace skampi
