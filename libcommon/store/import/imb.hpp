#pragma once

#include "store/import/importer.hpp"

#include <string>
#include <vector>

namespace skampi {

[[nodiscard]] bool looks_like_imb(const std::string& text);

/// Reads the output of the Intel MPI Benchmarks (MPI-1, NBC and RMA parts), as they print it: a table for
/// each benchmark and number of processes. PingPong and PingPing tell half of a round trip and an exchange;
/// the round trip is stored, and the suite's facts say so. Repetitions that the table has are the count; it
/// has no errors.
/// @throws InputError `name:line:column: what was found, what was expected`
[[nodiscard]] std::vector<ImportedRun> parse_imb(const std::string& name, const std::string& text);

} // namespace skampi
