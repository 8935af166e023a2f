// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/models/operation_surface.hpp"

#include "analysis/models/curve_model.hpp"
#include "launches/comparable.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace skampi {

namespace {

/// Over the ranks of one operation with any message length.
std::string surface_key(const Curve& curve) {
    constexpr std::array<std::string_view, 1> but{"message_bytes"};
    return quantity_key(curve.suite(), but);
}

/// The launches of all these curves.
std::vector<std::string> launches_of(const std::vector<const Curve*>& curves) {
    std::set<std::string> uuids;
    for (const Curve* curve : curves)
        for (const std::string& uuid : curve->launches_with_values())
            uuids.insert(uuid);
    return {uuids.begin(), uuids.end()};
}

} // namespace

std::vector<OperationSurface> operation_surfaces(const Subject& subject) {
    std::vector<std::vector<const Curve*>> groups;
    for (const Curve& curve : subject.curves) {
        if (curve.suite().varied != Varied::nodes)
            continue;
        const auto group = std::ranges::find_if(groups, [&](const std::vector<const Curve*>& each) {
            return surface_key(*each.front()) == surface_key(curve);
        });
        (group == groups.end() ? groups.emplace_back() : *group).push_back(&curve);
    }
    std::vector<OperationSurface> surfaces;
    for (const std::vector<const Curve*>& group : groups) {
        std::vector<SurfacePoint> points;
        OperationSurface surface;
        surface.operation = group.front()->suite().operation.name;
        surface.unit = group.front()->units.time;
        const std::vector<std::string> uuids = launches_of(group);
        LaunchTimes launches;
        for (const Curve* curve : group) {
            surface.suites.push_back(curve->suite().name);
            std::vector<const StoredMeasurement*> measured;
            for (const StoredMeasurement& point : curve->points)
                if (has_value(point.measurement))
                    measured.push_back(&point);
            for (const StoredMeasurement* point : measured)
                points.push_back({point->measurement.argument, point->measurement.message_bytes,
                                  point->measurement.value_s,
                                  std::max(0.0, point->measurement.standard_error_s)});
            append_launch_times(*curve, measured, uuids, launches);
        }
        if (std::optional<SurfaceModel> model = fit_surface(points, launches)) {
            surface.model = std::move(*model);
            surfaces.push_back(std::move(surface));
        }
    }
    return surfaces;
}

} // namespace skampi
