// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/panel.hpp"

#include "base/utf8.hpp"
#include "model/quantity.hpp"

#include <algorithm>

namespace skampi {

Legend legend_of(const Figure& figure) {
    Legend legend;
    for (const Panel& panel : figure.panels)
        for (const Layer& layer : panel.layers)
            if (!layer.label.empty() && std::ranges::none_of(legend.entries, [&](const Layer* entry) {
                    return entry->label == layer.label && entry->style == layer.style;
                }))
                legend.entries.push_back(&layer);
    if (legend.entries.empty())
        return legend;
    // The first small plot may lack curves that another has.
    if (figure.small)
        std::ranges::stable_sort(legend.entries, {}, &Layer::colour);
    // Each as wide as its text; a row that is full is followed by the next.
    constexpr double character_cm = 0.14;
    constexpr double between_cm = 0.42;
    std::vector<double> row_widths_cm{0};
    for (const Layer* layer : legend.entries) {
        const double width_cm = Legend::sample_cm + between_cm +
                                character_cm * static_cast<double>(character_count(layer->label));
        if (row_widths_cm.back() > 0 && row_widths_cm.back() + width_cm > figure.width_cm)
            row_widths_cm.push_back(0);
        legend.places.push_back({row_widths_cm.back(), row_widths_cm.size() - 1});
        row_widths_cm.back() += width_cm;
    }
    for (LegendPlace& place : legend.places)
        place.x_cm += std::max(0.0, (figure.width_cm - row_widths_cm[place.row]) / 2);
    legend.height_cm = 0.1 + Legend::row_cm * static_cast<double>(row_widths_cm.size());
    return legend;
}

double drawn_height_cm(const Figure& figure) {
    return figure.height_cm + legend_of(figure).height_cm;
}

std::size_t longest_small_title(const Figure& figure) {
    constexpr double character_cm = 0.115;
    return static_cast<std::size_t>(figure.width_cm / figure.columns / character_cm) - 1;
}

void set_small_columns(Figure& figure) {
    const std::size_t count = figure.panels.size();
    figure.columns = count <= 3 ? std::max(1, static_cast<int>(count)) : count <= 8 ? 4 : count <= 20 ? 5 : 6;
}

void arrange_small_panels(Figure& figure) {
    set_small_columns(figure);
    for (Panel& panel : figure.panels)
        panel.title = shortened_name(panel.title, longest_small_title(figure));
    const auto columns = static_cast<std::size_t>(figure.columns);
    const auto rows = static_cast<double>((figure.panels.size() + columns - 1) / columns);
    figure.height_cm = std::max(1.0, rows) * (rows <= 2 ? 3.6 : rows <= 3 ? 3.0 : 2.25);
}

} // namespace skampi
