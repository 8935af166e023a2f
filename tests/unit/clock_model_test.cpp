// SPDX-License-Identifier: GPL-2.0-or-later
// A clock against the global one, from invented sights: what the model says, and that its bound holds.
#include "clock/clock_model.hpp"

#include "close_to.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <random>

using namespace skampi;

namespace {

/// An invented pair of clocks, seen through messages that take 4 us there and back at least.
struct Clocks {
    std::function<double(double)> offset_s; ///< the truth: global - local, of local time
    std::mt19937 random{7};
    double least_way_s = 2e-6;
    double jitter_s = 3e-6; ///< mean of what a way takes longer

    /// The global clock is read after the way there, which may be the long one or the short one.
    ClockSight sight(double local_s) {
        std::exponential_distribution<double> longer(1 / jitter_s);
        const double there_s = least_way_s + longer(random);
        const double back_s = least_way_s + longer(random);
        const double read_s = local_s + there_s;
        const double global_s = read_s + offset_s(read_s);
        const double middle_s = local_s + (there_s + back_s) / 2;
        return {middle_s, global_s - middle_s, (there_s + back_s) / 2 + 1e-12};
    }
    [[nodiscard]] double error_s(const ClockHistory& history, double local_s) const {
        return std::abs(history.model().to_global(local_s) - local_s - offset_s(local_s));
    }
};

double straight(double local_s) {
    return 7.25 + 50e-6 * (local_s - 1000);
}

/// Ten sights in the second after begin_s, then one at each distance that is half of all before it.
/// @param between called with times between two sights, before the next
void watch(ClockHistory& history, Clocks& clocks, double begin_s, double end_s,
           const std::function<void(double)>& between,
           const std::function<void(const ClockHistory::Check&)>& on_check) {
    double now_s = begin_s;
    while (now_s < end_s) {
        on_check(history.add(clocks.sight(now_s)));
        const double last_s = now_s + 1e-4;
        now_s += now_s - begin_s < 1 ? 0.1 : std::min(10.0, (now_s - begin_s) / 2);
        if (history.baseline_s() >= 0.9)
            for (int i = 0; i <= 10; ++i)
                between(last_s + (now_s - last_s) * i / 10);
    }
}

} // namespace

TEST_CASE("an offset and a drift of 50 ppm through jitter: the bound holds at all times and stays small") {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        Clocks clocks{.offset_s = straight, .random = std::mt19937(seed)};
        ClockHistory history;
        double worst_share = 0;
        double largest_bound_s = 0;
        watch(
            history, clocks, 1000, 1300,
            [&](double t) {
                worst_share = std::max(worst_share, clocks.error_s(history, t) / history.bound_s(t));
                largest_bound_s = std::max(largest_bound_s, history.bound_s(t));
            },
            [](const ClockHistory::Check& check) {
                CHECK(check.held);
                CHECK_FALSE(check.was_set);
                CHECK(check.deviation_s <= check.predicted_s + 1e-12);
            });
        CHECK(worst_share <= 1);
        CHECK(largest_bound_s < 40e-6); // a single exchange says 4 to 20 us
        CHECK(std::abs(history.model().drift - 50e-6) < 1e-7);
        CHECK(history.wander() == 1e-7);
    }
}

TEST_CASE("a single sight bounds the offset by half its exchange, and says nothing of the drift") {
    ClockHistory history;
    CHECK(std::isinf(history.bound_s(5)));
    const ClockHistory::Check first = history.add({.local_s = 5, .offset_s = 2, .bound_s = 3e-6});
    CHECK(first.held);
    CHECK(first.age_s == 0);
    CHECK(history.model().to_global(5) == close_to(7));
    CHECK(history.model().drift == 0);
    CHECK(history.bound_s(5) == close_to(3e-6));
    CHECK(history.bound_s(6) == close_to(3e-6 + largest_drift + 1e-7).epsilon(1e-6));
}

TEST_CASE("the drift has the uncertainty of the offsets over the baseline") {
    ClockHistory history;
    (void)history.add({.local_s = 0, .offset_s = 1, .bound_s = 1e-6});
    (void)history.add({.local_s = 2, .offset_s = 1 + 1e-4, .bound_s = 1e-6});
    CHECK(history.model().drift == close_to(5e-5));
    CHECK(history.baseline_s() == close_to(2.0));
    // A line may rise by 2 us more or less in 2 s, and so in each 2 s to come.
    CHECK(history.bound_s(4) == close_to(3e-6).epsilon(0.3));
    CHECK(history.growth(4) == close_to(1e-6).epsilon(0.3));
    CHECK(history.bound_s(4) + history.growth(4) >= history.bound_s(5) - 1e-15);
}

TEST_CASE("a clock that is set is noticed, and what was known before does not count") {
    Clocks clocks{.offset_s = [](double t) { return straight(t) + (t > 1010 ? -0.3 : 0); }};
    ClockHistory history;
    int set = 0;
    double worst_share = 0;
    watch(
        history, clocks, 1000, 1009, [](double) {}, [](const ClockHistory::Check&) {});
    const ClockHistory::Check check = history.add(clocks.sight(1011));
    CHECK(check.was_set);
    CHECK_FALSE(check.held);
    CHECK(check.deviation_s == close_to(0.3).epsilon(1e-3));
    CHECK(check.predicted_s < 1e-4);
    CHECK(history.sights() == 1);
    CHECK(std::abs(history.model().drift - 50e-6) < 1e-6); // the oscillator is the same
    watch(
        history, clocks, 1011.1, 1100,
        [&](double t) {
            worst_share = std::max(worst_share, clocks.error_s(history, t) / history.bound_s(t));
        },
        [&](const ClockHistory::Check& later) { set += later.was_set ? 1 : 0; });
    CHECK(set == 0);
    CHECK(worst_share <= 1);
    // Set back by more than it has gone since: time has not passed there.
    CHECK(history.add({.local_s = 1000, .offset_s = 100, .bound_s = 1e-6}).was_set);
}

TEST_CASE("a drift that changes more than is taken for possible widens the bound, which then holds") {
    // 20 ppm more and less, in two minutes.
    Clocks clocks{.offset_s = [](double t) {
        return straight(t) + 20e-6 * 120 / 6.283 * std::sin(6.283 * (t - 1000) / 120);
    }};
    ClockHistory history;
    int not_held = 0;
    int checks = 0;
    double worst_late_share = 0;
    watch(
        history, clocks, 1000, 1600,
        [&](double t) {
            if (t > 1300)
                worst_late_share =
                    std::max(worst_late_share, clocks.error_s(history, t) / history.bound_s(t));
        },
        [&](const ClockHistory::Check& check) {
            CHECK_FALSE(check.was_set);
            CHECK((check.deviation_s <= check.predicted_s + 1e-12) == check.held);
            not_held += check.held ? 0 : 1;
            ++checks;
        });
    CHECK(not_held >= 1);
    CHECK(not_held <= 6);
    CHECK(checks > 60);
    CHECK(history.wander() > 1e-6);
    CHECK(worst_late_share <= 1);
}

TEST_CASE("more than the last sights are not kept") {
    Clocks clocks{.offset_s = straight};
    ClockHistory history;
    for (int i = 0; i < 100; ++i)
        (void)history.add(clocks.sight(1000 + 10.0 * i));
    CHECK(history.sights() == 32);
    CHECK(history.baseline_s() == close_to(310.0).epsilon(1e-3));
}
