// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "skalib/measure.hpp"

#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

using namespace skalib;

namespace {

/// A machine whose time passes only where it is told to: by reading its clock, and by calls.
struct Machine {
    double now_s = 0;
    double reading_s = 20e-9;
    std::int64_t calls = 0;

    Clock clock() {
        return [this] { return now_s += reading_s; };
    }
    std::function<void()> call_of(double duration_s) {
        return [this, duration_s] {
            ++calls;
            now_s += duration_s;
        };
    }
};

} // namespace

TEST_CASE("the time of a call is found without the cost of the clock") {
    for (const double duration_s : {1e-9, 50e-9, 3e-6, 2e-3}) {
        Machine machine;
        const Measured measured = measure(machine.call_of(duration_s), {}, machine.clock());
        CHECK(measured.summary.cut_mean == close_to(duration_s).epsilon(1e-3));
        CHECK(measured.reason == StopReason::repeatable);
    }
}

TEST_CASE("short calls are timed in blocks, long ones singly") {
    Machine machine;
    const Measured quick = measure(machine.call_of(10e-9), {.max_relative_error = 0.01}, machine.clock());
    // Resolution and cost are 20 ns each: a block of 4 us keeps them below 1 %.
    CHECK(machine.calls > quick.summary.count * 300);

    Machine other;
    const Measured slow = measure(other.call_of(1), {}, other.clock());
    CHECK(other.calls < slow.summary.count + 10);
}

