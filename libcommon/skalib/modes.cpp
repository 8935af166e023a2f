// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skalib/modes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace skalib {
namespace {

struct Gap {
    std::size_t first_above = 0; ///< index of the first sorted value beyond the gap
    double ratio = 1;
};

} // namespace

ModeSplit::ModeSplit(std::span<const double> probes_s, double min_ratio, double min_share,
                     std::size_t max_modes)
    : min_ratio_(min_ratio) {
    if (!(min_ratio > 1))
        throw std::invalid_argument("min_ratio must be above 1");
    if (max_modes < 1)
        throw std::invalid_argument("max_modes must be at least 1");
    std::vector<double> sorted(probes_s.begin(), probes_s.end());
    if (!std::all_of(sorted.begin(), sorted.end(),
                     [](double probe) { return probe > 0 && std::isfinite(probe); }))
        throw std::invalid_argument("probe values must be above 0");
    if (!std::is_sorted(sorted.begin(), sorted.end()))
        std::sort(sorted.begin(), sorted.end());

    std::vector<Gap> gaps;
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i] >= min_ratio * sorted[i - 1])
            gaps.push_back({i, sorted[i] / sorted[i - 1]});
    std::stable_sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.ratio > b.ratio; });

    // In a small sample one value alone is more than any share: a mode has at least two.
    const double least = std::max(2.0, min_share * static_cast<double>(sorted.size()));
    std::vector<std::size_t> borders{0, sorted.size()}; // of the modes found so far
    for (const Gap& gap : gaps) {
        if (borders.size() > max_modes)
            break;
        const auto above = std::upper_bound(borders.begin(), borders.end(), gap.first_above);
        const std::size_t count_below = gap.first_above - *std::prev(above);
        const std::size_t count_above = *above - gap.first_above;
        if (static_cast<double>(std::min(count_below, count_above)) < least)
            continue;
        borders.insert(above, gap.first_above);
    }
    for (std::size_t i = 1; i + 1 < borders.size(); ++i)
        cuts_.push_back(std::sqrt(sorted[borders[i] - 1]) * std::sqrt(sorted[borders[i]]));
}

std::size_t ModeSplit::mode(double probe_s) const {
    return static_cast<std::size_t>(std::upper_bound(cuts_.begin(), cuts_.end(), probe_s) - cuts_.begin());
}

std::optional<std::size_t> ModeSplit::mode(double probe_before_s, double probe_after_s) const {
    const auto [low, high] = std::minmax(probe_before_s, probe_after_s);
    if (mode(low) != mode(high) || high >= min_ratio_ * low)
        return std::nullopt;
    return mode(low);
}

void ProbeHistory::add(std::span<const double> probes_s) {
    const auto old = static_cast<std::ptrdiff_t>(sorted_s_.size());
    sorted_s_.insert(sorted_s_.end(), probes_s.begin(), probes_s.end());
    std::sort(sorted_s_.begin() + old, sorted_s_.end());
    std::inplace_merge(sorted_s_.begin(), sorted_s_.begin() + old, sorted_s_.end());
}

const ModeSplit& ProbeHistory::split() const {
    if (split_size_ != sorted_s_.size()) {
        split_ = ModeSplit(sorted_s_, min_ratio_);
        split_size_ = sorted_s_.size();
    }
    return split_;
}

} // namespace skalib
