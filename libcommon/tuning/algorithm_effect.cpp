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

using EqualWords = std::map<std::int64_t, std::set<std::string>>; ///< by length

std::vector<DefaultIs> ranges_of_all(const EqualWords& equals) {
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

/// For each length, ascending, the place in words of its range's algorithm; words.size() = it is in none.
std::vector<std::size_t> cheapest_ranges(const EqualWords& equals, const std::vector<std::string>& words) {
    constexpr double otherwise = 1;
    constexpr double outside = 0.5;
    constexpr double border = 0.75;
    const std::size_t states = words.size() + 1;
    std::vector<double> cost(states, 0.0);
    std::vector<std::vector<std::size_t>> from;
    for (const auto& [bytes, equal] : equals) {
        const auto cheapest = static_cast<std::size_t>(std::ranges::min_element(cost) - cost.begin());
        std::vector<std::size_t> before(states);
        std::vector<double> now(states);
        for (std::size_t i = 0; i < states; ++i) {
            const bool changes = !from.empty() && cost[cheapest] + border < cost[i];
            before[i] = changes ? cheapest : i;
            now[i] = changes ? cost[cheapest] + border : cost[i];
            now[i] += i == words.size()          ? (equal.empty() ? 0 : outside)
                      : equal.contains(words[i]) ? 0
                                                 : otherwise;
        }
        cost = std::move(now);
        from.push_back(std::move(before));
    }
    std::vector<std::size_t> chosen(from.size());
    auto state = static_cast<std::size_t>(std::ranges::min_element(cost) - cost.begin());
    for (std::size_t i = from.size(); i-- > 0;) {
        chosen[i] = state;
        state = from[i][state];
    }
    return chosen;
}

/// The algorithms that have the default's time at nearly as many lengths of a range as the one it was made
/// of.
std::vector<std::string> words_of(EqualWords::const_iterator first, EqualWords::const_iterator end,
                                  const std::vector<std::string>& words) {
    constexpr double nearly = 0.75;
    std::map<std::string, std::ptrdiff_t> counts;
    std::ptrdiff_t most = 0;
    for (auto at = first; at != end; ++at)
        for (const std::string& word : at->second)
            most = std::max(most, ++counts[word]);
    std::vector<std::string> found;
    for (const std::string& word : words)
        if (static_cast<double>(counts[word]) >= nearly * static_cast<double>(most))
            found.push_back(word);
    return found;
}

std::vector<DefaultIs> ranges_of_most(const EqualWords& equals, const std::vector<std::string>& words) {
    const std::vector<std::size_t> chosen = cheapest_ranges(equals, words);
    std::vector<DefaultIs> ranges;
    for (std::size_t first = 0, end = 0; first < chosen.size(); first = end) {
        for (end = first; end < chosen.size() && chosen[end] == chosen[first];)
            ++end;
        if (chosen[first] == words.size())
            continue;
        const auto from = std::next(equals.begin(), static_cast<std::ptrdiff_t>(first));
        const auto to = std::next(equals.begin(), static_cast<std::ptrdiff_t>(end));
        ranges.push_back({from->first, std::prev(to)->first, words_of(from, to, words)});
    }
    return ranges;
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
    EqualWords equals;
    std::vector<std::string> words;
    bool scatters = false;
    for (const AlgorithmRatios& algorithm : algorithms) {
        words.push_back(algorithm.word);
        for (const auto& [bytes, ratio] : algorithm.at) {
            std::set<std::string>& there = equals[bytes];
            scatters = scatters || ratio.standard_error > 0;
            if (has_time_of_default(ratio))
                there.insert(algorithm.word);
        }
    }
    std::ranges::sort(words);
    return scatters ? ranges_of_most(equals, words) : ranges_of_all(equals);
}

} // namespace skampi
