// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"
#include "launches/subject.hpp"

#include <cstddef>
#include <vector>

namespace skampi {

/// The values of which a suite's line shows the first and the last: those the plots show, above zero where
/// any is.
[[nodiscard]] std::vector<const StoredMeasurement*> points_of_line(const Curve& curve);

/// A row for each suite: its first and its last argument with their times, its peak bandwidth, and how many
/// points have the most frequent flag.
[[nodiscard]] Table suite_lines(const std::vector<const Curve*>& curves);

} // namespace skampi
