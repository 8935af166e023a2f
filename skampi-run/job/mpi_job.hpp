// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "host/environment.hpp"
#include "operations/operation.hpp"
#include "plan/run_options.hpp"

#include <string>
#include <vector>

namespace skampi {

struct EndedJob {
    int status = 0; ///< the exit status, the same on every rank
    /// On rank 0: the database whose series is to be merged now (@POSTPROC); empty = none.
    std::string to_merge = {};
};

/// One rank of the measuring job, between MPI_Init and MPI_Finalize: reads the plan, goes on with an
/// unfinished run or begins one, measures suite by suite, writes the database (rank 0). The summary line goes
/// to standard output, what is wrong in one line to standard error, both on rank 0 alone.
/// @param operations all that the plan may name, the same on every rank
/// @param own_program it measures functions of its user's: its build belongs to the identity of the run
/// @param variables of the environment that the ranks were started in: MPI_Init may add its own
[[nodiscard]] EndedJob run_job(const RunOptions& options, const std::vector<Operation>& operations,
                               bool own_program, const std::vector<Variable>& variables);

} // namespace skampi
