// SPDX-License-Identifier: GPL-2.0-or-later
// Are the machine's states found, and none invented? What do intervals within a state cover?
#include "merge/merge_suite.hpp"
#include "model/machine_states.hpp"
#include "store/database.hpp"
#include "study.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <random>

namespace skampi::bench {

namespace {

using Random = std::mt19937_64;

/// How launches of one state scatter about 1.
struct Distribution {
    const char* name;
    double (*draw)(Random& random, double deviation);
};

double normal(Random& random) {
    return std::normal_distribution<double>()(random);
}

constexpr std::array<Distribution, 4> distributions{
    {{"normal",
      [](Random& random, double deviation) { return std::max(0.2, 1 + deviation * normal(random)); }},
     {"lognormal", [](Random& random, double deviation) { return std::exp(deviation * normal(random)); }},
     {"t3",
      [](Random& random, double deviation) {
          return std::exp(deviation / std::sqrt(3) * std::student_t_distribution<double>(3)(random));
      }},
     {"gamma", [](Random& random, double deviation) {
          const double variance = deviation * deviation;
          return std::gamma_distribution<double>(1 / variance, variance)(random);
      }}}};
constexpr Distribution delayed{"exponential delays", [](Random& random, double deviation) {
                                   return 1 + std::exponential_distribution<double>(1 / deviation)(random);
                               }};

std::vector<double> bounds_of(const std::vector<double>& probes) {
    std::vector<Observation> observations;
    for (std::size_t run = 0; run < probes.size(); ++run)
        observations.push_back({run, probes[run]});
    return state_bounds(std::move(observations), {});
}

StudyRow invented(const Distribution& distribution, int launches, double deviation,
                  const StudyOptions& options, double most) {
    Random random(options.seed);
    int found = 0;
    for (int series = 0; series < options.series; ++series) {
        std::vector<double> probes;
        for (int launch = 0; launch < launches; ++launch)
            probes.push_back(distribution.draw(random, deviation));
        found += bounds_of(probes).empty() ? 0 : 1;
    }
    return {.statement = fmt::format("a state invented: {} launches, {}, deviation {:.0f} %", launches,
                                     distribution.name, 100 * deviation),
            .found = static_cast<double>(found) / options.series,
            .most = most};
}

/// Two states of the machine.
struct TwoStates {
    double ratio;
    double deviation; ///< of the launches of each
    double share;     ///< of the launches in the slower one
    int launches;
    double goal;

