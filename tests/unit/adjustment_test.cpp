// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "merge/adjustment.hpp"

#include <array>
#include <cmath>
#include <doctest/doctest.h>

using namespace skampi;

namespace {

/// Launches of two arguments whose values are 5 us and 50 us, the given share of their probe, and clock
/// effects.
struct Launches {
    Launches(std::size_t count, double share, bool clock_counts) {
        headers.reserve(2 * count);
        for (std::size_t i = 0; i < count; ++i)
            for (const std::int64_t argument : {8, 1024}) {
                PointHeader& m = headers.emplace_back();
                const auto number = static_cast<double>(i);
                m.measured = true;
                m.argument = argument;
                m.probe_s = 1e-6 * (1 + 0.02 * number);
                m.core_speed = 3e9 + 0.1e9 * static_cast<double>(i * 3 % 5);
                const double own_s =
                    (argument == 8 ? 5e-6 : 50e-6) * (1 + 1e-3 * static_cast<double>(i * 7 % 5));
                m.value_s = own_s * (clock_counts ? 3e9 / m.core_speed : 1) + share * m.probe_s;
                usable[argument].push_back({&m, i});
            }
    }
    std::vector<PointHeader> headers;
    UsableLaunches usable;
};

SuiteAdjustment chosen(const Launches& launches, std::size_t count, double usual_share) {
    SuiteAdjustment suite;
    suite.launches = states_of(launches.usable, count);
    suite.reference = {1.04e-6, 3e9};
    choose_adjustment(launches.usable, usual_share, suite);
    return suite;
}

} // namespace

TEST_CASE("ten launches or more may choose the share of the probe and whether the core clock counts") {
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
        for (const bool clock_counts : {true, false}) {
            CAPTURE(share);
            CAPTURE(clock_counts);
            const SuiteAdjustment found = chosen(Launches(12, share, clock_counts), 12, 0.5);
            CHECK(found.chosen == Adjustment{share, clock_counts});
            CHECK(found.possible.front() == found.chosen);
        }
}

TEST_CASE("fewer launches take what theory says: they would choose worse than it") {
    CHECK(chosen(Launches(9, 0, false), 9, 0.5).chosen == Adjustment{0.5, true});
    CHECK(chosen(Launches(9, 0, false), 9, 0.5).possible.size() == 1);
    CHECK(chosen(Launches(12, 1, true), 12, 0).chosen.share == 0); // it sends no message
}

TEST_CASE("ten launches are not adjusted where that moves them apart, even if not clearly") {
    constexpr std::array other_effects{2, 1, 1, -1, -1, -2, 1, 2, -2, 1, -2, 2};
    Launches launches(other_effects.size(), 0, false);
    for (std::size_t i = 0; i < launches.headers.size(); ++i) {
        PointHeader& m = launches.headers[i];
        m.core_speed = 3e9;
        m.value_s += 0.08e-6 * other_effects.at(i / 2) * (m.argument == 8 ? 1 : 10);
    }
    CHECK_FALSE(chosen(launches, other_effects.size(), 0.5).adjusts());
}

TEST_CASE("launches that differ by chance alone choose what theory says") {
    Launches launches(12, 0.5, true);
    for (PointHeader& m : launches.headers) {
        m.probe_s = 1e-6;
        m.core_speed = 3e9;
    }
    CHECK(chosen(launches, 12, 0.5).chosen == Adjustment{0.5, true});
}

TEST_CASE("a value is reduced to the reference, and from it to another one, as from its own state") {
    const MachineState own{1.1e-6, 3.3e9};
    const MachineState reference{1e-6, 3e9};
    const MachineState other{1.05e-6, 3.2e9};
    const Adjustment half{0.5, true};
    const double adjusted_s = adjusted_value(5e-6, own, half, reference);
    CHECK(adjusted_s == close_to((5e-6 - 0.55e-6) * 1.1 + 0.5e-6));
    CHECK(adjusted_value(adjusted_s, reference, half, other) ==
          close_to(adjusted_value(5e-6, own, half, other)));
}

TEST_CASE("there is no adjusted value where nothing is known, in another mode, or below zero") {
    CHECK(std::isnan(adjusted_value(5e-6, {}, {1, true}, {1e-6, 0})));
    CHECK(std::isnan(adjusted_value(5e-6, {1e-6, 3e9}, {1, true}, {})));
    CHECK(std::isnan(adjusted_value(5e-6, {1.5e-6, 3e9}, {1, true}, {1e-6, 3e9})));
    CHECK(std::isnan(adjusted_value(2e-9, {260e-9, 4e9}, {1, true}, {235e-9, 4e9})));
    CHECK(adjusted_value(2e-9, {260e-9, 4e9}, {0, true}, {235e-9, 2e9}) == close_to(4e-9));
}

TEST_CASE("a stored reference of the launches' mode is taken over, without one their median") {
    const std::vector<MachineState> states{{1e-6, 3e9}, {1.1e-6, 3.1e9}, {1.2e-6, 3.2e9}, {}};
    const MachineState far{0.4e-6, 2e9};
    const MachineState near{1.25e-6, 2.9e9};
    const MachineState nearer{1.1e-6, 3e9};
    CHECK(reference_of(states, std::vector{far, near, nearer}) == near);
    CHECK(reference_of(states, std::vector{far}) == MachineState{1.1e-6, 3.1e9});
    CHECK(reference_of({}, std::vector{near}) == MachineState{});
    // Half of the distance of two states is too far, whether by the probe or by the core speed.
    for (const MachineState& between : {MachineState{1.4e-6, 3e9}, MachineState{1.1e-6, 2.5e9}})
        CHECK(reference_of(states, std::vector{between}) == MachineState{1.1e-6, 3.1e9});
    // A run without a probe leaves only the core clock.
    const std::vector<MachineState> without{{0, 3e9}, {1.1e-6, 3.1e9}};
    CHECK(reference_of(without, std::vector{near}) == MachineState{0, 2.9e9});
}

TEST_CASE("usable launches are those of one mode that are not doubtful") {
    std::vector<LazyCurve> runs(4);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Measurement m;
        m.argument = 8;
        m.value_s = 1 + 0.1 * static_cast<double>(i);
        m.summary.count = 10;
        m.probe_s = i == 1 ? 5 : 1;
        m.flags = i == 2 ? static_cast<Flags>(Flag::disturbed) : 0;
        runs[i].add(m);
    }
    const std::vector<double> bounds{2};
    std::vector<RunModes> run_modes;
    for (const LazyCurve& run : runs)
        run_modes.emplace_back(run, bounds);
    const UsableLaunches usable = usable_launches(runs, run_modes, 0);
    REQUIRE(usable.size() == 1);
    REQUIRE(usable.at(8).size() == 2);
    CHECK(usable.at(8)[0].header->value_s == 1);
    CHECK(usable.at(8)[1].header->value_s == close_to(1.3));
    CHECK(correlation_of(usable) == 0); // too few to know
    CHECK(states_of(usable, runs.size())[3].probe_s == 1);
    CHECK_FALSE(states_of(usable, runs.size())[1].known());
}
