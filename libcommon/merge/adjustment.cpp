// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/adjustment.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace skampi {

namespace {

constexpr std::array shares_tried{0.0, 0.25, 0.5, 0.75, 1.0};
constexpr std::size_t fewest_launches = 10; ///< that choose: fewer choose worse than theory
constexpr std::size_t most_launches = 100;  ///< that are used: from more, a selection spread over all
constexpr double required_errors = 2;       ///< standard errors of a reduction of the scatter
constexpr std::size_t resamples = 200;
constexpr double possible_share = 0.025; ///< of the resamples that choose an adjustment

std::vector<Adjustment> candidates(double usual_share) {
    std::vector<Adjustment> found{{usual_share, true}};
    for (const bool by_core_speed : {true, false})
        for (const double share : shares_tried)
            if (const Adjustment each{share, by_core_speed};
                each != found.front() && (usual_share > 0 || share == 0))
                found.push_back(each);
    return found;
}

/// How far each launch lies from the median of the others, as a share of it.
std::vector<double> distances_from_others(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    const auto at = [&](std::size_t place) { return values[order[place]]; };
    std::vector<double> distances(values.size());
    const std::size_t others = values.size() - 1;
    for (std::size_t place = 0; place < order.size(); ++place) {
        const auto other = [&](std::size_t i) { return at(i < place ? i : i + 1); };
        const double median = std::midpoint(other((others - 1) / 2), other(others / 2));
        distances[order[place]] = std::fabs(std::log(at(place) / median));
    }
    return distances;
}

/// The mean over the arguments of the distances of each launch, by candidate and run; not a number for a run
/// that does not count.
using Distances = std::vector<std::vector<double>>;

std::vector<double> distances_with(const Adjustment& candidate, const UsableLaunches& launches,
                                   const SuiteAdjustment& suite, const std::vector<bool>& asked) {
    std::vector<double> sums(asked.size());
    std::vector<std::size_t> counts(asked.size());
    for (const auto& [argument, here] : launches) {
        std::vector<double> values;
        std::vector<std::size_t> runs;
        for (const UsableLaunch& launch : here) {
            if (!asked[launch.run])
                continue;
            const PointHeader& m = *launch.header;
            const double value_s =
                suite.adjusted(m.value_s, launch.run, {m.probe_s, m.core_speed}, candidate);
            if (!(value_s > 0))
                continue;
            values.push_back(value_s);
            runs.push_back(launch.run);
        }
        if (values.size() < fewest_launches)
            continue;
        const std::vector<double> distances = distances_from_others(values);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            sums[runs[i]] += distances[i];
            ++counts[runs[i]];
        }
    }
    for (std::size_t run = 0; run < sums.size(); ++run)
        sums[run] = counts[run] > 0 ? sums[run] / static_cast<double>(counts[run])
                                    : std::numeric_limits<double>::quiet_NaN();
    return sums;
}

/// The mean distance of these launches.
double mean_over(const std::vector<double>& distances, std::span<const std::size_t> drawn) {
    double sum = 0;
    for (const std::size_t launch : drawn)
        sum += distances[launch];
    return sum / static_cast<double>(drawn.size());
}

/// The candidate that these launches choose: the first one unless another one is clearly better.
std::size_t best(const Distances& distances, std::span<const std::size_t> drawn) {
    std::size_t found = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t candidate = 0; candidate < distances.size(); ++candidate) {
        const double mean = mean_over(distances[candidate], drawn);
        if (mean < least * (1 - 1e-9)) { // not by rounding
            least = mean;
            found = candidate;
        }
    }
    skalib::RunningStatistics reduction;
    for (const std::size_t launch : drawn)
        reduction.add(distances[0][launch] - distances[found][launch]);
    return reduction.mean() > required_errors * reduction.standard_error() ? found : 0;
}

/// The runs that choose: from many, a selection spread over all of them.
std::vector<bool> asked_runs(const std::vector<MachineState>& states) {
    std::vector<std::size_t> known;
    for (std::size_t run = 0; run < states.size(); ++run)
        if (states[run].known())
            known.push_back(run);
    std::vector<bool> asked(states.size());
    const std::size_t wanted = std::min(known.size(), most_launches);
    for (std::size_t i = 0; i < wanted; ++i)
        asked[known[i * known.size() / wanted]] = true;
    return asked;
}

/// The launches that have a distance with every candidate.
std::vector<std::size_t> launches_in(const Distances& distances) {
    std::vector<std::size_t> found;
    for (std::size_t run = 0; run < distances.front().size(); ++run)
        if (std::ranges::all_of(distances, [run](const auto& of) { return std::isfinite(of[run]); }))
            found.push_back(run);
    return found;
}

double correlation_with(const UsableLaunches& launches, const SuiteAdjustment& suite) {
    std::vector<std::vector<double>> series;
    for (const auto& [argument, here] : launches) {
        std::vector<double>& values_s = series.emplace_back();
        for (const UsableLaunch& launch : here) {
            const PointHeader& m = *launch.header;
            const double value_s =
                suite.adjusted(m.value_s, launch.run, {m.probe_s, m.core_speed}, suite.chosen);
            if (std::isfinite(value_s))
                values_s.push_back(value_s);
        }
    }
    return skalib::serial_correlation(series);
}

} // namespace

bool SuiteAdjustment::adjusts() const {
    return (chosen.share != 0 && reference.probe_s > 0) || (chosen.by_core_speed && reference.core_speed > 0);
}

