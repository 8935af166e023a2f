// SPDX-License-Identifier: GPL-2.0-or-later
// Launches until the values are known as well as was asked for, by the rules of skampi-run --until: is the
// error that they state true when they stop, and is their time near that of the best plan with a fixed number
// of launches?
#include "invented_launches.hpp"
#include "plan/due_suites.hpp"
#include "study.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <random>

namespace skampi::bench {
namespace {

constexpr int points = 15;
constexpr double start_s = 0.2; // of a launch
constexpr double probe_s = 280e-9;

/// Suites of one machine.
struct Machine {
    std::vector<double> scatter; ///< between launches, of each suite
    double outliers = 0;         ///< share of values that are disturbed: later by up to a half and more
    bool states = false;         ///< three in ten launches take 1.6 times as long, and their probe shows it
};

/// What a launch costs at a point, and its error within the launch, for which 1 % takes 2 ms.
double cost_s(double error) {
    return 0.002 * (0.01 / error) * (0.01 / error);
}

class Launches {
public:
    Launches(const Machine& machine, std::mt19937_64& random)
        : machine_(machine)
        , random_(random)
        , suites_(machine.scatter.size()) {}

    void launch(const DueSuites& due) {
        const double slower = machine_.states && uniform_(random_) < 0.3 ? 1.6 : 1;
        time_s_ += start_s;
        for (std::size_t suite = 0; suite < suites_.size(); ++suite) {
            const DueSuite* const own = due_of(due, std::to_string(suite));
            if (own == nullptr)
                continue;
            SuiteCurve& curve =
                suites_[suite].emplace_back(SuiteCurve{std::to_string(launches_), "invented.db", {}});
            const double error = std::max(0.01, own->error);
            const double common = machine_.scatter[suite] * std::sqrt(0.5) * normal_(random_);
            for (int point = 1; point <= points; ++point) {
                const double disturbed =
                    uniform_(random_) < machine_.outliers ? -0.5 * std::log(1 - uniform_(random_)) : 0;
                const double deviation = common +
                                         machine_.scatter[suite] * std::sqrt(0.5) * normal_(random_) +
                                         error * normal_(random_) + disturbed;
                if (!own->arguments.empty() &&
                    std::ranges::find(own->arguments, point) == own->arguments.end())
                    continue;
                curve.measurements.push_back(
                    invented(point, slower * 1e-5 * std::exp(deviation), slower * probe_s));
                time_s_ += cost_s(error);
            }
        }
        ++launches_;
    }

    [[nodiscard]] LaunchesSoFar look(const Precision& precision) {
        LaunchesSoFar so_far{.launches = launches_};
        merged_ = {};
        for (std::size_t suite = 0; suite < suites_.size(); ++suite) {
            merged_.curves.push_back(merged_curve(suites_[suite]));
            merged_.curves.back().stored.suite.name = std::to_string(suite);
        }
        so_far.suites = settled_suites(merged_, precision);
        return so_far;
    }
    [[nodiscard]] const Subject& merged() const { return merged_; }
    [[nodiscard]] double time_s() const { return time_s_; }

private:
    const Machine& machine_;
    std::mt19937_64& random_;
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_;
    std::vector<std::vector<SuiteCurve>> suites_; ///< their launches
    Subject merged_;
    std::size_t launches_ = 0;
    double time_s_ = 0;
};

bool all_settled(const LaunchesSoFar& so_far, const Precision& precision) {
    return !so_far.suites.empty() && std::ranges::all_of(so_far.suites, [&](const SettledSuite& suite) {
        return suite.settled(precision.share);
    });
}

/// The median of many values of a suite in the usual state.
double truth(const Machine& machine, double scatter, std::mt19937_64& random) {
    std::vector<double> deviations;
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (int i = 0; i < 400'000; ++i)
        deviations.push_back(std::hypot(scatter, 0.01) * normal(random) +
                             (uniform(random) < machine.outliers ? -0.5 * std::log(1 - uniform(random)) : 0));
    std::ranges::nth_element(deviations, deviations.begin() + std::ssize(deviations) / 2);
    return 1e-5 * std::exp(deviations[deviations.size() / 2]);
}

struct Found {
    double covered = 0; ///< share of the points
    double launches = 0;
    double time_s = 0;
};

Found until(const Machine& machine, const Precision& precision, int series, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> truths;
    for (const double scatter : machine.scatter)
        truths.push_back(truth(machine, scatter, random));
    Found found;
    for (int i = 0; i < series; ++i) {
        Launches launches(machine, random);
        LaunchesSoFar so_far = launches.look(precision);
        while (!all_settled(so_far, precision) && so_far.launches < 300) {
            launches.launch(due_next(so_far, precision));
            so_far = launches.look(precision);
        }
        double covered = 0;
        for (std::size_t suite = 0; suite < truths.size(); ++suite)
            for (const StoredMeasurement& point : launches.merged().curves[suite].points)
                covered += point.merge->interval_low_s <= truths[suite] &&
                                   truths[suite] <= point.merge->interval_high_s
                               ? 1
                               : 0;
        found.covered += covered / static_cast<double>(points * truths.size()) / series;
        found.launches += static_cast<double>(so_far.launches) / series;
        found.time_s += launches.time_s() / series;
    }
    return found;
}

/// The shortest time of a number of launches, all alike, after which every suite is settled, on average.
double best_fixed_s(const Machine& machine, const Precision& precision, int series, std::uint64_t seed) {
    double best_s = std::numeric_limits<double>::infinity();
    for (const double error : std::array{0.01, 0.015, 0.02, 0.03}) {
        std::mt19937_64 random(seed);
        double time_s = 0;
        for (int i = 0; i < series; ++i) {
            Launches launches(machine, random);
            LaunchesSoFar so_far{};
            while (!all_settled(so_far, precision) && so_far.launches < 300) {
                launches.launch({{every_suite, {.error = error}}});
                so_far = launches.look(precision);
            }
            time_s += launches.time_s() / series;
        }
        best_s = std::min(best_s, time_s);
    }
    return best_s;
}

} // namespace

std::vector<StudyRow> until_study(const StudyOptions& options) {
    const int series = std::max(options.series / 20, 1);
    const Precision precision{.half_width = 0.02};
    std::vector<StudyRow> rows;
    for (const auto& [name, machine] :
         {std::pair("2, 4 and 6 %", Machine{{0.02, 0.04, 0.06}}),
          std::pair("2, 4 and 6 %, one value in ten disturbed", Machine{{0.02, 0.04, 0.06}, 0.1}),
          std::pair("2 and 4 %, disturbed, 3 in 10 launches 1.6 times slower",
                    Machine{{0.02, 0.04}, 0.1, true}),
          std::pair("3 % (one suite)", Machine{{0.03}})}) {
        const Found found = until(machine, precision, series, options.seed);
        const std::string text = fmt::format("until 2 %, suites that scatter by {}", name);
        rows.push_back({text + ": intervals that hold the truth", found.covered, 0.92, 0.98});
        rows.push_back({text + ": launches", found.launches, 0, 1e300, "launches"});
        rows.push_back({text + ": time by that of the best fixed number",
                        found.time_s / best_fixed_s(machine, precision, series, options.seed), 0, 1.3,
                        "times"});
    }
    return rows;
}

} // namespace skampi::bench
