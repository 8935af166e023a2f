// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"
#include "options.hpp"

#include <functional>
#include <vector>

namespace skampi {

/// Measures as one rank of a job, from MPI_Init to MPI_Finalize. @return the exit status
/// @param operations all that the plan may name   @param own functions of the program's user are among them
/// @param when_measured called on rank 0 when the run is stored, unless it could not be measured
[[nodiscard]] int measure_as_rank(const Options& options, const std::vector<Operation>& operations, bool own,
                                  int argc, char** argv, const std::function<void()>& when_measured = {});
/// The same of `skampi-run links`: measures pairs of ranks.
[[nodiscard]] int measure_links_as_rank(const Options& options, int argc, char** argv);

} // namespace skampi
