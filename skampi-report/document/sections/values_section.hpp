#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// All values of all suites with a plot; suites without one have theirs in a table with their pattern.
[[nodiscard]] std::optional<Section> values_section(const Material& material);

} // namespace skampi
