// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/quantity.hpp"

#include "../golden.hpp"

#include <doctest/doctest.h>
#include <limits>
#include <string>
#include <vector>

using namespace skampi;

TEST_CASE("times are said in the unit in which they read best") {
    CHECK(format_time(1.2344e-6) == "1.234 µs");
    CHECK(format_time(153.2e-9) == "153.2 ns");
    CHECK(format_time(0.0851) == "85.10 ms");
    CHECK(format_time(12.5) == "12.50 s");
    CHECK(format_time(0) == "0 s");
    CHECK(format_time(-2e-6) == "-2.000 µs");
    CHECK(format_time(0.9999999e-6) == "1.000 µs");
    CHECK(format_time(3e-12, 2) == "0.0030 ns");
    CHECK(format_time(std::numeric_limits<double>::quiet_NaN()) == "not a number");
    CHECK(format_time(std::numeric_limits<double>::infinity()) == "infinite");
    CHECK(format_time_as(5e-7, 2.5e-6, 2) == "0.50 µs");
}

TEST_CASE("a measured time is above zero, or said in words") {
    CHECK(format_measured(1.2344e-6) == "1.234 µs");
    CHECK(format_measured(-7.999e-3) == format_measured(0));
    CHECK(format_measured(std::numeric_limits<double>::quiet_NaN()) == "no value");
    CHECK(format_time_range(1e-6, 2e-6, 2) == "1.0 µs to 2.0 µs");
    CHECK(format_time_range(-1e-6, 2e-6, 2) == "up to 2.0 µs");
    CHECK(format_time_range(-2e-6, -1e-6) == "");
}

TEST_CASE("bytes use binary units only where these say them exactly") {
    CHECK(format_bytes(0) == "0 B");
    CHECK(format_bytes(1000) == "1000 B");
    CHECK(format_bytes(1024) == "1 KiB");
    CHECK(format_bytes(1536) == "1.5 KiB");
    CHECK(format_bytes(11584) == "11584 B");
    CHECK(format_bytes(std::int64_t{4} << 20) == "4 MiB");
    CHECK(format_bytes(std::int64_t{3} << 30) == "3 GiB");
}

TEST_CASE("a length has four digits where those tell it from its neighbours") {
    CHECK(format_bytes_within(92682, 100) == "90.51 KiB");
    CHECK(format_bytes_within(92682, 0.1) == "90.5098 KiB");
    CHECK(format_bytes_within(9999, 1000) == "9999 B");
    CHECK(format_bytes_within(65540, 0.4) == "64.004 KiB");
    CHECK(format_bytes_within(65540, 400) == "64.004 KiB"); // not 64.00
    CHECK(format_bytes_within(16383, 100) == "16383 B");
    CHECK(format_bytes_within(16385, 100) == "16385 B");
    CHECK(format_bytes_within(65536, 0) == "64 KiB");
    CHECK(format_bytes_within(741456, 1000) == "724.1 KiB");
    CHECK(format_bytes_within(3000000000, 1e6) == "2.794 GiB");
}

TEST_CASE("how much faster or slower a thing is, is said by its speed") {
    CHECK(slower_text(1.043) == "4.3 % slower");
    CHECK(slower_text(1 / 1.05) == "5.0 % faster");
    CHECK(slower_text(0.61) == "64 % faster"); // not 39 %, which is the share of the time
    CHECK(slower_text(0.4) == "2.50 times faster");
    CHECK(slower_interval(1 / 1.64, 1 / 1.66, 1 / 1.62) == "62 to 66 %");
    CHECK(slower_interval(2.6, 2.4, 2.8) == "2.40 to 2.80");
    CHECK(slower_interval(1.98, 1.62, 2.48) == "62 to 148 %"); // as the 98 % before it
    CHECK(slower_interval(1 / 2.1, 1 / 2.6, 1 / 1.4) == "1.40 to 2.60");
}

TEST_CASE("ratios and shares that say nothing by their digits have none") {
    CHECK(format_ratio(0.0000000253) == "< 0.001");
    CHECK(format_ratio(2872835) == "> 1000");
    CHECK(format_ratio(0.001) == "0.00100");
    CHECK(format_ratio(0) == "0");
    CHECK(format_percent(9.1e-15) == "< 0.01 %");
    CHECK(format_percent(0.012) == "1.2 %");
    CHECK(format_percent(0) == "0 %");
}

TEST_CASE("bandwidth uses decimal units") {
    CHECK(format_bandwidth(8.79e9) == "8.790 GB/s");
    CHECK(format_bandwidth(603) == "603.0 B/s");
    CHECK(format_rate(8.532e6) == "8.532 M/s");
    CHECK(format_rate(12) == "12.00 /s");
}

