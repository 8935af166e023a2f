// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>

namespace skampi {

/// Moments as text, "2026-11-21T10:00:00Z", as they stand in databases, events and notes: in UTC, whole
/// seconds.

constexpr double seconds_per_day = 86400;

/// @param utc_s seconds since 1970; fractions are cut off
[[nodiscard]] std::string utc_text(double utc_s);
/// Now, from the system's clock.
[[nodiscard]] double utc_now_s();
[[nodiscard]] std::string utc_now();
/// Seconds since 1970; none = the text is no such moment.
[[nodiscard]] std::optional<double> utc_seconds(const std::string& text);

} // namespace skampi
