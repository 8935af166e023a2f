#pragma once

#include "contest/statement.hpp"

#include <vector>

namespace skampi {

/// What narrows a contest of two databases or makes it doubtful, the gravest first. Computed from findings
/// alone.
[[nodiscard]] std::vector<ContestDoubt> doubts_of(const Contest& contest);

} // namespace skampi
