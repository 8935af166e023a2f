// SPDX-License-Identifier: LGPL-2.1-or-later
#include "links/retests.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace skampi {

namespace {

constexpr std::size_t pairs_of_node = 5;
constexpr std::size_t usual_pairs_of_class = 5;

/// Pairs that were measured, in a random order.
std::vector<MemberPair> measured_pairs(const LengthFinding& finding, std::mt19937_64& random) {
    std::vector<MemberPair> pairs;
    const PairValues& ratios = finding.ratio_of_pair;
    for (int i = 0; i < ratios.members(); ++i)
        for (int j = i + 1; j < ratios.members(); ++j)
            if (ratios(i, j) > 0)
                pairs.emplace_back(i, j);
    std::shuffle(pairs.begin(), pairs.end(), random);
    return pairs;
}

} // namespace

std::vector<MemberPair> pairs_to_retest(const LengthFinding& finding, std::int64_t seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const auto members = static_cast<std::size_t>(finding.ratio_of_pair.members());
    std::set<MemberPair> suspects;
    std::vector<MemberPair> wanted;
    std::size_t pairs = 0;
    for (const SlowPart& part : finding.slow) {
        suspects.insert(part.pairs.begin(), part.pairs.end());
        std::vector<MemberPair> some = part.pairs;
        std::shuffle(some.begin(), some.end(), random);
        if (part.kind == SlowPart::Kind::node) // in the nearest class its effect is the largest
            std::ranges::stable_sort(some, {}, [&](const MemberPair& pair) {
                return finding.class_of_pair(pair.first, pair.second);
            });
        const std::size_t most = part.kind == SlowPart::Kind::node    ? pairs_of_node
                                 : part.kind == SlowPart::Kind::group ? members / 2
                                 : pairs++ < members                  ? 1
                                                                      : 0;
        some.resize(std::min(some.size(), most));
        wanted.insert(wanted.end(), some.begin(), some.end());
    }
    std::vector<std::size_t> of_class(finding.classes.size());
    for (const MemberPair& pair : measured_pairs(finding, random))
        if (!suspects.contains(pair) &&
            ++of_class[static_cast<std::size_t>(finding.class_of_pair(pair.first, pair.second))] <=
                usual_pairs_of_class)
            wanted.push_back(pair);
    return wanted;
}

} // namespace skampi
