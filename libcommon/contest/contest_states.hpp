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
/// where the difference is another one in each: by more than a tenth, and more than chance makes in one of
/// 1,000 sessions for all arguments and classes of lengths, and in one for points. Launches of a round that
/// met both states are paired anew within each: which variant is first in a round is drawn, so such a pair
/// says as much. A state has at least three pairs, and a tenth of all. @return two, the faster one first;
/// empty = nothing of the kind is shown
[[nodiscard]] std::vector<PairsInState> pairs_by_state(const ContestTable& table);

} // namespace skampi
