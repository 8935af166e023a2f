// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "drawing/panel.hpp"
#include "model/quantity.hpp"

#include <span>
#include <string>
#include <vector>

namespace skampi {

/// Single measurements to draw as one curve.
struct Distribution {
    std::string label;           ///< untrusted
    std::vector<double> times_s; ///< ascending, not empty
};

/// Empirical distribution functions: the share of the single measurements up to each time, with points at the
/// median, 95 and 99 %.
/// @param distributions at most as many as there are colours
[[nodiscard]] Figure distribution_figure(const std::string& id, std::span<const Distribution> distributions,
                                         const Units& units);

} // namespace skampi
