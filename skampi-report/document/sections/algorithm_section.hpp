#pragma once

#include "document/sections/material.hpp"

#include <vector>

namespace skampi {

/// What each algorithm takes by the default, also the slower ones: a table for each operation.
[[nodiscard]] std::vector<Table> algorithm_times(const AlgorithmFindings& found);
/// Whether the first page has room for these tables.
[[nodiscard]] bool are_on_first_page(const std::vector<Table>& tables);
/// Which algorithm is the fastest where: a table for each operation, the times of all algorithms where
/// the first page does not show them, what the default does, how it was decided, and what to type next.
[[nodiscard]] Section algorithm_section(const AlgorithmFindings& found);

} // namespace skampi
