// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/heat_map.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace skampi {

namespace {

/// Upper limits of ratios of times, and what the legend says of them; the last has none.
struct HeatLevel {
    double below;
    const char* latency;
    const char* bandwidth;
};
constexpr std::array<HeatLevel, heat_levels> levels{{
    {1 / 1.1, "below 0.91", "above 1.1"},
    {1.05, "0.91 to 1.05", "0.95 to 1.1"},
    {1.11, "1.05 to 1.11", "0.9 to 0.95"},
    {1.25, "1.11 to 1.25", "0.8 to 0.9"},
    {1.5, "1.25 to 1.5", "0.67 to 0.8"},
    {2, "1.5 to 2", "0.5 to 0.67"},
    {1e300, "above 2", "below 0.5"},
}};

Axis member_axis(const LinkInput& input, int cells, int members_per_cell) {
    Axis axis;
    axis.low = -0.5;
    axis.high = cells - 0.5;
    const int distance = std::max(1, (cells + 7) / 8);
    for (int cell = 0; cell < cells; cell += distance)
        axis.ticks.push_back(
            {static_cast<double>(cell), input.names[static_cast<std::size_t>(cell * members_per_cell)]});
    return axis;
}

} // namespace

Figure heat_map(const std::string& id, const LinkInput& input, const LengthFinding& finding) {
    constexpr int most_cells = 256;
    const int members = finding.ratio_of_pair.members();
    const int per_cell = (members + most_cells - 1) / most_cells;
    const int cells = (members + per_cell - 1) / per_cell;
    PairValues slowest(cells);
    for (int i = 0; i < members; ++i)
        for (int j = i + 1; j < members; ++j) {
            const double ratio = finding.ratio_of_pair(i, j);
            if (const double before = slowest(i / per_cell, j / per_cell); ratio > 0 && !(before > ratio))
                slowest.set(i / per_cell, j / per_cell, ratio);
        }
    Panel panel;
    panel.x = panel.y = member_axis(input, cells, per_cell);
    const double centre = (cells - 1) / 2.0;
    panel.layers.push_back({LayerStyle::cells, no_heat, {}, {{centre, centre, cells / 2.0, cells / 2.0}}});
    std::array<Layer, heat_levels> layers;
    for (std::size_t level = 0; level < levels.size(); ++level) {
        layers[level].style = LayerStyle::cells;
        layers[level].colour = static_cast<int>(level);
        layers[level].label = finding.is_latency() ? levels[level].latency : levels[level].bandwidth;
    }
    for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j)
            if (const double ratio = slowest(i, j); ratio > 0) {
                const auto level =
                    std::ranges::find_if(levels, [&](const HeatLevel& each) { return ratio < each.below; });
                layers[static_cast<std::size_t>(level - levels.begin())].points.push_back(
                    {static_cast<double>(i), static_cast<double>(j), 0.5, 0.5, false});
            }
    // Also what does not occur is in the legend: a scale.
    std::ranges::move(layers, std::back_inserter(panel.layers));
    panel.layers.push_back({LayerStyle::cells, no_heat, "not measured", {}});
    Figure figure;
    figure.id = id;
    figure.height_cm = 15;
    figure.description = "Each pair of members by its ratio to what is expected";
    figure.panels.push_back(std::move(panel));
    return figure;
}

} // namespace skampi
