// SPDX-License-Identifier: GPL-2.0-or-later
#include "supervisor/schedule.hpp"

#include "base/utc.hpp"
#include "local_zone.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace skampi;

namespace {

constexpr int two_o_clock = 2 * 60;
constexpr int half_past_two = 2 * 60 + 30;

std::int64_t day_of(const std::string& date) {
    return static_cast<std::int64_t>(utc_seconds(date + "T00:00:00Z").value() / seconds_per_day);
}

std::string moment(const std::string& date, int minute) {
    return utc_text(moment_of_day(day_of(date), minute));
}

} // namespace

TEST_CASE("a time of the day is that of the local clock, in winter and in summer") {
    const LocalZone zone(central_europe);
    CHECK(moment("2026-01-15", two_o_clock) == "2026-01-15T01:00:00Z");
    CHECK(moment("2026-07-15", two_o_clock) == "2026-07-15T00:00:00Z");
    CHECK(moment("2026-07-15", 30) == "2026-07-14T22:30:00Z");
    CHECK(local_time_text(moment_of_day(day_of("2026-07-15"), two_o_clock)) == "02:00 CEST");
}

TEST_CASE("a time that clocks are put forward over is the first moment after the gap") {
    const LocalZone zone(central_europe); // 2026-03-29: from 02:00 to 03:00
    CHECK(moment("2026-03-29", two_o_clock - 1) == "2026-03-29T00:59:00Z");
    CHECK(moment("2026-03-29", two_o_clock) == "2026-03-29T01:00:00Z");
    CHECK(moment("2026-03-29", half_past_two) == "2026-03-29T01:00:00Z");
    CHECK(moment("2026-03-29", 3 * 60) == "2026-03-29T01:00:00Z");
    CHECK(moment("2026-03-29", 3 * 60 + 1) == "2026-03-29T01:01:00Z");
}

TEST_CASE("a time that clocks show twice is the first of both") {
    const LocalZone zone(central_europe); // 2026-10-25: from 03:00 back to 02:00
    CHECK(moment("2026-10-25", two_o_clock) == "2026-10-25T00:00:00Z");
    CHECK(moment("2026-10-25", half_past_two) == "2026-10-25T00:30:00Z");
    CHECK(moment("2026-10-25", 3 * 60) == "2026-10-25T02:00:00Z");
}

TEST_CASE("of two moments of a year one is on each day, and a day begins with its moment") {
    for (const char* name : {central_europe, lord_howe, "UTC0", "<+14>-14", "<-12>12"}) {
        CAPTURE(name);
        const LocalZone zone(name);
        for (const int minute : {0, 1, two_o_clock, half_past_two, 24 * 60 - 1})
            for (std::int64_t day = day_of("2026-01-01"); day < day_of("2027-01-01"); ++day) {
                CAPTURE(day);
                const double start_s = moment_of_day(day, minute);
                CHECK(day_at(start_s, minute) == day);
                CHECK(day_at(start_s - 1, minute) == day - 1);
                const double length_s = moment_of_day(day + 1, minute) - start_s;
                CHECK(length_s >= 23 * 3600);
                CHECK(length_s <= 25 * 3600);
            }
    }
}
