// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/axis.hpp"

#include "base/utc.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace skampi {

namespace {

/// "1", "32", "1 Ki", "1.5 Mi": the unit "bytes" stands in the axis' title.
/// @param step between ticks: if it is a small part of a unit, the label uses the next smaller one
std::string bytes_tick(double bytes, double step) {
    static constexpr const char* names[] = {"", " Ki", " Mi", " Gi", " Ti"};
    constexpr double least_share = 0.125; // 1.125 Ki, but 1088 and not 1.0625 Ki
    int unit = 0;
    while (unit < 4 && bytes >= 1024 && step >= least_share * 1024) {
        bytes /= 1024;
        step /= 1024;
        ++unit;
    }
    return fmt::format("{:.6g}{}", bytes, names[unit]);
}

/// @param step as of bytes_tick()
std::string bytes_label(AxisQuantity quantity, double at, double step) {
    std::string text = bytes_tick(at, step);
    if (quantity == AxisQuantity::bytes_with_unit)
        text += text.back() == 'i' ? "B" : " B";
    return text;
}

/// @param reference the label has the unit in which this reads best
std::string tick_label(AxisQuantity quantity, double at, double reference, const Units& units = {}) {
    switch (quantity) {
    case AxisQuantity::bytes:
    case AxisQuantity::bytes_with_unit:
        return bytes_label(quantity, at, at);
    case AxisQuantity::count:
        return fmt::format("{:.10g}", at);
    case AxisQuantity::time:
    case AxisQuantity::bandwidth: {
        if (at == 0)
            return "0";
        // The ticks are 1, 2 or 5 times a power of ten, or multiples of such a step: few digits are exact,
        // and trailing zeros after the point only take room.
        std::string text = quantity == AxisQuantity::time
                               ? format_time_as(at, reference, 4, units.time)
                               : format_bandwidth_as(at, reference, 4, units.bandwidth);
        const std::size_t space = text.find(' ');
        const std::size_t point = text.find('.');
        if (point != std::string::npos && point < space) {
            std::size_t end = space;
            while (text[end - 1] == '0')
                --end;
            if (text[end - 1] == '.')
                --end;
            text.erase(end, space - end);
        }
        return text;
    }
    case AxisQuantity::ratio:
        return fmt::format("{:.6g}", at);
    case AxisQuantity::date:
        return utc_text(at * seconds_per_day).substr(0, 10);
    }
    return {};
}

/// The smallest of 1, 2, 5 times a power of ten that is about as large as the value or larger.
double nice_step(double value) {
    constexpr double tolerance = 0.75; // a tick or two more are better than too few
    const double decade = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= value * tolerance)
            return factor * decade;
    return 10 * decade;
}

void add_linear_ticks(Axis& axis, AxisQuantity quantity, int max_ticks) {
    const double raw_step = (axis.high - axis.low) / std::max(1, max_ticks - 1);
    double step = 1;
    const bool bytes = quantity == AxisQuantity::bytes || quantity == AxisQuantity::bytes_with_unit;
    if (bytes)
        step = std::max(1.0, std::exp2(std::ceil(std::log2(raw_step) - 1e-9)));
    else if (quantity == AxisQuantity::count)
        step = std::max(1.0, nice_step(raw_step));
    else
        step = nice_step(raw_step);
    const double first = std::ceil(axis.low / step - 1e-9) + 0.0; // no minus zero
    const double largest =
        std::max(std::fabs(axis.low), std::fabs(std::floor(axis.high / step + 1e-9) * step));
    for (double i = first; i * step <= axis.high * (1 + 1e-9); ++i)
        axis.ticks.push_back({i * step, bytes ? bytes_label(quantity, i * step, step)
                                              : tick_label(quantity, i * step, largest, axis.units)});
}

