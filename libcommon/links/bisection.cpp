// SPDX-License-Identifier: LGPL-2.1-or-later
#include "links/bisection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace skampi {

namespace {

/// Of each step that was measured as a whole its bandwidth in each pass.
std::map<int, std::vector<double>> bandwidths_of_steps(const LinkInput& input, Company company) {
    const auto members = static_cast<int>(input.names.size());
    std::map<int, std::vector<double>> of_step;
    const int half = members / 2;
    for (const PairMap& map : input.maps) {
        if (map.company != company || map.message_bytes != bisection_bytes)
            continue;
        std::map<int, std::pair<int, double>> sums; // number of pairs, bandwidth
        std::set<MemberPair> met;
        for (const PairTime& pair : map.pairs) {
            const bool across = pair.first >= 0 && pair.first < half && pair.second >= half &&
                                pair.second < 2 * half && met.insert({pair.first, pair.second}).second;
            if (!across || !(pair.time_s > 0) || !std::isfinite(pair.time_s))
                continue;
            auto& [pairs, bandwidth] = sums[step_across_halves({pair.first, pair.second}, members)];
            ++pairs;
            bandwidth += 2 * static_cast<double>(map.message_bytes) / static_cast<double>(pair.time_s);
        }
        for (const auto& [step, sum] : sums)
            if (sum.first == half)
                of_step[step].push_back(sum.second);
    }
    return of_step;
}

/// The median over passes and the step, the slowest first.
std::vector<std::pair<double, int>> ordered_steps(const std::map<int, std::vector<double>>& of_step) {
    std::vector<std::pair<double, int>> steps;
    for (const auto& [step, bandwidths] : of_step)
        steps.emplace_back(skalib::median(bandwidths), step);
    std::ranges::sort(steps);
    return steps;
}

} // namespace

std::vector<MemberPair> slowest_steps(const LinkInput& input) {
    constexpr std::size_t most = 3;
    const auto members = static_cast<int>(input.names.size());
    std::vector<std::pair<double, int>> steps = ordered_steps(bandwidths_of_steps(input, Company::halves));
    steps.resize(std::min(steps.size(), most));
    std::vector<MemberPair> pairs;
    for (const std::vector<MemberPair>& step : steps_across_halves(members, 0))
        if (std::ranges::find(steps, step_across_halves(step.front(), members),
                              &std::pair<double, int>::second) != steps.end())
            pairs.insert(pairs.end(), step.begin(), step.end());
    return pairs;
}

std::optional<Bisection> find_bisection(const LinkInput& input) {
    constexpr double confidence = 0.95;
    const auto of_step = bandwidths_of_steps(input, Company::halves);
    const std::vector<std::pair<double, int>> steps = ordered_steps(of_step);
    if (steps.empty())
        return std::nullopt;
    Bisection found{.members = static_cast<int>(input.names.size()) / 2 * 2,
                    .steps = static_cast<int>(steps.size()),
                    .minimum = steps.front().first,
                    .maximum = steps.back().first};
    for (const auto& [bandwidth, step] : steps) {
        found.mean += bandwidth / static_cast<double>(steps.size());
        found.passes = std::max(found.passes, static_cast<int>(of_step.at(step).size()));
    }
    double least = std::numeric_limits<double>::infinity();
    for (auto [step, bandwidths] : bandwidths_of_steps(input, Company::halves_again)) {
        if (bandwidths.size() < 2)
            continue;
        for (double& bandwidth : bandwidths)
            bandwidth = std::log(bandwidth);
        skalib::Interval interval = skalib::mean_interval(bandwidths, confidence);
        const double middle = std::exp((interval.low + interval.high) / 2);
        if (middle >= least)
            continue;
        least = found.minimum = middle;
        interval.low = std::exp(interval.low);
        interval.high = std::exp(interval.high);
        found.interval = interval;
    }
    found.complete = found.interval && found.steps == found.members / 2 &&
                     std::ranges::none_of(input.maps, [](const PairMap& map) {
                         return is_bisection(map.company) && map.unmeasured > 0;
                     });
    return found;
}

} // namespace skampi
