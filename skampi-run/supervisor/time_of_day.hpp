#pragma once

#include <cstdint>
#include <string>

namespace skampi {

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
