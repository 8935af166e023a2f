// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "skalib/clock.hpp"

#include <cstdint>
#include <doctest/doctest.h>

using namespace skalib;

TEST_CASE("a clock that moves 10 ns with every reading has that resolution and that cost") {
    double now_s = 0;
    const ClockFacts facts = measure_clock([&] { return now_s += 10e-9; });
    CHECK(facts.resolution_s == close_to(10e-9).epsilon(1e-3));
    CHECK(facts.cost_s == close_to(10e-9).epsilon(1e-3));
}

TEST_CASE("the step of a clock is found where each reading costs several steps") {
    // 37 ns a reading, shown in steps of 10 ns, by a machine that has been up for ten days.
    std::int64_t now_ns = 864'000'000'000'000;
    const ClockFacts facts = measure_clock([&] {
        now_ns += 37;
        return static_cast<double>(now_ns / 10 * 10) * 1e-9;
    });
    CHECK(facts.resolution_s == close_to(10e-9).epsilon(0.02));
    CHECK(facts.cost_s == close_to(37e-9).epsilon(0.02));
}

TEST_CASE("a coarse clock is read until it has stepped often enough") {
    std::int64_t now_ns = 0;
    const ClockFacts facts = measure_clock([&] {
        now_ns += 50;
        return static_cast<double>(now_ns / 1'000'000) * 1e-3;
    });
    CHECK(facts.resolution_s == close_to(1e-3).epsilon(1e-6));
    CHECK(facts.cost_s == close_to(50e-9).epsilon(0.1));
}

TEST_CASE("an interruption is no cost of the clock") {
    std::int64_t readings = 0;
    double now_s = 0;
    const ClockFacts facts = measure_clock([&] { return now_s += ++readings == 500 ? 2e-3 : 20e-9; });
    CHECK(facts.cost_s == close_to(20e-9).epsilon(1e-3));
}

TEST_CASE("a block is as long as the clock found wants it, not as long as on some machine") {
    CHECK(shortest_block_s({.resolution_s = 10e-9, .cost_s = 30e-9}) == close_to(4e-6));
    // A clock of 1 us would show a block of 4 us in steps of 25 %.
    CHECK(shortest_block_s({.resolution_s = 1e-6, .cost_s = 30e-9}) == close_to(103e-6));
    CHECK(shortest_block_s({.resolution_s = 1e-6, .cost_s = 0}, 0.1) == close_to(10e-6));
    CHECK(shortest_block_s({}) == 0);
}

TEST_CASE("as many calls as the wished resolution is finer than the clock's") {
    CHECK(calls_for_resolution({.resolution_s = 1e-6, .cost_s = 0}, 1e-9) == 1000);
    CHECK(calls_for_resolution({.resolution_s = 10e-9, .cost_s = 30e-9}, 4e-9) == 3);
    CHECK(calls_for_resolution({.resolution_s = 10e-9, .cost_s = 30e-9}, 1e-6) == 1);
    CHECK(calls_for_resolution({}, 1e-9) == 1);
}

TEST_CASE("a clock that stands still has no resolution and holds nobody up") {
    const ClockFacts facts = measure_clock([] { return 42.0; });
    CHECK(facts.resolution_s == 0);
    CHECK(facts.cost_s == 0);
    CHECK(core_clock_hz([] { return 42.0; }) == 0);
}

TEST_CASE("the core clock is the fastest chain over the clock's time") {
    // A clock that lets every second reading come 1 us later, once 3 us: the chain takes 1 us at best.
    int reading = 0;
    double now_s = 0;
    const double hz = core_clock_hz(
        [&] {
            ++reading;
            if (reading % 2 == 0)
                now_s += reading == 6 ? 3e-6 : 1e-6;
            return now_s;
        },
        1e-6);
    // 256 rounds of 8 multiplications of 3 cycles.
    CHECK(hz == close_to(256 * 8 * 3 / 1e-6).epsilon(1e-6));
}

TEST_CASE("a longer try is a longer chain") {
    const auto chain_of = [](double duration_s) {
        int reading = 0;
        double now_s = 0;
        return core_clock_hz(
                   [&] {
                       now_s += ++reading % 2 == 0 ? 1e-6 : 0;
                       return now_s;
                   },
                   duration_s) *
               1e-6 / 24;
    };
    CHECK(chain_of(20e-6) == close_to(20 * chain_of(1e-6)).epsilon(1e-3));
}

TEST_CASE("a core's speed is its clock and its additions per cycle, told by the best of a few tries") {
    // Readings begin, middle, end: 2 us for the chain of 256 * 24 cycles, 0.7 us for 8000 additions, once
    // more.
    int reading = 0;
    double now_s = 0;
    const CoreSpeed speed = core_speed([&] {
        const int part = reading++ % 3;
        const double slow = reading > 3 && reading <= 6 ? 3 : 1; // the second try is interrupted
        now_s += part == 1 ? 2e-6 * slow : part == 2 ? 0.7e-6 * slow : 0;
        return now_s;
    });
    CHECK(speed.clock_hz == close_to(256 * 24 / 2e-6).epsilon(1e-6));
    CHECK(speed.throughput == close_to(8000 / (0.7e-6 * speed.clock_hz)).epsilon(1e-6));
    CHECK(core_speed([] { return 42.0; }).clock_hz == 0);
    CHECK(core_speed([] { return 42.0; }).throughput == 0);
}

TEST_CASE("a look whose chain was delayed does not tell more additions per cycle than the core can do") {
    const std::vector<CoreSpeed> looks =
        at_fastest_clock({{3.6e9, 3.4}, {3.0e9, 3.4 * 3.6 / 3.0}, {3.6e9, 2.5}, {0, 0}});
    CHECK(looks[0].throughput == 3.4);
    CHECK(looks[1].throughput == close_to(3.4).epsilon(1e-12));
    CHECK(looks[2].throughput == 2.5);
    CHECK(looks[3].throughput == 0); // the clock did not move
    for (const CoreSpeed& look : looks)
        CHECK(look.clock_hz == 3.6e9);
    CHECK(at_fastest_clock({}).empty());
}

TEST_CASE("the machine's clock never goes back") {
    double last_s = steady_seconds();
    for (int i = 0; i < 1000; ++i) {
        const double now_s = steady_seconds();
        REQUIRE(now_s >= last_s);
        last_s = now_s;
    }
}
