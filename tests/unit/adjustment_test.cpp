#include "close_to.hpp"
#include "merge/adjustment.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace skampi;

namespace {

/// Launches of one argument whose values are 5 us, the given shares of their probe, and clock effects.
std::vector<PointHeader> launches(std::size_t count, ProbeShares shares, bool clock_counts) {
    std::vector<PointHeader> made(count);
    for (std::size_t i = 0; i < count; ++i) {
        PointHeader& m = made[i];
        const auto number = static_cast<double>(i);
        m.measured = true;
        m.argument = 8;
        m.probe_s = 1e-6 * (1 + 0.02 * number);
        m.way_there = 0.4 + 0.02 * static_cast<double>(i * 5 % 7);
        m.core_clock_hz = 3e9 + 0.1e9 * static_cast<double>(i * 3 % 5);
        const double held_s = m.probe_s * (shares.there * m.way_there + shares.back * (1 - m.way_there));
        const double own_s = 1e-11 * static_cast<double>(i * 7 % 5);
        m.value_s = (5e-6 + own_s) * (clock_counts ? 3e9 / m.core_clock_hz : 1) + held_s;
    }
    return made;
}

Adjustment chosen(const std::vector<PointHeader>& made, double usual_share) {
    UsableLaunches usable;
    for (const PointHeader& m : made)
        usable[m.argument].push_back(&m);
    return choose_adjustments(usable, usual_share, {1.04e-6, 0.46, 3e9}).rbegin()->second;
}

} // namespace

TEST_CASE("launches choose the share of the probe and whether the core clock counts") {
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
        for (const bool clock_counts : {true, false}) {
            CAPTURE(share);
            const Adjustment found = chosen(launches(12, {share, share}, clock_counts), 0.5);
            CHECK(found.shares.there == share);
            CHECK(found.shares.back == share);
            CHECK(found.by_core_clock == clock_counts);
        }
}

TEST_CASE("the two ways of the probe count apart where that reduces the scatter clearly") {
    const Adjustment found = chosen(launches(12, {0.75, 0}, true), 0.5);
    CHECK(found.shares.there == 0.75);
    CHECK(found.shares.back == 0);
}

TEST_CASE("a negative share needs 20 launches") {
    CHECK(chosen(launches(20, {-0.5, 0}, true), 0.5).shares.there == -0.5);
    CHECK(chosen(launches(19, {-0.5, 0}, true), 0.5).shares.there >= 0);
}

TEST_CASE("fewer than five launches take the usual share; an operation without messages has none") {
    CHECK(chosen(launches(4, {0, 0}, true), 0.5).shares.there == 0.5);
    CHECK(chosen(launches(4, {0, 0}, true), 0.5).by_core_clock);
    CHECK(chosen(launches(12, {1, 1}, true), 0).shares.there == 0);
}

TEST_CASE("the adjustment between two arguments is that of the next, beyond the last that of the last") {
    SuiteAdjustment suite;
    suite.arguments[8].shares.there = 1;
    suite.arguments[64].shares.there = 0.5;
    CHECK(suite.at(1).shares.there == 1);
    CHECK(suite.at(8).shares.there == 1);
    CHECK(suite.at(9).shares.there == 0.5);
    CHECK(suite.at(1000).shares.there == 0.5);
}

TEST_CASE("a probe of another mode than the reference does not count") {
    PointHeader m;
    m.value_s = 10e-6;
    m.probe_s = 1.1e-6;
    const Adjustment whole{{1, 1}, true};
    CHECK(adjusted_by(whole, m, {1e-6, 0, 0}) == close_to(9.9e-6));
    m.probe_s = 1.5e-6;
    CHECK(adjusted_by(whole, m, {1e-6, 0, 0}) == 10e-6);
    m.core_clock_hz = 2e9;
    CHECK(adjusted_by(whole, m, {1e-6, 0, 4e9}) == 5e-6);
    CHECK(adjusted_by({{1, 1}, false}, m, {1e-6, 0, 4e9}) == 10e-6);
}

TEST_CASE("an adjusted value is never negative, however long the probe is") {
    Measurement m;
    m.value_s = 2e-9;
    m.probe_s = 260e-9;
    m.core_clock_hz = 4e9;
    CHECK(adjusted_value(m, {1, 1}, {235e-9, 0, 4e9}) == m.value_s);
    CHECK(adjusted_value(m, {0, 0}, {235e-9, 0, 2e9}) == close_to(4e-9));
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
    CHECK(usable.at(8)[0]->value_s == 1);
    CHECK(usable.at(8)[1]->value_s == close_to(1.3));
    CHECK(correlation_of(usable) == 0); // too few to know
}
