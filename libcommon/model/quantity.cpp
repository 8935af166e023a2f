// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/quantity.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace skampi {

namespace {

using Prefix = std::pair<double, const char*>;

/// Significant digits, never in the form 1e+03, and without a minus sign before a zero.
std::string significant(double value, int digits) {
    if (value == 0)
        return "0";
    // The exponent after rounding: 0.99999 has as many digits before its point as 1.
    const std::string rounded = fmt::format("{:.{}e}", value, digits - 1);
    const int before_point = std::atoi(rounded.c_str() + rounded.find('e') + 1) + 1;
    const int decimals = std::max(0, digits - before_point);
    if (decimals > 15)
        return fmt::format("{:.{}g}", value, digits);
    return fmt::format("{:.{}f}", value, decimals);
}

constexpr std::array<Prefix, 4> time_units{{{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}}};
constexpr std::array<Prefix, 5> bandwidth_units{
    {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}}};

constexpr Prefix mebibytes_per_s{1048576, "MiB/s"};

constexpr std::array<Prefix, 4> rate_units{{{1, "/s"}, {1e3, "k/s"}, {1e6, "M/s"}, {1e9, "G/s"}}};

/// The largest unit of which the value is at least one.
Prefix unit_of(double value, int digits, std::span<const Prefix> units) {
    Prefix best = units.front();
    for (const Prefix& unit : units) {
        // 0.99999 of a unit is to be printed as 1 of it, not as 1000 of the next smaller one.
        if (std::fabs(value) >= unit.first * (1 - 0.5 * std::pow(10, -digits)))
            best = unit;
    }
    return best;
}

/// The units to choose from: only the one that is wanted, where one is.
std::span<const Prefix> units_of(TimeUnit unit) {
    const std::span<const Prefix> all = time_units;
    return unit == TimeUnit::automatic ? all : all.subspan(static_cast<std::size_t>(unit) - 1, 1);
}

std::span<const Prefix> units_of(BandwidthUnit unit) {
    const std::span<const Prefix> all = bandwidth_units;
    switch (unit) {
    case BandwidthUnit::automatic:
        break;
    case BandwidthUnit::megabytes:
        return all.subspan(2, 1);
    case BandwidthUnit::mebibytes:
        return {&mebibytes_per_s, 1};
    case BandwidthUnit::gigabytes:
        return all.subspan(3, 1);
    }
    return all;
}

std::string with_unit(double value, double reference, int digits, std::span<const Prefix> units) {
    if (std::isnan(value))
        return "not a number";
    if (std::isinf(value))
        return value > 0 ? "infinite" : "minus infinite";
    const Prefix unit = unit_of(reference, digits, units);
    // In a unit that the user chose: 0.0000003361 s has too many zeros to count.
    constexpr double least_in_decimals = 1e-3;
    if (const double in_unit = std::fabs(value / unit.first);
        units.size() == 1 && in_unit > 0 && in_unit < least_in_decimals)
        return fmt::format("{:.{}e} {}", value / unit.first, digits - 1, unit.second);
    return significant(value / unit.first, digits) + " " + unit.second;
}

} // namespace

const char* unit_name(TimeUnit unit) {
    return unit == TimeUnit::automatic ? "" : units_of(unit).front().second;
}

const char* unit_name(BandwidthUnit unit) {
    return unit == BandwidthUnit::automatic ? "" : units_of(unit).front().second;
}

std::string format_measured(double time_s, int digits, TimeUnit unit) {
    if (!std::isfinite(time_s))
        return "no value";
    return time_s > 0 ? format_time(time_s, digits, unit) : "below what can be measured";
}

std::string format_time_range(double low_s, double high_s, int digits, TimeUnit unit) {
    if (!(high_s > 0))
        return {};
    return (low_s > 0 ? format_time(low_s, digits, unit) + " to " : "up to ") +
           format_time(high_s, digits, unit);
}

std::string format_time(double time_s, int digits, TimeUnit unit) {
    return format_time_as(time_s, time_s, digits, unit);
}

std::string format_time_as(double time_s, double reference_s, int digits, TimeUnit unit) {
    return with_unit(time_s, reference_s == 0 ? 1 : reference_s, digits, units_of(unit));
}

