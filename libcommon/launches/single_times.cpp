// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/single_times.hpp"

#include "store/database.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace skampi {

std::vector<SingleTimes> single_times(const Database& database, const Subject& subject, const Curve& curve) {
    std::map<std::int64_t, std::vector<double>> by_argument;
    const double factor = curve.halved ? 0.5 : 1;
    for (const RunId run : subject.shown_runs)
        for (const StoredSuite& suite : database.suites(run)) {
            if (suite.suite.name != curve.suite().name)
                continue;
            for (const StoredMeasurement& point : database.measurements(suite.id)) {
                if (!point.finished)
                    continue;
                for (const Batch& batch : database.batches(point.id))
                    for (const double duration_s : batch.duration_s)
                        by_argument[point.measurement.argument].push_back(
                            factor * (duration_s - point.measurement.overhead_s));
            }
        }
    std::vector<SingleTimes> all;
    for (auto& [argument, times_s] : by_argument) {
        std::ranges::sort(times_s);
        all.push_back({argument, std::move(times_s)});
    }
    return all;
}

} // namespace skampi
