#pragma once

#include "spec/parameter_file.hpp"

#include <string>

namespace skampi {

/// The plan for `skampi-run check`: a table with one line per suite, and the size of the whole.
[[nodiscard]] std::string describe_plan(const ParameterFile& file, int ranks);

} // namespace skampi
