// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skalib/clock.hpp"

#include "skalib/repetition.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace skalib {
namespace {

constexpr int cycles_per_multiplication = 3;
constexpr int unrolled = 8;

/// Keeps the compiler from folding or reordering the chain through this value.
inline void opaque(std::uint64_t& value) {
#if defined(__GNUC__)
    asm volatile("" : "+r"(value));
#else
    volatile std::uint64_t copy = value;
    value = copy;
#endif
}

// How a core's other hardware thread delays these loops depends on how they lie in the code: meson.build lets
// each begin at a cache line (docs/decisions/shared-cores.md).

std::uint64_t multiply_chain(std::uint64_t value, std::uint64_t factor, std::int64_t rounds) {
    const auto multiply = [&](auto) {
        value *= factor;
        opaque(value);
    };
    for (std::int64_t i = 0; i < rounds; ++i)
        [&]<int... times>(std::integer_sequence<int, times...>) {
            (multiply(times), ...);
        }(std::make_integer_sequence<int, unrolled>{});
    return value;
}

constexpr int independent_sums = 8; // more than a core adds in one cycle

/// Adds to independent sums, each in a register of its own.
std::uint64_t add_up(std::uint64_t start, std::int64_t rounds) {
    std::uint64_t a = start, b = start, c = start, d = start, e = start, f = start, g = start, h = start;
    for (std::int64_t i = 0; i < rounds; ++i) {
        opaque(++a);
        opaque(++b);
        opaque(++c);
        opaque(++d);
        opaque(++e);
        opaque(++f);
        opaque(++g);
        opaque(++h);
    }
    return a + b + c + d + e + f + g + h;
}

constexpr std::uint64_t odd_factor = 0x9E3779B97F4A7C15u; // so that the product never becomes zero

} // namespace

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ClockFacts measure_clock(const Clock& clock) {
    constexpr int rounds = 5;
    constexpr std::int64_t least_readings = 1000; // in a round
    constexpr std::size_t enough_steps = 20;
    // A clock of 10 ms needs millions of readings to step; one that never steps must not hold us for ever.
    constexpr std::int64_t most_readings = 10'000'000;
    constexpr std::size_t steps_kept = 1000;

    std::vector<double> steps;
    steps.reserve(steps_kept);
    ClockFacts facts;
    facts.cost_s = std::numeric_limits<double>::infinity();
    const double begin = clock();
    double last = begin;
    // A coarse clock has been read so often in the first round that no interruption matters.
    for (std::int64_t all = 0, round = 0; round < rounds && all < rounds * least_readings; ++round) {
        const double round_begin = last = clock();
        const std::size_t enough = std::min(steps.size() + enough_steps, steps_kept);
        std::int64_t readings = 0;
        while (readings < most_readings && (readings < least_readings || steps.size() < enough)) {
            const double now = clock();
            ++readings;
            if (now > last && steps.size() < steps_kept)
                steps.push_back(now - last);
            last = now;
        }
        facts.cost_s = std::min(facts.cost_s, (last - round_begin) / static_cast<double>(readings));
        all += readings;
    }
    if (steps.empty())
        return facts;
    std::sort(steps.begin(), steps.end());
    facts.resolution_s = steps.front();
    // A clock that steps by 10 ns and costs 30 ns shows steps of 30 and 40 ns: the step is in their
    // difference. Differences as small as the rounding of the readings do not count.
    const double rounding =
        4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(begin), std::abs(last));
    for (std::size_t i = 1; i < steps.size(); ++i)
        if (const double difference = steps[i] - steps[i - 1]; difference > rounding)
            facts.resolution_s = std::min(facts.resolution_s, difference);
    return facts;
}

double shortest_block_s(const ClockFacts& clock, double resolution) {
    return (clock.resolution_s + clock.cost_s) / resolution;
}

std::int64_t calls_for_resolution(const ClockFacts& clock, double wished_s) {
    // block_size() is the same division with the same bounds: as many calls of wished_s as a step has.
    return block_size(wished_s, clock.resolution_s);
}

double core_clock_hz(const Clock& clock, double duration_s) {
    constexpr int tries = 3;
    constexpr std::int64_t first_rounds = 256;
    constexpr std::int64_t most_rounds = 1'000'000;

    std::uint64_t value = 1;
    std::uint64_t factor = odd_factor;
    opaque(value);
    opaque(factor);
    const auto time = [&](std::int64_t rounds) {
        const double begin = clock();
        value = multiply_chain(value, factor, rounds);
        const double end = clock();
        return end - begin;
    };

    time(first_rounds); // wakes the core up
    const double first_s = time(first_rounds);
    const double fitting = first_s > 0 ? static_cast<double>(first_rounds) * duration_s / first_s : 0;
    const auto rounds = static_cast<std::int64_t>(
        std::clamp(fitting, static_cast<double>(first_rounds), static_cast<double>(most_rounds)));
    double best_s = std::numeric_limits<double>::infinity();
    for (int i = 0; i < tries; ++i)
        if (const double took_s = time(rounds); took_s > 0)
            best_s = std::min(best_s, took_s);
    opaque(value);
    const auto cycles = static_cast<double>(rounds * unrolled * cycles_per_multiplication);
    return std::isfinite(best_s) ? cycles / best_s : 0;
}

CoreSpeed core_speed(const Clock& clock) {
    constexpr int tries = 3; // an interruption must not pass for a slow core
    constexpr std::int64_t chain_rounds = 256;
    constexpr std::int64_t adding_rounds = 1000;

    std::uint64_t product = 1;
    std::uint64_t factor = odd_factor;
    opaque(factor);
    std::uint64_t sum = 0;
    double chain_s = std::numeric_limits<double>::infinity();
    double adding_s = std::numeric_limits<double>::infinity();
    for (int i = 0; i < tries; ++i) {
        const double begin_s = clock();
        product = multiply_chain(product, factor, chain_rounds);
        const double middle_s = clock();
        sum = add_up(sum, adding_rounds);
        const double end_s = clock();
        chain_s = std::min(chain_s, middle_s - begin_s);
        adding_s = std::min(adding_s, end_s - middle_s);
    }
    opaque(product);
    opaque(sum);
    if (!(chain_s > 0) || !(adding_s > 0))
        return {};
    const double clock_hz =
        static_cast<double>(chain_rounds * unrolled * cycles_per_multiplication) / chain_s;
    return {clock_hz, static_cast<double>(adding_rounds * independent_sums) / (clock_hz * adding_s)};
}

std::vector<CoreSpeed> at_fastest_clock(std::vector<CoreSpeed> looks) {
    double fastest_hz = 0;
    for (const CoreSpeed& look : looks)
        fastest_hz = std::max(fastest_hz, look.clock_hz);
    for (CoreSpeed& look : looks) {
        if (look.clock_hz > 0)
            look.throughput *= look.clock_hz / fastest_hz;
        look.clock_hz = fastest_hz;
    }
    return looks;
}

void compute(double duration_s, double core_clock_hz) {
    std::uint64_t value = 1;
    std::uint64_t factor = odd_factor;
    opaque(value);
    opaque(factor);
    const double cycles_per_round = unrolled * cycles_per_multiplication;
    value = multiply_chain(
        value, factor,
        static_cast<std::int64_t>(std::llround(duration_s * core_clock_hz / cycles_per_round)));
    opaque(value);
}

} // namespace skalib
