// SPDX-License-Identifier: GPL-2.0-or-later
#include "skalib/measure.hpp"

#include <doctest/doctest.h>
#include <vector>

using namespace skalib;

namespace {

/// Notes how many calls lie between two readings of its clock: all that measure() does can be read from it.
/// Time passes only by readings (20 ns, so that is the clock's resolution and cost) and by calls.
struct Ledger {
    double call_s = 0;
    double now_s = 0;
    std::vector<std::int64_t> calls_before_reading{0};

    explicit Ledger(double duration_s)
        : call_s(duration_s) {}
    Clock clock() {
        return [this] {
            calls_before_reading.push_back(0);
            return now_s += 20e-9;
        };
    }
    std::function<void()> call() {
        return [this] {
            ++calls_before_reading.back();
            now_s += call_s;
        };
    }
    /// The numbers of calls that were not 0, in their order.
    [[nodiscard]] std::vector<std::int64_t> blocks() const {
        std::vector<std::int64_t> all;
        for (const std::int64_t calls : calls_before_reading)
            if (calls > 0)
                all.push_back(calls);
        return all;
    }
    [[nodiscard]] std::int64_t calls() const {
        std::int64_t sum = 0;
        for (const std::int64_t calls : calls_before_reading)
            sum += calls;
        return sum;
    }
};

/// How many single calls come first.
std::size_t single_calls(const std::vector<std::int64_t>& blocks) {
    std::size_t single = 0;
    while (single < blocks.size() && blocks[single] == 1)
        ++single;
    return single;
}

constexpr RepetitionLimits ten{.min_count = 10, .max_count = 10};

} // namespace

TEST_CASE("warm-up: three calls at least, 200 us, and 256 calls at most") {
    // A call of 1 s: three calls, one block that is long enough at once, ten values.
    Ledger slow(1);
    CHECK(measure(slow.call(), ten, slow.clock()).summary.count == 10);
    CHECK(slow.calls() == 3 + 1 + 10);
    // 200 us are over after the fourth call of 60 us.
    Ledger medium(60e-6);
    (void)measure(medium.call(), ten, medium.clock());
    CHECK(medium.calls() == 4 + 1 + 10);
    // 256 calls of 10 ns take 8 us with their readings; the first block to be tried is one call.
    Ledger quick(10e-9);
    (void)measure(quick.call(), ten, quick.clock());
    CHECK(single_calls(quick.blocks()) == 256 + 1);
}

TEST_CASE("blocks double until they take a quarter of what is needed, then have the size needed") {
    // 20 ns of resolution and 20 ns of cost are below 1 % of 4 us: 400 calls of 10 ns.
    Ledger quick(10e-9);
    const Measured measured =
        measure(quick.call(), {.min_count = 10, .max_count = 10, .max_relative_error = 0.01}, quick.clock());
    CHECK(measured.summary.count == 10);
    std::vector<std::int64_t> blocks = quick.blocks();
    blocks.erase(blocks.begin(), blocks.begin() + 256);
    // 98 calls and a reading take a quarter: 64 are too few, 128 enough.
    REQUIRE(blocks.size() == 8 + 10);
    for (std::size_t i = 0; i < 8; ++i)
        CHECK(blocks[i] == std::int64_t{1} << i);
    for (std::size_t i = 8; i < blocks.size(); ++i) {
        CHECK(blocks[i] == blocks.back());
        CHECK(blocks[i] >= 380);
        CHECK(blocks[i] <= 420);
    }
}

TEST_CASE("a call that takes no time is timed in blocks of 2^20, not forever") {
    std::int64_t calls = 0;
    (void)measure([&] { ++calls; }, ten, [] { return 7.0; });
    // Warm-up, no longer than its most calls; then each value is one block of the size at which growing
    // ended.
    const std::int64_t in_blocks = calls - 256;
    CHECK(in_blocks > 0);
    CHECK(in_blocks <= (std::int64_t{1} << 21) + 10 * (std::int64_t{1} << 20));
}

TEST_CASE("blocks that stay too short grow to 2^20 calls and no further") {
    // Readings of 20 ns, calls that take nothing: the 40 s that an error of 1e-9 asks for are never reached.
    Ledger nothing(0);
    (void)measure(nothing.call(), {.min_count = 2, .max_count = 2, .max_relative_error = 1e-9},
                  nothing.clock());
    const std::vector<std::int64_t> blocks = nothing.blocks();
    REQUIRE(blocks.size() == 256 + 21 + 2);
    for (std::size_t i = 0; i <= 20; ++i)
        CHECK(blocks[256 + i] == std::int64_t{1} << i);
    CHECK(blocks[256 + 21] == std::int64_t{1} << 20);
    CHECK(blocks.back() == std::int64_t{1} << 20);
}

TEST_CASE("no time at all still gives one value") {
    std::int64_t calls = 0;
    const Measured one = measure([&] { ++calls; }, {.min_count = 10, .max_time_s = 0.0}, [] { return 7.0; });
    CHECK(one.summary.count == 1);
    CHECK(one.reason == StopReason::time_limit);
    CHECK(calls == 1 + 1); // the block is tried once and measured once
}

TEST_CASE("a suite without time makes no call, even where the clock shows none passing") {
    const Clock still = [] { return 7.0; };
    std::int64_t calls = 0;
    CHECK(measure_suite([&](std::int64_t) { ++calls; }, {.start = 1, .end = 4}, {},
                        MeasureOptions{.clock = still, .max_suite_time_s = 0.0})
              .empty());
    CHECK(calls == 0);
}

TEST_CASE("an argument that is begun in the last moment gets a value") {
    for (int readings = 1; readings < 10; ++readings) {
        CAPTURE(readings);
        Ledger quick(1e-6);
        const auto points = measure_suite(
            [&, call = quick.call()](std::int64_t) { call(); }, {.start = 1, .end = 4}, {},
            MeasureOptions{.clock = quick.clock(), .max_suite_time_s = (readings + 0.5) * 20e-9});
        for (const Measured& point : points)
            CHECK(point.summary.count >= 1);
    }
}

TEST_CASE("after the time is over there is one more call at most in every stage") {
    SUBCASE("in the warm-up") {
        Ledger slow(1);
        const Measured measured = measure(slow.call(), {.min_count = 10, .max_time_s = 1.5}, slow.clock());
        CHECK(measured.reason == StopReason::time_limit);
        CHECK(measured.summary.count == 1);
        // Two of warm-up pass the limit, the block is tried once and measured once.
        CHECK(slow.calls() == 2 + 1 + 1);
    }
    SUBCASE("among the values") {
        Ledger slow(1);
        const Measured measured = measure(slow.call(), {.min_count = 100, .max_time_s = 9.5}, slow.clock());
        CHECK(measured.reason == StopReason::time_limit);
        CHECK(slow.calls() == 10);
        CHECK(measured.summary.count == 10 - 3 - 1);
    }
    SUBCASE("while blocks grow") {
        Ledger quick(10e-9);
        // 256 calls of warm-up take 7.7 us.
        const Measured measured = measure(
            quick.call(), {.min_count = 10, .max_relative_error = 1e-9, .max_time_s = 20e-6}, quick.clock());
        CHECK(measured.reason == StopReason::time_limit);
        CHECK(measured.summary.count == 1);
    }
}
