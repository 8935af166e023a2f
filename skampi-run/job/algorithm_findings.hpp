// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/database.hpp"
#include "suite/suite_run.hpp"

#include <map>
#include <string>
#include <vector>

namespace skampi {

/// What a group's values say of its algorithms in this launch, as facts of each member, in their order: at
/// how many arguments it takes another time than the library's own choice (fact_algorithm_effect), and which
/// of them that is where (fact_default_is). Two are compared stay by stay.
/// @param members with the library's own choice, or no effects are given
[[nodiscard]] std::vector<std::map<std::string, std::string>>
algorithm_findings(const Database& database, const std::vector<StoredSuite>& members,
                   const std::vector<SuiteOutcome>& outcomes);

} // namespace skampi
