// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/models/growth_model.hpp"
#include "launches/subject.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Time over ranks and message length of an operation that was measured over ranks with several lengths.
struct OperationSurface {
    std::string operation;
    std::vector<std::string> suites; ///< that say it, with equal settings
    SurfaceModel model;
    TimeUnit unit = TimeUnit::automatic; ///< of the first of these suites
};
/// In the order of the plan.
[[nodiscard]] std::vector<OperationSurface> operation_surfaces(const Subject& subject);

} // namespace skampi
