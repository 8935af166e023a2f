// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "links/link_findings.hpp"

#include <string>
#include <vector>

namespace skampi {

/// A condition on nodes or pairs under which a check fails: "node bandwidth < 0.9", "pair latency > 2", each
/// a share or multiple of what is expected. Nodes fail by what repeats alone; pairs, groups and nodes
/// that are slow only together as pairs, by what repeats at all.
struct LinkGate {
    bool of_nodes = true;
    bool latency = false;
    LinkLimits limits;
};

/// @throws InputError naming the text and what was expected
[[nodiscard]] LinkGate parse_link_gate(const std::string& text);

/// Names of nodes and pairs, with their ratios.
struct LinkGateResult {
    std::vector<std::string> failed;
    std::vector<std::string>
        open; ///< beyond the limit, and not measured again; also where nothing could be judged
};
[[nodiscard]] LinkGateResult check_link_gate(const LinkGate& gate, const LinkInput& input);

} // namespace skampi
