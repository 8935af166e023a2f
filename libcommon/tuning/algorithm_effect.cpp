#include "tuning/algorithm_effect.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace skampi {

namespace {

bool has_time_of_default(const AgainstDefault& ratio) {
    const double reach = std::log1p(same_time);
    return ratio.standard_error <= 2 * reach && std::fabs(ratio.log_ratio) <= reach + ratio.standard_error;
}

} // namespace

AlgorithmEffect effect_of(const AlgorithmRatios& ratios) {
    AlgorithmEffect effect;
    effect.lengths = ratios.at.size();
    for (const auto& [bytes, ratio] : ratios.at)
        if (std::fabs(ratio.log_ratio) > std::log1p(same_time) + 2 * ratio.standard_error)
            ++effect.different;
    return effect;
}

std::vector<DefaultIs> default_is(const std::vector<AlgorithmRatios>& algorithms) {
    std::map<std::int64_t, std::set<std::string>> equals;
    for (const AlgorithmRatios& algorithm : algorithms)
        for (const auto& [bytes, ratio] : algorithm.at) {
            std::set<std::string>& words = equals[bytes];
            if (has_time_of_default(ratio))
                words.insert(algorithm.word);
        }
    std::vector<DefaultIs> ranges;
    std::set<std::string> left; // of the range that is open
    for (const auto& [bytes, words] : equals) {
        std::set<std::string> both;
        std::ranges::set_intersection(left, words, std::inserter(both, both.end()));
        if (both.empty()) {
            left = words;
            if (!left.empty())
                ranges.push_back({bytes, bytes, {}});
        } else
            left = std::move(both);
        if (!left.empty()) {
            ranges.back().bytes_high = bytes;
            ranges.back().words.assign(left.begin(), left.end());
        }
    }
    return ranges;
}

} // namespace skampi
