// SPDX-License-Identifier: GPL-2.0-or-later
#include "supervisor/schedule.hpp"

#include "base/utc.hpp"
#include "local_zone.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace skampi;

namespace {

const Schedule hourly{.first_s = 1000000, .every_s = 3600};

}

TEST_CASE("the first slot starts at once") {
    const Slot slot = next_slot(hourly, -1, hourly.first_s);
    CHECK(slot.index == 0);
    CHECK(slot.start_s == hourly.first_s);
    CHECK(slot.skipped == 0);
}

TEST_CASE("starts are counted from the first one and do not drift with the length of the runs") {
    double now_s = hourly.first_s;
    std::int64_t last = -1;
    for (int run = 0; run < 100; ++run) {
        const Slot slot = next_slot(hourly, last, now_s);
        CHECK(slot.index == run);
        CHECK(slot.start_s == hourly.first_s + 3600.0 * run);
        CHECK(slot.skipped == 0);
        last = slot.index;
        now_s = slot.start_s + 0.7 + 30 * run;
    }
}

TEST_CASE("a slot that passed during a long run is skipped and counted") {
    const Slot slot = next_slot(hourly, 0, hourly.first_s + 2.5 * 3600);
    CHECK(slot.index == 3);
    CHECK(slot.start_s == hourly.first_s + 3 * 3600);
    CHECK(slot.skipped == 2);
}

TEST_CASE("a slot missed by a moment is still taken") {
    CHECK(next_slot(hourly, 0, hourly.first_s + 3600 + 30).index == 1);
    CHECK(next_slot(hourly, 0, hourly.first_s + 3600 + 40).index == 2);
    const Schedule daily{.first_s = 0, .every_s = 86400};
    CHECK(next_slot(daily, 0, 86400 + 59).index == 1);
    CHECK(next_slot(daily, 0, 86400 + 61).index == 2);
}

TEST_CASE("no slot is used twice when the clock is set back by less than an interval") {
    CHECK(next_slot(hourly, 5, hourly.first_s + 5 * 3600 - 1).index == 6);
    CHECK(next_slot(hourly, 5, hourly.first_s + 4 * 3600).index == 6);
}

TEST_CASE(
    "a clock that was ahead does not put off the next start: at most two intervals, at the same minute") {
    for (const double now_s : {hourly.first_s + 4 * 3600 - 1, hourly.first_s + 1800, hourly.first_s - 1,
                               hourly.first_s - 7200 - 1800, hourly.first_s - 86400 * 10}) {
        CAPTURE(now_s);
        const Slot slot = next_slot(hourly, 5, now_s);
        CHECK(slot.start_s == hourly.first_s + 3600.0 * static_cast<double>(slot.index));
        CHECK(slot.start_s > now_s);
        CHECK(slot.start_s <= now_s + 3600);
        CHECK(slot.skipped == 0);
        // And from there on as ever.
        CHECK(next_slot(hourly, slot.index, slot.start_s + 10).index == slot.index + 1);
    }
}

TEST_CASE("without an interval runs follow one another") {
    const Schedule at_once{.first_s = 100, .every_s = 0};
    const Slot slot = next_slot(at_once, 6, 12345);
    CHECK(slot.index == 7);
    CHECK(slot.start_s == 12345);
    CHECK(slot.skipped == 0);
    CHECK(slot_of(at_once, 12345) == 0);
}

TEST_CASE("after a restart a start belongs to the slot it was in") {
    CHECK(slot_of(hourly, hourly.first_s) == 0);
    CHECK(slot_of(hourly, hourly.first_s + 3599) == 0);
    CHECK(slot_of(hourly, hourly.first_s + 3600) == 1);
    CHECK(slot_of(hourly, hourly.first_s - 10) == 0);
}

namespace {

const Schedule nightly{.at_minute = 2 * 60};

double at(const char* utc) {
    return utc_seconds(utc).value();
}

} // namespace

TEST_CASE("a daily start waits for its time, and one that is missed by a moment is still taken") {
    const LocalZone zone(central_europe);
    const auto first_start = [](const char* now) {
        const Slot slot = next_slot(nightly, no_slot, at(now));
        CHECK(slot.skipped == 0);
        return utc_text(slot.start_s);
    };
    CHECK(first_start("2026-11-24T00:59:59Z") == "2026-11-24T01:00:00Z");
    CHECK(first_start("2026-11-24T01:00:00Z") == "2026-11-24T01:00:00Z");
    CHECK(first_start("2026-11-24T01:00:59Z") == "2026-11-24T01:00:00Z");
    CHECK(first_start("2026-11-24T01:01:01Z") == "2026-11-25T01:00:00Z");
    CHECK(first_start("2026-11-24T23:30:00Z") == "2026-11-25T01:00:00Z");
}

TEST_CASE("each local day has one start, also when clocks are set") {
    const LocalZone zone(central_europe);
    for (const char* day : {"2026-03-25T12:00:00Z", "2026-10-21T12:00:00Z"}) {
        std::int64_t last = no_slot;
        double now_s = at(day);
        double former_s = 0;
        for (int night = 0; night < 8; ++night) {
            const Slot slot = next_slot(nightly, last, now_s);
            CHECK(slot.skipped == 0);
            if (night > 0) {
                CHECK(slot.index == last + 1);
                CHECK(slot.start_s - former_s >= 23 * 3600);
                CHECK(slot.start_s - former_s <= 25 * 3600);
            }
            last = slot.index;
            former_s = slot.start_s;
            now_s = slot.start_s + 3000;
        }
    }
}

TEST_CASE("days that a run took are skipped and counted") {
    const LocalZone zone(central_europe);
    const Slot first = next_slot(nightly, no_slot, at("2026-11-24T00:00:00Z"));
    const Slot next = next_slot(nightly, first.index, first.start_s + 2.5 * seconds_per_day);
    CHECK(utc_text(next.start_s) == "2026-11-27T01:00:00Z");
    CHECK(next.skipped == 2);
}

TEST_CASE("after a restart a run belongs to the night before it, and that night is not used again") {
    const LocalZone zone(central_europe);
    const auto next_after = [](const char* run, const char* now) {
        return utc_text(next_slot(nightly, slot_of(nightly, at(run)), at(now)).start_s);
    };
    CHECK(next_after("2026-11-24T01:00:00Z", "2026-11-24T01:00:30Z") == "2026-11-25T01:00:00Z");
    CHECK(next_after("2026-11-24T12:00:00Z", "2026-11-24T13:00:00Z") == "2026-11-25T01:00:00Z");
    CHECK(next_after("2026-11-24T00:30:00Z", "2026-11-24T00:50:00Z") == "2026-11-24T01:00:00Z");
}

TEST_CASE("a clock that was ahead does not put off a daily start by more than two days") {
    const LocalZone zone(central_europe);
    const std::int64_t ahead = slot_of(nightly, at("2026-12-24T01:00:00Z"));
    const Slot slot = next_slot(nightly, ahead, at("2026-11-24T12:00:00Z"));
    CHECK(utc_text(slot.start_s) == "2026-11-25T01:00:00Z");
    CHECK(slot.skipped == 0);
    // Set back by an hour, after the start: not used twice.
    const std::int64_t today = slot_of(nightly, at("2026-11-24T01:00:05Z"));
    CHECK(next_slot(nightly, today, at("2026-11-24T00:10:00Z")).index == today + 1);
}
