// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/history/run_places.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

namespace skampi {

namespace {

using Places = std::vector<std::size_t>;

/// The most of them whose starts ascend; of several choices that with the earliest end.
Places ascending(const Places& places, const std::vector<HistoryRun>& runs) {
    Places ends; // of the ascending ones of each length, the one that ends earliest
    std::vector<std::optional<std::size_t>> before(runs.size());
    for (const std::size_t place : places) {
        const auto longer = std::ranges::upper_bound(ends, runs[place].started_s, {},
                                                     [&](std::size_t each) { return runs[each].started_s; });
        if (longer != ends.begin())
            before[place] = *std::prev(longer);
        if (longer == ends.end())
            ends.push_back(place);
        else
            *longer = place;
    }
    Places chosen;
    if (ends.empty())
        return chosen;
    for (std::optional<std::size_t> place = ends.back(); place; place = before[*place])
        chosen.push_back(*place);
    std::ranges::reverse(chosen);
    return chosen;
}

} // namespace

std::vector<double> right_starts(const std::vector<HistoryRun>& runs, double now_s) {
    std::vector<bool> right(runs.size(), false);
    std::map<std::string, Places> stored; // of each file, those with a known order
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].started_s > now_s)
            continue;
        right[i] = true;
        if (!runs[i].merged)
            stored[runs[i].file].push_back(i);
    }
    for (const auto& [file, places] : stored) {
        const Places chosen = ascending(places, runs);
        if (2 * chosen.size() < places.size())
            continue;
        for (const std::size_t place : places)
            right[place] = std::ranges::binary_search(chosen, place);
    }
    std::vector<double> starts;
    std::map<std::string, double> last_of_file;
    std::optional<double> last;
    const auto first = std::ranges::find(right, true);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto own = last_of_file.find(runs[i].file);
        double start_s = runs[i].started_s;
        if (!right[i] && own != last_of_file.end())
            start_s = own->second;
        else if (!right[i] && last)
            start_s = *last;
        else if (!right[i] && first != right.end())
            start_s = runs[static_cast<std::size_t>(first - right.begin())].started_s;
        starts.push_back(start_s);
        last_of_file[runs[i].file] = start_s;
        last = start_s;
    }
    return starts;
}

} // namespace skampi
