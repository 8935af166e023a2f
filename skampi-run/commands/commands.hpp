// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"
#include "options.hpp"
#include "plan/job_plan.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace skampi {

// The commands of skampi-run and of programs with functions of their own, but `measure` (measure.hpp). Each
// returns the exit status, and throws an Error if it cannot do its work.

/// The program that jobs run, as the commands that launch them know it: without the types of MPI.
struct JobProgram {
    std::vector<OperationInfo> operations; ///< that a parameter file may name
    LimitOfSuite limit;
    std::string library;                                          ///< mpi_library_name()
    std::function<std::map<std::string, std::string>()> settings; ///< of the library, from the environment
    bool has_own_functions = false;                               ///< its user's, among the operations
};

/// -n, daemon and compare: launches jobs and watches over them.
[[nodiscard]] int supervise_runs(const Options& options, const JobProgram& program);
/// What a plan measures, and what its launches take.
[[nodiscard]] int check_plan(const Options& options, const JobProgram& program);
/// Names of the suites of a parameter file, or of all runs of a result file, a line each.
[[nodiscard]] int list_suites(const Options& options, const JobProgram& program);
/// A tuning file: whether the library reads it, then the library with and without it in turns.
[[nodiscard]] int verify_file(Options options, const JobProgram& program);
/// Measures algorithms, writes the file that makes the library take the faster ones, and verifies it.
[[nodiscard]] int tune_library(const Options& options, const JobProgram& program);
/// links -n: this process becomes the launcher. @throws SystemError where that cannot be started
[[noreturn]] void launch_links(const Options& options);
/// Algorithms that can be chosen. Launched as a rank, one speaks for all of them.
[[nodiscard]] int list_algorithms(const Options& options, int argc, char** argv);

/// Whether this process is rank 0, before MPI_Init: only the variables of launchers are known then.
[[nodiscard]] bool is_first_rank();
/// The same, asked as the last thing that is done: simulated ranks must ask MPI.
[[nodiscard]] bool is_first_rank_at_end(int argc, char** argv);

} // namespace skampi
