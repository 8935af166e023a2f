#pragma once

#include "figure.hpp"

#include "base/child.hpp"

#include <span>
#include <string>
#include <vector>

namespace skampi {

/// What a script lets gnuplot make.
enum class PlotTarget {
    latex, ///< ID.tex to be \input, with its drawing ID.pdf; texts are set by LaTeX in the document's fonts
    svg,   ///< ID.svg
};

/// Writes a script `directory/ID.gp` per figure (the directory is made), complete with its data; run in that
/// directory it makes its drawing there.
/// @param jobs at least 1
/// @return commands that run gnuplot over the scripts, spread so that `jobs` of them at a time take about
///     equally long
/// @throws SystemError when a file cannot be written whole; naming program and package when there is no
/// gnuplot
[[nodiscard]] std::vector<Command> prepare_plots(std::span<const Figure> figures, PlotTarget target,
                                                 const std::string& directory, int jobs);

/// @param results of those commands
/// @throws SystemError with gnuplot's own message when it failed, naming the figure when a drawing is missing
void check_plots(std::span<const ChildResult> results, std::span<const Figure> figures, PlotTarget target,
                 const std::string& directory);

} // namespace skampi
