// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/settled_suites.hpp"

#include "model/measured_value.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

std::optional<double> relative_half_width(const StoredMeasurement& point) {
    if (!point.merge || point.merge->runs < fewest_to_settle || !point.merge->has_interval() ||
        !(point.measurement.value_s > 0))
        return std::nullopt;
    return (point.merge->interval_high_s - point.merge->interval_low_s) / 2 / point.measurement.value_s;
}

std::vector<SettledSuite> settled_suites(const Subject& launches, const Precision& precision) {
    std::vector<SettledSuite> suites;
    for (const Curve& curve : launches.curves) {
        SettledSuite suite{.name = curve.suite().name};
        std::vector<double> scatter;
        std::vector<double> needed; // launches
        for (const StoredMeasurement& point : curve.points) {
            if (!above_zero(point.measurement))
                continue;
            suite.arguments.push_back(point.measurement.argument);
            const std::optional<double> half_width = relative_half_width(point);
            if (!curve.simulated && !(half_width && *half_width <= precision.half_width))
                suite.open.insert(point.measurement.argument);
            const double runs = point.merge ? point.merge->runs : 0;
            if (runs > 1)
                scatter.push_back(skalib::deviation_by_mad * point.merge->mad_s / point.measurement.value_s);
            const double excess = half_width ? *half_width / precision.half_width : 0;
            needed.push_back(std::max<double>(fewest_to_settle, runs * excess * excess));
        }
        if (suite.arguments.empty())
            continue;
        if (!scatter.empty())
            suite.scatter = skalib::median(scatter);
        std::ranges::sort(needed);
        const double place = std::ceil(precision.share * static_cast<double>(needed.size()));
        suite.launches_needed = needed[static_cast<std::size_t>(std::max(place, 1.0)) - 1];
        suites.push_back(std::move(suite));
    }
    return suites;
}

} // namespace skampi
