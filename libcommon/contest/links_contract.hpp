// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/contract.hpp"
#include "links/link_findings.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Judges the promises on links, in their order, by one database.
/// @param contract the findings point into it   @param database,path of the contract: for messages
/// @throws InputError where it measured no bisection that is promised
[[nodiscard]] std::vector<PromiseFinding> check_links_contract(const std::vector<Promise>& contract,
                                                               const LinkInput& input,
                                                               const std::string& database,
                                                               const std::string& path);

} // namespace skampi
