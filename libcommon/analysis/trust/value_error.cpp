// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/trust/value_error.hpp"

#include "contest/estimate.hpp"
#include "launches/settled_suites.hpp"
#include "launches/subject.hpp"
#include "model/field_text.hpp"
#include "model/measured_value.hpp"
#include "model/run.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skampi {

namespace {

/// Launches read from a file that holds only their merged value have none.
bool has_range(const MergeFacts& merge) {
    return std::isfinite(merge.minimum_s) && std::isfinite(merge.maximum_s);
}

bool has_interval(const MergeFacts& merge) {
    return merge.runs >= static_cast<int>(launches_needed) && merge.has_interval();
}

/// What the interval holds, were its launches independent (skalib::merge_contributions()).
double level_if_independent(const MergeFacts& merge) {
    constexpr double usual = 0.95;
    constexpr double highest = 0.9999; // nothing known from launches is surer; no quantile lies at 1
    if (!merge.in_a_row)
        return std::min(merge.interval_confidence, highest);
    return merge.value_kind == "mean" ? usual : std::min(usual, 1 - std::pow(0.5, merge.runs - 1));
}

ErrorKind kind_of(const MergeFacts& merge) {
    if (merge.runs < 2)
        return ErrorKind::one_launch;
    if (has_interval(merge))
        return merge.in_a_row ? ErrorKind::interval_in_a_row : ErrorKind::interval;
    if (!has_range(merge))
        return ErrorKind::launches_without_range;
    return merge.value_kind == "min" ? ErrorKind::range_of_minimum : ErrorKind::range;
}

ErrorKind kind_within_run(const Measurement& measurement) {
    if (measurement.summary.count == 0)
        return ErrorKind::no_single_measurement;
    if (measurement.summary.count == 1)
        return ErrorKind::one_single_measurement;
    if (!std::isfinite(measurement.standard_error_s))
        return ErrorKind::unknown;
    return above_zero(measurement) ? ErrorKind::repeatability : ErrorKind::below_overhead;
}

} // namespace

ErrorBar error_bar(const StoredMeasurement& point) {
    const Measurement& measurement = point.measurement;
    if (point.merge && has_interval(*point.merge))
        return {point.merge->interval_low_s, point.merge->interval_high_s};
    if (point.merge && point.merge->runs > 1)
        return has_range(*point.merge) ? ErrorBar{point.merge->minimum_s, point.merge->maximum_s}
                                       : ErrorBar{measurement.value_s, measurement.value_s};
    const double error = std::isfinite(measurement.standard_error_s) ? measurement.standard_error_s : 0;
    return {measurement.value_s - error, measurement.value_s + error};
}

bool has_adjusted(const StoredMeasurement& point) {
    return point.merge && point.merge->runs > 1 && point.measurement.adjusted_s > 0 &&
           (point.merge->adjusted_by_speed || point.merge->adjusted_share != 0);
}

ValueError value_error(const StoredMeasurement& point, double factor) {
    ValueError error;
    const Measurement& measurement = point.measurement;
    if (point.merge) {
        error.launches = point.merge->runs;
        error.measured_launches = point.merge->measured_runs;
        error.value_kind = point.merge->value_kind;
    }
    if (std::isnan(measurement.value_s)) {
        error.kind = ErrorKind::nothing_measured;
        return error;
    }
    if (point.merge) {
        error.kind = kind_of(*point.merge);
        if (error.kind == ErrorKind::one_launch && measurement.summary.count == 1)
            error.kind = ErrorKind::one_single_measurement;
        if (error.kind == ErrorKind::one_single_measurement)
            return error;
        if (error.kind == ErrorKind::one_launch || error.kind == ErrorKind::launches_without_range)
            return error;
        if (error.kind == ErrorKind::interval)
            error.confidence = point.merge->interval_confidence;
        if (const ErrorBar bar = error_bar(point); bar.high > 0) {
            error.low = factor * std::max(0.0, bar.low);
            error.high = factor * bar.high;
        }
        return error;
    }
    error.kind = kind_within_run(measurement);
    if (error.kind == ErrorKind::repeatability) {
        error.standard_error_s = factor * measurement.standard_error_s;
        error.low = std::max(0.0, factor * measurement.value_s - error.standard_error_s);
        error.high = factor * measurement.value_s + error.standard_error_s;
    }
    return error;
}

