#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// The suites of a pattern, each in full, its families of curves, and a table of suites without a plot.
[[nodiscard]] std::optional<Section> pattern_section(const Material& material, Pattern pattern);

/// All suites in short: a plot and some values of each.
[[nodiscard]] std::optional<Section> suites_in_short(const Material& material);

} // namespace skampi
