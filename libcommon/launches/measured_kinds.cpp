// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/measured_kinds.hpp"

#include "launches/library_name.hpp"

namespace skampi {

MeasuredKinds measured_kinds(const std::vector<Subject>& subjects) {
    MeasuredKinds kinds;
    kinds.compared = subjects.size() > 1;
    for (const Subject& subject : subjects) {
        kinds.ranks = kinds.ranks || !subject.run || !is_sequential(*subject.run);
        kinds.merged = kinds.merged || (subject.run && subject.run->kind == "merged");
        for (const Curve& curve : subject.curves) {
            const Suite& suite = curve.suite();
            if (suite.operation.pattern == Pattern::collective && knows(suite, "synchronization"))
                kinds.starts.insert(suite.synchronization);
            for (const StoredMeasurement& point : curve.points)
                kinds.flags |= point.measurement.flags;
        }
    }
    return kinds;
}

} // namespace skampi
