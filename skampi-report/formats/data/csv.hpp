// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"
#include "model/result_row.hpp"
#include "store/database.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace skampi {

/// A point that a report shows in the columns of the view `result`.
[[nodiscard]] ResultRow result_row(const Subject& subject, const Curve& curve,
                                   const StoredMeasurement& point);

/// The values that a report shows, in the columns of the view `result`, one header line, RFC 4180.
/// @param most_bytes as of result_csv()
[[nodiscard]] std::string shown_csv(const std::vector<Subject>& subjects,
                                    std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

/// The view `result` of all databases, one header line, RFC 4180.
/// @param suites globs; none = all
/// @param runs names of runs: of a database that holds such, these alone
/// @param most_bytes a longer text is not made: the result is empty then
[[nodiscard]] std::string result_csv(const std::vector<Database>& databases,
                                     const std::vector<std::string>& suites = {},
                                     const std::vector<std::string>& runs = {},
                                     std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

} // namespace skampi
