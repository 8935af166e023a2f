// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/paper/page_layout.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <string>

namespace skampi {

namespace {

/// Average width of a character of tables.
constexpr double table_character_cm = 0.135;

/// Wide columns of prose give way first: short ones keep what they need.
void narrow_prose(const Table& table, double room, std::vector<double>& widths) {
    double low = 0;
    double high = room;
    for (int i = 0; i < 50; ++i) {
        const double cap = 0.5 * (low + high);
        double used = 0;
        for (std::size_t column = 0; column < widths.size(); ++column)
            if (table.columns[column] == ColumnKind::prose)
                used += std::min(widths[column], cap);
        (used > room ? high : low) = cap;
    }
    for (std::size_t column = 0; column < widths.size(); ++column)
        if (table.columns[column] == ColumnKind::prose)
            widths[column] = std::min(widths[column], low);
}

} // namespace

double fact_name_cm(const FactList& list, double width_cm) {
    std::size_t longest = 0;
    for (const Fact& fact : list.facts)
        longest = std::max(longest, character_count(fact.name));
    return std::clamp(static_cast<double>(longest) * table_character_cm + 0.1, 1.2,
                      std::min(0.42 * width_cm, 5.0));
}

std::vector<double> column_widths_cm(const Table& table, double width_cm) {
    const std::size_t columns = table.header.size();
    std::vector<double> widths(columns, 0);
    for (std::size_t column = 0; column < columns; ++column) {
        std::size_t longest = character_count(table.header[column]) + 1;
        for (const auto& row : table.rows)
            longest = std::max(longest, character_count(row[column]));
        widths[column] = static_cast<double>(longest) * table_character_cm + 0.05;
    }
    const double available = width_cm - column_gap_cm * static_cast<double>(columns);
    double fixed = 0;
    double prose = 0;
    for (std::size_t column = 0; column < columns; ++column)
        (table.columns[column] == ColumnKind::prose ? prose : fixed) += widths[column];
    const double room = std::max(available - fixed, 0.3 * available);
    if (prose > room)
        narrow_prose(table, room, widths);
    return widths;
}

std::vector<Figure> figures_by_rows(const Figure& figure) {
    const auto columns = static_cast<std::size_t>(std::max(1, figure.columns));
    const std::size_t count = (figure.panels.size() + columns - 1) / columns;
    if (!figure.small || count < 2)
        return {figure};
    std::vector<Figure> rows;
    for (std::size_t first = 0; first < figure.panels.size(); first += columns) {
        Figure row = figure;
        row.id += "r" + std::to_string(rows.size() + 1);
        row.height_cm = figure.height_cm / static_cast<double>(count);
        const std::size_t last = std::min(first + columns, figure.panels.size());
        row.panels.assign(figure.panels.begin() + static_cast<std::ptrdiff_t>(first),
                          figure.panels.begin() + static_cast<std::ptrdiff_t>(last));
        rows.push_back(std::move(row));
    }
    // One legend for all: below the last row that has every entry.
    const std::size_t entries = legend_of(figure).entries.size();
    const auto with_legend = std::ranges::find_if(rows.rbegin(), rows.rend(), [&](const Figure& row) {
        return legend_of(row).entries.size() == entries;
    });
    const Figure* const kept = with_legend == rows.rend() ? &rows.back() : &*with_legend;
    for (Figure& row : rows)
        if (&row != kept)
            for (Panel& panel : row.panels)
                for (Layer& layer : panel.layers)
                    layer.label.clear();
    return rows;
}

std::vector<Figure> figures_on_paper(const Document& document) {
    std::vector<Figure> figures = all_figures(document);
    if (document.cover.overview) {
        const std::vector<Figure> rows = figures_by_rows(figures.front());
        figures.erase(figures.begin());
        figures.insert(figures.begin(), rows.begin(), rows.end());
    }
    return figures;
}

} // namespace skampi
