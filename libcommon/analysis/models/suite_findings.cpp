// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/models/suite_findings.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/trust/value_error.hpp"
#include "model/machine_state.hpp"
#include "model/measured_value.hpp"
#include "skalib/refinement.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace skampi {

std::optional<InterpolationError> interpolation_error(const Curve& curve) {
    const auto usable = [](const StoredMeasurement& point) {
        return std::isfinite(point.measurement.value_s) &&
               std::isfinite(point.measurement.standard_error_s) &&
               !has(point.measurement.flags, Flag::wrong_result);
    };
    if (std::ranges::count_if(curve.points, usable) < 3)
        return std::nullopt;
    // Its first pass is made of the ends alone: all that was measured between them is a refinement.
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

std::optional<UnalignedLengths> slow_unaligned_lengths(const Curve& curve) {
    constexpr std::int64_t aligned = 8;
    constexpr std::size_t fewest = 3;
    if (curve.suite().varied != Varied::message_length)
        return std::nullopt;
    std::vector<const StoredMeasurement*> points = dependable_points(curve);
    std::erase_if(points, [](const StoredMeasurement* point) { return !above_zero(point->measurement); });
    const auto is_aligned = [](const StoredMeasurement* point) {
        return point->measurement.argument % aligned == 0;
    };
    UnalignedLengths found;
    std::vector<double> ratios;
    for (auto point = points.begin(); point != points.end(); ++point) {
        const auto above = std::find_if(point, points.end(), is_aligned);
        const auto below = std::find_if(std::reverse_iterator(point), points.rend(), is_aligned);
        if (above == point || above == points.end() || below == points.rend())
            continue;
        ++found.count;
        const Measurement& own = (*point)->measurement;
        const Measurement& left = (*below)->measurement;
        const Measurement& right = (*above)->measurement;
        if (error_bar(**point).low <= std::max(error_bar(**below).high, error_bar(**above).high))
            continue;
        const double share = static_cast<double>(own.argument - left.argument) /
                             static_cast<double>(right.argument - left.argument);
        ratios.push_back(own.value_s / std::lerp(left.value_s, right.value_s, share));
        found.first = ratios.size() == 1 ? own.argument : found.first;
        found.last = own.argument;
    }
    found.slower = ratios.size();
    if (found.slower < fewest || 2 * found.slower <= found.count)
        return std::nullopt;
    found.ratio = skalib::median(std::move(ratios));
    return found;
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

namespace {

/// Median of the probes of what is shown; 0 = none is known.
double usual_probe_s(const Curve& curve) {
    std::vector<double> probes_s;
    for (const StoredMeasurement* point : dependable_points(curve))
        if (point->measurement.probe_s > 0)
            probes_s.push_back(point->measurement.probe_s);
    return probes_s.empty() ? 0 : skalib::median(std::move(probes_s));
}

} // namespace

std::optional<SuitesInAnotherState> suites_in_another_state(const std::vector<const Curve*>& curves) {
    std::vector<std::pair<double, const Curve*>> known;
    for (const Curve* curve : curves)
        if (const double probe_s = usual_probe_s(*curve);
            probe_s > 0 && curve->suite().operation.pattern != Pattern::simple)
            known.emplace_back(probe_s, curve);
    std::ranges::stable_sort(known, {}, [](const auto& each) { return each.first; });
    if (known.size() < 2 || in_one_mode(known.front().first, known.back().first))
        return std::nullopt;
    std::size_t cut = 1; // behind the largest gap
    for (std::size_t i = 2; i < known.size(); ++i)
        if (known[i].first / known[i - 1].first > known[cut].first / known[cut - 1].first)
            cut = i;
    SuitesInAnotherState found;
    found.slower = 2 * cut >= known.size();
    found.probe_s = (found.slower ? known.back() : known.front()).first;
    found.others_probe_s = (found.slower ? known.front() : known.back()).first;
    for (std::size_t i = found.slower ? cut : 0; i < (found.slower ? known.size() : cut); ++i)
        found.curves.push_back(known[i].second);
    return found;
}

} // namespace skampi
