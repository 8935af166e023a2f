#include "spec/suggestion.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <utility>
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

/// Smallest number of insertions, deletions and replacements (Wagner & Fischer 1974).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> above(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        above[j] = j;
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
            row[j] =
                std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
        std::swap(above, row);
    }
    return above[b.size()];
}

} // namespace

std::string did_you_mean(std::string_view written, std::span<const std::string_view> known) {
    // A word of that length is no typing error, and the distance costs the product of the lengths.
    constexpr std::size_t longest = 100;
    if (written.empty() || written.size() > longest)
        return {};
    const std::string wanted = lower_case(written);
    std::string_view nearest;
    std::size_t smallest = std::max<std::size_t>(1, written.size() / 3) + 1;
    for (const std::string_view name : known) {
        const std::size_t distance = edit_distance(wanted, lower_case(name));
        if (distance < smallest) {
            smallest = distance;
            nearest = name;
        }
    }
    return nearest.empty() ? std::string{} : fmt::format(" (did you mean \"{}\"?)", nearest);
}

} // namespace skampi
