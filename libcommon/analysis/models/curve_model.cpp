// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/models/curve_model.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace skampi {

namespace {

/// Of a point: by how many launches it was measured.
struct MeasuredBy {
    std::size_t shown = 0; ///< launches whose values count
    std::size_t all = 0;   ///< also those that are left out, or of another mode
    /// Launches that measured shorter and longer ones, or it itself. Others ended before, or could not.
    std::size_t around = 0;
};

/// One for each point.
std::vector<MeasuredBy> launches_that_measured(const Curve& curve,
                                               const std::vector<const StoredMeasurement*>& points) {
    std::vector<MeasuredBy> measured(points.size());
    for (const auto& [uuid, launch] : curve.launches) {
        std::set<std::int64_t> arguments;
        for (const auto& [argument, value] : launch.values)
            arguments.insert(argument);
        for (const auto& [argument, value] : launch.others)
            arguments.insert(argument);
        for (std::size_t i = 0; i < points.size() && !arguments.empty(); ++i) {
            const std::int64_t argument = points[i]->measurement.argument;
            measured[i].shown += launch.values.contains(argument) ? 1 : 0;
            measured[i].all += arguments.contains(argument) ? 1 : 0;
            measured[i].around += *arguments.begin() <= argument && argument <= *arguments.rbegin() ? 1 : 0;
        }
    }
    return measured;
}

/// What can be fitted.
struct MeasuredPoints {
    std::vector<const StoredMeasurement*> points;
    /// Of these: that a few launches measured, where the others did not look.
    std::set<const StoredMeasurement*> of_few;
};

/// What was measured. Where most launches are interpolated, the value says what a straight line is there, not
/// what the library does.
MeasuredPoints measured_points(const Curve& curve) {
    std::vector<const StoredMeasurement*> all = dependable_points(curve);
    std::erase_if(all, [](const StoredMeasurement* point) { return !has_value(point->measurement); });
    const std::vector<MeasuredBy> measured = launches_that_measured(curve, all);
    std::size_t most = 0;
    for (const MeasuredBy& point : measured)
        most = std::max(most, point.shown);
    MeasuredPoints found;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const MeasuredBy& by = measured[i];
        // Few launches may count because the others were disturbed.
        const bool most_of_few =
            all[i]->merge && by.shown > 1 && 2 * by.shown >= static_cast<std::size_t>(all[i]->merge->runs);
        if (most == 0 ? has(all[i]->measurement.flags, Flag::interpolated)
                      : 2 * by.shown < most && !most_of_few)
            continue;
        found.points.push_back(all[i]);
        if (2 * by.shown < most && 2 * by.all < by.around)
            found.of_few.insert(all[i]);
    }
    if (most != 1)
        return found;
    // Of one launch nothing else says that a value is a disturbance.
    const auto doubtful = [](const StoredMeasurement* point) {
        return (point->measurement.flags & doubtful_alone) != 0;
    };
    if (3 * std::ranges::count_if(found.points, doubtful) <= std::ssize(found.points))
        std::erase_if(found.points, doubtful);
    return found;
}

/// Of a segment of such points alone nothing is known: a launch looks closely where it was disturbed itself.
/// @return the arguments removed
std::vector<std::int64_t> remove_segments_of_few(const CostModel& model, MeasuredPoints& measured) {
    std::vector<std::int64_t> removed;
    for (const CostSegment& segment : model.segments) {
        const auto inside = [&](const StoredMeasurement* point) {
            const std::int64_t argument = point->measurement.argument;
            return segment.first <= argument && argument <= segment.last;
        };
        if (std::ranges::none_of(measured.points, [&](const StoredMeasurement* point) {
                return inside(point) && !measured.of_few.contains(point);
            }))
            std::erase_if(measured.points, [&](const StoredMeasurement* point) {
                if (inside(point))
                    removed.push_back(point->measurement.argument);
                return inside(point);
            });
    }
    return removed;
}

