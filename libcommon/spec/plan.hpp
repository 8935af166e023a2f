// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "spec/parameter_file.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace skampi {

/// How many of the run's ranks take part in a suite.
[[nodiscard]] int ranks_of(const Suite& suite, int ranks);
/// Whether a run with so many ranks can measure the suite.
[[nodiscard]] bool has_ranks(const Suite& suite, int ranks);

/// The arguments of a suite on a machine, with Max_Value and the start of a Chunks suite resolved: lengths
/// end at max_message_bytes (whole elements of the datatype), nodes at the number of ranks. Chunks start at
/// one per worker and end at 16 per worker unless the file says otherwise. Given ends are capped in the same
/// way, those of chunks are not.
/// @param ranks of the run
/// @param max_message_bytes what @MEMORY allows for this operation's buffers
/// @return none when nothing can be measured: the start does not fit, or there are too few ranks
[[nodiscard]] std::optional<skalib::RefinementLimits> resolved_arguments(const Suite& suite, int ranks,
                                                                         std::int64_t max_message_bytes);

/// All of a suite that decides what is measured, except its name: one `key=value` per line, in a fixed order.
/// The default of the parameter that the suite varies is left out.
[[nodiscard]] std::string suite_text(const Suite& suite);

/// Identity of the measurement part: a hash over the resolved suites. Comments, the order of keys and suites,
/// and explicit defaults make no difference. Runs with equal hashes may be merged. `Algorithm = all` counts
/// as it is written.
[[nodiscard]] std::string plan_hash(const ParameterFile& file);

} // namespace skampi
