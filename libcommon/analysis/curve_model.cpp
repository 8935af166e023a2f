#include "analysis/curve_model.hpp"

#include <algorithm>
#include <vector>

namespace skampi {

namespace {

std::vector<CostPoint> cost_points(const Curve& curve) {
    std::vector<CostPoint> points;
    for (const StoredMeasurement* point : dependable_points(curve))
        if (has_value(point->measurement))
            points.push_back(cost_point(point->measurement.argument, *point));
    return points;
}

} // namespace

CostPoint cost_point(std::int64_t argument, const StoredMeasurement& point) {
    const double between_s = point.merge ? point.merge->between_runs_error_s : 0;
    return {argument, point.measurement.value_s,
            std::max({0.0, point.measurement.standard_error_s, between_s})};
}

CostModel curve_model(const Curve& curve) {
    return curve.suite().varied == Varied::none ? CostModel{} : fit_cost_model(cost_points(curve));
}

std::optional<GrowthModel> curve_growth(const Curve& curve) {
    return curve.suite().varied == Varied::nodes ? fit_growth(cost_points(curve)) : std::nullopt;
}

} // namespace skampi
