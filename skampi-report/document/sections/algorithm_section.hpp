#pragma once

#include "document/sections/material.hpp"

#include <optional>
#include <vector>

namespace skampi {

/// What each algorithm takes by the default, also the slower ones: a table for each operation.
[[nodiscard]] std::vector<Table> algorithm_times(const AlgorithmFindings& found);
/// Whether the first page has room for these tables.
[[nodiscard]] bool are_on_first_page(const std::vector<Table>& tables);
/// Which algorithm is the fastest where: a table for each operation, the times of all algorithms where
/// the first page does not show them, what the default does, how it was decided, and what to type next.
/// @pre material.options.algorithms
[[nodiscard]] std::optional<Section> algorithm_section(const Material& material);
/// The answer, a line for each operation and what else there is to know; not what to type next.
[[nodiscard]] Section algorithms_in_short(const AlgorithmFindings& found);
/// The same with what to type next.
[[nodiscard]] std::optional<Section> algorithms_on_screen(const Material& material);

} // namespace skampi
