// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/run.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>

namespace skampi {

/// Reads a clock again and again. A gap between two readings above 8 times the median step is a detour: the
/// core did other work ("selfish detour": Beckman et al. 2006; Hoefler, Schneider & Lumsdaine SC 2010).
/// @param clock in seconds   @param duration_s at least so long
template <typename Clock>
[[nodiscard]] CoreDetours watch_core(const Clock& clock, double duration_s) {
    // Eight steps of a fast clock are 0.2 us: a cache miss takes as long. A clock that counts microseconds
    // mostly stands still, and its ticks are no detours.
    constexpr double shortest_s = 2e-6;
    std::array<double, 999> steps_s{};
    double last_s = clock();
    for (double& step_s : steps_s) {
        const double now_s = clock();
        step_s = now_s - last_s;
        last_s = now_s;
    }
    const double usual_s = skalib::median_in_place(steps_s);
    const double limit_s = std::max(8 * usual_s, shortest_s);
    CoreDetours result;
    const double begin_s = last_s = clock();
    while (result.watched_s < duration_s) {
        const double now_s = clock();
        const double gap_s = now_s - last_s;
        last_s = now_s;
        result.watched_s = now_s - begin_s;
        if (gap_s > limit_s) {
            ++result.detours;
            result.lost_s += gap_s - usual_s;
            result.longest_s = std::max(result.longest_s, gap_s);
        }
    }
    return result;
}

} // namespace skampi
