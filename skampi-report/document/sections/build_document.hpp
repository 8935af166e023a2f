#pragma once

#include "document/sections/material.hpp"

#include <vector>

namespace skampi {

/// Builds the report from what was read. The first subject is shown in full; further ones are compared with
/// it (or all with the baseline).
/// @param subjects at least one
[[nodiscard]] Document build_document(const std::vector<Subject>& subjects, const DocumentOptions& options);

/// The same on a few pages of paper: first page, comparison, findings, per suite a line and a small plot, and
/// the method in short. Chapters that a content file names are there in any case.
[[nodiscard]] Document build_paper_document(const std::vector<Subject>& subjects,
                                            const DocumentOptions& options);

/// The same on one screen of a terminal: the answer, the headlines and a line for each suite.
[[nodiscard]] Document build_screen_document(const std::vector<Subject>& subjects,
                                             const DocumentOptions& options);

/// The same as text: first page, per suite a plot, its values and what is flagged, and the comparison of the
/// databases.
[[nodiscard]] Document build_brief_document(const std::vector<Subject>& subjects,
                                            const DocumentOptions& options, const Brevity& brevity);

} // namespace skampi
