#pragma once

#include "store/import/importer.hpp"

#include <string>
#include <vector>

namespace skampi {

[[nodiscard]] bool looks_like_skampi5(const std::string& text);

/// Reads the output of SKaMPI 5 (.sko).
/// @throws InputError `name:line:column: what was found, what was expected`
[[nodiscard]] std::vector<ImportedRun> parse_skampi5(const std::string& name, const std::string& text);

} // namespace skampi
