// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

namespace skampi {

/// Two names of one algorithm take exactly the same time where the clock is exact, as in a simulation; then a
/// group measures only one of them between two lengths at which they do (GroupRun). Gives the other what the
/// first one has there.
/// @param members of each the values by message length, in a map   @param time of such a value
template <class Map, class Time>
void take_from_equals(const std::vector<Map*>& members, const Time& time) {
    std::set<std::int64_t> lengths;
    for (const Map* const member : members)
        for (const auto& each : *member)
            lengths.insert(each.first);
    const auto is_equal_at = [&](const Map& one, const Map& other, std::int64_t length) {
        const auto there = other.find(length);
        return there != other.end() && time(there->second) == time(one.find(length)->second);
    };
    for (std::size_t m = 1; m < members.size(); ++m) {
        const Map measured = *members[m];
        for (const std::int64_t length : lengths) {
            const auto above = measured.lower_bound(length);
            if (above == measured.end() || above == measured.begin() || above->first == length)
                continue;
            for (std::size_t other = 0; other < m; ++other)
                if (const auto there = members[other]->find(length);
                    there != members[other]->end() && is_equal_at(measured, *members[other], above->first) &&
                    is_equal_at(measured, *members[other], std::prev(above)->first)) {
                    (*members[m])[length] = there->second;
                    break;
                }
        }
    }
}

} // namespace skampi
