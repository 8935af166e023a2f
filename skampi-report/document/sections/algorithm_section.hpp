#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// Which algorithm is the fastest where: a table for each operation, what the default does, how it was
/// decided, and what to type next.
/// @pre material.options.algorithms
[[nodiscard]] std::optional<Section> algorithm_section(const Material& material);
/// The answer, a line for each operation and what else there is to know; not what to type next.
[[nodiscard]] Section algorithms_in_short(const AlgorithmFindings& found);
/// The same with what to type next.
[[nodiscard]] std::optional<Section> algorithms_on_screen(const Material& material);

} // namespace skampi
