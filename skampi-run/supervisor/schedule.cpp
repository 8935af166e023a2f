#include "supervisor/schedule.hpp"

#include "base/utc.hpp"
#include "model/quantity.hpp"
#include "supervisor/time_of_day.hpp"

#include <algorithm>
#include <cmath>
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

} // namespace skampi
