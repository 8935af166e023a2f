// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/text_columns.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace skampi {

void widen(std::vector<std::size_t>& widths, std::span<const std::string> cells) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
        widths[i] = std::max(widths[i], character_count(cells[i]));
}

std::string aligned_line(std::span<const std::string> cells, const ColumnLayout& layout) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t width = i < layout.widths.size() ? layout.widths[i] : 0;
        const std::string room(width - std::min(width, character_count(cells[i])), ' ');
        const bool to_right = i < layout.to_right.size() && layout.to_right[i];
        line += to_right ? room + cells[i] : cells[i] + room;
        line.append(i + 1 < cells.size() ? layout.gap : 0, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

} // namespace skampi
