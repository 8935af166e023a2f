// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/sections/material.hpp"
#include "drawing/box_plot.hpp"

#include <vector>

namespace skampi {

/// The points whose single measurements are summarised.
[[nodiscard]] std::vector<const StoredMeasurement*> points_with_quartiles(const Curve& curve);
/// The box plot of one of them.
[[nodiscard]] BoxRow box_row(const Curve& curve, const StoredMeasurement& point);

/// Box plots of the single measurements at some arguments, and below them their numbers, with the tail where
/// they are kept; nothing where no point has several.
[[nodiscard]] std::vector<Block> single_measurements_blocks(const Material& material, const Curve& curve);

} // namespace skampi
