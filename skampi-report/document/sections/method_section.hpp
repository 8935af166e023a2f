#pragma once

#include "analysis/subject.hpp"
#include "document/model.hpp"

#include <vector>

namespace skampi {

/// "How it was measured": what the times mean and how they were come by, as far as it concerns what was
/// measured.
[[nodiscard]] Section method_section(const std::vector<Subject>& subjects);

} // namespace skampi
