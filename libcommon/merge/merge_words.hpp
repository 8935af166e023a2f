#pragma once

#include "merge/merge_suite.hpp"

#include <map>
#include <string>

namespace skampi {

/// What readers must know about a merged suite besides its points, as facts of the suite by name: the
/// reference of adjusted values, the share of the probe that they remove, the correlation of launches, and
/// what was excluded.
[[nodiscard]] std::map<std::string, std::string> facts_of_merging(const MergedSuite& merged);

} // namespace skampi
