#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// Which algorithm is the fastest where: a table for each operation, what the default does, how it was
/// decided, and what to type next.
/// @pre material.options.algorithms
[[nodiscard]] std::optional<Section> algorithm_section(const Material& material);
/// The answer, and a line for each operation.
[[nodiscard]] std::optional<Section> algorithms_on_screen(const Material& material);

} // namespace skampi
