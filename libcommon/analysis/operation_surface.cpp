#include "analysis/operation_surface.hpp"

#include "model/quantity.hpp"

#include <algorithm>
#include <tuple>

namespace skampi {

namespace {

auto settings_of(const Suite& suite) {
    return std::tie(suite.operation.name, suite.datatype, suite.reduction, suite.root, suite.in_place,
                    suite.synchronization, suite.reported_time, suite.buffers, suite.value, suite.absolute,
                    suite.join);
}

} // namespace

std::vector<OperationSurface> operation_surfaces(const Subject& subject) {
    std::vector<std::vector<const Curve*>> groups;
    for (const Curve& curve : subject.curves) {
        if (curve.suite().varied != Varied::nodes)
            continue;
        const auto group = std::ranges::find_if(groups, [&](const std::vector<const Curve*>& each) {
            return settings_of(each.front()->suite()) == settings_of(curve.suite());
        });
        (group == groups.end() ? groups.emplace_back() : *group).push_back(&curve);
    }
    std::vector<OperationSurface> surfaces;
    for (const std::vector<const Curve*>& group : groups) {
        std::vector<SurfacePoint> points;
        OperationSurface surface;
        surface.operation = group.front()->suite().operation.name;
        surface.unit = group.front()->units.time;
        for (const Curve* curve : group) {
            surface.suites.push_back(curve->suite().name);
            for (const StoredMeasurement& point : curve->points)
                if (has_value(point.measurement))
                    points.push_back({point.measurement.argument, point.measurement.message_bytes,
                                      point.measurement.value_s,
                                      std::max(0.0, point.measurement.standard_error_s)});
        }
        if (std::optional<SurfaceModel> model = fit_surface(points)) {
            surface.model = std::move(*model);
            surfaces.push_back(std::move(surface));
        }
    }
    return surfaces;
}

} // namespace skampi
