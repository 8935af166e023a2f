// SPDX-License-Identifier: LGPL-2.1-or-later
#include "commands/measure.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "host/environment.hpp"
#include "interruption/process_guards.hpp"
#include "interruption/stop_signal.hpp"
#include "job/mpi_job.hpp"
#include "mpi/library_name.hpp"
#include "pairs/links_job.hpp"
#include "runs/merge_at_end.hpp"
#include "runs/told_by_supervisor.hpp"

#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <mpi.h>

namespace skampi {
namespace {

constexpr unsigned longest_finalize_s = 60; ///< of a job that has measured

bool has_measured(int status) {
    return status == static_cast<int>(ExitStatus::done) || status == static_cast<int>(ExitStatus::incomplete);
}

/// Nothing is left to be done but to leave MPI, and that may never return: with UCX over TCP, ranks wait in
/// MPI_Finalize for connections that are being closed (seen on three hosts after a mistake in the parameter
/// file, and on two after minutes of messages; openucx/ucx issue 8738). Ends this process with the status
/// then.
/// @param words said on standard error in that case; they must live as long
void end_soon(int status, const std::string& words) {
#ifdef SKAMPI_SIMULATED
    static_cast<void>(status); // ranks share a process, and their transport is invented
    static_cast<void>(words);
#else
    // Ranks of a large job take their time; where nothing was measured none has more than a word to say.
    const bool measured = has_measured(status);
    end_process_after(measured ? longest_finalize_s : 5, status,
                      measured && !words.empty() ? words.c_str() : nullptr);
#endif
}

/// @POSTPROC, when the run is stored and MPI is left: no rank waits for it.
void merge_when_left(const Options& options, const EndedJob& job) {
#ifdef SKAMPI_SIMULATED
    static_cast<void>(options), static_cast<void>(job); // no process may start others
#else
    end_process_after(static_cast<unsigned>(longest_merge_s) + 60, job.status);
    merge_at_end(options, job.to_merge, job.status);
#endif
}

/// Launcher and MPI library may not fit together: then each rank believes to be alone, and all of them would
/// measure into the same database. Says so where that is so.
bool are_as_many_as(int wanted, const std::string& program) {
    int found = 0;
    int rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &found);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (found != wanted && rank == 0)
        write_standard_error(
            fmt::format("{}: found a job of {} rank{}, expected {}: the launcher does not work with {}; use "
                        "that library's own launcher, under Slurm 'srun --mpi=pmi2 -n {{n}}' (see srun "
                        "--mpi=list)\n",
                        program, found, found == 1 ? "" : "s", wanted, mpi_library_name()));
    return found == wanted;
}

/// To the supervisor: what its launcher exits with may be something else.
void tell_refusal(const Options& options, int status) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool refused = status == static_cast<int>(ExitStatus::bad_input) ||
                         status == static_cast<int>(ExitStatus::impossible);
    if (rank == 0 && refused && options.progress == ProgressKind::json)
        write_standard_output(fmt::format("{{\"event\":\"refused\",\"exit_status\":{}}}\n", status));
}

/// One rank, from MPI_Init to MPI_Finalize. @param work between them; gets the environment before MPI_Init
/// @param when_measured as in measure_as_rank()
int as_rank(const Options& options, int argc, char** argv,
            const std::function<EndedJob(const std::vector<Variable>& variables)>& work,
            const std::function<void()>& when_measured) {
    outlive_readers();
    const std::vector<Variable> variables = own_environment();
    {
#ifndef SKAMPI_SIMULATED // ranks share a process, and a call of MPI_Init that returns
        const char* const supervisor = std::getenv(supervisor_variable);
        const EndsWithSupervisor guard(supervisor == nullptr ? "" : supervisor);
#endif
        MPI_Init(&argc, &argv);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const auto abort = [&](const char* what, ExitStatus status) {
        // Other ranks wait for this one in calls that will never return.
        write_standard_error(fmt::format("{}: {}\n", options.program, printable(what)));
        end_soon(static_cast<int>(status), "");
        MPI_Abort(MPI_COMM_WORLD, static_cast<int>(status));
    };
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    EndedJob job;
    try {
#ifndef SKAMPI_SIMULATED // ranks share a process
        const NoSilentExit guard(fmt::format(
            "{}: rank {} ended itself in the middle of the run (exit status 0)\n", options.program, rank));
#endif
        const bool complete =
            !options.expected_ranks || are_as_many_as(*options.expected_ranks, options.program);
        job = complete ? work(variables) : EndedJob{static_cast<int>(ExitStatus::bad_input)};
        tell_refusal(options, job.status);
        if (rank == 0 && when_measured && has_measured(job.status))
            when_measured();
    } catch (const Error& error) {
        abort(error.what(), error.status());
    } catch (const std::exception& error) {
        abort(error.what(), ExitStatus::impossible);
    }
    // The others of a job are held up by the one that does not return: rank 0 speaks for all.
    const std::string words =
        rank == 0
            ? fmt::format(
                  "{}: warning: MPI_Finalize did not return within {} s: ended without it; all that was "
                  "measured is stored\n",
                  options.program, longest_finalize_s)
            : "";
    end_soon(job.status, words);
    MPI_Finalize();
    if (rank == 0)
        merge_when_left(options, job); // with a limit of its own, without words
    return job.status;
}

} // namespace

int measure_as_rank(const Options& options, const std::vector<Operation>& operations, bool own, int argc,
                    char** argv, const std::function<void()>& when_measured) {
    const auto work = [&](const std::vector<Variable>& variables) {
        return run_job(options, operations, own, variables);
    };
    return as_rank(options, argc, argv, work, when_measured);
}

int measure_links_as_rank(const Options& options, int argc, char** argv) {
    const auto work = [&](const std::vector<Variable>& variables) {
        return EndedJob{run_links(options.links, options.database.value_or(links_database), variables)};
    };
    return as_rank(options, argc, argv, work, {});
}

} // namespace skampi
