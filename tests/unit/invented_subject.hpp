// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "../tool/invented_results.hpp"
#include "launches/subject.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace skampi::test {

/// A subject from plain structs, without a database.
inline Subject invented_subject(const std::vector<InventedSuite>& plan) {
    Subject subject;
    subject.label = "invented";
    subject.path = "invented.db";
    subject.run = invented_run("uuid-1");
    subject.runs_in_database = 1;
    for (const InventedSuite& invented : plan) {
        Curve curve;
        curve.stored.suite = invented.suite;
        curve.stored.state = SuiteState::finished;
        for (const std::int64_t argument : invented.arguments) {
            StoredMeasurement point;
            point.finished = true;
            Measurement& measurement = point.measurement;
            measurement = planned(invented.suite, *subject.run, argument);
            measurement.value_s = invented.time_s(argument);
            measurement.standard_error_s = 0.01 * measurement.value_s;
            measurement.summary = skalib::summarise(std::vector<double>(20, measurement.value_s), 0.25);
            curve.launches["uuid-1"].values[argument] = measurement.value_s;
            curve.points.push_back(point);
        }
        subject.curves.push_back(curve);
    }
    return subject;
}

/// As if other launches had found the same.
inline Subject of_other_launches(Subject subject) {
    for (Curve& curve : subject.curves) {
        std::map<std::string, SuiteLaunch> renamed;
        for (auto& [uuid, launch] : curve.launches)
            renamed["other " + uuid] = std::move(launch);
        curve.launches = std::move(renamed);
    }
    return subject;
}

/// The curve of this name, which the subject must have.
inline const Curve& curve_called(const Subject& subject, const std::string& name) {
    const auto found =
        std::ranges::find(subject.curves, name, [](const Curve& curve) { return curve.suite().name; });
    REQUIRE(found != subject.curves.end());
    return *found;
}

} // namespace skampi::test
