#pragma once

#include "analysis/gate.hpp"

#include <string>
#include <vector>

namespace skampi {

// How the results of gates are reported.

/// "B against A"
[[nodiscard]] std::string comparison_name(const DatabaseComparison& comparison);
/// All arguments together where they fail, then each argument that does.
[[nodiscard]] std::vector<std::string> gate_rows(const GateResult& result);
/// Why a result did not pass, in short: "fails at 3 of 12 arguments". @pre not passed()
[[nodiscard]] std::string gate_message(const GateResult& result);
/// What did not pass, a line each, without line ends: of every result what is not known, then its
/// gate_rows().
[[nodiscard]] std::vector<std::string> failing_lines(const std::vector<GateResult>& results);
/// What makes the results doubtful, a line each: other numbers of ranks, shared launches, and where
/// significance failed launches made in a row.
[[nodiscard]] std::vector<std::string> gate_doubts(const std::vector<DatabaseComparison>& comparisons,
                                                   const std::vector<GateResult>& results);

} // namespace skampi
