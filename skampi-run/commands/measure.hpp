#pragma once

#include "operations/operation.hpp"
#include "options.hpp"

#include <vector>

namespace skampi {

/// Measures as one rank of a job, from MPI_Init to MPI_Finalize. @return the exit status
/// @param operations all that the plan may name   @param own functions of the program's user are among them
[[nodiscard]] int measure_as_rank(const Options& options, const std::vector<Operation>& operations, bool own,
                                  int argc, char** argv);

} // namespace skampi
