// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/rule.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace skampi {

/// Numbers of ranks that have the same rules.
struct RanksRange {
    std::int64_t low = 0;
    std::int64_t high = 0;                ///< inclusive
    std::vector<const TuningRule*> rules; ///< by length, at least one
};

/// The rules of an operation that are marked as written.
[[nodiscard]] std::vector<const TuningRule*> written_rules(const std::vector<TuningRule>& rules,
                                                           std::string_view operation);

/// Cuts the numbers of ranks of one operation's rules where the rules change; ascending, without the numbers
/// that have none. @throws std::logic_error where two rules overlap
[[nodiscard]] std::vector<RanksRange> ranges_of_ranks(const std::vector<const TuningRule*>& rules);

} // namespace skampi
