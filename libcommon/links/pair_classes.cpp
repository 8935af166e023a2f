// SPDX-License-Identifier: LGPL-2.1-or-later
#include "links/pair_classes.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace skampi {

namespace {

constexpr double bin_width = 0.08; ///< of logarithms of times: 8 %

/// Borders between heaps of values, ascending: in a valley that is a fifth of the lower of its hills, with
/// enough values on either side.
/// @param counts of values in each bin
void split(const std::vector<std::size_t>& counts, std::size_t begin, std::size_t end, std::size_t least,
           std::vector<std::size_t>& borders) {
    double deepest = 0.2;
    std::size_t border = end;
    for (std::size_t valley = begin + 1; valley + 1 < end; ++valley) {
        const auto first = counts.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto here = counts.begin() + static_cast<std::ptrdiff_t>(valley);
        const auto last = counts.begin() + static_cast<std::ptrdiff_t>(end);
        std::size_t below = 0;
        std::size_t above = 0;
        for (auto bin = first; bin != last; ++bin)
            (bin < here ? below : above) += *bin;
        const std::size_t hill = std::min(*std::max_element(first, here), *std::max_element(here + 1, last));
        if (below < least || above < least || hill == 0)
            continue;
        const double depth = static_cast<double>(*here) / static_cast<double>(hill);
        if (depth < deepest) {
            deepest = depth;
            border = valley;
        }
    }
    if (border == end)
        return;
    split(counts, begin, border, least, borders);
    borders.push_back(border);
    split(counts, border + 1, end, least, borders);
}

/// The heap in which each pair's own time lies.
PairClasses heaps(const PairValues& time_s) {
    const int n = time_s.members();
    std::vector<double> logarithms;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            if (time_s(i, j) > 0)
                logarithms.push_back(std::log(time_s(i, j)));
    PairClasses classes{1, PairValues(n, 0)};
    if (logarithms.empty())
        return classes;
    const auto [least, most] = std::ranges::minmax(logarithms);
    const auto bin_of = [low = least](double logarithm) {
        return static_cast<std::size_t>(std::max(0.0, (logarithm - low) / bin_width));
    };
    std::vector<std::size_t> counts(bin_of(most) + 1);
    for (const double logarithm : logarithms)
        ++counts[bin_of(logarithm)];
    std::vector<std::size_t> borders;
    split(counts, 0, counts.size(), std::max<std::size_t>(5, static_cast<std::size_t>(n) / 4), borders);
    classes.count = static_cast<int>(borders.size()) + 1;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            if (time_s(i, j) > 0)
                classes.of_pair.set(
                    i, j,
                    static_cast<double>(std::ranges::upper_bound(borders, bin_of(std::log(time_s(i, j)))) -
                                        borders.begin()));
    return classes;
}

/// For each member up to eight, itself among them, whose times to the others differ from its own by a
/// constant.
std::vector<std::vector<int>> connected_alike(const PairValues& time_s) {
    constexpr std::size_t most = 8;
    constexpr int most_compared = 64; // of the others
    constexpr double alike = 0.12;    // of a time
    const int n = time_s.members();
    const int stride = std::max(1, n / most_compared);
    std::vector<std::vector<int>> groups(static_cast<std::size_t>(n));
    std::vector<double> differences;
    for (int i = 0; i < n; ++i) {
        std::vector<int>& group = groups[static_cast<std::size_t>(i)];
        group.push_back(i);
        for (int offset = 1; offset < n && group.size() < most; ++offset) {
            const int k = (i + offset) % n;
            differences.clear();
            const auto difference = [&](int j) { return time_s(i, j) - time_s(k, j); };
            for (int j = offset % stride; j < n; j += stride)
                if (j != i && j != k && !std::isnan(difference(j)))
                    differences.push_back(difference(j));
            if (differences.size() < 3)
                continue;
            const double shift = skalib::median(differences);
            std::size_t same = 0;
            for (int j = offset % stride; j < n; j += stride)
                if (j != i && j != k && std::abs(difference(j) - shift) < alike * time_s(k, j))
                    ++same;
            if (10 * same >= 9 * differences.size())
                group.push_back(k);
        }
    }
    return groups;
}

} // namespace

PairClasses classes_by_time(const PairValues& time_s) {
    const PairClasses own = heaps(time_s);
    if (own.count == 1)
        return own;
    const int n = time_s.members();
    const std::vector<std::vector<int>> alike = connected_alike(time_s);
    PairClasses classes{0, PairValues(n, 0)};
    std::map<double, int> numbers; // of classes that are left
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) {
            std::map<double, int> votes;
            for (const int k : alike[static_cast<std::size_t>(i)])
                for (const int l : alike[static_cast<std::size_t>(j)])
                    if (k != l && time_s(k, l) > 0)
                        ++votes[own.of_pair(k, l)];
            if (votes.empty())
                continue;
            const double elected =
                std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; })->first;
            classes.of_pair.set(i, j, elected);
            numbers[elected] = 0;
        }
    for (auto& [elected, number] : numbers)
        number = classes.count++;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            classes.of_pair.set(i, j, numbers[classes.of_pair(i, j)]);
    classes.count = std::max(classes.count, 1);
    return classes;
}

} // namespace skampi
