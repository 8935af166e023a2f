// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/algorithm_groups.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// A length that is to be measured, because a border between two algorithms lies about there.
struct WantedLength {
    std::string operation;
    std::int64_t bytes = 0;
    std::vector<std::string> words; ///< of the algorithms; "default" among them
    bool operator==(const WantedLength&) const = default;
};

/// What a call is about: a database may hold other operations and other numbers of ranks.
struct TuneScope {
    int ranks = 0;                    ///< 0 = any number
    std::set<std::string> operations; ///< empty = all
    [[nodiscard]] bool holds(const std::string& operation, std::int64_t on_ranks) const;
};

/// What is found so far.
struct TuneLook {
    TuneScope scope;
    // In the scope:
    std::size_t launches = 0; ///< of the operation that has fewest
    std::size_t missing = 0;  ///< operations of which nothing is known
    bool simulated = false;
    bool ranks_share_cores = false;
    bool ranks_bound = true;       ///< every rank has a core of its own
    bool cores_to_spare = true;    ///< more cores than ranks
    std::string launcher;          ///< as Run names it
    TuningTarget target;           ///< without path, date and base
    std::vector<TuningRule> rules; ///< of all that the database holds
    std::vector<TuningRule> for_all_lengths;
    std::vector<WantedLength> wanted;     ///< in the scope
    [[nodiscard]] bool has_rules() const; ///< in the scope
    /// Likewise, those with a rule that more launches may decide.
    [[nodiscard]] std::set<std::string> open_operations() const;
};

/// What a call is to know of what was found. @param found null = nothing is known of any algorithm
[[nodiscard]] TuneLook tune_look(const AlgorithmFindings* found, const TuneScope& scope);

} // namespace skampi
