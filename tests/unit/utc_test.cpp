// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/utc.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <string>

using namespace skampi;

TEST_CASE("a moment is written in UTC, whatever the time zone here") {
    ::setenv("TZ", "America/St_Johns", 1);
    ::tzset();
    CHECK(utc_text(1795255200) == "2026-11-21T10:00:00Z");
    CHECK(utc_seconds("2026-11-21T10:00:00Z").value() == 1795255200);
    // Where summer time begins there is no such hour here.
    CHECK(utc_seconds("2026-03-08T02:30:00Z").value() == 1772937000);
    ::unsetenv("TZ");
    ::tzset();
}

TEST_CASE("fractions of a second are cut off, before 1970, too") {
    CHECK(utc_text(1795255200.999) == "2026-11-21T10:00:00Z");
    CHECK(utc_text(-0.5) == "1969-12-31T23:59:59Z");
}

TEST_CASE("a leap day is a day, and text gives back the moment") {
    for (const double moment_s : {0.0, 951782400.0, 1709164799.0, 1709164800.0, 4102444800.0})
        CHECK(utc_seconds(utc_text(moment_s)).value() == moment_s);
    CHECK(utc_text(951782400) == "2000-02-29T00:00:00Z");
    CHECK(utc_text(253370764800) == "9999-01-01T00:00:00Z");
    CHECK(utc_seconds("9999-01-01T00:00:00Z").value() == 253370764800);
}

TEST_CASE("what is no such moment is none, not the year 1970") {
    for (const char* text :
         {"", "yesterday", "2026-11-21", "2026-11-21T10:00:00", "2026-11-21T10:00:00+01:00",
          "2026-11-21T10:00:00Z and more", "2026-13-21T10:00:00Z", "x2026-11-21T10:00:00Z"}) {
        CAPTURE(text);
        CHECK_FALSE(utc_seconds(text).has_value());
    }
}

TEST_CASE("now is between the clock's values before and after") {
    const std::time_t before = std::time(nullptr);
    const double now_s = utc_seconds(utc_now()).value();
    CHECK(now_s >= static_cast<double>(before));
    CHECK(now_s <= static_cast<double>(std::time(nullptr)));
}
