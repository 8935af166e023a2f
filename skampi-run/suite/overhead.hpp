// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/placement.hpp"
#include "suite/chosen_values.hpp"

#include <compare>
#include <map>
#include <vector>

namespace skampi {

/// What the time of an empty operation depends on.
struct OverheadKey {
    Pattern pattern = Pattern::simple;
    int ranks = 0;
    Synchronization synchronization = Synchronization::window;
    ReportedTime reported_time = ReportedTime::max;
    int root = 0;
    JoinOrder join = JoinOrder::by_rank; ///< a barrier within a node is another one than between nodes
    std::int64_t block = 1;
    auto operator<=>(const OverheadKey&) const = default;
};

/// @param synchronization of the values from which it is subtracted
[[nodiscard]] OverheadKey overhead_key(const Suite& suite, int ranks, Synchronization synchronization,
                                       std::int64_t block);

/// Overheads of the suites measured before, for comparison.
using KnownOverheads = std::map<OverheadKey, std::vector<Overhead>>;

/// Series of empty calls of one key.
struct SeriesOfEmptyCalls {
    std::vector<Batch> batches = {};
    double agreement_s = 0; ///< SeriesResult::agreement_s of these ranks; 0 = not known
};

/// The machine's modes as they are known now.
struct ModesSeen {
    const skalib::ModeSplit& split; ///< of all probes of the run
    const KnownModes& known;
    int mode = 0; ///< the one asked for
};

/// Chosen like a value, from the mode asked for if present. Empty calls do the same each time: those that
/// took far longer than the fastest one were interrupted and do not count. If even the rest takes far longer
/// than ranks need to agree on a start, all were interrupted and it is unknown (0). Doubtful then, and if it
/// is disturbed, of another mode (where the loop communicates), unlike the others of its key, or
/// without a single measurement. Pure.
/// @param enough undisturbed single measurements   @param others of the same key
/// @param clock_resolution_s no difference below it is one
[[nodiscard]] Overhead overhead_of(const OverheadKey& key, const SeriesOfEmptyCalls& calls,
                                   const ModesSeen& modes, std::int64_t enough,
                                   const std::vector<Overhead>& others, double clock_resolution_s);

} // namespace skampi