std::vector<CostPoint> cost_points(const std::vector<const StoredMeasurement*>& measured) {
    std::vector<CostPoint> points;
    for (const StoredMeasurement* point : measured)
        points.push_back(cost_point(point->measurement.argument, *point));
    return points;
}

} // namespace

CostPoint cost_point(std::int64_t argument, const StoredMeasurement& point) {
    const double between_s = point.merge ? point.merge->between_runs_error_s : 0;
    return {argument, point.measurement.value_s,
            std::max({0.0, point.measurement.standard_error_s, between_s})};
}

void append_launch_times(const Curve& curve, std::span<const StoredMeasurement* const> points,
                         const std::vector<std::string>& uuids, LaunchTimes& launches) {
    launches.times_s.resize(uuids.size());
    launches.correlation = std::max(launches.correlation, curve.correlation);
    launches.identical = launches.identical || curve.simulated;
    for (std::size_t launch = 0; launch < uuids.size(); ++launch) {
        const auto own = curve.launches.find(uuids[launch]);
        for (const StoredMeasurement* point : points) {
            double time_s = std::numeric_limits<double>::quiet_NaN();
            if (own != curve.launches.end())
                if (own->second.values.contains(point->measurement.argument))
                    time_s = own->second.values.at(point->measurement.argument);
            launches.times_s[launch].push_back(time_s);
        }
    }
}

namespace {

LaunchTimes launch_times(const Curve& curve, const std::vector<const StoredMeasurement*>& points) {
    LaunchTimes launches;
    append_launch_times(curve, points, curve.launches_with_values(), launches);
    return launches;
}

/// Whether values that are in doubt, and no part of lines and models, lie between two arguments.
bool leaves_out_between(const Curve& curve, std::int64_t after, std::int64_t before) {
    const std::vector<const StoredMeasurement*> dependable = dependable_points(curve);
    return std::ranges::any_of(curve.points, [&](const StoredMeasurement& point) {
        const std::int64_t argument = point.measurement.argument;
        return argument > after && argument < before && has_value(point.measurement) &&
               std::ranges::find(dependable, &point) == dependable.end();
    });
}

} // namespace

std::int64_t smallest_distance(const Suite& suite) {
    return std::max<std::int64_t>({1, suite.arguments.min_distance, suite.arguments.multiple_of});
}

CostModel curve_model(const Curve& curve) {
    if (curve.suite().varied == Varied::none)
        return {};
    MeasuredPoints measured = measured_points(curve);
    CostModel model;
    std::vector<std::int64_t> removed;
    for (bool again = true; again;) {
        model = fit_cost_model(cost_points(measured.points), launch_times(curve, measured.points),
                               smallest_distance(curve.suite()));
        const std::vector<std::int64_t> more = remove_segments_of_few(model, measured);
        removed.insert(removed.end(), more.begin(), more.end());
        again = !more.empty();
    }
    // Where it is, and how large, is not known; nor of one launch whether a disturbance made it.
    const bool alone = curve.launches_with_values().size() == 1;
    const auto disturbed_at = [&](std::int64_t argument) {
        return std::ranges::any_of(measured.points, [argument](const StoredMeasurement* point) {
            return point->measurement.argument == argument &&
                   (point->measurement.flags & (Flag::disturbed | Flag::unreliable)) != 0;
        });
    };
    std::erase_if(model.jumps, [&](const CostJump& jump) {
        return leaves_out_between(curve, jump.after, jump.before) ||
               (alone && (disturbed_at(jump.after) || disturbed_at(jump.before))) ||
               std::ranges::any_of(removed, [&](std::int64_t argument) {
                   return jump.after < argument && argument < jump.before;
               });
    });
    return model;
}

std::optional<GrowthModel> curve_growth(const Curve& curve) {
    if (curve.suite().varied != Varied::nodes)
        return std::nullopt;
    const std::vector<const StoredMeasurement*> points = measured_points(curve).points;
    return fit_growth(cost_points(points), launch_times(curve, points));
}

} // namespace skampi
