// SPDX-License-Identifier: LGPL-2.1-or-later
#include "links/pair_steps.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace skampi {

namespace {

std::vector<int> shuffled_numbers(int count, std::mt19937_64& random) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    std::shuffle(numbers.begin(), numbers.end(), random);
    return numbers;
}

} // namespace

PairSteps all_pairs_in_steps(int members, std::int64_t seed) {
    const int places = members + members % 2; // an odd number has a place at which no one is
    const int rotating = places - 1;
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const std::vector<int> at = shuffled_numbers(places, random); // the member at each place
    PairSteps steps;
    for (const int step : shuffled_numbers(rotating, random)) {
        std::vector<MemberPair>& pairs = steps.emplace_back();
        const auto add = [&](int place, int other) {
            const MemberPair pair{at[static_cast<std::size_t>(place)], at[static_cast<std::size_t>(other)]};
            if (pair.first < members && pair.second < members)
                pairs.push_back(pair);
        };
        add(rotating, step); // the one that stays
        for (int distance = 1; distance < places / 2; ++distance)
            add((step + distance) % rotating, (step - distance + rotating) % rotating);
    }
    return steps;
}

PairSteps steps_with_company(const std::vector<MemberPair>& wanted, int members, std::int64_t seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    PairSteps steps;
    std::vector<MemberPair> left = wanted;
    while (!left.empty()) {
        std::vector<MemberPair> step;
        std::vector<bool> taken(static_cast<std::size_t>(members));
        std::erase_if(left, [&](const MemberPair& pair) {
            const auto first = taken.begin() + pair.first;
            const auto second = taken.begin() + pair.second;
            if (*first || *second)
                return false;
            *first = *second = true;
            step.push_back(pair);
            return true;
        });
        int waiting = -1;
        for (const int member : shuffled_numbers(members, random)) {
            if (taken[static_cast<std::size_t>(member)])
                continue;
            if (waiting >= 0)
                step.emplace_back(waiting, member);
            waiting = waiting >= 0 ? -1 : member;
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

PairSteps steps_alone(const std::vector<MemberPair>& wanted) {
    PairSteps steps;
    for (const MemberPair& pair : wanted)
        steps.push_back({pair});
    return steps;
}

PairSteps steps_across_halves(int members, std::int64_t seed) {
    const int half = members / 2;
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    PairSteps steps;
    for (const int step : shuffled_numbers(half, random)) {
        std::vector<MemberPair>& pairs = steps.emplace_back();
        for (int member = 0; member < half; ++member)
            pairs.emplace_back(member, half + (member + step) % half);
    }
    return steps;
}

int step_across_halves(const MemberPair& pair, int members) {
    return (pair.second - pair.first) % (members / 2);
}

} // namespace skampi