std::string format_bytes(std::int64_t bytes) {
    static constexpr std::array<std::pair<std::int64_t, const char*>, 4> units{
        {{std::int64_t{1} << 40, "TiB"},
         {std::int64_t{1} << 30, "GiB"},
         {std::int64_t{1} << 20, "MiB"},
         {std::int64_t{1} << 10, "KiB"}}};
    for (const auto& [size, name] : units) {
        if (bytes < size)
            continue;
        if (bytes % size == 0)
            return fmt::format("{} {}", bytes / size, name);
        if (bytes % (size / 4) == 0 && bytes / size < 1000)
            return fmt::format("{:g} {}", static_cast<double>(bytes) / static_cast<double>(size), name);
    }
    return fmt::format("{} B", bytes);
}

std::string format_bytes_within(std::int64_t bytes, double tolerance_bytes) {
    static constexpr std::array<Prefix, 5> units{
        {{1, "B"}, {1024.0, "KiB"}, {1048576.0, "MiB"}, {1073741824.0, "GiB"}, {1099511627776.0, "TiB"}}};
    constexpr int least_digits = 4;
    constexpr int most_digits = 17; // enough for any number of bytes
    const std::string exact = format_bytes(bytes);
    constexpr std::int64_t longest = 9999; // easy to read in bytes
    if (!exact.ends_with(" B") || bytes <= longest)
        return exact;
    const auto value = static_cast<double>(bytes);
    for (int digits = least_digits; digits <= most_digits; ++digits) {
        const Prefix unit = unit_of(value, digits, units);
        const std::string number = significant(value / unit.first, digits);
        const double shown = std::strtod(number.c_str(), nullptr);
        const double wrong_by = std::fabs(shown * unit.first - value);
        if (shown == std::floor(shown)) { // 16383 B are not 16.00 KiB
            if (wrong_by <= 1)
                return exact;
        } else if (wrong_by <= tolerance_bytes)
            return number + " " + unit.second;
    }
    return exact;
}

std::string format_length(std::int64_t bytes) {
    return format_bytes_within(bytes, 0.005 * static_cast<double>(bytes));
}

std::string format_bandwidth(double bytes_per_s, int digits, BandwidthUnit unit) {
    return format_bandwidth_as(bytes_per_s, bytes_per_s, digits, unit);
}

std::string format_bandwidth_as(double bytes_per_s, double reference, int digits, BandwidthUnit unit) {
    return with_unit(bytes_per_s, reference, digits, units_of(unit));
}

std::string format_rate(double per_s, int digits) {
    return with_unit(per_s, per_s, digits, rate_units);
}

std::string format_ratio(double ratio) {
    if (!std::isfinite(ratio))
        return "undefined";
    // A value beyond is not a finding but a lack of one.
    constexpr double least = 0.001;
    constexpr double most = 1000;
    if (ratio > 0 && ratio < least)
        return "< 0.001";
    return ratio > most ? "> 1000" : significant(ratio, 3);
}

std::string rough_time(double time_s) {
    if (time_s < 0.0995)
        return fmt::format("{:.0f} ms", time_s * 1e3);
    constexpr double two_minutes_s = 120;
    if (time_s < 99.5 || (time_s < 179.5 && std::fabs(time_s - two_minutes_s) >= 0.5))
        return fmt::format("{:.{}f} s", time_s, time_s < 9.95 ? 1 : 0);
    if (time_s < 99.5 * 60)
        return fmt::format("{:.0f} min", time_s / 60);
    return fmt::format("{:.1f} h", time_s / 3600);
}

std::string format_times(double ratio) {
    constexpr double most = 1000;
    return ratio > most ? "more than 1,000 times" : format_ratio(ratio) + " times";
}

std::string format_time_ratio(double ratio) {
    // 0.999 is 1.00 times as long, and nothing is 1.00 times as fast.
    const bool faster = ratio < 1 && format_ratio(1 / ratio) != format_ratio(1);
    return faster ? "is " + format_times(1 / ratio) + " as fast"
                  : "takes " + format_times(ratio) + " as long";
}

std::string format_time_ratio(double least, double most) {
    const bool faster = most < 1;
    const std::string from = format_ratio(faster ? 1 / most : least);
    const std::string to = format_ratio(faster ? 1 / least : most);
    if (from == to)
        return format_time_ratio(most);
    return fmt::format("{} {} to {} times as {}", faster ? "is" : "takes", from, to,
                       faster ? "fast" : "long");
}

