// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/launches_table.hpp"

#include "analysis/finding_names.hpp"
#include "analysis/trust/value_error.hpp"
#include "launches/read_subjects.hpp"
#include "terminal/run_table.hpp"

#include <limits>

namespace skampi {

std::string launches_table(const Database& database, const std::vector<RunId>& runs) {
    std::string table = point_header() + "\n";
    if (runs.empty())
        return table;
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const Subject subject = runs.size() == 1 ? read_run(database, runs.front()) : read_series(database, runs);
    for (const Curve& curve : subject.curves) {
        for (const StoredMeasurement& point : curve.points) {
            const ValueError error = value_error(point);
            table += point_line(curve.suite(), point.measurement, error.low.value_or(unknown),
                                error.high.value_or(unknown), error.low ? to_text(error.kind) : "none") +
                     "\n";
        }
        if (curve.points.empty() || curve.stored.state == SuiteState::failed)
            table += state_line(curve.stored) + "\n";
    }
    return table;
}

} // namespace skampi
