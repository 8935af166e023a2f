// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/fields.hpp"

namespace skampi {

/// How well the ranks of a run agreed on the time: one estimate of the global clock, which is rank 0's, and
/// how far it differs from the previous one. Largest and smallest are over ranks.
struct ClockEstimate {
    double start_s = 0;     ///< on the run's time line
    int clocks = 1;         ///< that the ranks read; a single one is shared exactly
    int sights = 0;         ///< that the estimate rests on, smallest
    double baseline_s = 0;  ///< from the first to the last of them, smallest
    double bound_s = 0;     ///< how far a rank's idea of the global time may be off, largest
    double growth = 0;      ///< of the bound until the next estimate, in seconds per second, largest
    double drift = 0;       ///< of a rank's clock against rank 0's, in seconds per second, largest
    double age_s = 0;       ///< of the previous estimate; 0 = there was none to check
    double deviation_s = 0; ///< of that one's global time from this one's, largest
    double predicted_s = 0; ///< the largest that was possible
    bool held = true;       ///< no rank's deviation was larger than possible for it
};

// --- fields

/// The fields of ClockEstimate: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<ClockEstimate> Row, typename Visitor>
void for_each_field(Row& estimate, Visitor&& field) {
    field({"start_s", "time of the estimate, on the run's time line"}, estimate.start_s);
    field({"clocks", "number of clocks that the ranks read; 1 = all share one, nothing is estimated"},
          estimate.clocks);
    field({"sights", "readings that the estimate uses, earlier ones included; smallest of all ranks"},
          estimate.sights);
    field({"baseline_s", "time between the first and the last of these readings; shortest of all ranks"},
          estimate.baseline_s);
    field({"bound_s", "largest error of a rank's estimate of the global time at start_s"}, estimate.bound_s);
    field({"growth", "growth of that bound until the next estimate, in s/s"}, estimate.growth);
    field({"drift", "largest drift of a rank's clock against rank 0's, in s/s"}, estimate.drift);
    field({"age_s", "age of the previous estimate; 0 = there was none to check"}, estimate.age_s);
    field({"deviation_s", "largest difference between the estimate before and this one"},
          estimate.deviation_s);
    field({"predicted_s", "largest difference that the bound of the estimate before allows"},
          estimate.predicted_s);
    field({"held",
           "0 = a rank's difference exceeded its bound: the bound was too small since the estimate before"},
          estimate.held);
}

} // namespace skampi
