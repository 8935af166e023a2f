// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "base/child.hpp"

#include <optional>
#include <set>
#include <string>
#include <sys/types.h>

namespace skampi {

/// The end of a job according to its launcher's output. Launchers report the death of a rank in different
/// words, and MPICH's returns the bare number of the signal as its exit status, so the words are
/// read.
struct PostMortem {
    std::optional<int> signal;              ///< that ended a rank, or the launcher
    std::string mpi_error;                  ///< the MPI library's line on the error it ended the job for
    std::optional<int> rank;                ///< that died first, if reported
    std::optional<pid_t> process;           ///< that died first
    std::optional<int> rank_status;         ///< exit status of the rank that left first
    std::string own_message;                ///< what the job itself said last: "skampi-run: x.db: cannot ..."
    std::string cancelled;                  ///< Slurm's words on a job or step that it ended
    int launcher_status = 0;                ///< exit status of the launcher
    std::string end;                        ///< of the launcher: "exit status 1"
    std::set<std::string> unused_variables; ///< that UCX reported as unused

    /// The output shows a failure, for any exit status.
    [[nodiscard]] bool is_crash() const {
        return signal.has_value() || rank_status.has_value() || !mpi_error.empty();
    }
    /// The job left by its own decision with this status, after saying why.
    [[nodiscard]] bool left_with(int status) const;
    /// One line: "Slurm: JOB 17 ON n1 CANCELLED AT ...", "MPI error on rank 1: Fatal error in ...", "signal
    /// 11 (Segmentation fault) on rank 1", "exit status 3 on rank 1", or else the launcher's end.
    [[nodiscard]] std::string text() const;
};

/// Understands Hydra (MPICH, Intel MPI), Open MPI and srun.
[[nodiscard]] PostMortem examine(const ChildResult& result);

} // namespace skampi
