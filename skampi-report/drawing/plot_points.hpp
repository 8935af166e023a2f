// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/models/cost_model.hpp"
#include "launches/subject.hpp"
#include "drawing/panel.hpp"

#include <string>
#include <vector>

namespace skampi {

// What the drawings of curves have in common.

/// Whether arguments stand on a logarithmic axis.
[[nodiscard]] bool log_argument(const Curve& curve);
[[nodiscard]] AxisQuantity argument_quantity(const Curve& curve);
/// The title of the axis of arguments.
[[nodiscard]] std::string argument_title(const Curve& curve);

/// A point at the broken-off 0 is not connected.
void mark_gaps(std::vector<PlotPoint>& points, const Axis& x);
/// Nothing is drawn across a jump: a line there would show times that do not occur. Points of another curve
/// inside it are connected to neither side.
void mark_jumps(std::vector<PlotPoint>& points, const Axis& x, const CostModel& model);

/// Points beyond the axis of values are drawn at its edge.
void keep_within(Panel& panel);

[[nodiscard]] std::vector<double> ordinates(const std::vector<PlotPoint>& points, bool with_bars);
void append(std::vector<double>& values, const std::vector<double>& more);

} // namespace skampi
