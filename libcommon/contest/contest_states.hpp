// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/contest_table.hpp"

#include <vector>

namespace skampi {

/// Pairs of launches that met one state of the machine.
struct PairsInState {
    ContestState state;
    LaunchPairs pairs = {};
};

/// The two states of the machine that the launches of pairs met, cut at the largest gap between their probes,
/// where the difference depends on the state: by more than a tenth, and by more than chance makes in one of
/// 1,000 sessions for all arguments and classes of lengths together, and in another one for points. Launches
/// of rounds that met both states are paired anew within each state: the order in a round is random, so such
/// pairs are as good. A state has at least three pairs, and a tenth of all. @return two, the faster
/// one first; empty = the difference is not shown to depend on it
[[nodiscard]] std::vector<PairsInState> pairs_by_state(const ContestTable& table);

} // namespace skampi
