// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "drawing/figure.hpp"

#include "base/child.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// The output of a script.
enum class PlotTarget {
    latex, ///< ID.tex to be \input, with its drawing ID.pdf; texts are set by LaTeX in the document's fonts
    svg,   ///< ID.svg
    png,   ///< ID.png
    pdf,   ///< ID.pdf
    characters,          ///< ID.txt: the first panel of the figure in characters, for a terminal
    coloured_characters, ///< the same with ANSI escape sequences
};

/// Writes a script `directory/ID.gp` per figure (the directory is made), complete with its data; run in that
/// directory it makes its drawing there.
/// @param jobs at least 1   @param columns of the terminal, at least 40
/// @return commands that run gnuplot over the scripts, spread so that `jobs` of them at a time take about
///     equally long
/// @throws SystemError when a file cannot be written whole; naming program and package when there is no
/// gnuplot
[[nodiscard]] std::vector<Command> prepare_plots(std::span<const Figure> figures, PlotTarget target,
                                                 const std::string& directory, int jobs, int columns = 80);

/// Draws figures in characters: id -> lines. None where there is no gnuplot: a look at numbers needs none.
/// @throws SystemError when gnuplot fails
[[nodiscard]] std::map<std::string, std::string> draw_characters(std::span<const Figure> figures,
                                                                 bool colours, int columns, int jobs);

/// @param results of those commands
/// @throws SystemError with gnuplot's own message when it failed, naming the figure when a drawing is missing
void check_plots(std::span<const ChildResult> results, std::span<const Figure> figures, PlotTarget target,
                 const std::string& directory);

/// Makes drawings of PlotTarget::latex find their PDF in their own folder, independent of the folder of the
/// document that has them as \input: LaTeX provides a file's path since 2020-10. Missing drawings are
/// skipped.
/// @throws SystemError
void make_drawings_relocatable(std::span<const Figure> figures, const std::string& directory);

} // namespace skampi