    [[nodiscard]] int slow() const { return std::max(1, static_cast<int>(std::lround(share * launches))); }
};

/// Right is: two states, and at most one launch in twenty in the wrong one, or one.
StudyRow found(const TwoStates& states, const StudyOptions& options) {
    Random random(options.seed);
    int right = 0;
    for (int series = 0; series < options.series; ++series) {
        std::vector<double> probes;
        for (int launch = 0; launch < states.launches; ++launch)
            probes.push_back((launch < states.slow() ? states.ratio : 1) *
                             std::exp(states.deviation * normal(random)));
        const std::vector<double> bounds = bounds_of(probes);
        int wrong = 0;
        for (int launch = 0; launch < states.launches; ++launch)
            wrong +=
                (state_of(probes[static_cast<std::size_t>(launch)], bounds) == 1) == (launch < states.slow())
                    ? 0
                    : 1;
        right += bounds.size() == 1 && wrong <= std::max(1, states.launches / 20) ? 1 : 0;
    }
    return {.statement =
                fmt::format("two states found: {} launches, {} of them {} times slower, deviation {:.0f} %",
                            states.launches, states.slow(), states.ratio, 100 * states.deviation),
            .found = static_cast<double>(right) / options.series,
            .least = states.goal};
}

Measurement measured(double value_s, double probe_s) {
    Measurement m;
    m.argument = m.message_bytes = 8;
    m.ranks = 2;
    m.value_s = m.adjusted_s = value_s;
    m.standard_error_s = 0.002 * value_s;
    m.probe_s = probe_s;
    m.summary.count = 100;
    m.summary.mean_all = value_s;
    return m;
}

/// Launches at one argument; the operation takes 2 in the fast state, and 4 more than the probe's 1 in
/// others.
MergedMeasurement merged(const std::vector<double>& states, double deviation, Random& random) {
    std::vector<SuiteCurve> runs;
    for (const double state : states)
        runs.push_back({fmt::format("{}", runs.size()),
                        "",
                        {measured((1 + state) * std::exp(deviation * normal(random)),
                                  state * std::exp(deviation * normal(random)))}});
    return merge_suite(runs).points.front();
}

/// The interval of the larger of two states.
StudyRow coverage(int launches, const StudyOptions& options) {
    Random random(options.seed);
    int covered = 0;
    double stated = 0;
    for (int series = 0; series < options.series; ++series) {
        std::vector<double> states(static_cast<std::size_t>(launches), 1.0);
        std::fill(states.begin(), states.begin() + launches * 3 / 10, 1.6);
        const MergeFacts facts = merged(states, 0.03, random).facts;
        covered += facts.interval_low_s <= 2 && 2 <= facts.interval_high_s ? 1 : 0;
        stated += facts.interval_confidence / options.series;
    }
    return {.statement = fmt::format(
                "interval (stated {:.1f} %) covers: {} launches, 30 % in a state 1.6 times slower",
                100 * stated, launches),
            .found = static_cast<double>(covered) / options.series,
            .least = 0.92,
            .most = 0.98};
}

/// Four launches that agree, and one four times away.
StudyRow lone_launch(double deviation, const StudyOptions& options) {
    Random random(options.seed);
    int of_four = 0;
    for (int series = 0; series < options.series; ++series) {
        const MergedMeasurement point = merged({4, 4, 1, 4, 4}, deviation, random);
        of_four += point.facts.runs == 4 && point.facts.minimum_s > 4 ? 1 : 0;
    }
    return {
        .statement = fmt::format(
            "the interval is that of four launches that agree, the fifth 4 times away: deviation {:.1f} %",
            100 * deviation),
        .found = static_cast<double>(of_four) / options.series,
        .least = 0.99};
}

/// One suite of real launches.
using RealSuites = std::map<std::string, std::vector<SuiteCurve>>;

RealSuites real_suites(const std::string& path) {
    RealSuites suites;
    const Database database = Database::open(path);
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        if (run.kind != "raw")
            continue;
        for (const StoredSuite& stored : database.suites(id)) {
            SuiteCurve curve{run.uuid, path, {}};
            database.for_each_measurement(stored.id, [&](StoredMeasurement&& point) {
                if (point.finished && point.measurement.probe_s > 0)
                    curve.measurements.push_back(std::move(point.measurement));
            });
            if (!curve.measurements.empty())
                suites[stored.suite.name].push_back(std::move(curve));
        }
    }
    return suites;
}

double median_probe(const SuiteCurve& curve) {
    std::vector<double> probes_s;
    for (const Measurement& m : curve.measurements)
        probes_s.push_back(m.probe_s);
    return skalib::lower_median(std::move(probes_s));
}

/// Whether a merged value rests on launches whose probes are of different states.
bool spans_states(const MergedMeasurement& point) {
    double low_s = 0;
    double high_s = 0;
    for (const Source& source : point.facts.sources) {
        if (source.left_out || source.other_mode || !(source.own.probe_s > 0))
            continue;
        low_s = low_s > 0 ? std::min(low_s, source.own.probe_s) : source.own.probe_s;
        high_s = std::max(high_s, source.own.probe_s);
    }
    return low_s > 0 && !in_one_mode(low_s, high_s);
}

void add_real_rows(const StudyOptions& options, std::vector<StudyRow>& rows) {
    Random random(options.seed);
    std::size_t points = 0;
    std::size_t spanning = 0;
    for (auto& [name, curves] : real_suites(options.database)) {
        std::vector<Observation> probes_s; // of each launch
        for (const SuiteCurve& curve : curves)
            probes_s.push_back({probes_s.size(), median_probe(curve)});
        const std::vector<double> bounds = state_bounds(probes_s, {});
        std::map<std::size_t, std::vector<double>> states;
        for (const Observation& probe : probes_s)
            states[state_of(probe.signal, bounds)].push_back(probe.signal);
        std::string text;
        for (auto& [state, probes] : states)
            text += fmt::format("{}{} at {:.0f} ns", text.empty() ? "" : ", ", probes.size(),
                                1e9 * skalib::median(probes));
        rows.push_back({.statement = fmt::format("states of {}: launches {}", name, text),
                        .found = static_cast<double>(states.size()),
                        .most = 1e300,
                        .unit = "states"});
        for (int group = 0; group < std::min(options.series, 200) && curves.size() >= 5; ++group) {
            std::vector<SuiteCurve> five;
            std::ranges::sample(curves, std::back_inserter(five), 5, random);
            for (const MergedMeasurement& point : merge_suite(five).points) {
                const auto in_value = std::ranges::count(point.facts.sources, false, &Source::left_out);
                points += in_value > 4 ? 1 : 0; // of fewer nobody knows which agree
                spanning += in_value > 4 && spans_states(point) ? 1 : 0;
            }
        }
    }
    rows.push_back(
        {.statement = fmt::format("values of five random launches that span two states, of {}", points),
         .found = points > 0 ? static_cast<double>(spanning) / static_cast<double>(points) : 0,
         .most = 0});
}

} // namespace

std::vector<StudyRow> states_study(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    for (const Distribution& distribution : distributions)
        for (const int launches : {5, 6, 10, 20, 40, 60})
            rows.push_back(invented(distribution, launches, 0.1, options, 0.01));
    for (const int launches : {10, 20, 40})
        for (const double deviation : {0.05, 0.1})
            rows.push_back(invented(delayed, launches, deviation, options, 1)); // no goal
    constexpr double goal = 0.95;
    for (const int launches : {6, 10, 40, 60}) {
        rows.push_back(found({1.6, 0.08, 0.5, launches, launches == 40 ? goal : 0}, options));
        for (const double share : {0.1, 0.3, 0.5})
            for (const double deviation : {0.02, 0.05})
                rows.push_back(found({1.4, deviation, share, launches, launches < 10 ? 0 : goal}, options));
    }
    rows.push_back(found({1.6, 0.08, 0.1, 40, 0}, options));
    for (const int launches : {5, 10, 20}) // of them one
        for (const double ratio : {2.0, 4.0})
            rows.push_back(
                found({ratio, 0.03, 0, launches, launches == 10 || ratio > 2 ? goal : 0}, options));
    rows.push_back(found({1.25, 0.02, 0.4, 10, goal}, options));
    rows.push_back(found({1.25, 0.03, 0.4, 10, 0}, options));
    for (const int launches : {10, 20, 40})
        rows.push_back(coverage(launches, options));
    for (const double deviation : {0.015, 0.03})
        rows.push_back(lone_launch(deviation, options));
    if (!options.database.empty())
        add_real_rows(options, rows);
    return rows;
}

} // namespace skampi::bench
