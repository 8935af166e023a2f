// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/history/history.hpp"

#include <string>

namespace skampi {

/// "LINE,SUITE,..." one row for each value.
[[nodiscard]] std::string history_csv(const History& history);
/// Series, runs, lines with values and steps, events.
[[nodiscard]] std::string history_json(const History& history);

} // namespace skampi
