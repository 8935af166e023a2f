// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "drawing/figure.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// One distribution to draw.
struct Box {
    double minimum = 0;
    double median = 0;
    double maximum = 0;
    double mean = 0;
    std::optional<double> lower_quartile; ///< none = no box: too few values
    std::optional<double> upper_quartile; ///< exactly when there is a lower one
};

/// A row of the plot: its name and a box per group, none if the group has no values.
struct BoxRow {
    std::string name;                      ///< untrusted
    std::vector<std::optional<Box>> boxes; ///< one per group
};

/// How many rows a figure has room for on a page.
inline constexpr std::size_t most_box_rows = 24;

/// Horizontal box plots of times, first row on top: whiskers from minimum to maximum, the box between the
/// quartiles, a bar at the median, a cross at the mean. The axis is logarithmic if the times cover a wide
/// range; values not above 0 then begin at the axis.
/// @param rows at most most_box_rows @param groups a name per group: with one, there is no key
[[nodiscard]] Figure box_figure(const std::string& id, const std::vector<BoxRow>& rows,
                                const std::vector<std::string>& groups, TimeUnit unit = TimeUnit::automatic);

/// Box plots of rows that differ by orders of magnitude: each row relative to its own median, on a linear
/// axis that shows the boxes. Whiskers that end outside the plot reach its edge, and means outside are not
/// drawn. Rows whose median is not above 0 stay empty.
/// @param rows at most most_box_rows, one box each
[[nodiscard]] Figure share_box_figure(const std::string& id, std::vector<BoxRow> rows);

/// box_figure() in characters: a line per box with the row's name, `|---[==#===]----|` with # at the median,
/// and the ends of the axis below. The names are made printable.
[[nodiscard]] std::string box_characters(const std::vector<BoxRow>& rows,
                                         const std::vector<std::string>& groups,
                                         TimeUnit unit = TimeUnit::automatic);

} // namespace skampi