TEST_CASE("noise is averaged until the error wanted") {
    Machine machine;
    std::mt19937_64 random(11);
    std::normal_distribution<double> duration(1e-3, 1e-4);
    const Measured measured = measure([&] { machine.now_s += duration(random); },
                                      {.max_count = 10'000, .max_relative_error = 0.005}, machine.clock());
    CHECK(measured.reason == StopReason::repeatable);
    CHECK(measured.summary.cut_standard_error <= 0.005 * 1.0001 * measured.summary.cut_mean);
    CHECK(measured.summary.cut_mean == close_to(1e-3).epsilon(0.02));
    CHECK(measured.summary.count > 200);
}

TEST_CASE("a time limit ends the measurement after the call that exceeded it") {
    Machine machine;
    const double begin_s = machine.now_s;
    const Measured measured =
        measure(machine.call_of(0.1), {.min_count = 1000, .max_time_s = 2.0}, machine.clock());
    CHECK(measured.reason == StopReason::time_limit);
    CHECK(measured.summary.count >= 10);
    CHECK(machine.now_s - begin_s < 2.2);
}

TEST_CASE("a time limit shorter than one call still gives a value") {
    Machine machine;
    const Measured measured = measure(machine.call_of(5), {.max_time_s = 1.0}, machine.clock());
    CHECK(measured.summary.count == 1);
    CHECK(measured.summary.cut_mean == close_to(5));
    CHECK(measured.reason == StopReason::time_limit);
}

TEST_CASE("a coarse clock is given blocks that it can resolve") {
    // Shown in steps of 1 us: single calls of 3 us would come in steps of a third.
    Machine machine;
    const Clock coarse = [&] { return std::floor((machine.now_s += 20e-9) * 1e6) * 1e-6; };
    const Measured measured =
        measure(machine.call_of(3.14e-6), {.min_count = 50, .max_relative_error = 0.01}, coarse);
    CHECK(measured.summary.cut_mean == close_to(3.14e-6).epsilon(0.01));
    CHECK(machine.calls / measured.summary.count >= 32);
}

TEST_CASE("the wished resolution decides how many calls a block has") {
    Machine machine;
    machine.reading_s = 100e-9;
    const Measured measured = measure(machine.call_of(1e-3), {.min_count = 10},
                                      MeasureOptions{.clock = machine.clock(), .resolution_s = 1e-9});
    // 100 ns for the step of the clock found: blocks of a hundred calls, though one call would hide it.
    CHECK(machine.calls >= 100 * measured.summary.count);
    CHECK(machine.calls < 102 * measured.summary.count + 300);
    CHECK(measured.summary.cut_mean == close_to(1e-3));

    Machine other;
    other.reading_s = 100e-9;
    const Measured single = measure(other.call_of(1e-3), {.min_count = 10}, other.clock());
    CHECK(other.calls < single.summary.count + 10);
}

TEST_CASE("the error of the overhead is part of the error of every value") {
    // A clock whose readings cost 20 to 60 ns: what is subtracted is not certain.
    double now_s = 0;
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> reading(20e-9, 60e-9);
    const Clock clock = [&] { return now_s += reading(random); };
    const Measured measured = measure([&] { now_s += 1e-6; }, {.min_count = 400}, clock);
    CHECK(measured.overhead_s > 0);
    CHECK(measured.overhead_error_s > 0);
    CHECK(measured.summary.cut_standard_error > measured.overhead_error_s);
    CHECK(measured.summary.standard_error_all > measured.overhead_error_s);
    // Of a clock without noise it is known exactly.
    Machine machine;
    const Measured exact = measure(machine.call_of(1e-6), {}, machine.clock());
    CHECK(exact.overhead_error_s < 1e-15);
    CHECK(exact.overhead_s * 200 == close_to(20e-9).epsilon(1));
}

TEST_CASE("a suite ends when its time is over, and has seen all of its first pass by then") {
    Machine machine;
    std::vector<std::int64_t> begun;
    const double begin_s = machine.now_s;
    const auto points = measure_suite(
        [&](std::int64_t m) {
            if (begun.empty() || begun.back() != m)
                begun.push_back(m);
            machine.now_s += 0.01 * static_cast<double>(m);
        },
        {.scale = Scale::dynamic_log, .start = 1, .end = 64, .max_relative_error = 1e-9},
        {.min_count = 1'000'000, .max_count = std::nullopt},
        MeasureOptions{.clock = machine.clock(), .max_suite_time_s = 20.0});
    CHECK(points.size() >= 7);
    CHECK(points.back().argument == 64);
    for (const Measured& point : points)
        CHECK(point.summary.cut_mean == close_to(0.01 * static_cast<double>(point.argument)).epsilon(1e-3));
    CHECK(points.back().reason == StopReason::time_limit);
    CHECK(machine.now_s - begin_s < 22);
    // Without any time not a single call is made.
    begun.clear();
    CHECK(measure_suite([&](std::int64_t m) { begun.push_back(m); }, {.start = 1, .end = 64}, {},
                        MeasureOptions{.clock = machine.clock(), .max_suite_time_s = 0.0})
              .empty());
    CHECK(begun.empty());
}

TEST_CASE("impossible options are refused before any call") {
    Machine machine;
    const auto with = [&](const MeasureOptions& options) {
        (void)measure_suite([&](std::int64_t) { ++machine.calls; }, {.start = 1, .end = 2}, {}, options);
    };
    CHECK_THROWS_AS(with({.clock = machine.clock(), .resolution_s = 0.0}), std::invalid_argument);
    CHECK_THROWS_AS(with({.clock = machine.clock(), .max_suite_time_s = -1.0}), std::invalid_argument);
    CHECK_THROWS_AS(with({.clock = nullptr}), std::invalid_argument);
    CHECK(machine.calls == 0);
}

TEST_CASE("a clock that stands still ends in values of zero") {
    std::int64_t calls = 0;
    const Measured measured = measure([&] { ++calls; }, {}, [] { return 7.0; });
    CHECK(measured.summary.cut_mean == 0);
    CHECK(calls > 0);
}

TEST_CASE("exceptions of the call are passed on and impossible limits refused before any call") {
    Machine machine;
    CHECK_THROWS_AS((void)measure([] { throw std::domain_error("no"); }, {}, machine.clock()),
                    std::domain_error);
    CHECK_THROWS_AS((void)measure(machine.call_of(1), {.min_count = 0}, machine.clock()),
                    std::invalid_argument);
    CHECK_THROWS_AS((void)measure_suite([](std::int64_t) {}, {.start = 5, .end = 1}, {}, machine.clock()),
                    std::invalid_argument);
    CHECK(machine.calls == 0);
}

TEST_CASE("a suite measures its first pass and narrows a jump") {
    Machine machine;
    const auto duration_s = [](std::int64_t m) {
        return 1e-6 + 1e-9 * static_cast<double>(m) + (m > 700 ? 3e-6 : 0);
    };
    const auto points =
        measure_suite([&](std::int64_t m) { machine.now_s += duration_s(m); },
                      {.scale = Scale::dynamic_log, .start = 1, .end = 4096}, {}, machine.clock());
    std::set<std::int64_t> arguments;
    for (const Measured& point : points) {
        CHECK(point.summary.cut_mean == close_to(duration_s(point.argument)).epsilon(2e-3));
        if (!arguments.empty())
            CHECK(point.argument > *arguments.rbegin());
        arguments.insert(point.argument);
    }
    for (std::int64_t m = 1; m <= 4096; m *= 2)
        CHECK(arguments.contains(m));
    CHECK(arguments.contains(700));
    CHECK(arguments.contains(701));
    CHECK(arguments.size() < 13 + 20);
}
