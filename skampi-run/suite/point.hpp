// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/laboratory.hpp"
#include "model/measurement.hpp"
#include "skalib/modes.hpp"
#include "skalib/refinement.hpp"
#include "skalib/repetition.hpp"
#include "store/database.hpp"
#include "suite/chosen_values.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace skampi {

/// The known durations of calls at one argument.
struct CallTimes {
    double estimate_s = 0;     ///< per call; 0 = none was made yet
    double wall_s = 0;         ///< that a call took recently including its overhead
    double window_s = 0;       ///< between two starts; 0 = not known yet
    double warm_up_span_s = 0; ///< SeriesResult::warm_up_span_s
    int late_series = 0;       ///< in a row here; the suite's other arguments may be in time

    /// From a series that was carried out at this argument.
    void learn(const SeriesOrder& order, const SeriesResult& result, double clock_resolution_s);
};

/// The state of a point's repetition.
struct RepetitionState {
    skalib::StopReason reason = skalib::StopReason::none;
    std::int64_t have = 0;             ///< values that count
    std::int64_t expected = 0;         ///< at the end
    std::int64_t wanted = 0;           ///< more, until settled or at a limit
    std::int64_t wanted_for_error = 0; ///< the same, if disturbed ones counted as good
};

/// One argument of the suite being measured.
struct Point {
    MeasurementId id = 0;
    Measurement measurement;
    std::vector<Batch> batches;
    std::vector<double> batch_time_s; ///< spent in the calls of each batch
    std::vector<Batch> alone;         ///< overlap: the operation without computation
    CallTimes calls;
    int visits = 0;                            ///< passes done
    std::optional<RepetitionState> repetition; ///< after the last visit
    bool finished = false;
    bool reported = false; ///< as finished; in a group it may be measured further, and finished again
    bool impossible = false;
    bool unchecked = false;         ///< calls were made since its data were checked
    bool early_passes_only = false; ///< for a group's member that is much slower than the fastest
};

using Points = std::map<std::int64_t, Point>; ///< by argument

/// The mode in which most of the suite's time was spent.
[[nodiscard]] int majority_mode(const Points& points, const skalib::ModeSplit& split);
/// How the ranks of most of the suite's usable batches were started. @param now for a suite without batches
[[nodiscard]] Synchronization majority_synchronization(const Points& points, Synchronization now);
/// Where straight lines between the values are worst (SKaLib 3.3.2).
[[nodiscard]] std::optional<skalib::SegmentError> worst_segment(const skalib::RefinementLimits& arguments,
                                                                const Points& points);
/// The share of visits done, 0..1. @param planned arguments of the first pass; a refinement may add some
[[nodiscard]] double share_of_visits(const Points& points, int passes, std::size_t planned);

} // namespace skampi
