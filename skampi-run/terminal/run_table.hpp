#pragma once

#include "store/database.hpp"

#include <string>

namespace skampi {

/// What a run found, for whoever waits for it at a terminal: a line for each suite with its values at the
/// smallest and the largest argument, the errors of these within the run, the bandwidth at the largest, and
/// how many of its values are flagged; then what is flagged, and the next command.
/// @param run uuid   @param columns of the terminal: with few the names stand above the values   @return
/// empty where the database has no such run
[[nodiscard]] std::string run_table(const Database& database, const std::string& run, int columns);

} // namespace skampi