/// At the beginnings of months: "2026-04".
void add_month_ticks(Axis& axis, int max_ticks) {
    using namespace std::chrono;
    const auto month_of = [](double day) {
        const year_month_day date{sys_days{days{static_cast<int>(std::floor(day))}}};
        return static_cast<int>(date.year()) * 12 + static_cast<int>(static_cast<unsigned>(date.month())) - 1;
    };
    const auto day_of = [](int month) {
        const year_month_day date{year{month / 12}, std::chrono::month{static_cast<unsigned>(month % 12 + 1)},
                                  day{1}};
        return static_cast<double>(sys_days{date}.time_since_epoch().count());
    };
    const int last = month_of(axis.high);
    const int count = last - month_of(axis.low);
    int step = 1;
    for (const int candidate : {1, 2, 3, 6, 12, 24, 60, 120, 600}) {
        step = candidate;
        if (count / candidate < max_ticks)
            break;
    }
    for (int month = (month_of(axis.low) / step + 1) * step; month <= last; month += step)
        axis.ticks.push_back(
            {day_of(month), utc_text(day_of(month) * seconds_per_day).substr(0, step % 12 == 0 ? 4 : 7)});
}

void add_octave_ticks(Axis& axis, AxisQuantity quantity, double from, int max_ticks) {
    const int low = static_cast<int>(std::ceil(std::log2(from) - 1e-9));
    const int high = static_cast<int>(std::floor(std::log2(axis.high) + 1e-9));
    int step = 1;
    for (const int candidate : {1, 2, 5, 10, 20}) {
        step = candidate;
        if ((high - low) / candidate + 1 <= max_ticks)
            break;
    }
    for (int octave = low; octave <= high; ++octave) {
        if (octave % step == 0)
            axis.ticks.push_back({std::exp2(octave), tick_label(quantity, std::exp2(octave), 0)});
        else
            axis.minor_ticks.push_back(std::exp2(octave));
    }
    if (axis.ticks.empty())
        axis.ticks.push_back({from, tick_label(quantity, from, 0)});
}

void add_decade_ticks(Axis& axis, AxisQuantity quantity, int max_ticks) {
    const double decades = std::log10(axis.high) - std::log10(axis.low); // the quotient may overflow
    const auto in_range = [&](double at) {
        return at >= axis.low * (1 - 1e-9) && at <= axis.high * (1 + 1e-9);
    };
    const int low = static_cast<int>(std::floor(std::log10(axis.low) + 1e-9));
    const int high = static_cast<int>(std::ceil(std::log10(axis.high) - 1e-9));
    const int step = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, max_ticks - 1) - 1e-9)));
    for (int decade = low; decade <= high; ++decade) {
        for (int factor = 1; factor <= 9; ++factor) {
            const double at = factor * std::pow(10, decade);
            if (!in_range(at))
                continue;
            const bool labelled = decades <= 1.6 ? factor == 1 || factor == 2 || factor == 5
                                                 : factor == 1 && decade % step == 0;
            if (labelled)
                axis.ticks.push_back({at, tick_label(quantity, at, at, axis.units)});
            else if ((factor == 1 && decades < 60) || step == 1)
                axis.minor_ticks.push_back(at);
        }
    }
}

/// The next of 1, 2, 5 times a power of ten below (or above) a positive value.
double round_outwards(double value, bool up) {
    const double decade = std::pow(10, std::floor(std::log10(value)));
    const double steps[] = {1, 2, 5, 10};
    if (up) {
        for (const double factor : steps)
            if (factor * decade >= value * (1 - 1e-9))
                return factor * decade;
        return 10 * decade;
    }
    double below = decade;
    for (const double factor : steps)
        if (factor * decade <= value * (1 + 1e-9))
            below = factor * decade;
    return below;
}

/// The axis of the same bandwidths counted in MiB: its ticks are round numbers of them.
Axis in_mebibytes(const Axis& in_megabytes) {
    constexpr double factor = 1048576 / 1e6;
    Axis axis = in_megabytes;
    axis.units.bandwidth = BandwidthUnit::mebibytes;
    axis.low *= factor;
    axis.high *= factor;
    for (Tick& tick : axis.ticks) {
        tick.at *= factor;
        tick.label = tick_label(axis.quantity, tick.at, tick.at, axis.units);
    }
    for (double& at : axis.minor_ticks)
        at *= factor;
    return axis;
}

} // namespace

