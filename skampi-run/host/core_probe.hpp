// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skampi {

/// One probe: the median of a few short blocks distinguishes the machine's modes (factor 4) although single
/// blocks scatter; more would cost time for nothing new.
constexpr std::size_t probe_blocks = 5;

/// The state of the core itself: the time of a chain of multiplications.
/// @param clock seconds   @param over asked after each block: whether time is over; one block at least
template <typename ReadClock, typename Over>
[[nodiscard]] double core_probe(const ReadClock& clock, const Over& over) {
    std::vector<double> blocks;
    do {
        const double begin_s = clock();
        std::uint64_t product = 3;
        for (int i = 0; i < 300; ++i) {
            product *= product;
            asm volatile("" : "+r"(product));
        }
        blocks.push_back(clock() - begin_s);
    } while (blocks.size() < probe_blocks && !over());
    return skalib::upper_median(std::move(blocks));
}

/// A time as stored: no clock resolves less, and it takes half the space.
[[nodiscard]] inline double to_picoseconds(double time_s) {
    return std::round(time_s * 1e12) / 1e12;
}

/// Batches of undisturbed cores get the same throughput, so that they are stored as one stretch: a step of
/// half a percent, where 4 % make a disturbed one.
[[nodiscard]] inline double throughput_as_stored(double throughput) {
    constexpr double steps = 64;
    return std::round(throughput * steps) / steps;
}

} // namespace skampi
