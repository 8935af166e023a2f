// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tune/tune_look.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace skampi {

namespace {

/// Whether a rule is of measured ranks in the scope: not of a range between two numbers of them.
bool is_in_scope(const TuneLook& look, const TuningRule& rule) {
    return rule.ranks_low == rule.ranks_high && look.scope.holds(rule.operation, rule.ranks_low);
}

void add_group(const AlgorithmWinners& winners, TuneLook& look) {
    const AlgorithmGroup& group = *winners.of;
    look.simulated = look.simulated || group.simulated;
    look.launches = std::min(look.launches, group.launches);
    for (const OpenBorder& border : winners.open_borders) {
        WantedLength wanted{group.operation, border.bytes, {"default"}};
        for (const std::size_t member : border.members)
            if (const std::string& word = group.members[member].word; !word.empty())
                wanted.words.push_back(word);
        if (wanted.bytes > 0 && wanted.words.size() > 1)
            look.wanted.push_back(std::move(wanted));
    }
}

} // namespace

bool TuneScope::holds(const std::string& operation, std::int64_t on_ranks) const {
    return (ranks == 0 || on_ranks == ranks) && (operations.empty() || operations.contains(operation));
}

bool TuneLook::has_rules() const {
    return std::ranges::any_of(rules, [&](const TuningRule& rule) { return is_in_scope(*this, rule); });
}

std::set<std::string> TuneLook::open_operations() const {
    std::set<std::string> open;
    for (const TuningRule& rule : rules)
        if (is_in_scope(*this, rule) &&
            (rule.why_not == WhyNot::undecided || rule.why_not == WhyNot::few_launches))
            open.insert(rule.operation);
    return open;
}

TuneLook tune_look(const AlgorithmFindings* found, const TuneScope& scope) {
    TuneLook look;
    look.scope = scope;
    look.missing = scope.operations.size();
    if (!found)
        return look;
    look.ranks_share_cores = found->study.crowded;
    look.ranks_bound = found->study.bound;
    look.cores_to_spare = found->study.cores_to_spare;
    look.launcher = found->study.newest.launcher;
    look.target = tuning_target(*found);
    look.rules = tuning_rules(found->winners);
    look.for_all_lengths = rules_for_all_lengths(found->winners);
    std::set<std::string> known;
    look.launches = std::numeric_limits<std::size_t>::max();
    for (const AlgorithmWinners& each : found->winners)
        if (scope.holds(each.of->operation, each.of->ranks)) {
            known.insert(each.of->operation);
            add_group(each, look);
        }
    if (known.empty())
        look.launches = 0;
    if (!scope.operations.empty())
        look.missing -= known.size();
    return look;
}

} // namespace skampi
