#pragma once

#include "analysis/comparison/comparison_findings.hpp"

#include <vector>

namespace skampi {

/// What makes a comparison doubtful, or narrows it. @param comparison all else of it
[[nodiscard]] std::vector<ComparisonDoubt> doubts_of(const DatabaseComparison& comparison);

} // namespace skampi
