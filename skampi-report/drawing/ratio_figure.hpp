// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/models/cost_model.hpp"
#include "contest/contest.hpp"
#include "drawing/panel.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

/// A suite of the reference with its contests, one for each other subject (null = there is none).
struct RatioPlot {
    const Curve* reference = nullptr;
    std::vector<const SuiteContest*> against;
    std::string state = {}; ///< of the machine: behind the title
};

/// The ratios at the arguments of two curves, with their intervals where these are known: a band, a line
/// broken where one of the curves jumps, and points where the difference is significant.
/// @param style of the line @param broken at the jumps of these curves
[[nodiscard]] std::vector<Layer> ratio_layers(const SuiteContest& suite, const Axis& x, int colour,
                                              LayerStyle style, const std::vector<CostModel>& broken);

/// Small multiples of ratios, at most `most` of them, all on one axis with 1 in its middle.
/// @param labels one for each other subject; of one alone there is no legend
[[nodiscard]] Figure ratios_figure(const std::string& id, const std::vector<RatioPlot>& plots,
                                   const std::vector<std::string>& labels, std::size_t most);

} // namespace skampi
