// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/contract.hpp"
#include "links/link_findings.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Judges the promises on links, in their order, by one database.
/// What it did not measure is open.
/// @param contract the findings point into it   @param database for messages
[[nodiscard]] std::vector<PromiseFinding> check_links_contract(const std::vector<Promise>& contract,
                                                               const LinkInput& input,
                                                               const std::string& database);

} // namespace skampi
