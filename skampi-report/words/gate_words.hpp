#pragma once

#include "contest/gate.hpp"

#include <string>
#include <vector>

namespace skampi {

// How the results of gates are reported.

/// "B against A"
[[nodiscard]] std::string comparison_name(const DatabaseComparison& comparison);
/// What a gate found of a suite: "fails: above 64 KiB: ratio 2.57, 2.40 to 2.80 (limit 1.1)", "undecided:
/// ...; 12 launches of each side would decide it".
[[nodiscard]] std::string gate_message(const GateResult& result);
/// The messages of the results with this outcome, a line each, without line ends.
[[nodiscard]] std::vector<std::string> gate_lines(const std::vector<GateResult>& results,
                                                  GateOutcome outcome);
/// What makes the results doubtful, a line each: other numbers of ranks, shared launches, and where a gate
/// failed launches made in a row.
[[nodiscard]] std::vector<std::string> gate_doubts(const std::vector<DatabaseComparison>& comparisons,
                                                   const std::vector<GateResult>& results);

} // namespace skampi
