// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "links/link_findings.hpp"

#include <string>
#include <vector>

namespace skampi {

/// "n17", "n3 - n41", "n0, n1 and n2", of many members the first ones, as a terminal can show them.
[[nodiscard]] std::string part_name(const LinkInput& input, const SlowPart& part);
/// "slow alone, too", "only while others communicate", "did not repeat", "not yet measured again"
[[nodiscard]] const char* verdict_text(LinkVerdict verdict);

/// A latency, or a bandwidth, of messages that take so long.
[[nodiscard]] std::string speed_words(const LengthFinding& finding, double time_s);

/// The answer in sentences.
struct LinkAnswer {
    std::string sum;                ///< how many members are alike, and what is usual
    std::vector<std::string> slow;  ///< members, pairs, routes they share, and how many others did not repeat
    std::vector<std::string> facts; ///< the bisection, and what cores lose to other work
};
[[nodiscard]] LinkAnswer link_answer(const LinkInput& input, const std::vector<LengthFinding>& findings);

/// The nodes that are slow alone, too: names without ranks, each once, in the order of members.
[[nodiscard]] std::vector<std::string> bad_nodes(const LinkInput& input,
                                                 const std::vector<LengthFinding>& findings);

} // namespace skampi
