// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

/// What a column of a terminal's table holds.
enum class CellKind {
    text,
    number, ///< flush right; a number stays together with its unit
    prose,  ///< wraps first where the table is too wide
};

/// A cell that stands in a style of its own: an ANSI escape sequence that begins it.
struct StyledCell {
    std::size_t row = 0; ///< 0 = the header
    std::size_t column = 0;
    const char* style = "";
};

/// A table as aligned columns. One that is too wide for the terminal wraps its cells; if that is not enough
/// it is written in two parts, and at last each row as lines of its own, named by the header.
/// @param cells the header, then the rows; printable, as many in each as there are columns
/// @param width characters of a line of the terminal @param colours whether the header is underlined, and
/// cells have their styles
[[nodiscard]] std::string terminal_table(const std::vector<std::vector<std::string>>& cells,
                                         const std::vector<CellKind>& columns, std::size_t width,
                                         bool colours, const std::vector<StyledCell>& styles = {});

} // namespace skampi
