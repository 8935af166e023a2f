// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/schedule.hpp"

#include "base/utc.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fmt/format.h>

namespace skampi {
namespace {

constexpr double longest_delay_s = 60; ///< of a slot that is still taken

Slot next_day(int minute, std::int64_t last, double now_s) {
    const std::int64_t earliest = day_at(now_s - longest_delay_s, minute) + 1;
    const std::int64_t following = last == no_slot ? earliest : last + 1;
    // A clock that was ahead when `last` was used: as with intervals.
    const bool was_ahead = moment_of_day(following, minute) > now_s + 2 * seconds_per_day;
    const std::int64_t day = was_ahead ? earliest : std::max(following, earliest);
    return {.index = day, .start_s = moment_of_day(day, minute), .skipped = was_ahead ? 0 : day - following};
}

constexpr std::time_t day_s = 86400;

std::tm local_parts(std::time_t moment) {
    ::tzset(); // a zone may be set, and its rules may be renewed, while a daemon waits
    std::tm parts{};
    ::localtime_r(&moment, &parts);
    return parts;
}

/// What local clocks are ahead of UTC.
std::time_t offset_s(std::time_t moment) {
    return local_parts(moment).tm_gmtoff;
}

} // namespace

Slot next_slot(const Schedule& schedule, std::int64_t last, double now_s) {
    if (schedule.at_minute)
        return next_day(*schedule.at_minute, last, now_s);
    const std::int64_t following = last + 1;
    if (schedule.every_s <= 0)
        return {.index = following, .start_s = now_s, .skipped = 0};
    const double tolerance_s = std::min(schedule.every_s / 100, longest_delay_s);
    const auto earliest =
        static_cast<std::int64_t>(std::ceil((now_s - tolerance_s - schedule.first_s) / schedule.every_s));
    std::int64_t index = std::max(following, earliest);
    // The clock was ahead when `last` was used: waiting for what it promised then could take any time.
    if (const double wait_s = schedule.first_s + static_cast<double>(index) * schedule.every_s - now_s;
        wait_s > 2 * schedule.every_s) {
        index = static_cast<std::int64_t>(std::floor((now_s - schedule.first_s) / schedule.every_s)) + 1;
        return {.index = index,
                .start_s = schedule.first_s + static_cast<double>(index) * schedule.every_s,
                .skipped = 0};
    }
    return {.index = index,
            .start_s = schedule.first_s + static_cast<double>(index) * schedule.every_s,
            .skipped = index - following};
}

std::int64_t slot_of(const Schedule& schedule, double start_s) {
    if (schedule.at_minute)
        return day_at(start_s, *schedule.at_minute);
    if (schedule.every_s <= 0)
        return 0;
    return static_cast<std::int64_t>(
        std::floor(std::max(start_s - schedule.first_s, 0.0) / schedule.every_s));
}

std::string schedule_text(const Schedule& schedule, std::int64_t ended, std::optional<std::int64_t> wanted,
                          double next_s) {
    return fmt::format("{} done, next run at {}{}",
                       wanted ? fmt::format("{} of {} runs", ended, *wanted) : count_of(ended, "run"),
                       utc_text(next_s),
                       schedule.at_minute ? fmt::format(" ({})", local_time_text(next_s)) : "");
}

double moment_of_day(std::int64_t day, int minute) {
    const std::time_t shown = static_cast<std::time_t>(day) * day_s + 60 * std::time_t{minute};
    // If clocks are set on that day, these differ.
    const std::time_t before_s = offset_s(shown - day_s);
    const std::time_t after_s = offset_s(shown + day_s);
    const std::time_t by_former = shown - before_s;
    const std::time_t by_later = shown - after_s;
    const bool former_shows_it = offset_s(by_former) == before_s;
    const bool later_shows_it = offset_s(by_later) == after_s;
    if (former_shows_it || later_shows_it) {
        const std::time_t first = former_shows_it && later_shows_it ? std::min(by_former, by_later)
                                  : former_shows_it                 ? by_former
                                                                    : by_later;
        return static_cast<double>(first);
    }
    std::time_t not_yet = std::min(by_former, by_later);
    std::time_t gone = std::max(by_former, by_later);
    while (gone - not_yet > 1) {
        const std::time_t middle = not_yet + (gone - not_yet) / 2;
        (offset_s(middle) == before_s ? not_yet : gone) = middle;
    }
    return static_cast<double>(gone);
}

std::int64_t day_at(double utc_s, int minute) {
    const auto moment = static_cast<std::time_t>(std::floor(utc_s));
    const auto shown = static_cast<double>(moment + offset_s(moment));
    auto day = static_cast<std::int64_t>(std::floor(shown / seconds_per_day)) + 1;
    while (moment_of_day(day, minute) > utc_s)
        --day;
    return day;
}

std::string local_time_text(double utc_s) {
    const std::tm parts = local_parts(static_cast<std::time_t>(std::floor(utc_s)));
    std::array<char, 64> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%H:%M %Z", &parts);
    return {text.data(), length};
}

} // namespace skampi
