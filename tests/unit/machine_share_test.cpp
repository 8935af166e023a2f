#include "analysis/history/machine_share.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace skampi;

namespace {

/// 40 runs before and 20 behind a step of the line and of the machine; the line follows the probe.
struct InventedHistory {
    double line = 1;
    double probe = 1;
    double clock = 1;
    double follows = 1; ///< the share of the probe's changes
    double noise = 0.01;
};

LineOverRuns invented(const InventedHistory& what) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    LineOverRuns line;
    for (std::size_t run = 0; run < 60; ++run) {
        const double machine = 0.01 * normal(random);
        const bool behind = run >= 40;
        line.runs.push_back(run);
        line.values.push_back(
            {1e-6 * std::exp(what.follows * machine + what.noise * normal(random)) * (behind ? what.line : 1),
             275e-9 * std::exp(machine) * (behind ? what.probe : 1),
             4e9 * std::exp(0.001 * normal(random)) * (behind ? what.clock : 1)});
    }
    return line;
}

std::optional<MachineShare> share_of(const InventedHistory& what, int sign = 1) {
    return machine_share(invented(what), 40, 0, 60, sign);
}

} // namespace

TEST_CASE("a step that goes with the probe is the machine's, also if the line follows it in part") {
    const auto whole = share_of({.line = 1.3, .probe = 1.3});
    REQUIRE(whole.has_value());
    CHECK(whole->explained);
    CHECK_FALSE(whole->by_speed);
    CHECK(whole->machine_ratio == doctest::Approx(1.3).epsilon(0.02));
    CHECK(whole->low < 1);
    CHECK(whole->high > 1);
    const auto part = share_of({.line = 1.1, .probe = 1.3, .follows = 0.3});
    REQUIRE(part.has_value());
    CHECK(part->explained);
}

TEST_CASE("a step with the core clock is the machine's") {
    const auto share = share_of({.line = 1.05, .clock = 1 / 1.05});
    REQUIRE(share.has_value());
    CHECK(share->by_speed);
    CHECK(share->explained);
    CHECK(share->machine_ratio == doctest::Approx(1.05).epsilon(0.01));
}

TEST_CASE("a step is the library's where the machine stayed, went the other way, or changed by less") {
    CHECK_FALSE(share_of({.line = 1.3}).has_value());
    const auto other = share_of({.line = 1.3, .probe = 1 / 1.3});
    REQUIRE(other.has_value());
    CHECK_FALSE(other->explained);
    const auto less = share_of({.line = 1.5, .probe = 1.1});
    REQUIRE(less.has_value());
    CHECK_FALSE(less->explained);
    CHECK(less->low > 1.25);
    CHECK(less->high < 1.6);
}

TEST_CASE("where the line follows the probe closely, a step of the probe alone is not explained away") {
    const auto share = share_of({.line = 1, .probe = 1.3, .noise = 0.001});
    REQUIRE(share.has_value());
    CHECK_FALSE(share->explained);
    CHECK(share->high < 0.9);
}

TEST_CASE("a bandwidth falls with a slower machine, and an unknown machine explains nothing") {
    const auto share = share_of({.line = 1 / 1.3, .probe = 1.3, .follows = -1}, -1);
    REQUIRE(share.has_value());
    CHECK(share->explained);
    LineOverRuns unknown = invented({.line = 1.3, .probe = 1.3});
    for (LineValue& each : unknown.values)
        each.probe_s = each.core_speed = 0;
    CHECK_FALSE(machine_share(unknown, 40, 0, 60, 1).has_value());
}