std::string format_percent(double share) {
    if (!std::isfinite(share))
        return "undefined";
    // For a model and its points, or two values that agree: digits of rounding mean nothing.
    constexpr double least = 1e-4;
    if (share != 0 && std::fabs(share) < least)
        return "< 0.01 %";
    return significant(share * 100, 2) + " %";
}

namespace {

/// From a factor of two on, a factor is easier to read than a share.
bool is_shown_as_factor(double ratio) {
    constexpr double twice = 2;
    const double by = ratio < 1 ? 1 / ratio : ratio;
    return !std::isfinite(by) || by >= twice;
}

} // namespace

std::string slower_text(double ratio) {
    const bool faster = ratio < 1;
    const double by = faster ? 1 / ratio : ratio;
    return (is_shown_as_factor(ratio) ? format_times(by) : format_percent(by - 1)) +
           (faster ? " faster" : " slower");
}

std::string slower_interval(double ratio, double low, double high) {
    const bool faster = high < 1;
    const double least = faster ? 1 / high : low;
    const double most = faster ? 1 / low : high;
    if (is_shown_as_factor(ratio))
        return fmt::format("{} to {}", format_ratio(least), format_ratio(most));
    const std::string from = format_percent(least - 1);
    return fmt::format("{} to {}", from.ends_with(" %") ? from.substr(0, from.size() - 2) : from,
                       format_percent(most - 1));
}

std::string format_count(std::int64_t count) {
    constexpr std::int64_t largest_exact = 99999;
    if (count <= largest_exact)
        return std::to_string(count);
    // 999,600 has three digits as a million.
    constexpr double thousand = 1e3;
    constexpr double million = 1e6;
    constexpr double billion = 1e9;
    const auto value = static_cast<double>(count);
    if (value < 0.9995 * million)
        return significant(value / thousand, 3) + " thousand";
    if (value < 0.9995 * billion)
        return significant(value / million, 3) + " million";
    return significant(value / billion, 3) + " billion";
}

std::string format_count(std::int64_t part, std::int64_t whole) {
    const std::string all = format_count(whole);
    if (all.find(' ') == std::string::npos)
        return fmt::format("{} of {}", part, all);
    const std::string name = all.substr(all.find(' '));
    const double unit = name == " thousand" ? 1e3 : name == " million" ? 1e6 : 1e9;
    // Less than one of a unit: both are printed in full.
    if (static_cast<double>(part) < unit)
        return fmt::format("{} of {}", part, whole);
    return fmt::format("{}{} of {}", significant(static_cast<double>(part) / unit, 3), name, all);
}

std::string count_text(std::int64_t count, const std::string& singular, const std::string& plural) {
    return fmt::format("{} {}", count, count == 1 ? singular : plural.empty() ? singular + "s" : plural);
}

namespace {

/// "MPI_Bcast (ring)" of "MPI_Bcast (Algorithm = ring)": the values mostly show which key the list belongs
/// to.
std::string without_keys(const std::string& name) {
    constexpr std::string_view equals = " = ";
    std::string rest = name;
    for (std::size_t at = rest.find(equals); at != std::string::npos; at = rest.find(equals)) {
        const std::size_t before = rest.find_last_of("( ", at - 1);
        if (at == 0 || before == std::string::npos)
            return name;
        rest.erase(before + 1, at + equals.size() - before - 1);
    }
    return rest;
}

} // namespace

std::string shortened_name(const std::string& whole_name, std::size_t most_characters) {
    if (character_count(whole_name) <= most_characters)
        return shortened(whole_name, most_characters);
    const std::string name = without_keys(whole_name);
    const std::size_t length = character_count(name);
    if (length <= most_characters)
        return shortened(name, most_characters);
    constexpr std::size_t gap = 3;
    const std::size_t end = 2 * (most_characters - gap) / 5; // the beginning says more
    const std::string_view begin = first_characters(name, length - end);
    const std::string behind = name.substr(begin.size());
    return shortened(name, most_characters - gap - end) + shortened(behind, end);
}

std::string shortened(const std::string& text, std::size_t max_characters) {
    std::string line(first_characters(text, max_characters));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return line.size() < text.size() ? line + "..." : line;
}

} // namespace skampi
