#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// Suites that the runs shown measured with different numbers of ranks.
[[nodiscard]] std::optional<Section> ranks_section(const Material& material);
/// The same, of many suites only some.
[[nodiscard]] std::optional<Section> ranks_in_short(const Material& material);

} // namespace skampi
