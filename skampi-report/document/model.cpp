// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/model.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

void collect_figures(const Section& section, std::vector<const FigureBlock*>& figures) {
    for (const Block& block : section.blocks)
        if (const auto* figure = std::get_if<FigureBlock>(&block))
            figures.push_back(figure);
    for (const Section& part : section.subsections)
        collect_figures(part, figures);
}

} // namespace

void add_known(Section& section, TextAndCommand known, Tone tone) {
    if (!known.empty())
        section.blocks.emplace_back(Paragraph{std::move(known.text), tone, std::move(known.command)});
}

void leave_out_empty_columns(Table& table) {
    for (std::size_t column = table.header.size(); column-- > 1;) {
        if (std::ranges::any_of(table.rows, [&](const auto& row) { return !row[column].empty(); }))
            continue;
        const auto place = static_cast<std::ptrdiff_t>(column);
        table.header.erase(table.header.begin() + place);
        table.columns.erase(table.columns.begin() + place);
        for (auto& row : table.rows)
            row.erase(row.begin() + place);
    }
}

std::string caption_text(const FigureBlock& block) {
    if (block.suites == 0)
        return block.caption;
    const std::size_t drawn = block.figure.panels.size();
    return (drawn < block.suites ? fmt::format("The first {} of {} suites: ", drawn, block.suites)
                                 : "All suites with more than one point: ") +
           block.caption;
}

std::vector<const FigureBlock*> figure_blocks(const Document& document) {
    std::vector<const FigureBlock*> figures;
    if (document.cover.overview)
        figures.push_back(&*document.cover.overview);
    for (const Section& section : document.sections)
        collect_figures(section, figures);
    return figures;
}

std::vector<Figure> all_figures(const Document& document) {
    std::vector<Figure> figures;
    for (const FigureBlock* const block : figure_blocks(document))
        figures.push_back(block->figure);
    return figures;
}

} // namespace skampi
