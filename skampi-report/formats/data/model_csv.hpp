// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The fitted models as CSV (RFC 4180), a line for each coefficient: which piece or form it belongs to and
/// where that holds, what it is multiplied with, its standard error and 95 % interval, the worst deviation. A
/// time is the sum of value times term over the lines of one model (and piece). What does not apply, or is
/// not determined by the points, is empty.
///
/// The interval is value +- t error, t of Student's distribution with as many degrees of freedom as the model
/// has points beyond its coefficients, all pieces taken together because they share their noise.
[[nodiscard]] std::string model_csv(const std::vector<Subject>& subjects);

} // namespace skampi
