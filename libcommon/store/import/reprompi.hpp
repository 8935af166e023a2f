#pragma once

#include "store/import/importer.hpp"

#include <string>
#include <vector>

namespace skampi {

[[nodiscard]] bool looks_like_reprompi(const std::string& text);

/// Reads the tables of ReproMPI: summaries (mean_sec, median_sec, ...), or all run times (runtime_sec) or
/// starts and ends of all processes (loc_tstart_sec, ...), which are summarised here.
/// @throws InputError `name:line:column: what was found, what was expected`
[[nodiscard]] std::vector<ImportedRun> parse_reprompi(const std::string& name, const std::string& text);

} // namespace skampi
