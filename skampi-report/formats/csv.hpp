#pragma once

#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The view `result` of all databases, one header line, RFC 4180.
/// @param suites globs; none = all
[[nodiscard]] std::string result_csv(const std::vector<Database>& databases,
                                     const std::vector<std::string>& suites = {});

} // namespace skampi
