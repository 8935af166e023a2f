// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/links_contract.hpp"

#include "links/bisection.hpp"
#include "links/link_gate.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <set>

namespace skampi {

namespace {

/// The conditions under which a promise is broken.
std::vector<LinkGate> gates_of(const Promise& promise) {
    std::vector<LinkGate> gates;
    if (promise.quantity == PromisedQuantity::of_class) {
        LinkGate gate{promise.name == "node", promise.below, {}};
        (gate.latency ? gate.limits.latency : gate.limits.bandwidth) =
            gate.latency ? promise.limit : 1 / promise.limit;
        gates.push_back(gate);
    } else {
        for (const bool of_nodes : {true, false})
            for (const bool latency : {true, false})
                gates.push_back({of_nodes, latency, {}});
    }
    return gates;
}

/// Broken where one gate fails, open where one is.
void judge_gates(const std::vector<LinkGate>& gates, const LinkInput& input, PromiseFinding& finding) {
    std::vector<std::string> failed;
    std::vector<std::string> open;
    for (const LinkGate& gate : gates) {
        LinkGateResult result = check_link_gate(gate, input);
        std::ranges::move(result.failed, std::back_inserter(failed));
        std::ranges::move(result.open, std::back_inserter(open));
    }
    std::set<std::string> known; // gates have reasons in common
    std::erase_if(open, [&](const std::string& each) { return !known.insert(each).second; });
    finding.outcome = !failed.empty() ? GateOutcome::failed
                      : !open.empty() ? GateOutcome::open
                                      : GateOutcome::passed;
    const std::vector<std::string>& reasons = failed.empty() ? open : failed;
    constexpr std::ptrdiff_t most = 3;
    const std::ptrdiff_t shown = std::min(most, std::ssize(reasons));
    finding.found = fmt::format("{}", fmt::join(reasons.begin(), reasons.begin() + shown, "; "));
    if (std::ssize(reasons) > shown)
        finding.found += fmt::format("; and {} more", std::ssize(reasons) - shown);
}

} // namespace

std::vector<PromiseFinding> check_links_contract(const std::vector<Promise>& contract, const LinkInput& input,
                                                 const std::string& database) {
    std::vector<PromiseFinding> findings;
    for (const Promise& promise : contract) {
        if (!promise.of_links())
            continue;
        PromiseFinding finding{.promise = &promise, .database = database};
        if (promise.quantity == PromisedQuantity::bisection) {
            const std::optional<Bisection> bisection = find_bisection(input);
            if (bisection)
                finding.measured = bisection->minimum;
            if (!bisection)
                finding.found = "not measured (skampi-run links --bisection)";
            else if (!bisection->complete)
                finding.found = "not all pairs were measured";
            else {
                finding.low = bisection->interval->low;
                finding.high = bisection->interval->high;
                finding.outcome = outcome_of_interval(promise, finding.low, finding.high);
            }
        } else if (input.maps.empty()) {
            finding.found = "not measured (skampi-run links)";
        } else {
            judge_gates(gates_of(promise), input, finding);
        }
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace skampi
