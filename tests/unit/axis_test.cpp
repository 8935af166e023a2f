// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/axis.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

using namespace skampi;

namespace {

std::vector<std::string> labels(const Axis& axis) {
    std::vector<std::string> texts;
    for (const Tick& tick : axis.ticks)
        texts.push_back(tick.label);
    return texts;
}

bool ticks_inside(const Axis& axis) {
    return std::all_of(axis.ticks.begin(), axis.ticks.end(), [&](const Tick& tick) {
        return tick.at >= axis.low * (1 - 1e-9) && tick.at <= axis.high * (1 + 1e-9);
    });
}

} // namespace

TEST_CASE("message lengths on a log scale get ticks at powers of two with binary prefixes") {
    const Axis axis = argument_axis({1, 1024, 4194304}, AxisQuantity::bytes, true, "length");
    CHECK(labels(axis) == std::vector<std::string>{"1", "32", "1 Ki", "32 Ki", "1 Mi"});
    CHECK(axis.low < 1);
    CHECK(axis.high > 4194304);
    CHECK_FALSE(axis.zero_at.has_value());
    CHECK(position(axis, 1024) == 1024);
}

TEST_CASE("an argument of zero stands left of a gap on a log axis") {
    const Axis axis = argument_axis({0, 1, 4194304}, AxisQuantity::bytes, true, "length");
    REQUIRE(axis.zero_at.has_value());
    CHECK(*axis.zero_at > axis.low);
    CHECK(axis.gap_at > *axis.zero_at);
    CHECK(axis.gap_at < 1);
    CHECK(position(axis, 0) == *axis.zero_at);
    CHECK(axis.ticks.front().label == "0");
    CHECK(axis.ticks.front().at == *axis.zero_at);
}

TEST_CASE("nothing but zero, one argument, or none make an axis all the same") {
    for (const std::vector<std::int64_t>& arguments :
         {std::vector<std::int64_t>{}, std::vector<std::int64_t>{0}, std::vector<std::int64_t>{7},
          std::vector<std::int64_t>{0, 3}, std::vector<std::int64_t>{-4, 5},
          std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max()}})
        for (const bool log : {true, false}) {
            const Axis axis = argument_axis(arguments, AxisQuantity::bytes, log, "");
            CHECK(axis.high > axis.low);
            CHECK(ticks_inside(axis));
        }
}

TEST_CASE("times over decades are labelled with their units") {
    const Axis axis = value_axis({0.4e-6, 350e-6}, AxisQuantity::time, true, "time");
    CHECK(labels(axis) == std::vector<std::string>{"1 µs", "10 µs", "100 µs"});
    CHECK(axis.low <= 0.4e-6);
    CHECK(axis.high >= 350e-6);
}

TEST_CASE("linear axes begin at zero and have one unit") {
    const Axis axis = value_axis({0.6e-6, 2.4e-6}, AxisQuantity::time, false, "time");
    CHECK(labels(axis) == std::vector<std::string>{"0", "0.5 µs", "1 µs", "1.5 µs", "2 µs", "2.5 µs"});
}

TEST_CASE("values that a log axis cannot show do not influence it") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const Axis clean = value_axis({1e-6, 1e-4}, AxisQuantity::time, true, "");
    const Axis axis = value_axis({nan, -1, 0, 1e-6, 1e-4, infinity, -infinity}, AxisQuantity::time, true, "");
    CHECK(axis.low == clean.low);
    CHECK(axis.high == clean.high);
    for (const bool log : {true, false}) {
        const Axis empty = value_axis({nan, infinity}, AxisQuantity::time, log, "");
        CHECK(empty.high > empty.low);
    }
}

TEST_CASE("absurd ranges do not give absurd numbers of ticks") {
    for (const std::vector<double>& values :
         {std::vector<double>{1e-300, 1e300}, std::vector<double>{1e-7, 1e300},
          std::vector<double>{5, 5.0000001}})
        for (const bool log : {true, false}) {
            const Axis axis = value_axis(values, AxisQuantity::time, log, "");
            CHECK(axis.ticks.size() <= 12);
            CHECK(axis.minor_ticks.size() <= 100);
        }
}

TEST_CASE("labels of an axis of ratios have room, however far it reaches") {
    for (const double farthest : {1.01, 1.3, 1.8, 2.5, 4.0, 8.0, 15.0, 40.0, 90.0, 700.0, 5000.0})
        for (const int max_ticks : {3, 5, 6, 9}) {
            CAPTURE(farthest);
            CAPTURE(max_ticks);
            const Axis axis = ratio_axis({farthest}, "", max_ticks);
            CHECK(axis.ticks.size() >= 3);
            CHECK(axis.ticks.back().at <= axis.high);
            const double length = std::log(axis.high / axis.low);
            for (std::size_t i = 1; i < axis.ticks.size(); ++i) {
                CHECK(axis.ticks[i].label != axis.ticks[i - 1].label);
                // More than half of what as many ticks have that lie equally far apart.
                CHECK(std::log(axis.ticks[i].at / axis.ticks[i - 1].at) > 0.6 * length / max_ticks);
            }
        }
}

