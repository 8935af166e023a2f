// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/text/terminal.hpp"

#include "drawing/plot.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace skampi {

TextStyle style_of_output(const std::string& output) {
    TextStyle style;
    if (const char* const columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) > 0)
        style.columns = std::clamp(std::atoi(columns), 40, 1000);
    if (!output.empty() || isatty(STDOUT_FILENO) == 0)
        return style;
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    style.colours = (!no_colour || !*no_colour) && terminal && std::string_view(terminal) != "dumb";
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        style.columns = std::clamp<std::size_t>(size.ws_col, 40, 120);
    return style;
}

Drawings drawn_in_characters(const Document& document, const TextStyle& style, int jobs) {
    Drawings drawings;
    std::vector<Figure> figures;
    for (const FigureBlock* const block : figure_blocks(document))
        if (!block->in_characters.empty())
            drawings[block->figure.id] = block->in_characters;
        else if (!block->figure.small) // characters are too large for those
            figures.push_back(block->figure);
    drawings.merge(draw_characters(figures, style.colours, static_cast<int>(style.columns), jobs));
    return drawings;
}

} // namespace skampi
