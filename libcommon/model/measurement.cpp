// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/measurement.hpp"

#include <charconv>

namespace skampi {

std::string listed_ranks(const std::vector<NodeDurations>& node_durations) {
    const auto last = node_durations.empty() ? 0 : static_cast<std::size_t>(node_durations.back().rank);
    if (last < most_node_times || last + 1 == node_durations.size())
        return {};
    std::string listed;
    for (const NodeDurations& node : node_durations) {
        const std::string number = std::to_string(node.rank);
        listed += number + std::string(listed_width - std::min(listed_width, number.size()), ' ');
    }
    return listed;
}

std::optional<std::vector<int>> ranks_in(std::string_view listed, std::size_t expected) {
    std::vector<int> ranks;
    for (; !listed.empty(); listed.remove_prefix(std::min(listed_width, listed.size()))) {
        const std::string_view number = listed.substr(0, std::min(listed.find(' '), listed_width));
        int rank = 0;
        if (std::from_chars(number.data(), number.data() + number.size(), rank).ec != std::errc{})
            return std::nullopt;
        ranks.push_back(rank);
    }
    return ranks.size() == expected ? std::optional(ranks) : std::nullopt;
}

} // namespace skampi
