#pragma once

#include "analysis/subject.hpp"
#include "analysis/trust.hpp"

#include <string>

namespace skampi {

/// What to do next with a subject, with the command for it: more launches, or a core for each rank. Empty
/// where nothing is missing, or nothing is known to help.
[[nodiscard]] std::string next_step(const Subject& subject, const Trust& trust);

} // namespace skampi
