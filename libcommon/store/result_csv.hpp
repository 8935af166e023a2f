#pragma once

#include "store/import/importer.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Whether a text begins like a result CSV, so that its errors are those of a result CSV.
[[nodiscard]] bool looks_like_result_csv(const std::string& text);

/// Reads a result CSV (RFC 4180; LF or CRLF; a byte order mark is allowed). The columns that came
/// later may be missing. What the file doesn't tell is left at its default, statistics at
/// not-a-number.
/// @param name for messages
/// @throws InputError `name:line:column: what was found, what was expected`
[[nodiscard]] std::vector<ImportedRun> parse_result_csv(const std::string& name, const std::string& text);

} // namespace skampi
