#pragma once

#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The view `result` of all databases, one header line, RFC 4180.
/// @param suites globs; none = all
/// @param runs names of runs: of a database that holds such, these alone
[[nodiscard]] std::string result_csv(const std::vector<Database>& databases,
                                     const std::vector<std::string>& suites = {},
                                     const std::vector<std::string>& runs = {});

} // namespace skampi
