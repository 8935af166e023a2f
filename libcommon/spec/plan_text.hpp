// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "spec/parameter_file.hpp"

#include <cstdint>
#include <string>

namespace skampi {

/// The plan for `skampi-run check`: a table with one line per suite, and the size of the whole.
/// @param ranks 0 = functions without MPI: nothing is said of ranks and messages
[[nodiscard]] std::string describe_plan(const ParameterFile& file, int ranks);

/// How long several launches of it take with what starting them takes, and a comparison of variants: one
/// line, empty where nothing is known.
/// @param in_turns what launches of a comparison measure
[[nodiscard]] std::string describe_launches(const ParameterFile& file, const ParameterFile& in_turns,
                                            int ranks);

struct HostLimits {
    int cores = 0;                 ///< 0 = not known
    std::int64_t memory_bytes = 0; ///< 0 = not known
};
/// What so many ranks would lack, should all of them run on this host; empty = nothing.
/// @param buffer_bytes of each rank, at most
[[nodiscard]] std::string host_warning(const HostLimits& host, int ranks, std::int64_t buffer_bytes);

} // namespace skampi
