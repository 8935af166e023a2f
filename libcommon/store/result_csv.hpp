#pragma once

#include "store/import/importer.hpp"

#include <string>

namespace skampi {

/// Whether a text begins like a result CSV, so that its errors are those of a result CSV.
[[nodiscard]] bool looks_like_result_csv(const std::string& beginning);

/// Reads a result CSV (RFC 4180; LF or CRLF; a byte order mark is allowed), row by row: rows of several runs
/// and suites may stand in any order. The columns that came later may be missing. What the file doesn't tell
/// is left at its default, statistics at not-a-number.
/// @throws InputError `name:line:column: what was found, what was expected`
void read_result_csv(TextSource& text, ImportSink& sink);

} // namespace skampi
