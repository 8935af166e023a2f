#pragma once

#include "document/sections/material.hpp"

#include <span>
#include <string>
#include <vector>

namespace skampi {

/// The sections of a report, in its order.
[[nodiscard]] std::span<const SectionKind> sections_in_full();
/// The sections of a report for a terminal, in its order.
[[nodiscard]] std::span<const SectionKind> sections_in_short();

/// The words by which a content file chooses chapters, in the order of the report.
[[nodiscard]] std::vector<std::string> chapter_names();

} // namespace skampi
