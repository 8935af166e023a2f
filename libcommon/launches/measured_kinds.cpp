#include "launches/measured_kinds.hpp"

#include <algorithm>

namespace skampi {

MeasuredKinds measured_kinds(const std::vector<Subject>& subjects) {
    MeasuredKinds kinds;
    kinds.compared = subjects.size() > 1;
    kinds.simulated = std::ranges::all_of(
        subjects, [](const Subject& subject) { return subject.run && is_simulated(*subject.run); });
    for (const Subject& subject : subjects) {
        kinds.merged = kinds.merged || (subject.run && subject.run->kind == "merged");
        for (const Curve& curve : subject.curves) {
            const Suite& suite = curve.suite();
            kinds.meanings.insert(suite.operation.meaning);
            kinds.patterns.insert(suite.operation.pattern);
            if (suite.operation.pattern == Pattern::collective && knows(suite, "synchronization"))
                kinds.starts.insert(suite.synchronization);
            if (suite.operation.pattern == Pattern::collective)
                kinds.until_last = kinds.until_last && knows(suite, "reported_time") &&
                                   suite.reported_time == ReportedTime::max;
            kinds.halved = kinds.halved || curve.halved;
            if (knows(suite, "min_count") && knows(suite, "max_count")) {
                const bool fixed = suite.repetition.min_count == suite.repetition.max_count;
                (fixed ? kinds.fixed_times : kinds.until_precise) = true;
            }
            kinds.refined =
                kinds.refined || (knows(suite, "scale") && skalib::is_dynamic(suite.arguments.scale));
            for (const StoredMeasurement& point : curve.points)
                kinds.flags |= point.measurement.flags;
        }
    }
    return kinds;
}

} // namespace skampi