Axis argument_axis(const std::vector<std::int64_t>& arguments, AxisQuantity quantity, bool log,
                   const std::string& title, int max_ticks) {
    Axis axis;
    axis.title = title;
    axis.log = log;
    axis.quantity = quantity;
    if (arguments.empty())
        return axis;
    const auto [smallest, largest] = std::minmax_element(arguments.begin(), arguments.end());
    if (!log) {
        const double span = static_cast<double>(*largest - *smallest);
        const double margin = span > 0 ? 0.03 * span : std::max(1.0, 0.05 * static_cast<double>(*largest));
        axis.low = static_cast<double>(*smallest) - margin;
        axis.high = static_cast<double>(*largest) + margin;
        add_linear_ticks(axis, quantity, max_ticks);
        std::erase_if(axis.ticks, [](const Tick& tick) { return tick.at < 0; });
        return axis;
    }
    std::int64_t first_positive = 0;
    for (const std::int64_t argument : arguments)
        if (argument > 0 && (first_positive == 0 || argument < first_positive))
            first_positive = argument;
    const bool has_zero = *smallest <= 0;
    if (first_positive == 0) {
        // Nothing but 0: one place in the middle of an axis without other ticks.
        axis.low = 0.5;
        axis.high = 2;
        axis.zero_at = 1;
        axis.ticks.push_back({1, "0"});
        return axis;
    }
    const double low = static_cast<double>(first_positive);
    const double high = static_cast<double>(std::max(*largest, first_positive));
    const double margin = std::max(std::pow(high / low, 0.03), 1.15);
    axis.low = low / margin;
    axis.high = high * margin;
    add_octave_ticks(axis, quantity, low, has_zero ? max_ticks - 1 : max_ticks);
    if (has_zero) {
        const double gap = std::max(2.0, std::pow(high / low, 0.08));
        axis.zero_at = low / gap;
        axis.gap_at = low / std::pow(gap, 0.55);
        axis.low = *axis.zero_at / margin;
        // In a tiny plot the labels of 0 and of its neighbour would touch.
        if (max_ticks <= 3 && axis.ticks.size() > 1 && axis.ticks.front().at < 2 * low)
            axis.ticks.erase(axis.ticks.begin());
        axis.ticks.insert(axis.ticks.begin(), Tick{*axis.zero_at, "0"});
    }
    return axis;
}

bool can_be_drawn(double value) {
    constexpr double most = 1e200;
    return value == 0 || (std::fabs(value) <= most && std::fabs(value) >= 1 / most);
}

Axis value_axis(const std::vector<double>& values, AxisQuantity quantity, bool log, const std::string& title,
                int max_ticks, const Units& units) {
    if (quantity == AxisQuantity::bandwidth && units.bandwidth == BandwidthUnit::mebibytes) {
        std::vector<double> in_megabytes = values;
        for (double& value : in_megabytes)
            value *= 1e6 / 1048576;
        return in_mebibytes(value_axis(in_megabytes, quantity, log, title, max_ticks,
                                       {units.time, BandwidthUnit::megabytes}));
    }
    Axis axis;
    axis.title = title;
    axis.log = log;
    axis.quantity = quantity;
    axis.units = units;
    double low = 0;
    double high = 0;
    bool any = false;
    for (const double value : values) {
        if (!can_be_drawn(value) || (log && value <= 0))
            continue;
        low = any ? std::min(low, value) : value;
        high = any ? std::max(high, value) : value;
        any = true;
    }
    if (!any) {
        axis.low = log ? 0.1 : 0;
        axis.high = 1;
        return axis;
    }
    if (log) {
        axis.low = round_outwards(low * 0.9, false);
        axis.high = round_outwards(high * 1.1, true);
        add_decade_ticks(axis, quantity, max_ticks);
        return axis;
    }
    if (quantity == AxisQuantity::ratio) {
        // Ratios are read against 1, not against 0.
        const double around = std::max({std::fabs(high - 1), std::fabs(1 - low), 0.02});
        const double step = nice_step(around / 2);
        axis.low = std::max(0.0, 1 - step * std::ceil(std::fabs(std::min(0.0, low - 1)) / step + 0.2));
        axis.high = 1 + step * std::ceil(std::max(0.0, high - 1) / step + 0.2);
    } else {
        axis.low = std::min(0.0, low * 1.05);
        axis.high = high > 0 ? high * 1.05 : 1;
    }
    if (axis.high <= axis.low)
        axis.high = axis.low + 1;
    add_linear_ticks(axis, quantity, max_ticks);
    return axis;
}

