#pragma once

#include "analysis/operation_surface.hpp"
#include "document/model.hpp"

#include <vector>

namespace skampi {

/// A row for each of them; no rows where there are none.
[[nodiscard]] Table surface_table(const std::vector<OperationSurface>& surfaces);

} // namespace skampi
