// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/result_row.hpp"

#include <string>

namespace skampi {

// Result CSV files: the rows of the view `result`. Reading them is an importer (import/importer.hpp).

/// Their header line.
[[nodiscard]] std::string result_csv_header();
/// One line of them (RFC 4180 quoting, shortest round-trip numbers).
[[nodiscard]] std::string result_csv_line(const ResultRow& row);

} // namespace skampi
