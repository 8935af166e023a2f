// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace skampi {

// In which step which members are a pair. Members are numbered from 0. In a step no member is in two pairs.

using MemberPair = std::pair<int, int>;
using PairSteps = std::vector<std::vector<MemberPair>>;

/// Every pair once (circle method: one member stays, the others rotate). Neighbours in a numbering share
/// switches: numbers and steps are shuffled.
[[nodiscard]] PairSteps all_pairs_in_steps(int members, std::int64_t seed);

/// Steps that hold the wanted pairs, each once, in which all other members are paired at random: company.
[[nodiscard]] PairSteps steps_with_company(const std::vector<MemberPair>& wanted, int members,
                                           std::int64_t seed);

/// A step for each pair.
[[nodiscard]] PairSteps steps_alone(const std::vector<MemberPair>& wanted);

/// Steps in which each member of the first half has one of the second, every such pair once, in a random
/// order. Of an odd number the last member has no one.
[[nodiscard]] PairSteps steps_across_halves(int members, std::int64_t seed);
/// The number of the step in which a pair of the two halves is, from 0 to members / 2 - 1.
[[nodiscard]] int step_across_halves(const MemberPair& pair, int members);

} // namespace skampi
