#pragma once

#include "analysis/cost_model.hpp"
#include "analysis/growth_model.hpp"
#include "analysis/subject.hpp"

#include <cstdint>
#include <optional>

namespace skampi {

/// A value to be fitted. Its error is the larger of that of its launch and that between launches.
[[nodiscard]] CostPoint cost_point(std::int64_t argument, const StoredMeasurement& point);

/// The cost model of a curve over message lengths, nodes or chunks; empty where there is nothing to fit.
[[nodiscard]] CostModel curve_model(const Curve& curve);

/// How the time of a suite over the number of ranks grows; none where it is of another kind or has too few
/// points.
[[nodiscard]] std::optional<GrowthModel> curve_growth(const Curve& curve);

} // namespace skampi