TEST_CASE("ratios are shown around one") {
    const Axis axis = value_axis({1.04, 1.05}, AxisQuantity::ratio, false, "");
    CHECK(axis.low <= 1);
    CHECK(axis.high >= 1.05);
    CHECK(axis.low > 0.8);
    const std::vector<std::string> texts = labels(axis);
    CHECK(std::find(texts.begin(), texts.end(), "1") != texts.end());
}

TEST_CASE("moments are labelled with what differs over the axis: months, days or times") {
    const auto labels = [](const Axis& axis) {
        std::vector<std::string> all;
        for (const Tick& tick : axis.ticks) {
            CHECK(tick.at >= axis.low);
            CHECK(tick.at <= axis.high);
            all.push_back(tick.label);
        }
        return all;
    };
    constexpr double new_year_2026 = 20454; // days since 1970
    CHECK(labels(date_axis(new_year_2026 - 1, new_year_2026 + 200, 8)) ==
          std::vector<std::string>{"2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06",
                                   "2026-07"});
    CHECK(labels(date_axis(new_year_2026, new_year_2026 + 400, 3)) ==
          std::vector<std::string>{"2026-01", "2026-07", "2027-01"});
    CHECK(labels(date_axis(new_year_2026, new_year_2026 + 3, 4)).front() == "01-01");
    CHECK(labels(date_axis(new_year_2026 + 0.5, new_year_2026 + 0.55, 6)).front() == "12:00");
    // Launches in a row begin within a minute.
    CHECK(labels(date_axis(new_year_2026 + 0.5 + 1e-4, new_year_2026 + 0.5 + 2.4e-4, 3)) ==
          std::vector<std::string>{"12:00:10", "12:00:20"});
    for (const double span : {0.0, 1e-6, 1e-5, 3e-5, 5e-4, 2e-3, 0.02, 0.4})
        for (const int most : {3, 6})
            for (const double at : {0.0, 0.123456, 0.98})
                CHECK(!labels(date_axis(new_year_2026 + at, new_year_2026 + at + span, most)).empty());
    CHECK(labels(date_axis(new_year_2026, new_year_2026 + 20000, 5)).back().size() == 4);
}

TEST_CASE("an axis on which one looks for changes begins near the values") {
    const Axis axis = close_axis({1.00e-6, 1.05e-6}, AxisQuantity::time, 6);
    CHECK(axis.low > 0.9e-6);
    CHECK(axis.high < 1.15e-6);
    CHECK(axis.ticks.size() >= 2);
    // Noise of a thousandth does not look like a mountain range.
    const Axis quiet = close_axis({1.000e-6, 1.001e-6}, AxisQuantity::time, 6);
    CHECK(quiet.high - quiet.low >= 0.03e-6);
    CHECK(close_axis({0, 1}, AxisQuantity::time, 6).low == 0);
    // Lengths between two multiples of a KiB are whole bytes and no fractions that nobody can read.
    CHECK(labels(close_axis({5000, 5030}, AxisQuantity::bytes_with_unit, 5)) ==
          std::vector<std::string>{"4928 B", "4992 B", "5056 B"});
}

TEST_CASE("an axis has its ticks at round numbers of the unit that is wanted") {
    const Axis times =
        value_axis({2e-6, 3e-3}, AxisQuantity::time, true, "time", 6, {.time = TimeUnit::milliseconds});
    CHECK(labels(times) == std::vector<std::string>{"0.001 ms", "0.01 ms", "0.1 ms", "1 ms"});
    constexpr double mebibyte = 1048576;
    const Axis bandwidths = value_axis({900 * mebibyte}, AxisQuantity::bandwidth, false, "bandwidth", 6,
                                       {.bandwidth = BandwidthUnit::mebibytes});
    CHECK(labels(bandwidths) ==
          std::vector<std::string>{"0", "200 MiB/s", "400 MiB/s", "600 MiB/s", "800 MiB/s"});
    CHECK(bandwidths.ticks[1].at == 200 * mebibyte);
    CHECK(bandwidths.high > 900 * mebibyte);
    CHECK(ticks_inside(bandwidths));
    const Axis decades = value_axis({1.5 * mebibyte, 900 * mebibyte}, AxisQuantity::bandwidth, true, "", 6,
                                    {.bandwidth = BandwidthUnit::mebibytes});
    CHECK(labels(decades) == std::vector<std::string>{"1 MiB/s", "10 MiB/s", "100 MiB/s", "1000 MiB/s"});
}
