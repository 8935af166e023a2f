// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skampi/mpi.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/measure.hpp"
#include "host/environment.hpp"
#include "host/program.hpp"
#include "interruption/stop_signal.hpp"
#include "job/run_facts.hpp"
#include "launches/read_subjects.hpp"
#include "metrics/open_metrics.hpp"
#include "model/launch_command.hpp"
#include "mpi/library_name.hpp"
#include "operations/all_operations.hpp"
#include "operations/message_limit.hpp"
#include "operations/operation_table.hpp"
#include "own_functions/own_operations.hpp"
#include "plan/operation_list.hpp"
#include "runs/status.hpp"
#include "runs/told_by_supervisor.hpp"

#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <mpi.h>
#include <string_view>

namespace skampi {
namespace {

/// @throws InputError where the file holds several merged runs, or the output is it
int write_metrics(const Options& options) {
    refuse_confused_files({*options.database, options.config}, {*options.open_metrics});
    const std::vector<Subject> runs = read_subjects(Database::open(*options.database));
    if (runs.size() > 1)
        throw InputError(
            fmt::format("{0}: holds {1} merged runs, expected one; skampi-report {0} --run RUN -o "
                        "{2} takes one of them",
                        printable(*options.database), runs.size(), printable(*options.open_metrics)));
    write_file(*options.open_metrics, open_metrics(runs.front(), options.full));
    return 0;
}

#ifdef SKAMPI_SIMULATED
/// No variable distinguishes simulated ranks, and each has its own globals: MPI is asked, as the last thing
/// that is done.
bool is_first_of_simulated(int argc, char** argv) {
    int begun = 0;
    MPI_Initialized(&begun);
    if (begun != 0)
        return true;
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    return rank == 0;
}
#endif

/// @param status of what was measured and stored, even if the words about it are lost
int with_output_seen(int status) {
    if (status == 0 && !a_reader_has_gone())
        write_standard_output({}, ExitStatus::incomplete);
    return status;
}

int run_task(const Options& options, const std::vector<Operation>& operations, const JobProgram& program,
             int argc, char** argv) {
    switch (options.task) {
    case Task::measure:
        return with_output_seen(measure_as_rank(options, operations, program.has_own_functions, argc, argv));
    case Task::supervise:
    case Task::daemon:
    case Task::compare:
        return with_output_seen(supervise_runs(options, program));
    case Task::check:
        return check_plan(options, program);
    case Task::list:
        if (!options.file.empty())
            return list_suites(options, program);
        write_standard_output(options.markdown ? operation_table(operations)
                              : options.json   ? operation_list_json(program.operations, lacking_operations())
                                             : operation_list_text(program.operations, lacking_operations()));
        return 0;
    case Task::algorithms:
        return list_algorithms(options, argc, argv);
    case Task::verify:
        return with_output_seen(verify_file(options, program));
    case Task::tune:
        return with_output_seen(tune_library(options, program));
    case Task::links:
        if (options.ranks > 0)
            launch_links(options);
        return with_output_seen(measure_links_as_rank(options, argc, argv));
    case Task::status: {
        if (options.open_metrics)
            return write_metrics(options);
        const Status status = read_status(*options.database);
        write_data_to_standard_output(options.json ? status_json(status) + "\n"
                                                   : status_text(status, options.full));
        return 0;
    }
    }
    return 0;
}

int run(int argc, char** argv, const std::vector<MpiFunction>& functions, const std::string& program) {
    const std::string library = mpi_library_name();
    CommandLine line;
    line.program = program;
    line.needs_file = !functions.empty();
    line.about = fmt::format("Measures what each MPI operation costs on this machine.\n"
                             "  mpiexec -n 4 {0} FILE.skampi     inside a launcher\n"
                             "  {0} -n 4 FILE.skampi             starts the launcher and supervises it",
                             program);
    line.version = functions.empty() ? fmt::format("skampi-run {} with {}", SKAMPI_VERSION, library)
                                     : fmt::format("{}, skampi {} with {}", program, SKAMPI_VERSION, library);
    Options options;
    try {
        options = parse_options(argc, argv, line);
    } catch (const OptionsEnd& end) {
        if (!is_first_rank_at_end(argc, argv))
            return end.exit_status;
        if (end.exit_status == 0)
            write_standard_output(end.text);
        else
            write_standard_error(end.text);
        return end.exit_status;
    }
    setenv(command_variable, command_fact(argc, argv).c_str(), 0); // jobs of a command have its own
    const std::vector<Operation> operations = operations_with(functions);
    const JobProgram job{.operations = operation_infos(operations),
                         .limit = limit_of_suite(operations),
                         .library = library,
                         .settings = [] { return environment_of_job(own_environment()).settings; },
                         .has_own_functions = !functions.empty()};
    return run_task(options, operations, job, argc, argv);
}

} // namespace

bool is_first_rank() {
    for (const char* name :
         {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"})
        if (const char* rank = std::getenv(name); rank != nullptr)
            return std::string_view(rank) == "0";
    return true;
}

bool is_first_rank_at_end([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
#ifdef SKAMPI_SIMULATED
    return is_first_of_simulated(argc, argv);
#else
    return is_first_rank();
#endif
}

int measure_mpi_functions(int argc, char** argv, const std::vector<MpiFunction>& functions) noexcept {
    const std::string program = functions.empty() ? "skampi-run" : program_name(argc, argv);
    keep_standard_descriptors();
    try {
        return run(argc, argv, functions, program);
    } catch (const Error& error) {
        write_standard_error(fmt::format("{}: {}\n", program, error.what()));
        return static_cast<int>(error.status());
    } catch (const std::exception& error) {
        write_standard_error(fmt::format("{}: {}\n", program, printable(error.what())));
        return static_cast<int>(ExitStatus::impossible);
    }
}

} // namespace skampi
