// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/algorithm_effect.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace skampi {

namespace {

bool has_time_of_default(const AgainstDefault& ratio) {
    const double reach = std::log1p(same_time);
    return ratio.standard_error <= 2 * reach && std::fabs(ratio.log_ratio) <= reach + ratio.standard_error;
}

} // namespace

bool takes_another_time(const AgainstDefault& ratio) {
    return std::fabs(ratio.log_ratio) > std::log1p(same_time) + 2 * ratio.standard_error;
}

AlgorithmEffect effect_of(const AlgorithmRatios& ratios) {
    AlgorithmEffect effect;
    effect.lengths = ratios.at.size();
    for (const auto& [bytes, ratio] : ratios.at)
        effect.different += takes_another_time(ratio) ? 1 : 0;
    return effect;
}

std::vector<DefaultIs> default_is(const std::vector<AlgorithmRatios>& algorithms) {
    std::set<std::int64_t> lengths;
    bool scatters = false;
    for (const AlgorithmRatios& algorithm : algorithms)
        for (const auto& [bytes, ratio] : algorithm.at) {
            lengths.insert(bytes);
            scatters = scatters || ratio.standard_error > 0;
        }
    const std::size_t fewest = scatters ? std::min<std::size_t>(3, lengths.size()) : 1;
    const int most_missed = scatters ? 1 : 0;
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::string>> ranges;
    for (const AlgorithmRatios& algorithm : algorithms) {
        std::vector<std::int64_t> alike;
        int missed = 0; // lengths in a row
        const auto end_range = [&] {
            if (alike.size() >= fewest)
                ranges[{alike.front(), alike.back()}].push_back(algorithm.word);
            alike.clear();
        };
        for (const std::int64_t bytes : lengths) {
            const auto there = algorithm.at.find(bytes);
            const bool is_alike = there != algorithm.at.end() && has_time_of_default(there->second);
            missed = is_alike ? 0 : missed + 1;
            if (is_alike)
                alike.push_back(bytes);
            else if (missed > most_missed)
                end_range();
        }
        end_range();
    }
    std::vector<DefaultIs> found;
    for (auto& [range, words] : ranges)
        found.push_back({range.first, range.second, std::move(words)});
    return found;
}

} // namespace skampi
