// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "merge/interpolation.hpp"

#include <doctest/doctest.h>

using namespace skampi;

namespace {

Measurement value_at(std::int64_t argument, double value_s) {
    Measurement m;
    m.argument = argument;
    m.value_s = m.adjusted_s = value_s;
    m.standard_error_s = value_s / 100;
    m.summary.count = 10 * argument;
    m.summary.median = value_s;
    m.discarded = 3;
    m.time_used_s = 0.5;
    return m;
}

} // namespace

TEST_CASE("values, errors, counts and statistics are interpolated linearly") {
    const Measurement m = interpolate(value_at(1, 10), value_at(5, 30), 0.25, 2);
    CHECK(m.argument == 2);
    CHECK(m.value_s == 15);
    CHECK(m.adjusted_s == 15);
    CHECK(m.standard_error_s == close_to(0.15));
    CHECK(m.summary.count == 20);
    CHECK(m.summary.median == 15);
    CHECK(m.discarded == 0); // these belong to the measurements on either side
    CHECK(m.time_used_s == 0);
}

TEST_CASE("a probe is interpolated only where both sides have one") {
    Measurement left = value_at(1, 10);
    Measurement right = value_at(9, 20);
    right.probe_s = 0.13;
    right.core_clock_hz = 3e9;
    right.way_there = 0.5;
    CHECK(interpolate(left, right, 0.5, 5).probe_s == 0);
    CHECK(interpolate(left, right, 0.5, 5).core_clock_hz == 0);
    CHECK(interpolate(left, right, 0.5, 5).way_there == 0);
    left.probe_s = 0.11;
    CHECK(interpolate(left, right, 0.5, 5).probe_s == close_to(0.12));
}

TEST_CASE("flags are those of both sides, the mode is that of the nearer one") {
    Measurement left = value_at(1, 10);
    Measurement right = value_at(9, 20);
    left.flags = static_cast<Flags>(Flag::timed_out);
    right.flags = static_cast<Flags>(Flag::not_repeatable);
    right.mode = 1;
    right.mode_share = 0.75;
    CHECK(interpolate(left, right, 0.25, 3).flags == (Flag::timed_out | Flag::not_repeatable));
    CHECK(interpolate(left, right, 0.25, 3).mode == 0);
    CHECK(interpolate(left, right, 0.75, 7).mode == 1);
    CHECK(interpolate(left, right, 0.75, 7).mode_share == 0.75);
}

TEST_CASE("node times are interpolated by rank, and empty where the ranks differ") {
    Measurement left = value_at(1, 10);
    Measurement right = value_at(9, 20);
    left.node_times = {{0, 10, 1}, {2, 8, 2}};
    right.node_times = {{0, 20, 3}, {2, 16, 4}};
    const Measurement m = interpolate(left, right, 0.5, 5);
    REQUIRE(m.node_times.size() == 2);
    CHECK(m.node_times[1].rank == 2);
    CHECK(m.node_times[1].value_s == 12);
    CHECK(m.node_times[1].standard_error_s == 3);
    right.node_times[1].rank = 3;
    CHECK(interpolate(left, right, 0.5, 5).node_times.empty());
    right.node_times.pop_back();
    CHECK(interpolate(left, right, 0.5, 5).node_times.empty());
}
