// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/algorithm_groups.hpp"
#include "contest/contest.hpp"
#include "contest/contract.hpp"
#include "contest/session_contest.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The report's data, machine-readable (docs/data-formats.md): runs, trust, headlines, suites with their
/// points, cost models and, for several databases, comparisons with the reference (the last with `baseline`,
/// else the first). Numbers that are not finite are null.
/// @param turns of a session whose variants the subjects are; null = they are of none
/// @param algorithms that the one database measured; null = none
/// @param promises of a contract; empty = there is none
[[nodiscard]] std::string json_report(const std::vector<Subject>& subjects,
                                      const std::vector<Contest>& comparisons,
                                      const SessionContest* turns = nullptr,
                                      const AlgorithmFindings* algorithms = nullptr,
                                      const std::vector<PromiseFinding>& promises = {});
/// Makes the comparisons, too.
[[nodiscard]] std::string json_report(const std::vector<Subject>& subjects, bool baseline);

} // namespace skampi
