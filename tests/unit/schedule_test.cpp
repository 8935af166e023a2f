#include "supervisor/schedule.hpp"

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
