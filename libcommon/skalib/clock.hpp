// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skalib {

/// A clock in seconds from any fixed point.
using Clock = std::function<double()>;

/// The machine's steady clock in seconds.
[[nodiscard]] double steady_seconds();

struct ClockFacts {
    /// Smallest measured step between different readings, or between two such steps (SKaLib 3.1). It is not
    /// the step that the system claims. 0 = the clock never moved.
    double resolution_s = 0;
    double cost_s = 0; ///< time of one reading
};

/// Measures a clock: reads it in loops and takes the smallest positive step, and the mean cost of a reading
/// in the fastest loop, so that interruptions do not count.
[[nodiscard]] ClockFacts measure_clock(const Clock& clock);

/// Default of the wished resolution (SKaLib 3.1): the clock adds at most this share to the time of a block.
/// (The share of its step and of the cost of reading it.)
constexpr double usual_resolution = 0.01;

/// How long a block of calls must be so that the clock's step and the cost of reading it are together at most
/// `resolution` (> 0) of it. It follows the clock found: 4 us for one that steps by 10 ns and costs 30 ns,
/// 100 us for one that steps by 1 us.
[[nodiscard]] double shortest_block_s(const ClockFacts& clock, double resolution = usual_resolution);

/// N of SKaLib eq. 3.1: the number of calls in a block, at least 1, with which the clock resolves differences
/// of wished_s (> 0) in the time per call.
[[nodiscard]] std::int64_t calls_for_resolution(const ClockFacts& clock, double wished_s);

/// Frequency of this core in hertz: a chain of dependent integer multiplications of known length, the fastest
/// of a few tries. It assumes 3 cycles per multiplication, which holds for x86 and most ARM cores;
/// elsewhere it is off by a constant factor. Use it as a relative measure: it shows when the core clock
/// drifts between runs.
/// @param duration_s roughly how long one try takes
/// @returns 0 when the clock did not move
[[nodiscard]] double core_clock_hz(const Clock& clock, double duration_s = 20e-6);

struct CoreSpeed {
    double clock_hz = 0; ///< as core_clock_hz() measures it, from a shorter chain
    /// Additions per core cycle that independent chains of additions reach. It falls by about a third while
    /// another hardware thread, perhaps of another virtual machine, works on the same core. The clock does
    /// not show that: a dependent chain leaves room for both.
    double throughput = 0;
};

/// Measures the core's speed in about 10 us. Zeros when the clock did not move.
[[nodiscard]] CoreSpeed core_speed(const Clock& clock);

/// Recomputes the throughputs with the fastest clock of several measurements. A disturbance makes a chain of
/// multiplications slower, never faster: a delayed chain gives too slow a clock, and then more additions per
/// cycle than the core can do.
/// @param looks measurements of one core, so close to one another that its clock did not change
[[nodiscard]] std::vector<CoreSpeed> at_fastest_clock(std::vector<CoreSpeed> looks);

/// Keeps the core busy for a duration without touching memory: a chain of dependent multiplications whose
/// length depends only on the duration.
/// @param core_clock_hz of this core, by core_clock_hz()
void compute(double duration_s, double core_clock_hz);

} // namespace skalib
#pragma GCC visibility pop
