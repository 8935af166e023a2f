#pragma once

#include "analysis/turns/turns.hpp"
#include "document/figure_names.hpp"
#include "document/model.hpp"
#include "document/sections/contest.hpp"

#include <optional>

namespace skampi {

/// The suites of a comparison as small plots of ratios, those that differ before the others, the largest
/// difference first; none where no ratio can be drawn.
[[nodiscard]] std::optional<FigureBlock> ratios_block(const Contest& contest, FigureNames& names);

/// The same of variants launched in turns: the ratios of each round, at an equal state of the machine.
[[nodiscard]] std::optional<FigureBlock> turns_ratios_block(const Turns& turns, FigureNames& names);

} // namespace skampi
