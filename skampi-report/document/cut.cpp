// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/cut.hpp"

#include "base/utf8.hpp"
#include "document/figure_names.hpp"
#include "drawing/figure.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace skampi {

namespace {

constexpr std::size_t no_limit = 0;

struct RoomRow {
    Room room;
    Rank rank;               ///< up to which is shown
    std::size_t most_rows;   ///< of a table
    std::size_t most_large;  ///< plots of suites; more of them are small
    std::size_t most_titles; ///< characters of a small one's title
};

constexpr auto rooms = std::to_array<RoomRow>({
    {Room::screen, Rank::decision, 40, no_limit, 0},
    {Room::pages, Rank::overview, 40, 12, 45},
    {Room::suites, Rank::detail, 24, no_limit, 0},
    {Room::book, Rank::reference, 400, no_limit, 0}, // about three pages
    {Room::everything, Rank::reference, no_limit, no_limit, 0},
});

const RoomRow& row_of(Room room) {
    return *std::ranges::find(rooms, room, &RoomRow::room);
}

void leave_out_details(Table& table) {
    const std::size_t columns = table.header.size() - table.details;
    table.header.resize(columns);
    table.columns.resize(columns);
    for (auto& row : table.rows)
        row.resize(columns);
    std::erase_if(table.tints, [&](const TintedCell& cell) { return cell.column >= columns; });
}

void leave_rows(Table& table, std::size_t most) {
    const std::size_t count = table.rows.size();
    if (most == no_limit || count <= most)
        return;
    const bool of_first = table.by_importance.empty();
    std::vector<std::size_t> kept = std::move(table.by_importance);
    if (of_first) {
        kept.resize(count);
        std::iota(kept.begin(), kept.end(), std::size_t{0});
    }
    kept.resize(most);
    std::ranges::sort(kept);
    std::vector<std::vector<std::string>> rows;
    std::vector<TintedCell> tints;
    for (const std::size_t row : kept) {
        for (TintedCell& cell : table.tints)
            if (cell.row == row)
                tints.push_back({rows.size(), cell.column, cell.tint});
        rows.push_back(std::move(table.rows[row]));
    }
    table.rows = std::move(rows);
    table.tints = std::move(tints);
    table.title += fmt::format("{}{}{} of {} rows", table.title.empty() ? "" : ": ",
                               of_first ? "the first " : "", most, count);
}

void cut_block(Block& block, const RoomRow& room) {
    if (auto* const table = std::get_if<Table>(&block)) {
        if (room.rank == Rank::decision)
            leave_out_details(*table);
        leave_rows(*table, room.most_rows);
    }
}

void cut_section(Section& section, const RoomRow& room) {
    std::erase_if(section.blocks, [&](const Block& block) {
        return std::visit([](const auto& each) { return each.rank; }, block) > room.rank;
    });
    for (Block& block : section.blocks)
        cut_block(block, room);
    for (Section& part : section.subsections)
        cut_section(part, room);
    std::erase_if(section.subsections, [&](const Section& part) {
        return part.rank > room.rank || (part.blocks.empty() && part.subsections.empty());
    });
}

FigureBlock* plot_of(Section& part) {
    for (Block& block : part.blocks)
        if (auto* const figure = std::get_if<FigureBlock>(&block))
            return figure;
    return nullptr;
}

void make_cards(Section& section, const RoomRow& room) {
    section.as_cards =
        section.as_cards && room.most_large != no_limit && section.subsections.size() > room.most_large;
    if (!section.as_cards)
        return;
    for (Section& part : section.subsections) {
        part.title = shortened(part.title, room.most_titles);
        if (FigureBlock* const plot = plot_of(part)) {
            plot->figure = beside_others(std::move(plot->figure));
            plot->caption.clear();
        }
    }
}

void cut_cover(Cover& cover, const RoomRow& room) {
    for (FactList* const list : {&cover.system, &cover.trust})
        if (list->rank > room.rank) {
            list->facts.resize(list->essential);
            list->title.clear();
        }
    if (cover.overview && cover.overview->rank > room.rank)
        cover.overview.reset();
    if (room.rank == Rank::decision)
        for (Table& winners : cover.winners)
            leave_out_details(winners);
}

/// Anew: what was left out leaves no gaps.
void number_figures(std::vector<Section>& sections, FigureNames& names) {
    for (Section& section : sections) {
        for (Block& block : section.blocks)
            if (auto* const figure = std::get_if<FigureBlock>(&block))
                figure->figure.id = names.next();
        number_figures(section.subsections, names);
    }
}

void say_more(Document& document) {
    if (document.sections.empty())
        document.sections.emplace_back();
    Section& last = document.sections.back();
    (last.subsections.empty() ? last : last.subsections.back())
        .blocks.emplace_back(Paragraph{document.more, Tone::remark});
}

} // namespace

Rank rank_of(Room room) {
    return row_of(room).rank;
}

Document cut(Document document, Room wanted) {
    const RoomRow& room = row_of(wanted);
    document.brief = wanted == Room::pages;
    cut_cover(document.cover, room);
    for (Section& section : document.sections) {
        cut_section(section, room);
        make_cards(section, room);
    }
    std::erase_if(document.sections, [&](const Section& section) {
        return section.rank > room.rank || (section.blocks.empty() && section.subsections.empty());
    });
    FigureNames names;
    if (document.cover.overview)
        document.cover.overview->figure.id = names.next();
    number_figures(document.sections, names);
    if (room.rank < Rank::detail && !document.more.empty())
        say_more(document);
    return document;
}

} // namespace skampi
