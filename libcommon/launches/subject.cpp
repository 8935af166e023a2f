// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/subject.hpp"

#include "model/machine_states.hpp"

#include <algorithm>
#include <cmath>
#include <fnmatch.h>

namespace skampi {

std::vector<std::string> Curve::launches_with_values() const {
    std::vector<std::string> uuids;
    for (const auto& [uuid, launch] : launches)
        if (!launch.values.empty())
            uuids.push_back(uuid);
    return uuids;
}

std::int64_t Curve::single_measurements() const {
    std::int64_t all = 0;
    for (const StoredMeasurement& point : points)
        all += point.measurement.summary.count;
    return all - counted_elsewhere;
}

std::vector<const StoredMeasurement*> dependable_points(const Curve& curve) {
    const bool of_several = std::ranges::any_of(
        curve.points, [](const StoredMeasurement& point) { return point.merge && point.merge->runs > 1; });
    const auto is_disturbed = [](const StoredMeasurement& point) {
        return has(point.measurement.flags, Flag::disturbed);
    };
    const bool few_disturbed =
        3 * std::ranges::count_if(curve.points, is_disturbed) <= std::ssize(curve.points);
    std::vector<const StoredMeasurement*> points;
    for (const StoredMeasurement& point : curve.points) {
        const bool at_end = &point == &curve.points.front() || &point == &curve.points.back();
        const bool alone = point.merge && point.merge->runs == 1;
        const bool doubtful = alone ? (point.measurement.flags & doubtful_alone) != 0
                                    : few_disturbed && !at_end && is_disturbed(point);
        if (!of_several || !point.merge || !doubtful)
            points.push_back(&point);
    }
    return points;
}

void leave_out_lost_cores(Subject& subject) {
    for (Curve& curve : subject.curves) {
        double fastest_s = 0;
        for (const StoredMeasurement& point : curve.points)
            fastest_s = faster_probe(fastest_s, point.measurement.probe_s);
        std::erase_if(curve.points, [fastest_s](const StoredMeasurement& point) {
            return lost_core(point.measurement.probe_s, fastest_s);
        });
    }
}

std::size_t Subject::launches() const {
    std::size_t most = launches_with_values();
    if (most == 0)
        for (const Curve& curve : curves)
            for (const StoredMeasurement& point : curve.points)
                if (point.merge)
                    most = std::max(most, static_cast<std::size_t>(std::max(0, point.merge->runs)));
    return most;
}

std::set<std::string> Subject::launch_uuids() const {
    std::set<std::string> uuids;
    for (const Curve& curve : curves)
        for (const std::string& uuid : curve.launches_with_values())
            uuids.insert(uuid);
    return uuids;
}

std::size_t Subject::launches_with_values() const {
    return launch_uuids().size();
}

bool suite_selected(const std::string& name, const std::vector<std::string>& globs) {
    return globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
               return name == glob || fnmatch(glob.c_str(), name.c_str(), 0) == 0;
           });
}

std::map<std::string, double> launch_values(const Curve& curve, std::int64_t argument, bool interpolate) {
    std::map<std::string, double> values;
    for (const auto& [uuid, launch] : curve.launches)
        if (launch.values.contains(argument))
            values.emplace_hint(values.end(), uuid, launch.values.at(argument));
        else if (interpolate && !launch.abstentions.contains(argument)) // which has no value to be invented
            if (const std::optional<double> value = launch.values.interpolated(argument))
                values.emplace_hint(values.end(), uuid, *value);
    return values;
}

std::vector<double> times_of_launches(const Curve& curve, const Measurement& measurement) {
    std::vector<double> times_s;
    for (const auto& [uuid, value_s] : launch_values(curve, measurement.argument))
        times_s.push_back(value_s);
    return times_s.empty() ? std::vector<double>{measurement.value_s} : times_s;
}

int ranks_of(const Curve& curve) {
    if (curve.suite().varied == Varied::nodes)
        return 0;
    std::map<int, std::size_t> points;
    for (const StoredMeasurement& point : curve.points)
        if (point.measurement.ranks > 0)
            ++points[point.measurement.ranks];
    const auto most = std::ranges::max_element(points, {}, &std::pair<const int, std::size_t>::second);
    return most == points.end() ? curve.suite().ranks : most->first;
}

const std::string& title_of(const Curve& curve) {
    return curve.title.empty() ? curve.suite().name : curve.title;
}

Meaning meaning_of(const Curve& curve) {
    return curve.suite().operation.meaning;
}

double messages(const Curve& curve, const Measurement& measurement) {
    if (measurement.messages > 0)
        return measurement.messages;
    // What a CSV does not hold follows from the meaning, if it is certain that data are moved.
    if (curve.suite().varied != Varied::message_length || measurement.computation_s > 0)
        return 0;
    switch (meaning_of(curve)) {
    case Meaning::round_trip:
        return curve.halved ? 1 : 2;
    case Meaning::exchange:
        return 2;
    case Meaning::one_way:
    case Meaning::one_sided:
    case Meaning::collective:
        return 1;
    case Meaning::unknown:
    case Meaning::window:
    case Meaning::work:
    case Meaning::local:
        break;
    }
    return 0;
}

double bytes_moved(const Curve& curve, const Measurement& measurement) {
    return messages(curve, measurement) / directions_of(meaning_of(curve)) *
           static_cast<double>(std::max<std::int64_t>(0, measurement.message_bytes));
}

} // namespace skampi
