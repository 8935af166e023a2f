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

/// A table as aligned columns. One that is too wide for the terminal wraps its cells; if that is not enough
/// it is written in two parts, and at last each row as lines of its own, named by the header.
/// @param cells the header, then the rows; printable, as many in each as there are columns
/// @param width characters of a line of the terminal @param colours whether the header is underlined
[[nodiscard]] std::string terminal_table(const std::vector<std::vector<std::string>>& cells,
                                         const std::vector<CellKind>& columns, std::size_t width,
                                         bool colours);

} // namespace skampi
