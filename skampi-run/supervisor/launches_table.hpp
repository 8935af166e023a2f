// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The table for programs (point_header()) of launches of one series, each value with its error between
/// launches.
/// @param runs of one launch: its errors within the run; of none: the header alone
[[nodiscard]] std::string launches_table(const Database& database, const std::vector<RunId>& runs);

} // namespace skampi
