#pragma once

#include "store/import/importer.hpp"

#include <string>
#include <vector>

namespace skampi {

[[nodiscard]] bool looks_like_skampi_out(const std::string& text);

/// Reads the skampi.out, ours and that of SKaMPI 4 (docs/data-formats.md): the values after the cut, with the
/// errors and counts of both columns.
/// @throws InputError `name:line:column: what was found, what was expected`
[[nodiscard]] std::vector<ImportedRun> parse_skampi_out(const std::string& name, const std::string& text);

} // namespace skampi
