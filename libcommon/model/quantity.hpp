// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

namespace skampi {

/// The unit of a time; automatic: the one in which it reads best.
enum class TimeUnit { automatic, nanoseconds, microseconds, milliseconds, seconds };
/// The unit of a bandwidth, of 10^6, 2^20 or 10^9 bytes a second; automatic: the decimal one in which it
/// reads best.
enum class BandwidthUnit { automatic, megabytes, mebibytes, gigabytes };

/// The units that a reader chose for values.
struct Units {
    TimeUnit time = TimeUnit::automatic;
    BandwidthUnit bandwidth = BandwidthUnit::automatic;
    bool operator==(const Units&) const = default;
};

/// "ns", "µs", "ms", "s"; empty for automatic
[[nodiscard]] const char* unit_name(TimeUnit unit);
/// "MB/s", "MiB/s", "GB/s"; empty for automatic
[[nodiscard]] const char* unit_name(BandwidthUnit unit);

/// "153.2 ns", "1.234 µs", "85.1 ms": a time in its unit.
/// @param digits significant ones
[[nodiscard]] std::string format_time(double time_s, int digits = 4, TimeUnit unit = TimeUnit::automatic);
/// A measured time as a result: "no value" where there is none, and "below what can be measured" for a time
/// below zero, which only means that the overhead subtracted was as large.
[[nodiscard]] std::string format_measured(double time_s, int digits = 4, TimeUnit unit = TimeUnit::automatic);
/// "1.2 µs to 1.4 µs"; "up to 1.4 µs" where the lower end lies below what can be measured, and empty where
/// both do.
[[nodiscard]] std::string format_time_range(double low_s, double high_s, int digits = 4,
                                            TimeUnit unit = TimeUnit::automatic);
/// format_time() in the unit in which `reference` reads best: the ticks of an axis have one unit.
[[nodiscard]] std::string format_time_as(double time_s, double reference_s, int digits = 4,
                                         TimeUnit unit = TimeUnit::automatic);
[[nodiscard]] std::string format_bandwidth_as(double bytes_per_s, double reference, int digits = 4,
                                              BandwidthUnit unit = BandwidthUnit::automatic);
/// "0 B", "1 B", "32 KiB", "1.5 MiB"; anything a binary unit cannot say in two decimals stays in bytes.
[[nodiscard]] std::string format_bytes(std::int64_t bytes);
/// For readers, who want no "92682 B" next to "128 KiB": from 10,000 bytes on always in a binary unit, with
/// four digits or as many as come close enough to the number: "90.51 KiB", "63.997 KiB".
[[nodiscard]] std::string format_bytes_within(std::int64_t bytes, double tolerance_bytes);
/// The same for a single length: within half a percent.
[[nodiscard]] std::string format_length(std::int64_t bytes);
/// "8.79 GB/s": a bandwidth in its unit (1 GB/s = 10^9 bytes a second).
[[nodiscard]] std::string format_bandwidth(double bytes_per_s, int digits = 4,
                                           BandwidthUnit unit = BandwidthUnit::automatic);
/// "8.53 M/s": so many things a second.
[[nodiscard]] std::string format_rate(double per_s, int digits = 4);
/// "1.07", "0.982", "12.3"; "< 0.001" and "> 1000" for what no difference between machines is
[[nodiscard]] std::string format_ratio(double ratio);
/// A waiting time: "20 ms", "1.4 s", "12 s", "3 min", "2.1 h".
[[nodiscard]] std::string rough_time(double time_s);
/// "2.20 times", "more than 1,000 times": how many times as much, for a ratio of at least 1.
[[nodiscard]] std::string format_times(double ratio);
/// A ratio of times in words, in the direction that reads well: "takes 1.50 times as long", "is 3.52 times as
/// fast" for 0.284.
[[nodiscard]] std::string format_time_ratio(double ratio);
/// For several ratios: "takes 1.10 to 1.32 times as long", "is 1.10 to 1.32 times as fast"; on both sides of
/// 1 "takes 0.950 to 1.20 times as long".
[[nodiscard]] std::string format_time_ratio(double least, double most);
/// How a time compares with another one, by the quotient of the two: "2.57 times slower", "4.3 % slower".
/// What takes 1 / 1.05 of the time is "5.0 % faster": a share of the speed, as everywhere.
[[nodiscard]] std::string slower_text(double ratio);
/// The interval of such a ratio that is clear of 1, in the unit in which slower_text() has the ratio: "2.4
/// to 2.8", "3.1 to 5.5 %".
[[nodiscard]] std::string slower_interval(double ratio, double low, double high);
/// "1.2 %"; "< 0.01 %" for what is below it
[[nodiscard]] std::string format_percent(double share);
/// "9182", "21.5 million": large counts with three digits.
[[nodiscard]] std::string format_count(std::int64_t count);
/// "83.8 of 192 thousand", both in the unit of the whole; in full where the part is less than one unit.
[[nodiscard]] std::string format_count(std::int64_t part, std::int64_t whole);
/// "1 point", "2 points", "0 points"
/// @param plural empty = singular with an s
[[nodiscard]] std::string count_text(std::int64_t count, const std::string& singular,
                                     const std::string& plural);
template <std::integral Count>
[[nodiscard]] std::string count_of(Count count, const std::string& singular, const std::string& plural = {}) {
    return count_text(static_cast<std::int64_t>(count), singular, plural);
}
/// At most max_characters of the text, on a UTF-8 boundary, with an ellipsis for what is missing; line ends
/// become spaces.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t max_characters);
/// The same for a name, cut in the middle: names often differ only at their ends.
/// @param most_characters at least 8
[[nodiscard]] std::string shortened_name(const std::string& name, std::size_t most_characters);
/// "a", "a and b", "a, b and c"
template <typename Texts>
[[nodiscard]] std::string enumeration(const Texts& texts) {
    std::string all;
    std::size_t i = 0;
    for (const std::string& text : texts) {
        all += i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ";
        all += text;
        ++i;
    }
    return all;
}

} // namespace skampi
