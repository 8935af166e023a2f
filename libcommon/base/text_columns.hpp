// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// How cells stand in columns of a text. Widths count characters, not bytes.
struct ColumnLayout {
    std::vector<std::size_t> widths;
    std::size_t gap = 2;             ///< blanks between two columns
    std::vector<bool> to_right = {}; ///< columns whose cells end at the right; empty = none
};

/// Makes columns as wide as the widest cell of each. @param cells of one row, from the first column on
void widen(std::vector<std::size_t>& widths, std::span<const std::string> cells);

/// One line of a table: its cells in columns, without blanks at its end and without a line end. A cell that is
/// wider than its column moves the others to the right.
[[nodiscard]] std::string aligned_line(std::span<const std::string> cells, const ColumnLayout& layout);

} // namespace skampi
