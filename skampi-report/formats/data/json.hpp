#pragma once

#include "analysis/database_comparison.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The report's data, machine-readable (docs/data-formats.md): runs, trust, headlines, suites with their
/// points, cost models and, for several databases, comparisons with the reference (the last with `baseline`,
/// else the first). Numbers that are not finite are null.
[[nodiscard]] std::string json_report(const std::vector<Subject>& subjects,
                                      const std::vector<DatabaseComparison>& comparisons);
/// Makes the comparisons, too.
[[nodiscard]] std::string json_report(const std::vector<Subject>& subjects, bool baseline);

} // namespace skampi
