// SPDX-License-Identifier: GPL-2.0-or-later
// What the weights of launches do to a merged value: how near it is to the truth of invented launches whose
// own errors differ, and how often its interval contains the truth.
#include "study.hpp"

#include "skalib/merge.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <random>
#include <utility>

namespace skampi::bench {

namespace {

constexpr double own_error = 0.005;     // of a launch that nothing disturbed
constexpr double disturbed_error = 0.1; // of one that was
constexpr double asked_for = own_error; // by the repetition, which measures until it is reached
constexpr double error_of_error = 0.2;  // a launch knows its own error so well
constexpr double least_count = 8;       // single measurements

/// By the weights: precision, equal, count.
constexpr std::array kinds{skalib::Weights::precision, skalib::Weights::equal, skalib::Weights::count};

struct Found {
    std::array<double, kinds.size()> error{}; ///< root mean square
    double covered = 0;                       ///< by the interval of precision
};

Found merged_values(const StudyOptions& options, std::size_t launches, double between, double disturbed) {
    std::mt19937_64 random(options.seed);
    std::normal_distribution<double> normal;
    std::bernoulli_distribution is_disturbed(disturbed);
    Found found;
    for (int i = 0; i < options.series; ++i) {
        std::vector<skalib::Contribution> values(launches);
        for (std::size_t launch = 0; launch < launches; ++launch) {
            const double error = is_disturbed(random) ? disturbed_error : own_error;
            skalib::Contribution& each = values[launch];
            each.run = launch;
            each.point.value = {1 + between * normal(random) + error * normal(random),
                                error * std::exp(error_of_error * normal(random)),
                                least_count * error * error / (asked_for * asked_for)};
        }
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            const skalib::MergedPoint point = skalib::merge_contributions(
                1, values, launches, {skalib::MergedValue::median, kinds.at(kind)});
            found.error.at(kind) += (point.value - 1) * (point.value - 1);
            if (kind == 0)
                found.covered += point.interval.low <= 1 && 1 <= point.interval.high ? 1 : 0;
        }
    }
    for (double& error : found.error)
        error = std::sqrt(error / options.series);
    found.covered /= options.series;
    return found;
}

} // namespace

std::vector<StudyRow> weights_study(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    for (const double between : {0.01, 0.03})
        for (const double disturbed : {0.0, 0.2, 0.4})
            for (const std::size_t launches : {3, 4, 5, 6, 8, 10, 16, 20}) {
                const Found found = merged_values(options, launches, between, disturbed);
                const auto& [precision, equal, count] = found.error;
                const std::string of =
                    fmt::format("{} launches, {:.0f} % between them, {:.0f} % disturbed: ", launches,
                                100 * between, 100 * disturbed);
                rows.push_back({fmt::format("{}error ({:.2f} % with equal weights, {:.2f} % by count)", of,
                                            100 * equal, 100 * count),
                                precision, 0, 1.03 * equal});
                if (launches >= 5)
                    rows.push_back({of + "interval contains the truth", found.covered, 0.92, 0.98});
            }
    return rows;
}

} // namespace skampi::bench
