// SPDX-License-Identifier: LGPL-2.1-or-later
#include "links/link_gate.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "links/link_words.hpp"
#include "model/quantity.hpp"

#include <cmath>
#include <fmt/format.h>
#include <sstream>

namespace skampi {

LinkGate parse_link_gate(const std::string& text) {
    std::istringstream words(text);
    std::string what;
    std::string quantity;
    std::string sign;
    double limit = 0;
    std::string more;
    LinkGate gate;
    const bool read = static_cast<bool>(words >> what >> quantity >> sign >> limit) && !(words >> more);
    gate.of_nodes = what == "node";
    gate.latency = quantity == "latency";
    const double ratio = gate.latency ? limit : 1 / limit;
    if (!read || (what != "node" && what != "pair") || (quantity != "latency" && quantity != "bandwidth") ||
        sign != (gate.latency ? ">" : "<") || !(ratio > 1) || !std::isfinite(ratio))
        throw InputError(
            fmt::format("--fail-if \"{}\": expected \"node bandwidth < 0.9\" or \"pair latency > "
                        "1.5\": node or pair, and a share below 1 of the expected bandwidth or a "
                        "multiple above 1 of the expected latency",
                        printable(text)));
    (gate.latency ? gate.limits.latency : gate.limits.bandwidth) = ratio;
    return gate;
}

LinkGateResult check_link_gate(const LinkGate& gate, const LinkInput& input) {
    LinkGateResult result;
    bool judged = false;
    for (const LengthFinding& finding : find_links(input, gate.limits)) {
        if (finding.is_latency() != gate.latency)
            continue;
        judged = true;
        for (const SlowPart& part : finding.slow) {
            if (part.of_one_node() != gate.of_nodes)
                continue;
            const std::string line =
                fmt::format("{} {:.2f} at {}", part_name(input, part), finding.shown(part.ratio),
                            format_bytes(finding.message_bytes));
            if (part.verdict == LinkVerdict::not_retested)
                result.open.push_back(fmt::format("{}, {}", line, verdict_text(part.verdict)));
            else if (part.verdict != LinkVerdict::not_repeated)
                result.failed.push_back(line);
        }
        if (const auto all = std::ssize(input.names); !gate.of_nodes && finding.pairs < all * (all - 1) / 2)
            result.open.push_back(
                fmt::format("measured {} of {}", finding.pairs, count_of(all * (all - 1) / 2, "pair")));
    }
    if (!judged)
        result.open.push_back(fmt::format("no message length {} {} was measured",
                                          gate.latency ? "up to" : "above",
                                          format_bytes(longest_latency_bytes)));
    else if (std::ssize(input.names) <= gate.limits.least_partners)
        result.open.push_back(fmt::format("found {} members, and among fewer than {} none is called slow",
                                          input.names.size(), gate.limits.least_partners + 1));
    std::int64_t unmeasured = 0;
    for (const PairMap& map : input.maps)
        if (!is_bisection(map.company) && (map.message_bytes <= longest_latency_bytes) == gate.latency)
            unmeasured += map.unmeasured;
    if (unmeasured > 0)
        result.open.push_back(
            fmt::format("{} not be measured", count_of(unmeasured, "pair could", "pairs could")));
    return result;
}

} // namespace skampi
