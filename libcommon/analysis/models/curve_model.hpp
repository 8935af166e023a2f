// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/models/cost_model.hpp"
#include "analysis/models/growth_model.hpp"
#include "launches/subject.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// A value to be fitted. Its error is the larger of that of its launch and that between launches.
[[nodiscard]] CostPoint cost_point(std::int64_t argument, const StoredMeasurement& point);

/// Appends what each of these launches measured at some points of a curve.
/// @param uuids of the launches, the same for all curves whose points are fitted together
void append_launch_times(const Curve& curve, std::span<const StoredMeasurement* const> points,
                         const std::vector<std::string>& uuids, LaunchTimes& launches);

/// How close two arguments of a suite may be.
[[nodiscard]] std::int64_t smallest_distance(const Suite& suite);

/// The cost model of a curve over message lengths, nodes or chunks; empty where there is nothing to fit.
/// Values that lie between two arguments of their launch are left out.
[[nodiscard]] CostModel curve_model(const Curve& curve);

/// How the time of a suite over the number of ranks grows; none where it is of another kind or has too few
/// points.
[[nodiscard]] std::optional<GrowthModel> curve_growth(const Curve& curve);

} // namespace skampi
