// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace skampi {

/// Starts of repeated runs: slot k is at first_s + k * every_s, so that the length of a run and late starts
/// do not add up.
struct Schedule {
    double first_s = 0; ///< start of slot 0, seconds since 1970 (UTC)
    double every_s = 0; ///< 0 = one after the other, without waiting
    /// In place of both: slot k is at this minute of day k (moment_of_day()).
    std::optional<int> at_minute = {};
};

constexpr std::int64_t no_slot = -1; ///< before the first

struct Slot {
    std::int64_t index = 0;
    double start_s = 0;       ///< not before this; may be in the past only when every_s is 0
    std::int64_t skipped = 0; ///< slots that passed unused since the one before
};

/// The slot to use after `last`. Slots that have passed are skipped, never
/// made up for; one that is now, or passed less than a hundredth of every_s (at most a minute) ago, is still
/// taken. It is never more than 2 * every_s (two days) away: after a clock that was set back by more than
/// every_s, slots are used again, which may have numbers below 0.
[[nodiscard]] Slot next_slot(const Schedule& schedule, std::int64_t last, double now_s);

/// The slot in which something that started at start_s was, to go on with a schedule after a restart.
[[nodiscard]] std::int64_t slot_of(const Schedule& schedule, double start_s);

/// "3 of 28 runs done, next run at 2026-11-25T01:00:00Z (02:00 CET)"
/// @param wanted none = without end
[[nodiscard]] std::string schedule_text(const Schedule& schedule, std::int64_t ended,
                                        std::optional<std::int64_t> wanted, double next_s);

/// A time of the day as the clocks of this machine show it (TZ, /etc/localtime), once on each day. Where
/// clocks are put forward over it, it is the moment after the gap; where they are put back and show it twice,
/// the first of both. Days are numbered from 1970-01-01 on, by the local calendar.

/// When it is that minute of that day, seconds since 1970 (UTC).
[[nodiscard]] double moment_of_day(std::int64_t day, int minute);
/// The newest day on which that minute has come by then.
[[nodiscard]] std::int64_t day_at(double utc_s, int minute);

/// What the clocks show, with the zone: "02:00 CET".
[[nodiscard]] std::string local_time_text(double utc_s);

} // namespace skampi