Axis ratio_axis(const std::vector<double>& ratios, const std::string& title, int max_ticks) {
    constexpr double limits[] = {1.25, 1.5, 2, 3, 5, 10, 20, 50, 100, 1000};
    double farthest = 1;
    for (const double ratio : ratios)
        if (can_be_drawn(ratio) && ratio > 0)
            farthest = std::max({farthest, ratio, 1 / ratio});
    const double* const limit = std::ranges::find_if(
        limits, [&](double each) { return each >= farthest || each == *std::prev(std::end(limits)); });
    Axis axis;
    axis.title = title;
    axis.log = true;
    axis.quantity = AxisQuantity::ratio;
    axis.low = 1 / (*limit * 1.02);
    axis.high = *limit * 1.02;
    // Round numbers on both sides of 1, the farthest first, each as far from the one before as its label
    // needs.
    constexpr double places[] = {1000, 100, 50, 20, 10, 5, 3, 2, 1.5, 1.25, 1.1};
    constexpr double least_share = 0.7; // of the distance of equally many ticks at equal distances
    const int on_a_side = std::max(1, (max_ticks - 1) / 2);
    const double least_distance = least_share * std::log(*limit) / on_a_side;
    std::vector<double> labelled; // ascending
    for (const double place : places)
        if (place <= *limit && std::log(place) >= least_distance &&
            (labelled.empty() || std::log(labelled.front() / place) >= least_distance))
            labelled.insert(labelled.begin(), place);
    axis.ticks.push_back({1, "1"});
    for (const double place : labelled) {
        axis.ticks.insert(axis.ticks.begin(), Tick{1 / place, fmt::format("{:.2g}", 1 / place)});
        axis.ticks.push_back({place, fmt::format("{:.6g}", place)});
    }
    return axis;
}

Axis date_axis(double first, double last, int max_ticks) {
    Axis axis;
    axis.quantity = AxisQuantity::date;
    const auto [from, to] = std::minmax(first, last);
    constexpr double least_span = 1.0 / 24 / 60; // a minute
    const double margin = 0.03 * std::max(to - from, least_span);
    axis.low = from - margin;
    axis.high = to + margin;
    constexpr double shortest_of_months = 60;
    if (to - from > shortest_of_months) {
        add_month_ticks(axis, max_ticks);
        return axis;
    }
    const double minute = least_span;
    const double second = minute / 60;
    const double hour = 60 * minute;
    constexpr double rounding = 1e-6;
    const auto first_tick = [&](double distance) { return std::ceil(axis.low / distance - rounding); };
    double step = 0;
    for (const double candidate :
         {second, 2 * second, 5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute,
          10 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 1.0, 2.0, 7.0, 14.0, 28.0}) {
        if (step > 0 && first_tick(candidate) * candidate > axis.high)
            break; // it would have no tick
        step = candidate;
        const double width = candidate < minute ? 8.0 / 5 : 1; // of a label, relative to that of hours
        if (width * (axis.high - axis.low) / step <= max_ticks)
            break;
    }
    for (double i = first_tick(step); i * step <= axis.high; ++i) {
        const std::string moment = utc_text(i * step * seconds_per_day + 0.5);
        axis.ticks.push_back({i * step, step < minute ? moment.substr(11, 8)
                                        : step < 1    ? moment.substr(11, 5)
                                                      : moment.substr(5, 5)});
    }
    return axis;
}

Axis close_axis(const std::vector<double>& values, AxisQuantity quantity, int max_ticks) {
    Axis axis;
    axis.quantity = quantity;
    const auto [smallest, largest] = std::ranges::minmax(values);
    constexpr double least_share = 0.02; // below it noise would fill the plot
    const double middle = 0.5 * (smallest + largest);
    const double half = std::max({0.55 * (largest - smallest), least_share * std::fabs(middle), 1e-300});
    axis.low = middle - half;
    axis.high = middle + half;
    if (smallest >= 0)
        axis.low = std::max(0.0, axis.low);
    add_linear_ticks(axis, quantity, max_ticks);
    return axis;
}

double position(const Axis& axis, std::int64_t argument) {
    if (axis.log && argument <= 0)
        return axis.zero_at.value_or(axis.low);
    return static_cast<double>(argument);
}

} // namespace skampi
