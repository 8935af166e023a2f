// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"
#include "document/sections/rivals.hpp"

namespace skampi {

/// The headlines of a subject, a row for each.
[[nodiscard]] Table headline_table(const Subject& subject);
/// How many launches there are, how many of them are used, and why the others are not; no rows for one
/// launch.
[[nodiscard]] Table launches_table(const Subject& subject);
/// All subjects, the reference first, side by side.
[[nodiscard]] Table headlines_compared(const Rivals& contest);

} // namespace skampi
