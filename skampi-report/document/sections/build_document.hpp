#pragma once

#include "document/sections/material.hpp"

#include <vector>

namespace skampi {

/// Builds the report from what was read. The first subject is shown in full; further ones are compared with
/// it (or all with the baseline).
/// @param subjects at least one
[[nodiscard]] Document build_document(const std::vector<Subject>& subjects, const DocumentOptions& options);

/// The same in short, for a first look: first page, per suite a plot, its values and what is flagged, and the
/// comparison of the databases.
[[nodiscard]] Document build_brief_document(const std::vector<Subject>& subjects,
                                            const DocumentOptions& options, const Brevity& brevity);

} // namespace skampi
