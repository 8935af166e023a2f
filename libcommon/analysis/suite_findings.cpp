#include "analysis/suite_findings.hpp"

#include "analysis/curve_model.hpp"

#include "model/measured_value.hpp"
#include "skalib/refinement.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

std::optional<InterpolationError> interpolation_error(const Curve& curve) {
    const auto usable = [](const StoredMeasurement& point) {
        return std::isfinite(point.measurement.value_s) &&
               std::isfinite(point.measurement.standard_error_s) &&
               !has(point.measurement.flags, Flag::wrong_result);
    };
    if (std::ranges::count_if(curve.points, usable) < 3)
        return std::nullopt;
    // Its first pass is made of the ends alone: whatever was measured between them is a refinement.
    const std::int64_t last = curve.points.back().measurement.argument;
    const Suite& suite = curve.suite();
    const skalib::Scale guessed =
        on_log_scale(suite) ? skalib::Scale::fixed_log : skalib::Scale::fixed_linear;
    skalib::Refinement line({.scale = knows(suite, "scale") ? suite.arguments.scale : guessed,
                             .start = curve.points.front().measurement.argument,
                             .end = last,
                             .stepwidth = static_cast<double>(last) + 2});
    for (const StoredMeasurement& point : curve.points)
        if (usable(point))
            line.add(point.measurement.argument, point.measurement.value_s,
                     std::max(0.0, point.measurement.standard_error_s));
        else
            line.exclude(point.measurement.argument);
    const std::optional<skalib::SegmentError> worst = line.worst_segment();
    if (!worst || !std::isfinite(worst->key))
        return std::nullopt;
    return InterpolationError{worst->key, worst->begin, worst->end};
}

bool fits(const GrowthModel& model) {
    // An algorithm that changes with the ranks grows like no term.
    constexpr double worst_that_fits = 0.25;
    return model.worst_error <= worst_that_fits;
}

std::optional<GrowthModel> form_of_growth(const Curve& curve) {
    std::optional<GrowthModel> growth = curve_growth(curve);
    return growth && fits(*growth) ? growth : std::nullopt;
}

PointsWithoutTime points_without_time(const Curve& curve) {
    PointsWithoutTime found;
    for (const StoredMeasurement& point : curve.points) {
        if (above_zero(point.measurement))
            continue;
        found.flags |= point.measurement.flags;
        ++found.count;
        found.below += has_value(point.measurement) ? 1 : 0;
    }
    return found;
}

PointsInStates points_in_states(const Curve& curve) {
    PointsInStates found;
    for (const StoredMeasurement& point : curve.points) {
        if (point.measurement.modes.size() > 1) {
            found.with_values.push_back(&point);
            continue;
        }
        found.without_values += has(point.measurement.flags, Flag::several_modes) ? 1 : 0;
        found.merged = found.merged || point.merge;
    }
    return found;
}

const StoredMeasurement* last_node_times(const Curve& curve) {
    const StoredMeasurement* last = nullptr;
    for (const StoredMeasurement& point : curve.points)
        if (!point.measurement.node_times.empty())
            last = &point;
    return last;
}

} // namespace skampi
