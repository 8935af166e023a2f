// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// The small plots of the first page: ratios of what is compared, growth of a study, algorithms over one
/// another, or the suites. None where nothing can be drawn.
[[nodiscard]] std::optional<FigureBlock> overview_plots(const Material& material);

} // namespace skampi
