// SPDX-License-Identifier: GPL-2.0-or-later
// How often a contract's verdicts are right: what is just at its limit must not pass, what is 5 % better
// must.
#include "study.hpp"

#include "contest/jury.hpp"
#include "store/database.hpp"

#include "skalib/statistics.hpp"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace skampi::bench {

namespace {

constexpr std::int64_t argument = 8;

/// Whether launches with these times are shown to be below a limit of one second.
bool kept(const std::vector<double>& times_s) {
    Curve curve;
    for (std::size_t launch = 0; launch < times_s.size(); ++launch)
        curve.launches[std::to_string(launch)].values[argument] = times_s[launch];
    return judge_limit(side_launches(curve, {}), argument, 1, {}).verdict == Verdict::faster;
}

/// The share that is kept. @param draw a launch's time by its median
template <typename Draw>
double share_kept(int series, std::size_t launches, double median_s, Draw draw) {
    int count = 0;
    for (int i = 0; i < series; ++i) {
        std::vector<double> times_s(launches);
        for (double& each : times_s)
            each = median_s * draw();
        count += kept(times_s) ? 1 : 0;
    }
    return static_cast<double>(count) / series;
}

template <typename Draw>
void add_rows(std::vector<StudyRow>& rows, int series, std::size_t launches, double least,
              const std::string& of, Draw draw) {
    rows.push_back({fmt::format("{}, {} launches: at the limit, and kept", of, launches),
                    share_kept(series, launches, 1, draw), 0, 0.05});
    rows.push_back({fmt::format("{}, {} launches: 5 % better, and kept", of, launches),
                    share_kept(series, launches, 1 / 1.05, draw), least, 1});
}

/// The deviations of real launches from the median of their argument, by suite.
std::map<std::string, std::vector<double>> real_deviations(const std::string& path) {
    const Database database = Database::open(path);
    std::map<std::string, std::map<std::int64_t, std::vector<double>>> times_s;
    for (const RunId id : database.runs())
        for (const StoredSuite& stored : database.suites(id))
            database.for_each_measurement(stored.id, [&](StoredMeasurement&& point) {
                const Measurement& m = point.measurement;
                if (point.finished && m.value_s > 0 && !has(m.flags, Flag::disturbed))
                    times_s[stored.suite.name][m.argument].push_back(m.value_s);
            });
    std::map<std::string, std::vector<double>> found;
    for (auto& [suite, by_argument] : times_s)
        for (const auto& [at, times] : by_argument) {
            const double median_s = skalib::median(std::vector<double>(times));
            for (const double each : times)
                if (std::fabs(std::log(each / median_s)) < std::log(1.4) / 2) // one state of the machine
                    found[suite].push_back(each / median_s);
        }
    return found;
}

} // namespace

std::vector<StudyRow> contract_study(const StudyOptions& options) {
    std::mt19937_64 random(options.seed);
    std::normal_distribution<double> normal;
    std::vector<StudyRow> rows;
    for (const double scatter : {0.02, 0.04})
        for (const std::size_t launches : {5, 10})
            add_rows(rows, options.series, launches, launches >= 10 ? 0.9 : 0,
                     fmt::format("scatter {:.0f} %", 100 * scatter),
                     [&] { return std::exp(scatter * normal(random)); });
    std::uniform_real_distribution<double> uniform;
    add_rows(rows, options.series, 10, 0.85, "scatter 3 %, each tenth 1.1 to 3 times as long", [&] {
        const double disturbed = uniform(random) < 0.1 ? 1.1 + 1.9 * uniform(random) : 1;
        return disturbed * std::exp(0.03 * normal(random));
    });
    if (!options.database.empty())
        for (const auto& [suite, deviations] : real_deviations(options.database))
            add_rows(rows, options.series, 10, 0.9, suite + ", real launches drawn at random",
                     [&] { return deviations[random() % deviations.size()]; });
    return rows;
}

} // namespace skampi::bench
