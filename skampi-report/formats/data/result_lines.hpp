// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The values that a report shows, a JSON object on a line for each, with the columns of the view `result`.
[[nodiscard]] std::string result_lines(const std::vector<Subject>& subjects);

} // namespace skampi
