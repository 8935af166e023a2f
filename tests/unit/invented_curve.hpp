// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "../tool/invented_results.hpp"
#include "launches/subject.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace skampi::test {

/// A curve with launches that scatter by `noise` around factor * t(m); its own values are the first launch's.
/// All of a launch's values share its factor.
inline Curve invented_curve(int launches, double factor, double noise, unsigned seed,
                            const std::vector<std::int64_t>& arguments = {1, 2, 4, 8, 16, 32},
                            const std::string& prefix = "run") {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Curve curve;
    curve.stored.suite =
        suite("a suite", operation(1, "MPI_Send-MPI_Recv", "", Pattern::ping_pong, Varied::message_length),
              Varied::message_length);
    for (int launch = 0; launch < launches; ++launch) {
        const double common = std::exp(noise * normal(random));
        for (const std::int64_t argument : arguments)
            curve.launches[prefix + std::to_string(launch)].values[argument] =
                factor * common * (1e-6 + 1e-8 * static_cast<double>(argument));
    }
    for (const std::int64_t argument : arguments) {
        StoredMeasurement point;
        point.finished = true;
        point.measurement.argument = argument;
        point.measurement.summary.count = 100;
        point.measurement.value_s = launches > 0 ? curve.launches.at(prefix + "0").values.at(argument)
                                                 : factor * (1e-6 + 1e-8 * static_cast<double>(argument));
        curve.points.push_back(point);
    }
    return curve;
}

} // namespace skampi::test
