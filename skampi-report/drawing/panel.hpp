// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "drawing/axis.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// A point to draw. low and high are the ends of its error bar, or the edges of a band.
struct PlotPoint {
    double x = 0;
    double y = 0;
    double low = 0;
    double high = 0;
    bool gap_before = false; ///< not connected with the point before
    bool bar_hidden = false; ///< its error bar is known, but not drawn: it is too close to others
};

enum class LayerStyle {
    band,         ///< area between low and high
    line,         ///< thin line without points
    faint_line,   ///< the other launches, behind everything else
    error_points, ///< points with error bars, connected
    open_points,  ///< open circles, not connected
    large_points, ///< filled, not connected
    median,       ///< thin dark line
    model,        ///< dashed line
    // Horizontal box plots: a point's y is its row, low and high are times.
    whiskers, ///< line from low to high
    boxes,    ///< area from low to high, half_height up and down
    bars,     ///< a bar at x, half_height up and down
    crosses,
    cells, ///< squares around the points, by `low` in each direction; the colour is a level of heat, or
           ///< no_heat
};

/// Levels of heat, from light to dark: also in grey print they differ.
inline constexpr int heat_levels = 7;
/// The colour of cells without a value: white, also on a dark page.
inline constexpr int no_heat = -1;

struct Layer {
    LayerStyle style = LayerStyle::line;
    int colour = 0;    ///< index into the palette of the plots
    std::string label; ///< in the key; empty = not in the key. Untrusted text
    std::vector<PlotPoint> points;
    double half_height = 0; ///< of boxes and bars, in units of the y axis
};

struct Panel {
    std::string title; ///< untrusted text
    Axis x;
    Axis y;
    std::vector<Layer> layers;             ///< drawn in this order
    std::vector<double> vertical_marks;    ///< x positions of jumps
    std::optional<double> horizontal_mark; ///< the 1 of ratios
    std::string section = {}; ///< small multiples: title of the section that shows the same in full
};

/// One drawing: panels in rows of `columns`.
struct Figure {
    std::string id; ///< a file name without extension: letters and digits
    double width_cm = 16;
    double height_cm = 4.2; ///< of the panels
    int columns = 1;
    bool small = false; ///< small multiples: no axis titles, few ticks, small letters
    std::vector<Panel> panels;
    std::optional<double> left_margin_cm = {}; ///< room for the labels of the y axis; none = that of numbers
    std::string description;                   ///< in words, for readers who do not see it. Untrusted text
};

/// Where an entry of a legend begins.
struct LegendPlace {
    double x_cm = 0;
    std::size_t row = 0; ///< 0 = the topmost
};

/// The legend of a figure: a strip below the panels, because within them it would sometimes cover data.
struct Legend {
    static constexpr double row_cm = 0.38;
    static constexpr double sample_cm = 0.7;
    std::vector<const Layer*> entries; ///< into the figure: the labelled layers of all panels, each once
    std::vector<LegendPlace> places;   ///< one per entry
    double height_cm = 0;              ///< 0 = there is none
};
[[nodiscard]] Legend legend_of(const Figure& figure);
/// The height of the panels and the legend.
[[nodiscard]] double drawn_height_cm(const Figure& figure);

/// The room for the title of a small plot in characters: the width of the plot.
[[nodiscard]] std::size_t longest_small_title(const Figure& figure);

/// Chooses rows and columns of small multiples, and shortens their titles to the room they have.
void arrange_small_panels(Figure& figure);
/// Chooses how many of them stand in a row.
void set_small_columns(Figure& figure);

} // namespace skampi
