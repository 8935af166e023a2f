#include "skalib/measure.hpp"

#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <random>
#include <set>
#include <stdexcept>

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
        CHECK(measured.summary.cut_mean == doctest::Approx(duration_s).epsilon(1e-3));
        CHECK(measured.reason == StopReason::settled);
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
    CHECK(measured.reason == StopReason::settled);
    CHECK(measured.summary.cut_standard_error <= 0.005 * 1.0001 * measured.summary.cut_mean);
    CHECK(measured.summary.cut_mean == doctest::Approx(1e-3).epsilon(0.02));
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
    CHECK(measured.summary.cut_mean == doctest::Approx(5));
    CHECK(measured.reason == StopReason::time_limit);
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
        CHECK(point.summary.cut_mean == doctest::Approx(duration_s(point.argument)).epsilon(2e-3));
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
