#include "subject.hpp"

#include "quantity.hpp"

#include "skalib/merge.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace skampi {

namespace {

bool usable(const Measurement& measurement) {
    return std::isfinite(measurement.value_s) && !has(measurement.flags, Flag::wrong_result);
}

std::vector<StoredMeasurement> finished_points(const Database& database, const StoredSuite& suite,
                                               int& unfinished) {
    std::vector<StoredMeasurement> points;
    for (StoredMeasurement& point : database.measurements(suite.id)) {
        if (point.finished)
            points.push_back(std::move(point));
        else
            ++unfinished;
    }
    return points;
}

} // namespace

std::size_t Subject::launches() const {
    std::set<std::string> uuids;
    for (const Curve& curve : curves)
        for (const auto& [uuid, values] : curve.launches)
            uuids.insert(uuid);
    return uuids.size();
}

Subject read_subject(const Database& database) {
    Subject subject;
    subject.path = database.path();
    const std::vector<RunId> ids = database.runs();
    subject.runs_in_database = static_cast<int>(ids.size());
    if (ids.empty())
        return subject;

    struct Candidate {
        RunId id = 0;
        Run run;
        std::vector<Curve> curves;
        bool any_value = false;
    };
    std::vector<Candidate> candidates;
    for (const RunId id : ids) {
        Candidate candidate{id, database.run(id), {}, false};
        for (StoredSuite& suite : database.suites(id)) {
            Curve curve;
            curve.stored = std::move(suite);
            curve.points = finished_points(database, curve.stored, curve.unfinished);
            candidate.any_value = candidate.any_value || !curve.points.empty();
            candidate.curves.push_back(std::move(curve));
        }
        candidates.push_back(std::move(candidate));
    }
    std::size_t shown = candidates.size() - 1;
    bool found = false;
    for (const bool merged : {true, false}) {
        for (std::size_t i = candidates.size(); i-- > 0 && !found;) {
            if (candidates[i].any_value && (candidates[i].run.kind == "merged") == merged) {
                shown = i;
                found = true;
            }
        }
    }

    Candidate chosen = std::move(candidates[shown]);
    for (Curve& curve : chosen.curves) {
        for (const StoredMeasurement& point : curve.points) {
            if (point.merge) {
                for (const Source& source : point.merge->sources)
                    if (source.value_s && std::isfinite(*source.value_s))
                        curve.launches[source.run][point.measurement.argument] = *source.value_s;
            } else if (usable(point.measurement)) {
                curve.launches[chosen.run.uuid][point.measurement.argument] = point.measurement.value_s;
            }
        }
        if (chosen.run.kind == "merged")
            continue;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const Candidate& other = candidates[i];
            if (i == shown || other.run.kind == "merged" || other.run.plan_hash != chosen.run.plan_hash ||
                other.run.ranks != chosen.run.ranks)
                continue;
            for (const Curve& twin : other.curves) {
                if (twin.suite().name != curve.suite().name ||
                    !(twin.suite().operation == curve.suite().operation))
                    continue;
                for (const StoredMeasurement& point : twin.points)
                    if (usable(point.measurement))
                        curve.launches[other.run.uuid][point.measurement.argument] =
                            point.measurement.value_s;
            }
        }
    }
    subject.events = database.events(chosen.id);
    subject.run = std::move(chosen.run);
    subject.curves = std::move(chosen.curves);
    return subject;
}

void label_subjects(std::vector<Subject>& subjects) {
    const auto all_different = [&](auto text_of) {
        std::set<std::string> seen;
        for (const Subject& subject : subjects) {
            const std::string text = text_of(subject);
            if (text.empty() || !seen.insert(text).second)
                return false;
        }
        return true;
    };
    const auto label_with = [&](auto text_of) {
        for (Subject& subject : subjects)
            subject.label = text_of(subject);
    };
    const auto stem = [](const Subject& subject) {
        return shortened(std::filesystem::path(subject.path).stem().string(), 30);
    };
    const auto machine = [](const Subject& subject) {
        return subject.run ? shortened(subject.run->machine, 30) : std::string();
    };
    const auto library = [](const Subject& subject) {
        return subject.run ? shortened(subject.run->mpi_library, 30) : std::string();
    };
    if (all_different(stem))
        label_with(stem);
    else if (all_different(machine))
        label_with(machine);
    else if (all_different(library))
        label_with(library);
    else
        for (std::size_t i = 0; i < subjects.size(); ++i)
            subjects[i].label = stem(subjects[i]) + " (" + std::to_string(i + 1) + ")";
}

std::map<std::string, double> launch_values(const Curve& curve, std::int64_t argument, bool interpolate) {
    std::map<std::string, double> values;
    for (const auto& [uuid, points] : curve.launches) {
        const auto exact = points.find(argument);
        if (exact != points.end()) {
            values[uuid] = exact->second;
        } else if (interpolate) {
            std::vector<skalib::CurvePoint> line;
            const auto behind = points.lower_bound(argument);
            if (behind == points.end() || behind == points.begin())
                continue;
            const auto before = std::prev(behind);
            for (const auto& [at, value] : {*before, *behind})
                line.push_back({static_cast<double>(at), {value, 0, 1}, {}});
            if (const auto point = skalib::interpolate(line, static_cast<double>(argument)))
                values[uuid] = point->value.value;
        }
    }
    return values;
}

const Curve* matching_curve(const Subject& subject, const Curve& curve) {
    const Suite& wanted = curve.suite();
    const auto same_kind = [&](const Suite& suite) {
        return suite.operation.name == wanted.operation.name && suite.varied == wanted.varied;
    };
    for (const Curve& candidate : subject.curves)
        if (candidate.suite().name == wanted.name && same_kind(candidate.suite()))
            return &candidate;
    const Curve* only = nullptr;
    for (const Curve& candidate : subject.curves) {
        const Suite& suite = candidate.suite();
        if (!same_kind(suite) || (wanted.varied != Varied::nodes && suite.ranks != wanted.ranks) ||
            (wanted.varied != Varied::message_length && suite.message_bytes != wanted.message_bytes) ||
            (wanted.varied != Varied::chunks && suite.chunks != wanted.chunks))
            continue;
        if (only)
            return nullptr;
        only = &candidate;
    }
    return only;
}

double messages(const Curve& curve, const Measurement& measurement) {
    if (measurement.messages > 0)
        return measurement.messages;
    const Suite& suite = curve.suite();
    if (suite.operation.pattern == Pattern::simple || suite.operation.name == "MPI_Barrier" ||
        measurement.computation_s > 0)
        return 0;
    return suite.operation.pattern == Pattern::ping_pong ? 2 : 1;
}

double bytes_moved(const Curve& curve, const Measurement& measurement) {
    return messages(curve, measurement) *
           static_cast<double>(std::max<std::int64_t>(0, measurement.message_bytes));
}

bool is_round_trip(const Curve& curve) {
    return curve.suite().operation.pattern == Pattern::ping_pong &&
           (curve.points.empty() || messages(curve, curve.points.front().measurement) == 2);
}

} // namespace skampi
