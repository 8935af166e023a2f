// SPDX-License-Identifier: LGPL-2.1-or-later
#include "commands/verify.hpp"

#include "algorithms/list_text.hpp"
#include "algorithms/offered.hpp"
#include "algorithms/tuning_in_use.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "commands/supervise.hpp"
#include "host/environment.hpp"
#include "host/program.hpp"
#include "interruption/stop_signal.hpp"
#include "model/launch_command.hpp"
#include "plan/job_plan.hpp"
#include "supervisor/job_view.hpp"
#include "supervisor/supervisor.hpp"
#include "supervisor/world.hpp"
#include "tune/simulated_algorithms.hpp"
#include "tune/tune_plan.hpp"
#include "tune/tune_task.hpp"
#include "verify/verify_task.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

namespace skampi {
namespace {

/// Operations that are measured without overlap and have several algorithms in the library of the jobs.
std::vector<OperationInfo> operations_to_tune(const Options& options, const JobProgram& program) {
    const AlgorithmList all = is_simulated(options)
                                  ? simulated_algorithms(options.launcher, simulating_program())
                                  : offered_algorithms();
    const AlgorithmList list = of_operations(all, options.operations);
    if (list.choices.empty())
        throw SystemError(list.refusal.empty() ? "the MPI library offers no algorithms" : list.refusal);
    std::vector<OperationInfo> operations;
    for (const OperationInfo& operation : program.operations)
        if (std::ranges::find(operation.parameters, Parameter::algorithm) != operation.parameters.end() &&
            std::ranges::find(list.choices, operation.name, &AlgorithmChoice::operation) !=
                list.choices.end())
            operations.push_back(operation);
    if (operations.empty())
        throw InputError(
            "found no operation whose algorithms can be chosen (skampi-run algorithms shows them)");
    return operations;
}

/// @throws InputError where the jobs' library has files of another format
TuningFormat format_to_tune(const Options& options) {
    const std::optional<TuningFormat> format = format_of_path(options.output);
    if (!format)
        throw InputError(
            fmt::format("-o {}: expected a name that ends in .conf (Open MPI), .json (MPICH), .env or "
                        ".cfg (SimGrid)",
                        printable(options.output)));
    if (is_simulated(options) != (*format == TuningFormat::smpi_cfg))
        throw InputError(fmt::format("-o {}: expected {}", printable(options.output),
                                     is_simulated(options)
                                         ? "a name that ends in .cfg, options of the launcher smpirun"
                                         : "--launch 'smpirun -np {n} ...' for a file of SimGrid's options"));
    return *format;
}

/// What is chosen by hand is not compared with: the default is the library's own choice.
void forget_choices(const LibraryVersion& library, JobView& view) {
    for (const ChoiceInUse& choice : choices_in_use(library.kind)) {
        view.note(
            fmt::format("warning: {}={} is not used: algorithms are compared with the library's own choice; "
                        "unset it in jobs that use the tuning file",
                        choice.variable, printable(choice.value)));
        unsetenv(choice.variable.c_str());
    }
}

/// Algorithms are measured without a tuning file: some libraries follow it and not what is chosen.
/// @return the variables that were taken away
std::map<std::string, std::string> without_tuning_files(const LibraryVersion& library, JobView& view) {
    std::map<std::string, std::string> files = tuning_files_in_use(library.kind);
    for (const auto& [variable, file] : files) {
        view.note(fmt::format("{} is not used while algorithms are measured; verification compares with it",
                              printable(file)));
        unsetenv(variable.c_str());
    }
    return files;
}

TuneTask tune_task(const Options& options, const JobProgram& program) {
    TuneTask task;
    task.wish.format = format_to_tune(options);
    task.wish.path = options.output;
    task.wish.created_utc = utc_now();
    task.wish.time_s = options.time_s;
    task.database = options.database.value_or("tune.db");
    task.wish.database = task.database;
    task.wish.ranks = options.ranks;
    task.launcher = options.launcher;
    task.simulated = is_simulated(options);
    task.wish.borders = options.file.empty() && !task.simulated; // SimGrid has one rule for all lengths
    task.gain = options.gain;
    task.prints = options.progress != ProgressKind::json;
    if (options.file.empty())
        task.operations = operations_to_tune(options, program);
    else
        check_tune_plan(
            task.own_plan.emplace(read_plan(read_plan_text(options.file), program.operations, {})));
    Options files = options;
    files.database = task.database;
    check_files(files, task.own_plan.value_or(ParameterFile{}), {tuning_notes_path(task.wish.path)});
    if (task.wish.format == TuningFormat::mpich_tree)
        task.wish.base_text = tree_of_library();
    return task;
}

/// Launches one run that measures algorithms. @return exit status of the supervisor
/// @param file parameter file
/// @param prints one answer at the end
int launch_algorithms(Options options, const std::string& file, const JobProgram& program, JobView& view,
                      bool prints) {
    // Of these launches alone: verification has its own.
    const EnvironmentWith environment(environment_for_algorithms(program.library));
    options.task = Task::supervise;
    options.file = file;
    options.output.clear();
    options.time_s.reset();
    const ParameterFile plan = plan_of_jobs(options, program);
    SuperviseOptions wanted = supervise_options(options, program, plan);
    show_jobs(wanted, options, plan, view);
    if (prints)
        view.be_brief();
    return supervise(wanted, *make_world(wanted.database, wanted.executable));
}

} // namespace

int tune_library(const Options& options, const JobProgram& program) {
    outlive_readers();
    JobView view(options.progress, stdout);
    TuneTask task = tune_task(options, program);
    const LibraryVersion library = library_version(program.library);
    forget_choices(library, view);
    const std::map<std::string, std::string> in_use = without_tuning_files(library, view);
    if (!in_use.empty())
        task.wish.in_use = in_use.begin()->second;
    task.launch = [&](const std::string& file) {
        Options job = options;
        job.database = task.database;
        return launch_algorithms(std::move(job), file, program, view, task.prints);
    };
    task.verify = [&](const TuneTask::Candidate& candidate) {
        const EnvironmentWith files(in_use);
        TuningUse use = read_tuning_use(candidate.path, tuning_user(options, program));
        if (!candidate.regions.empty())
            use.regions = candidate.regions;
        if (use.regions.empty()) // it chooses as the file in use does
            return Verification();
        if (task.simulated)
            use.program = simulating_program();
        Options with = options;
        with.file.clear();
        with.output.clear();
        with.fresh = false; // a candidate of another content has another database
        with.database = candidate.database;
        with.time_s = candidate.time_s;
        if (task.simulated) // launches do not differ
            with.first_look = with.most_rounds = 1;
        return launch_with_and_without(std::move(with), program, use, view);
    };
    const int status = run_tune_task(task, view);
    if (!task.prints)
        view.summary(task.database, status);
    return status;
}

} // namespace skampi