std::optional<double> error_between_launches(const StoredMeasurement& point) {
    if (!point.merge || !has_interval(*point.merge) || !(point.measurement.value_s > 0))
        return std::nullopt;
    const double tail = (1 - level_if_independent(*point.merge)) / 2;
    constexpr double normal = 1e9; // degrees of freedom of Student's t that make it the normal distribution
    const double half_s = (point.merge->interval_high_s - point.merge->interval_low_s) / 2;
    return half_s / point.measurement.value_s / skalib::student_upper_quantile(normal, tail);
}

std::optional<double> half_width_asked_for(const Curve& curve) {
    const auto until = curve.stored.facts.find(fact_until);
    return until == curve.stored.facts.end() ? std::nullopt : real_from(until->second);
}

std::optional<double> error_asked_for(const Curve& curve) {
    constexpr double standard_errors = 1.96; // half an interval of 95 %
    if (const std::optional<double> half_width = half_width_asked_for(curve))
        return *half_width / standard_errors;
    const double asked = curve.suite().repetition.max_relative_error;
    return knows(curve.suite(), "max_relative_error") && asked > 0 ? std::optional(asked) : std::nullopt;
}

Settled settled(const Curve& curve, const StoredMeasurement& point) {
    if (curve.simulated) // launches do not differ
        return is_repeatable(point.measurement.flags) ? Settled::settled : Settled::unsettled;
    const std::optional<double> half_width = half_width_asked_for(curve);
    const std::optional<double> error =
        half_width ? relative_half_width(point) : error_between_launches(point);
    const std::optional<double> asked = half_width ? half_width : error_asked_for(curve);
    if (!error || !asked)
        return Settled::unknown;
    return *error <= *asked ? Settled::settled : Settled::unsettled;
}

CurveError curve_error(const Curve& curve) {
    CurveError all;
    all.fewest_launches = std::numeric_limits<int>::max();
    all.least_confidence = 1;
    const MergeFacts* with_most = nullptr;
    bool intervals = false;
    bool ranges = false;
    bool in_a_row = false;
    for (const StoredMeasurement& point : curve.points) {
        if (!point.merge || point.merge->runs < 1)
            continue;
        const MergeFacts& merge = *point.merge;
        all.fewest_launches = std::min(all.fewest_launches, merge.runs);
        if (merge.runs > all.most_launches) {
            all.most_launches = merge.runs;
            with_most = &merge;
        }
        if (!has_interval(merge)) {
            ranges = true;
            continue;
        }
        intervals = true;
        in_a_row = in_a_row || merge.in_a_row;
        all.least_confidence = std::min(all.least_confidence, merge.interval_confidence);
        all.most_confidence = std::max(all.most_confidence, merge.interval_confidence);
    }
    constexpr double same_level = 0.0005; // it is written with one decimal of a percent
    const bool levels_differ = intervals && all.most_confidence - all.least_confidence > same_level;
    if (with_most == nullptr || (all.fewest_launches == all.most_launches && !levels_differ)) {
        all.uniform = value_error(curve.points.back());
        all.kind = all.uniform->kind;
        return all;
    }
    all.value_kind = with_most->value_kind;
    all.some_without_interval = intervals && ranges;
    if (!levels_differ)
        all.least_confidence = all.most_confidence;
    all.kind = with_most->value_kind == "min" ? ErrorKind::range_of_minimum
               : in_a_row                     ? ErrorKind::interval_in_a_row
               : intervals                    ? ErrorKind::interval
                                              : ErrorKind::range;
    return all;
}

ErrorKind error_bars_of(const Curve& curve) {
    ErrorKind best = ErrorKind::repeatability;
    for (const StoredMeasurement& point : curve.points) {
        if (!point.merge)
            continue;
        if (has_interval(*point.merge))
            return kind_of(*point.merge);
        best = ErrorKind::range;
    }
    return best;
}

} // namespace skampi
