#include "formats/text/terminal.hpp"

#include "drawing/plot.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace skampi {

namespace {

/// Figures that are characters already go to `drawings`, the others to `figures`: not small ones, which
/// characters are too large for.
void collect(const FigureBlock& block, Drawings& drawings, std::vector<Figure>& figures) {
    if (!block.in_characters.empty())
        drawings[block.figure.id] = block.in_characters;
    else if (!block.figure.small)
        figures.push_back(block.figure);
}

void collect(const Section& section, Drawings& drawings, std::vector<Figure>& figures) {
    for (const Block& block : section.blocks)
        if (const auto* figure = std::get_if<FigureBlock>(&block))
            collect(*figure, drawings, figures);
    for (const Section& part : section.subsections)
        collect(part, drawings, figures);
}

} // namespace

TextStyle style_of_output(const std::string& output) {
    TextStyle style;
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
    if (document.cover.overview)
        collect(*document.cover.overview, drawings, figures);
    for (const Section& section : document.sections)
        collect(section, drawings, figures);
    drawings.merge(draw_characters(figures, style.colours, static_cast<int>(style.columns), jobs));
    return drawings;
}

} // namespace skampi
