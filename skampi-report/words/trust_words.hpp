#pragma once

#include "analysis/subject.hpp"
#include "analysis/trust.hpp"

#include <string>
#include <vector>

namespace skampi {

// How a report speaks of how far the values of a subject can be trusted.

/// Of one of several subjects: a line of its own in the box.
[[nodiscard]] std::string trust_in_short(const Subject& subject);

/// What the first page of a report on one subject says first.
[[nodiscard]] std::string descriptive_answer(const Subject& subject);

/// In front of a verdict, which itself says whether there are launches enough.
[[nodiscard]] std::string doubts_about(const Subject& subject);

} // namespace skampi
