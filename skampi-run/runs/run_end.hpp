// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

/// What the end of a run leaves to tell, a line each.

/// Of each suite that is not finished: its reason.
[[nodiscard]] std::vector<std::string> unfinished_suites(const Database& database, RunId run);
/// Which values are missing, where, and why: wrong data, arguments that could not be measured or had no time,
/// and points without a value.
[[nodiscard]] std::vector<std::string> missing_values(const Database& database, RunId run);

/// Removes the single measurements of all ended runs of its series but the newest so many, this one among
/// them.
void drop_old_samples(Database& database, const Run& newest, int keep);

} // namespace skampi
