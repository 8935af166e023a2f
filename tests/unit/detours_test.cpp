// SPDX-License-Identifier: GPL-2.0-or-later
#include "pairs/detours.hpp"

#include <cstdint>
#include <doctest/doctest.h>
#include <map>

using namespace skampi;

namespace {

/// A clock of whole nanoseconds that is read in loops.
struct InventedClock {
    std::int64_t step_ns = 100;
    std::map<std::int64_t, std::int64_t> gaps_ns =
        {};                    ///< when a gap begins: how much longer it is than a step
    std::int64_t ticks_ns = 1; ///< it shows multiples of it
    std::int64_t now_ns = 0;

    double read() {
        now_ns += step_ns;
        if (!gaps_ns.empty() && gaps_ns.begin()->first <= now_ns) {
            now_ns += gaps_ns.begin()->second;
            gaps_ns.erase(gaps_ns.begin());
        }
        return 1e-9 * static_cast<double>(now_ns / ticks_ns * ticks_ns);
    }
};

CoreDetours watched(InventedClock clock) {
    return watch_core([&] { return clock.read(); }, 0.1);
}

} // namespace

TEST_CASE("gaps at known places give their share, number and longest") {
    InventedClock clock;
    for (int i = 1; i <= 9; ++i)
        clock.gaps_ns[std::int64_t{10'000'000} * i] = i == 4 ? 130'000 : 100'000;
    clock.gaps_ns[50'000] = 3'000'000;           // while the usual step is found
    clock.gaps_ns[70'000'000 + 200'000] = 1'800; // too short
    const CoreDetours found = watched(clock);
    CHECK(found.detours == 9);
    CHECK(found.lost_s == doctest::Approx(9 * 100e-6 + 30e-6).epsilon(1e-6));
    CHECK(found.longest_s == doctest::Approx(130.1e-6).epsilon(1e-6));
    CHECK(found.watched_s == doctest::Approx(0.1).epsilon(1e-5));
    CHECK(found.lost_share() == doctest::Approx(0.0093).epsilon(1e-4));
}

TEST_CASE("a gap is as long as many steps of this clock, and a tick is none") {
    CHECK(watched({.step_ns = 1000, .gaps_ns = {{20'000'000, 6'900}}}).detours == 0);
    CHECK(watched({.step_ns = 1000, .gaps_ns = {{20'000'000, 7'100}}}).detours == 1);
    CHECK(watched({.step_ns = 30, .ticks_ns = 1000}).detours == 0);
    CHECK(watched({.step_ns = 30, .gaps_ns = {{20'000'000, 100'000}}, .ticks_ns = 1000}).detours == 1);
}

TEST_CASE("a core that is taken half of the time loses half") {
    InventedClock clock;
    for (std::int64_t at_ns = 10'000'000; at_ns < 200'000'000; at_ns += 20'000'000)
        clock.gaps_ns[at_ns] = 10'000'000;
    CHECK(watched(clock).lost_share() == doctest::Approx(0.5).epsilon(0.01));
}
