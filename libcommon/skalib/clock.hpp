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
    /// Smallest step seen between different readings, or between two such steps (SKaLib 3.1): not what is
    /// claimed. 0 = the clock never moved.
    double resolution_s = 0;
    double cost_s = 0; ///< time of one reading
};

/// Measures a clock: reads it in loops and takes the smallest positive step, and the mean cost of a reading
/// in the fastest of them, so that an interruption is no cost.
[[nodiscard]] ClockFacts measure_clock(const Clock& clock);

/// The wished resolution (SKaLib 3.1) where nothing else is said: what the clock adds to a timed block is at
/// most this share of it.
constexpr double usual_resolution = 0.01;

/// How long a block of calls must be so that the clock's step and the cost of reading it are together at most
/// `resolution` (> 0) of it. It follows the clock found: 4 us for one that steps by 10 ns and costs 30 ns,
/// 100 us for one that steps by 1 us.
[[nodiscard]] double shortest_block_s(const ClockFacts& clock, double resolution = usual_resolution);

/// N of SKaLib eq. 3.1: with so many calls in a block, at least 1, a clock tells times per call that differ
/// by wished_s (> 0).
[[nodiscard]] std::int64_t calls_for_resolution(const ClockFacts& clock, double wished_s);

/// Frequency of this core in hertz: a chain of dependent integer multiplications of known length, the fastest
/// of a few tries. It takes each multiplication for 3 cycles, which holds for x86 and most ARM cores;
/// elsewhere it is off by a constant factor. Use it as a relative measure: it shows when the core clock
/// drifts between runs.
/// @param duration_s roughly how long one try takes
/// @returns 0 when the clock did not move
[[nodiscard]] double core_clock_hz(const Clock& clock, double duration_s = 20e-6);

struct CoreSpeed {
    double clock_hz = 0; ///< as core_clock_hz() finds it, from a shorter chain
    /// Additions per core cycle that independent chains of additions reach. It falls by a third or so while
    /// another hardware thread, perhaps of another virtual machine, works on the same core; the clock shows
    /// nothing of that, since a dependent chain leaves room for both.
    double throughput = 0;
};

/// What this core can do at the moment, in about 10 us. Zeros when the clock did not move.
[[nodiscard]] CoreSpeed core_speed(const Clock& clock);

/// The same looks, as if all had found the fastest clock among them. Whatever meets a chain of
/// multiplications makes it slower, never faster: a look whose chain was delayed takes the clock for too slow
/// and would tell more additions per cycle than the core can do.
/// @param looks at one core, so close to each other that its clock stayed as it was
[[nodiscard]] std::vector<CoreSpeed> at_fastest_clock(std::vector<CoreSpeed> looks);

/// Keeps the core busy for so long without touching memory: the same chain of dependent multiplications, of a
/// length that depends on the duration alone.
/// @param core_clock_hz of this core, by core_clock_hz()
void compute(double duration_s, double core_clock_hz);

} // namespace skalib
#pragma GCC visibility pop