TEST_CASE("numbers of things agree with their nouns") {
    CHECK(count_of(0, "point") == "0 points");
    CHECK(count_of(1, "point") == "1 point");
    CHECK(count_of(2, "launch", "launches") == "2 launches");
    CHECK(enumeration(std::vector<std::string>{"a"}) == "a");
    CHECK(enumeration(std::vector<std::string>{"a", "b"}) == "a and b");
    CHECK(enumeration(std::vector<std::string>{"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("texts are shortened between characters, not inside of one") {
    CHECK(shortened("Grüße", 5) == "Grüße");
    CHECK(shortened("Grüße", 3) == "Grü...");
    CHECK(shortened("a\nb\tc", 10) == "a b c");
    CHECK(shortened("", 3).empty());
    CHECK(shortened("\xff\xff\xff\xff", 2) == "\xff\xff...");
}

TEST_CASE("times and bandwidths are said in the unit that is wanted, however large they are") {
    CHECK(format_time(1.2344e-6, 4, TimeUnit::nanoseconds) == "1234 ns");
    CHECK(format_time(1.2344e-6, 4, TimeUnit::milliseconds) == "0.001234 ms");
    CHECK(format_time(0, 4, TimeUnit::microseconds) == "0 µs");
    CHECK(format_measured(0.5, 4, TimeUnit::microseconds) == "500000 µs");
    CHECK(format_measured(-1, 4, TimeUnit::microseconds) == format_measured(0));
    CHECK(format_time_range(1e-6, 2e-3, 2, TimeUnit::seconds) == "1.0e-06 s to 0.0020 s");
    CHECK(format_time(3.3614e-7, 4, TimeUnit::seconds) == "3.361e-07 s");
    CHECK(format_time(-3.3614e-7, 2, TimeUnit::seconds) == "-3.4e-07 s");
    CHECK(format_time(0, 4, TimeUnit::seconds) == "0 s");
    CHECK(format_bandwidth(12.5e9, 4, BandwidthUnit::megabytes) == "12500 MB/s");
    CHECK(format_bandwidth(12.5e9, 4, BandwidthUnit::gigabytes) == "12.50 GB/s");
    CHECK(format_bandwidth(1048576e3, 4, BandwidthUnit::mebibytes) == "1000 MiB/s");
    CHECK(std::string(unit_name(TimeUnit::microseconds)) == "µs");
    CHECK(std::string(unit_name(BandwidthUnit::mebibytes)) == "MiB/s");
    CHECK(std::string(unit_name(BandwidthUnit::automatic)).empty());
}

TEST_CASE("two counts of one thing have one form") {
    CHECK(format_count(83809, 192345) == "83.8 thousand of 192 thousand");
    CHECK(format_count(5, 192345) == "5 of 192345");
    CHECK(format_count(83809, 99999) == "83809 of 99999");
    CHECK(format_count(1234567, 21549876) == "1.23 million of 21.5 million");
    CHECK(format_count(999999, 21549876) == "999999 of 21549876");
}

TEST_CASE("of a long name the end stays, by which it differs from others") {
    CHECK(shortened_name("MPI_Bcast-length", 26) == "MPI_Bcast-length");
    const std::string a = shortened_name("MPI_Ireduce_scatter_block-computation (Nodes = 4)", 26);
    const std::string b = shortened_name("MPI_Ireduce_scatter_block-computation (Nodes = 8)", 26);
    CHECK(a == "MPI_Ireduce_sc...ation (4)");
    CHECK(b == "MPI_Ireduce_sc...ation (8)");
    CHECK(shortened_name("MPI_Alltoall (Algorithm = pairwise, Nodes = 4)", 40) ==
          "MPI_Alltoall (pairwise, 4)");
    CHECK(shortened_name("a = b and a longer name without parentheses", 20) == "a = b and a...theses");
    CHECK(shortened_name("ééééééééééééééé\nz", 9) == "éééé... z");
}

TEST_CASE("words for times, and for ratios of times the way round that a person would say them") {
    Golden golden("quantity");
    golden.add("a time of 0", format_measured(0));
    for (const double ratio : {1.5, 0.284, 0.9999, 5000.0})
        golden.add("ratio " + format_ratio(ratio), format_time_ratio(ratio));
    for (const auto& [low, high] :
         {std::pair{1.1, 1.32}, std::pair{0.25, 0.5}, std::pair{0.95, 1.2}, std::pair{0.2501, 0.2502}})
        golden.add("ratio " + format_ratio(low) + " to " + format_ratio(high), format_time_ratio(low, high));
    golden.check();
}
