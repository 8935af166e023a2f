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

/// @param synchronization that the values have which it is subtracted from
[[nodiscard]] OverheadKey overhead_key(const Suite& suite, int ranks, Synchronization synchronization,
                                       std::int64_t block);

/// Overheads of the suites measured before, for comparison.
using KnownOverheads = std::map<OverheadKey, std::vector<Overhead>>;

/// Chosen as a value is, of the mode asked for if it was seen. Empty calls do the same each time: those that
/// took far longer than the fastest one were interrupted and do not count. Where even what is left takes far
/// longer than ranks need to agree on a start, all were interrupted, and nothing is known (0); doubtful then,
/// and when it is disturbed, of another mode (where the loop communicates), unlike the others of its key, or
/// when there is no single measurement. Pure.
/// @param batches of empty calls   @param enough undisturbed single measurements
/// @param others of the same key   @param clock_resolution_s no difference below it is one
/// @param agreement_s SeriesResult::agreement_s of these ranks; 0 = not known
[[nodiscard]] Overhead overhead_of(const OverheadKey& key, const std::vector<Batch>& batches,
                                   const skalib::ModeSplit& split, const KnownModes& known, int mode,
                                   std::int64_t enough, const std::vector<Overhead>& others,
                                   double clock_resolution_s, double agreement_s = 0);

} // namespace skampi
