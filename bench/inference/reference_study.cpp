// SPDX-License-Identifier: GPL-2.0-or-later
// Adjusted values: whether they agree between merged groups of launches, and how often intervals hold.
#include "merge/merge_suite.hpp"
#include "merge/references.hpp"
#include "model/machine_state.hpp"
#include "skalib/statistics.hpp"
#include "store/database.hpp"
#include "study.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <random>

namespace skampi::bench {
namespace {

/// The launches of one suite.
struct SuiteLaunches {
    std::string name;
    double probe_share = 1;
    std::vector<SuiteCurve> runs;
};

std::vector<SuiteLaunches> real_launches(const std::string& path, std::vector<MachineState>& references) {
    const Database database = Database::open(path);
    std::map<std::string, SuiteLaunches> found;
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        if (run.kind != "raw")
            continue;
        if (references.empty())
            references.push_back({run.reference_probe_s, run.reference_core_speed});
        for (const StoredSuite& stored : database.suites(id)) {
            SuiteLaunches& suite = found[stored.suite.name];
            suite.name = stored.suite.name;
            suite.probe_share = probe_share(stored.suite.operation.pattern);
            SuiteCurve& own = suite.runs.emplace_back(SuiteCurve{run.uuid, path, {}});
            database.for_each_measurement(stored.id, [&](StoredMeasurement&& point) {
                if (point.finished)
                    own.measurements.push_back(std::move(point.measurement));
            });
        }
    }
    std::vector<SuiteLaunches> suites;
    for (auto& [name, suite] : found)
        suites.push_back(std::move(suite));
    return suites;
}

/// Launches of a machine whose probe and core clock wander, with some scatter of their own.
SuiteLaunches invented_launches(std::size_t count, std::mt19937_64& random) {
    SuiteLaunches suite{"invented", 1, {}};
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < count; ++i) {
        const double probe_s = 300e-9 * std::exp(0.03 * normal(random));
        const double clock_hz = 3.8e9 * std::exp(0.02 * normal(random));
        const double own = std::exp(0.01 * normal(random));
        SuiteCurve& run = suite.runs.emplace_back(SuiteCurve{std::to_string(i), "invented", {}});
        for (std::int64_t bytes = 1; bytes <= 1024; bytes *= 4) {
            Measurement m;
            m.argument = m.message_bytes = bytes;
            m.summary.count = 100;
            m.probe_s = probe_s * std::exp(0.005 * normal(random));
            m.core_clock_hz = clock_hz;
            m.value_s = (probe_s + 200e-9 * own * 3.8e9 / clock_hz) * std::exp(0.003 * normal(random));
            run.measurements.push_back(m);
        }
    }
    return suite;
}
constexpr double invented_truth_s = 500e-9; ///< at 300 ns and 3.8 GHz

/// The launches in the state that most of them saw: values compare only within one.
SuiteLaunches in_main_state(SuiteLaunches suite, const MachineState& reference) {
    std::erase_if(suite.runs, [&](const SuiteCurve& run) {
        std::vector<double> probes_s;
        for (const Measurement& m : run.measurements)
            probes_s.push_back(m.probe_s);
        return probes_s.empty() || !in_one_mode(skalib::median(std::move(probes_s)), reference.probe_s);
    });
    return suite;
}

MergedSuite merged(const SuiteLaunches& suite, std::span<const SuiteCurve> runs,
                   const MachineState& reference) {
    return merge_suite(runs, {}, {suite.probe_share, {reference}});
}

/// Median over the arguments of the deviation between groups.
struct Deviation {
    std::map<std::int64_t, std::vector<double>> raw;
    std::map<std::int64_t, std::vector<double>> adjusted;

    void add(const MergedSuite& group) {
        for (const MergedMeasurement& point : group.points)
            if (const Measurement& m = point.measurement; m.value_s > 0 && m.adjusted_s > 0) {
                raw[m.argument].push_back(m.value_s);
                adjusted[m.argument].push_back(m.adjusted_s);
            }
    }
    [[nodiscard]] static double of(const std::map<std::int64_t, std::vector<double>>& groups) {
        std::vector<double> found;
        for (const auto& [argument, values] : groups) {
            skalib::RunningStatistics statistics;
            for (const double value : values)
                statistics.add(value);
            if (values.size() > 2)
                found.push_back(statistics.standard_error() * std::sqrt(static_cast<double>(values.size())) /
                                statistics.mean());
        }
        return found.empty() ? 0 : skalib::median(std::move(found));
    }
    [[nodiscard]] double ratio() const { return of(adjusted) / of(raw); }
};

double real_ratio(const SuiteLaunches& suite, std::size_t launches, const MachineState& reference) {
    Deviation deviation;
    const std::span<const SuiteCurve> all(suite.runs);
    for (std::size_t begin = 0; begin + launches <= all.size(); begin += launches)
        deviation.add(merged(suite, all.subspan(begin, launches), reference));
    return deviation.ratio();
}

void add_invented(const StudyOptions& options, std::vector<StudyRow>& rows) {
    std::mt19937_64 random(options.seed);
    for (const std::size_t launches : {5, 10, 20}) {
        Deviation deviation;
        double held = 0;
        double points = 0;
        for (int i = 0; i < options.series; ++i) {
            const SuiteLaunches suite = invented_launches(launches, random);
            const MergedSuite group = merged(suite, suite.runs, {300e-9, 3.8e9});
            deviation.add(group);
            for (const MergedMeasurement& point : group.points) {
                ++points;
                held += point.facts.adjusted_low_s <= invented_truth_s &&
                                invented_truth_s <= point.facts.adjusted_high_s
                            ? 1
                            : 0;
            }
        }
        rows.push_back(
            {fmt::format("deviation of groups of {}, adjusted / raw, {} invented", launches, options.series),
             deviation.ratio(), 0, 0.7, "times"});
        rows.push_back({fmt::format("{} launches: adjusted intervals that hold the truth", launches),
                        held / points, 0.92, 0.98});
    }
}

} // namespace

std::vector<StudyRow> reference_study(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    add_invented(options, rows);
    if (options.database.empty())
        return rows;
    std::vector<MachineState> references;
    for (const SuiteLaunches& all : real_launches(options.database, references)) {
        const SuiteLaunches suite = in_main_state(all, references.front());
        for (const std::size_t launches : {5, 10})
            rows.push_back({fmt::format("{}: groups of {} in a row, adjusted / raw, {} real launches",
                                        suite.name, launches, suite.runs.size()),
                            real_ratio(suite, launches, references.front()), 0, 0.7, "times"});
    }
    return rows;
}

} // namespace skampi::bench
