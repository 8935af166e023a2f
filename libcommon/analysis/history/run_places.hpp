// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/history/history_record.hpp"

#include <vector>

namespace skampi {

/// When runs began, as far as dates can be right: no run begins in the future, nor before one that its file
/// holds before it (merged runs may). The fewest dates are taken for wrong; such a run began with the one
/// before it in its file, else in the reading, else with the first right one. A file most of whose dates
/// contradict its order was sorted otherwise: then dates count.
/// @param runs in the order of reading
[[nodiscard]] std::vector<double> right_starts(const std::vector<HistoryRun>& runs, double now_s);

} // namespace skampi
