// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/weighted_median.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace skampi {

double weighted_median(const std::vector<double>& values, const std::vector<double>& weights) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    const double half = std::accumulate(weights.begin(), weights.end(), 0.0) / 2;
    constexpr double rounding = 1e-9;
    double sum = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        sum += weights[order[i]];
        if (sum > half * (1 + rounding) || i + 1 == order.size())
            return values[order[i]];
        if (sum >= half * (1 - rounding))
            return std::midpoint(values[order[i]], values[order[i + 1]]);
    }
    return 0;
}

} // namespace skampi
