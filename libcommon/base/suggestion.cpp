// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/suggestion.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace skampi {

namespace {

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return result;
}

enum class Match { whole, part };

/// Smallest number of insertions, deletions, replacements and exchanges of neighbours that make a word a name
/// (Wagner & Fischer 1974, Damerau 1964) or any part of it (Sellers 1980).
std::size_t edit_distance(std::string_view word, std::string_view name, Match match) {
    std::vector rows(word.size() + 1, std::vector<std::size_t>(name.size() + 1));
    for (std::size_t j = 0; match == Match::whole && j <= name.size(); ++j)
        rows[0][j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
        rows[i][0] = i;
        for (std::size_t j = 1; j <= name.size(); ++j) {
            const std::size_t replaced = rows[i - 1][j - 1] + (word[i - 1] == name[j - 1] ? 0 : 1);
            rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && word[i - 1] == name[j - 2] && word[i - 2] == name[j - 1])
                rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return match == Match::whole ? rows.back().back() : *std::ranges::min_element(rows.back());
}

} // namespace

std::string did_you_mean(std::string_view written, std::span<const std::string_view> known) {
    // A word of that length is no typing error, and the distance costs the product of the lengths.
    constexpr std::size_t longest = 100;
    constexpr std::size_t shortest_part = 3; // two letters are in most names
    constexpr std::size_t most = 3;
    std::string wanted = lower_case(written);
    std::erase(wanted, '*');
    if (wanted.empty() || wanted.size() > longest)
        return {};
    std::vector<std::string_view> nearest;
    std::size_t smallest = std::max<std::size_t>(1, wanted.size() / 3);
    for (const std::string_view name : known) {
        const std::string candidate = lower_case(name);
        std::size_t distance = edit_distance(wanted, candidate, Match::whole);
        if (wanted.size() >= shortest_part)
            distance = std::min(distance, edit_distance(wanted, candidate, Match::part) + 1);
        if (distance < smallest)
            nearest.clear();
        smallest = std::min(smallest, distance);
        if (distance == smallest && nearest.size() < most &&
            std::ranges::find(nearest, name) == nearest.end())
            nearest.push_back(name);
    }
    std::string names;
    for (const std::string_view name : nearest)
        names.append(names.empty() ? "\"" : " or \"").append(name).append("\"");
    return names.empty() ? names : " (did you mean " + names + "?)";
}

} // namespace skampi
