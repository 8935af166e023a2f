#include "analysis/subject/measured_kinds.hpp"

namespace skampi {

MeasuredKinds measured_kinds(const std::vector<Subject>& subjects) {
    MeasuredKinds kinds;
    kinds.compared = subjects.size() > 1;
    for (const Subject& subject : subjects) {
        kinds.merged = kinds.merged || (subject.run && subject.run->kind == "merged");
        for (const Curve& curve : subject.curves) {
            const Suite& suite = curve.suite();
            kinds.meanings.insert(suite.operation.meaning);
            kinds.patterns.insert(suite.operation.pattern);
            if (suite.operation.pattern == Pattern::collective && knows(suite, "synchronization"))
                kinds.starts.insert(suite.synchronization);
            kinds.halved = kinds.halved || curve.halved;
            for (const StoredMeasurement& point : curve.points)
                kinds.flags |= point.measurement.flags;
        }
    }
    return kinds;
}

} // namespace skampi
