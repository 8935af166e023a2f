// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/one_reference.hpp"

#include "merge/references.hpp"
#include "model/machine_state.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

MachineState reference_of(const Run& run) {
    return {run.reference_probe_s, run.reference_core_speed};
}

/// A merged value is reduced from the reference that it has, which gives what its launches would have given.
void reduce_merged(StoredMeasurement& point, const MachineState& from, const MachineState& to) {
    MergeFacts& merge = *point.merge;
    const Adjustment adjustment{merge.adjusted_share, merge.adjusted_by_speed};
    for (double* time_s : {&point.measurement.adjusted_s, &merge.adjusted_low_s, &merge.adjusted_high_s})
        if (*time_s > 0)
            *time_s = adjusted_value(*time_s, from, adjustment, to);
}

void reduce(Curve& curve, const MachineState& from, const MachineState& to) {
    const Adjustment of_theory{probe_share(curve.suite().operation.pattern), true};
    for (StoredMeasurement& point : curve.points) {
        Measurement& m = point.measurement;
        if (point.merge)
            reduce_merged(point, from, to);
        else
            m.adjusted_s = adjusted_value(m.value_s, {m.probe_s, core_speed(m)}, of_theory, to);
    }
}

/// The probe of a curve's mode; 0 = none.
double probe_of(const Curve& curve) {
    const auto with_probe = std::ranges::find_if(
        curve.points, [](const StoredMeasurement& point) { return point.measurement.probe_s > 0; });
    return with_probe == curve.points.end() ? 0 : with_probe->measurement.probe_s;
}

/// Whether values with this probe (0 = none) refer to a reference.
bool holds_for(const MachineState& reference, double probe_s) {
    return probe_s > 0 ? in_one_mode(reference.probe_s, probe_s) : reference.core_speed > 0;
}

} // namespace

void reduce_to_one_reference(std::vector<Subject>& subjects, const std::vector<Run>& preferred) {
    std::vector<Run> stored = preferred;
    if (!subjects.empty() && subjects.front().run)
        stored.push_back(*subjects.front().run);
    for (Subject& subject : subjects) {
        if (!subject.run)
            continue;
        const MachineState own = reference_of(*subject.run);
        for (Curve& curve : subject.curves) {
            const double probe_s = probe_of(curve);
            if (!holds_for(own, probe_s))
                continue; // its merging found a reference of its own
            const auto found = std::ranges::find_if(stored, [&](const Run& run) {
                return share_reference(run, *subject.run) && holds_for(reference_of(run), probe_s);
            });
            if (found != stored.end())
                reduce(curve, own, reference_of(*found));
        }
    }
}

} // namespace skampi
