// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"
#include "merge/merge_suite.hpp"
#include "skalib/refinement.hpp"

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace skampi::bench {

/// How the launches of an invented suite scatter.
struct Scatter {
    double of_launch = 0.02; ///< common to all values of a launch
    double of_point = 0.01;
    /// The first ones take `slower` times as long, and their probe shows it.
    int launches_in_other_state = 0;
    double slower = 1.6;
    /// Share of the values that are disturbed: they take 1.1 to 5 times as long, and the values behind them
    /// for up to `disturbed_in_a_row` more.
    double disturbed = 0;
    int disturbed_in_a_row = 0;
    bool flagged = false; ///< whether the measurement noticed
    /// Of each launch: by how much the forty-first value and those behind it take longer than the first, and
    /// the values between them in proportion. Every other launch drifts the other way if they `differ`.
    double drift = 0;
    bool drifts_differ = false;
};

inline Measurement invented(std::int64_t argument, double value_s, double probe_s) {
    Measurement m;
    m.argument = m.message_bytes = argument;
    m.ranks = 2;
    m.value_s = m.adjusted_s = value_s;
    m.standard_error_s = 0.002 * value_s;
    m.probe_s = probe_s;
    m.summary.count = m.summary.cut_count = 20;
    m.summary.mean_all = m.summary.cut_mean = m.summary.median = m.summary.minimum = m.summary.maximum =
        m.summary.quartile25 = m.summary.quartile75 = m.summary.lower = value_s;
    m.summary.standard_error_all = m.summary.cut_standard_error = m.standard_error_s;
    return m;
}

/// Launches that each choose their own arguments.
inline std::vector<SuiteCurve> invented_launches(const std::function<double(double)>& time_s, int launches,
                                                 const skalib::RefinementLimits& limits,
                                                 const Scatter& scatter, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<SuiteCurve> curves;
    for (int launch = 0; launch < launches; ++launch) {
        const bool other = launch < scatter.launches_in_other_state;
        const double factor = (1 + scatter.of_launch * normal(random)) * (other ? scatter.slower : 1);
        SuiteCurve& curve = curves.emplace_back(SuiteCurve{std::to_string(launch), "invented.db", {}});
        skalib::Refinement refinement(limits);
        std::map<std::int64_t, Measurement> measured;
        double disturbance = 1;
        int disturbed = 0;
        const double drift = scatter.drift * (scatter.drifts_differ && launch % 2 == 1 ? -1 : 1);
        while (const std::optional<std::int64_t> argument = refinement.next()) {
            if (disturbed-- <= 0) {
                const bool begins = uniform(random) < scatter.disturbed;
                disturbance =
                    begins ? std::exp(std::log(1.1) + (std::log(5) - std::log(1.1)) * uniform(random)) : 1;
                disturbed = begins ? static_cast<int>(uniform(random) * (scatter.disturbed_in_a_row + 1)) : 0;
            }
            const double drifted = 1 + drift * std::min(1.0, static_cast<double>(measured.size()) / 40);
            const double value_s = time_s(static_cast<double>(*argument)) * factor * disturbance * drifted *
                                   (1 + scatter.of_point * normal(random));
            measured[*argument] =
                invented(*argument, value_s, (other ? 1.6 : 1) * 280e-9 * (1 + 0.01 * normal(random)));
            if (disturbance > 1 && scatter.flagged)
                set(measured[*argument].flags, Flag::disturbed);
            refinement.add(*argument, value_s, 0.002 * value_s);
        }
        for (auto& [argument, m] : measured)
            curve.measurements.push_back(std::move(m));
    }
    return curves;
}

/// The curve that a report shows of these launches.
inline Curve merged_curve(const std::vector<SuiteCurve>& launches, Varied varied = Varied::message_length) {
    Curve curve;
    curve.stored.suite.name = "invented";
    curve.stored.suite.operation.name = "MPI_Send-MPI_Recv";
    curve.stored.suite.operation.meaning = Meaning::round_trip;
    curve.stored.suite.varied = varied;
    MergedSuite merged = merge_suite(launches, {});
    curve.correlation = merged.correlation;
    for (MergedMeasurement& point : merged.points) {
        for (const Source& source : point.facts.sources)
            if (!source.abstained() && !source.other_mode && !source.left_out && !source.interpolated)
                curve.launches[source.run].values[point.measurement.argument] = source.own.value_s;
        curve.points.push_back({0, true, std::move(point.measurement), std::move(point.facts)});
    }
    return curve;
}

} // namespace skampi::bench
