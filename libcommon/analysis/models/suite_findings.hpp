// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/models/growth_model.hpp"
#include "launches/subject.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace skampi {

/// How far straight lines between the points of a curve miss it where they are worst, as refinement estimates
/// it (SKaLib 3.3.2).
struct InterpolationError {
    double relative = 0;    ///< 0 = no more than the errors of the values
    std::int64_t begin = 0; ///< of the worst segment
    std::int64_t end = 0;
};
/// None where there are too few points.
[[nodiscard]] std::optional<InterpolationError> interpolation_error(const Curve& curve);

/// Lengths that are no multiple of 8 bytes, between lengths that are.
struct UnalignedLengths {
    std::size_t count = 0;
    std::size_t slower = 0; ///< than both aligned neighbours, by more than the errors (error_bar())
    double ratio = 1;       ///< of these, the median of the times by those of a line between the neighbours
    std::int64_t first = 0; ///< of these
    std::int64_t last = 0;
};
/// None where fewer than three are slower, or most are not.
[[nodiscard]] std::optional<UnalignedLengths> slow_unaligned_lengths(const Curve& curve);

/// Whether the times grow as the model says, and not only like the nearest of several that do not fit.
[[nodiscard]] bool fits(const GrowthModel& model);

/// How the times of a suite over ranks grow (curve_growth()), if they do as a form says (fits()).
[[nodiscard]] std::optional<GrowthModel> form_of_growth(const Curve& curve);

/// The points of a curve that have no time above zero.
struct PointsWithoutTime {
    std::int64_t count = 0;
    std::int64_t below = 0; ///< of them with a value below what can be measured
    Flags flags = 0;        ///< of any of them
};
[[nodiscard]] PointsWithoutTime points_without_time(const Curve& curve);

/// The points of a curve that saw several states of the machine.
struct PointsInStates {
    std::vector<const StoredMeasurement*> with_values; ///< that hold the value of each state
    std::int64_t without_values = 0;                   ///< flagged, and hold none
    bool merged = false;                               ///< of those without values
};
[[nodiscard]] PointsInStates points_in_states(const Curve& curve);

/// Suites that met another state of the machine than the others, by the medians of their probes.
struct SuitesInAnotherState {
    std::vector<const Curve*> curves; ///< the fewer ones, ascending probe
    bool slower = false;              ///< they met a slower state
    double probe_s = 0;               ///< of theirs the farthest from the others
    double others_probe_s = 0;        ///< likewise
};
/// Cut where neighbouring probes are farthest apart. Suites of a single rank are left out. none = all
/// met one state, as far as is known.
[[nodiscard]] std::optional<SuitesInAnotherState>
suites_in_another_state(const std::vector<const Curve*>& curves);

/// The node times of the last point that has any; null = there are none.
[[nodiscard]] const StoredMeasurement* last_node_times(const Curve& curve);

} // namespace skampi
