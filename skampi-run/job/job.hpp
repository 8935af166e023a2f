#pragma once

#include "options.hpp"

namespace skampi {

/// One rank of the measuring job, between MPI_Init and MPI_Finalize: reads the plan, goes on with an
/// unfinished run or begins one, measures suite by suite, writes the database (rank 0). The summary line goes
/// to standard output, what is wrong in one line to standard error, both on rank 0 alone.
/// @return the exit status, the same on every rank
[[nodiscard]] int run_job(const Options& options);

} // namespace skampi