double SuiteAdjustment::adjusted(double value_s, std::size_t run, const MachineState& own,
                                 const Adjustment& adjustment) const {
    if (adjustment == Adjustment{0, false})
        return value_s;
    const bool of_launch =
        run < launches.size() && launches[run].known() &&
        (own.probe_s <= 0 || launches[run].probe_s <= 0 || in_one_mode(own.probe_s, launches[run].probe_s));
    return adjusted_value(value_s, of_launch ? launches[run] : own, adjustment, reference);
}

UsableLaunches usable_launches(std::span<const LazyCurve> runs, std::span<const RunModes> run_modes,
                               std::size_t mode) {
    UsableLaunches usable;
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (const PointHeader& m : runs[run].headers)
            if (m.measured && !m.doubtful && run_modes[run].mode_of_probe(m.probe_s) == mode)
                usable[m.argument].push_back({&m, run});
    return usable;
}

double correlation_of(const UsableLaunches& launches) {
    std::vector<std::vector<double>> series;
    for (const auto& [argument, here] : launches) {
        std::vector<double>& values_s = series.emplace_back();
        for (const UsableLaunch& launch : here)
            values_s.push_back(launch.header->value_s);
    }
    return skalib::serial_correlation(series);
}

std::vector<MachineState> states_of(const UsableLaunches& launches, std::size_t runs) {
    std::vector<std::vector<double>> probes_s(runs);
    std::vector<std::vector<double>> speeds(runs);
    for (const auto& [argument, here] : launches)
        for (const UsableLaunch& launch : here) {
            probes_s[launch.run].push_back(launch.header->probe_s);
            speeds[launch.run].push_back(launch.header->core_speed);
        }
    const auto median = [](std::vector<double>& values) {
        const bool complete = std::ranges::all_of(values, [](double value) { return value > 0; });
        return complete && !values.empty() ? skalib::median(std::move(values)) : 0;
    };
    std::vector<MachineState> states(runs);
    for (std::size_t run = 0; run < runs; ++run)
        states[run] = {median(probes_s[run]), median(speeds[run])};
    return states;
}

MachineState reference_of(std::span<const MachineState> states, std::span<const MachineState> known) {
    const auto median = [&](double MachineState::*member) {
        std::vector<double> values;
        for (const MachineState& state : states)
            if (state.known())
                values.push_back(state.*member);
        const bool complete = std::ranges::all_of(values, [](double value) { return value > 0; });
        return complete && !values.empty() ? skalib::lower_median(std::move(values)) : 0;
    };
    MachineState reference{median(&MachineState::probe_s), median(&MachineState::core_speed)};
    // States differ by mode_ratio: beyond half of that it may be another state, and suites of the same
    // launches would disagree about it.
    const auto near = [](double a, double b) {
        return !(std::fabs(std::log(a / b)) > std::log(mode_ratio) / 2);
    };
    const auto fits = [&](const MachineState& each) {
        const bool same_speed =
            each.core_speed <= 0 || reference.core_speed <= 0 || near(each.core_speed, reference.core_speed);
        return same_speed &&
               (reference.probe_s > 0 ? each.probe_s > 0 && near(each.probe_s, reference.probe_s)
                                      : each.core_speed > 0);
    };
    const auto found = std::ranges::find_if(known, fits);
    if (found == known.end())
        return reference;
    if (reference.probe_s > 0)
        reference.probe_s = found->probe_s;
    if (reference.core_speed > 0 && found->core_speed > 0)
        reference.core_speed = found->core_speed;
    return reference;
}

void choose_adjustment(const UsableLaunches& launches, double usual_share, SuiteAdjustment& adjustment) {
    adjustment.chosen = {usual_share, true};
    adjustment.possible = {adjustment.chosen};
    const std::vector<bool> asked = asked_runs(adjustment.launches);
    if (adjustment.adjusts() &&
        static_cast<std::size_t>(std::ranges::count(asked, true)) >= fewest_launches) {
        const std::vector<Adjustment> tried = candidates(usual_share);
        SuiteAdjustment centred =
            adjustment; // another reference would change what the distances are shares of
        centred.reference = reference_of(adjustment.launches, {});
        Distances distances;
        for (const Adjustment& each : tried)
            distances.push_back(distances_with(each, launches, centred, asked));
        const std::vector<std::size_t> known = launches_in(distances);
        if (known.size() >= fewest_launches) {
            std::size_t chosen = best(distances, known);
            const auto raw =
                static_cast<std::size_t>(std::ranges::find(tried, Adjustment{0, false}) - tried.begin());
            if (mean_over(distances[raw], known) < mean_over(distances[chosen], known) * (1 - 1e-9))
                chosen = raw;
            adjustment.chosen = tried[chosen];
            std::vector<std::size_t> times(tried.size());
            std::mt19937 source(1); // NOLINT: the same launches give the same interval
            std::vector<std::size_t> drawn(known.size());
            for (std::size_t i = 0; i < resamples; ++i) {
                // Not std::uniform_int_distribution, which differs between libraries.
                std::ranges::generate(drawn, [&] { return known[source() % known.size()]; });
                ++times[best(distances, drawn)];
            }
            adjustment.possible = {adjustment.chosen};
            for (std::size_t i = 0; i < tried.size(); ++i)
                if (i != chosen && static_cast<double>(times[i]) >= possible_share * resamples)
                    adjustment.possible.push_back(tried[i]);
        }
    }
    if (adjustment.adjusts())
        adjustment.correlation = correlation_with(launches, adjustment);
}

} // namespace skampi
