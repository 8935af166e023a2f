// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "links/link_findings.hpp"

#include <string>
#include <vector>

namespace skampi {

/// "n17", "n3 - n41", "n0, n1 and n2", of many members the first ones, as a terminal can show them.
[[nodiscard]] std::string part_name(const LinkInput& input, const SlowPart& part);
/// "slow alone, too", "only while others communicate", "did not repeat", "to be measured again"
[[nodiscard]] const char* verdict_text(LinkVerdict verdict);

/// The answer, a line for each finding: how many members are alike, which are slow, which pairs, which routes
/// they share, how many others did not repeat, and what cores lose to other work.
[[nodiscard]] std::vector<std::string> link_lines(const LinkInput& input,
                                                  const std::vector<LengthFinding>& findings);

/// The nodes that are slow alone, too: names without ranks, each once, in the order of members.
[[nodiscard]] std::vector<std::string> bad_nodes(const LinkInput& input,
                                                 const std::vector<LengthFinding>& findings);

} // namespace skampi
