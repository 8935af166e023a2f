// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/models/operation_surface.hpp"
#include "analysis/models/rank_study.hpp"
#include "document/model.hpp"
#include "model/quantity.hpp"

#include <string>
#include <vector>

namespace skampi {

/// A row for each of them; no rows where there are none.
[[nodiscard]] Table surface_table(const std::vector<OperationSurface>& surfaces);

/// How operations grow with the number of ranks, a row for each message length.
[[nodiscard]] Table scaling_table(const std::vector<Scaling>& scalings);

/// How one operation grows with the number of ranks at a message length, as a form that fits.
struct LengthGrowth {
    std::string label;
    GrowthModel growth;
    std::optional<std::int64_t> except = {}; ///< a number of ranks that it does not hold for
};
/// Their coefficients, a row for each length.
[[nodiscard]] Table growth_table(const std::vector<LengthGrowth>& lengths, TimeUnit unit);

} // namespace skampi
