// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/rule_ranges.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

namespace skampi {

std::vector<const TuningRule*> written_rules(const std::vector<TuningRule>& rules,
                                             std::string_view operation) {
    std::vector<const TuningRule*> written;
    for (const TuningRule& rule : rules)
        if (rule.written && rule.operation == operation)
            written.push_back(&rule);
    return written;
}

std::vector<RanksRange> ranges_of_ranks(const std::vector<const TuningRule*>& rules) {
    std::set<std::int64_t> begins;
    for (const TuningRule* rule : rules)
        begins.insert({rule->ranks_low, rule->ranks_high + 1});
    std::vector<RanksRange> ranges;
    for (auto begin = begins.begin(); begin != begins.end() && std::next(begin) != begins.end(); ++begin) {
        RanksRange range{.low = *begin, .high = *std::next(begin) - 1, .rules = {}};
        std::ranges::copy_if(rules, std::back_inserter(range.rules), [&](const TuningRule* rule) {
            return rule->ranks_low <= range.low && rule->ranks_high >= range.high;
        });
        std::ranges::sort(range.rules, {}, [](const TuningRule* rule) { return rule->bytes_low; });
        for (std::size_t i = 1; i < range.rules.size(); ++i)
            if (range.rules[i - 1]->bytes_high >= range.rules[i]->bytes_low)
                throw std::logic_error("rules of " + range.rules[i]->operation + " overlap");
        if (!range.rules.empty())
            ranges.push_back(std::move(range));
    }
    return ranges;
}

} // namespace skampi
