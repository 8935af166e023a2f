#include "host/program.hpp"
#include "operations/all_operations.hpp"
#include "operations/operation_table.hpp"
#include "skampi/mpi.hpp"

#include "algorithms/library_file.hpp"
#include "algorithms/list_text.hpp"
#include "algorithms/offered.hpp"
#include "algorithms/tuning_in_use.hpp"
#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "host/environment.hpp"
#include "host/environment_with.hpp"
#include "host/host_facts.hpp"
#include "interruption/abandoned_start.hpp"
#include "interruption/silent_exit.hpp"
#include "interruption/stop_signal.hpp"
#include "job/mpi_job.hpp"
#include "job/run_facts.hpp"
#include "model/launch_command.hpp"
#include "mpi/control_variables.hpp"
#include "mpi/library_name.hpp"
#include "operations/message_limit.hpp"
#include "operations/operation.hpp"
#include "options.hpp"
#include "plan/job_plan.hpp"
#include "plan/operation_list.hpp"
#include "program/function_names.hpp"
#include "program/own_operations.hpp"
#include "runs/merge_at_end.hpp"
#include "runs/run_log.hpp"
#include "runs/status.hpp"
#include "runs/told_by_supervisor.hpp"
#include "session/variant_text.hpp"
#include "session/variants_task.hpp"
#include "spec/plan.hpp"
#include "spec/plan_text.hpp"
#include "spec/quick_file.hpp"
#include "supervisor/job_view.hpp"
#include "supervisor/launch.hpp"
#include "supervisor/supervisor.hpp"
#include "supervisor/world.hpp"
#include "tune/simulated_algorithms.hpp"
#include "tune/tune_plan.hpp"
#include "tune/tune_task.hpp"
#include "tuning/mpich_tree.hpp"
#include "verify/probe.hpp"
#include "verify/verify_task.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <mpi.h>
#include <optional>
#include <set>
#include <span>

namespace skampi {
namespace {

/// What a program measures, and what sets it apart from others.
struct Subject {
    std::vector<Operation> operations;
    bool own = false; ///< functions of its user's among them
};

/// Before MPI_Init only the launchers' variables tell the ranks apart: one of them speaks for all.
bool speaks() {
    for (const char* name :
         {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"})
        if (const char* rank = std::getenv(name); rank != nullptr)
            return std::string_view(rank) == "0";
    return true;
}

#ifdef SKAMPI_SIMULATED
/// No variable tells simulated ranks apart, and each has its own globals: MPI is asked, as the last thing
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

/// Whether this rank says why all of them end before they have begun. Nothing else can be done then.
bool speaks_last([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
#ifdef SKAMPI_SIMULATED
    return is_first_of_simulated(argc, argv);
#else
    return speaks();
#endif
}

constexpr unsigned longest_finalize_s = 60; ///< of a job that has measured

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
    const bool measured =
        status == static_cast<int>(ExitStatus::done) || status == static_cast<int>(ExitStatus::incomplete);
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

int measure(const Options& options, const Subject& subject, int argc, char** argv) {
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
        job = complete ? run_job(options, subject.operations, subject.own, variables)
                       : EndedJob{static_cast<int>(ExitStatus::bad_input)};
        tell_refusal(options, job.status);
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

/// Jobs are simulations: another program, of another library.
bool is_simulated(const Options& options) {
    return is_simulating(options.launcher);
}

/// What jobs of a plan have in common.
SuperviseOptions supervise_options(const Options& options, const Subject& subject,
                                   const ParameterFile& plan) {
    SuperviseOptions wanted;
    wanted.database = database_path(options.database, plan);
    wanted.ranks = options.ranks;
    wanted.launch = options.launcher;
    if (!options.file.empty())
        wanted.job_arguments.push_back(options.file);
    if (options.in_turns)
        wanted.job_arguments.emplace_back("--in-turns");
    wanted.job_arguments.insert(wanted.job_arguments.end(),
                                {"-d", wanted.database, "--retries", std::to_string(options.retries)});
    for (const std::string& glob : options.suites)
        wanted.job_arguments.insert(wanted.job_arguments.end(), {"--suite", glob});
    if (!options.variant.empty())
        wanted.job_arguments.insert(wanted.job_arguments.end(), {"--variant", options.variant});
    if (options.keep_samples)
        wanted.job_arguments.insert(wanted.job_arguments.end(),
                                    {"--keep-samples", std::to_string(*options.keep_samples)});
    wanted.fresh = options.fresh;
    Run known; // of the runs to come: where their ranks are is the launcher's business
    known.plan_hash = plan_hash(plan);
    known.ranks = options.ranks;
    known.variant = options.variant;
    if (is_simulated(options)) { // nothing of this program's library and machine
        wanted.executable = simulating_program();
        wanted.series = Series(known).forget("machine");
    } else {
        known.machine = plan.machine;
        known.mpi_library = mpi_library_name();
        known.settings = environment_of_job(own_environment()).settings;
        if (subject.own)
            known.settings.merge(program_settings(options.program));
        wanted.series = Series(known);
    }
    wanted.plan_hash = known.plan_hash;
    wanted.plan = plan.suites;
    if (options.task == Task::daemon)
        wanted.runs = options.runs > 0 ? std::optional(options.runs) : std::nullopt;
    wanted.runs_in_database = options.task == Task::daemon;
    wanted.every_s = options.every_s;
    wanted.at_minute = options.at_minute;
    wanted.launches = options.launches;
    wanted.hang_after_s = options.hang_after_s;
    wanted.max_failures = options.max_failures;
    wanted.retries = options.retries;
    return wanted;
}

ParameterFile plan_of_jobs(const Options& options, const Subject& subject) {
    ParameterFile plan = read_plan(read_plan_text(options.file, options.in_turns),
                                   operation_infos(subject.operations), options.suites);
    (void)fit_to_machine(plan, options.ranks, limit_of_suite(subject.operations));
    return plan;
}

/// Nothing that is read is written. @param outputs beside the result file, the log and -o
/// @throws InputError
void check_files(const Options& options, const ParameterFile& plan, std::vector<std::string> outputs = {}) {
    outputs.insert(outputs.end(), {database_path(options.database, plan), plan.logfile, options.output});
    refuse_confused_files({options.file, options.config, options.tuning_file}, outputs);
}

/// Lets a view show what jobs say, and warns of what the machine lacks for them.
void show(SuperviseOptions& wanted, const Options& options, const ParameterFile& plan, JobView& view) {
    wanted.on_line = [&view](std::string_view line) { view.job_line(line); };
    wanted.on_error_line = [&view](std::string_view line) { view.error_line(line); };
    wanted.on_note = [&view](std::string_view note) { view.note(note); };
    const bool all_simulate =
        !options.variant_specs.empty() && std::ranges::all_of(options.variant_specs, is_simulating);
    if (is_simulated(options) || all_simulate)
        return; // its ranks and hosts are invented
    if (const std::string warning = host_warning(host_limits(), options.ranks, plan.memory_bytes);
        !warning.empty())
        view.note("warning: " + warning);
    else if (options.ranks == 1)
        view.note("warning: one rank sends no messages; use -n 2 or more to measure communication");
}

int supervise_runs(const Options& options, const Subject& subject) {
    outlive_readers();
    const ParameterFile plan = plan_of_jobs(options, subject);
    check_files(options, plan);
    // For every launch, the library's own choice among them.
    std::optional<EnvironmentWith> environment;
    if (asks_for_algorithms(plan))
        environment.emplace(environment_for_algorithms(mpi_library_name()));
    SuperviseOptions wanted = supervise_options(options, subject, plan);
    JobView view(options.progress, stdout);
    if (options.task == Task::daemon)
        view.show_each_end();
    show(wanted, options, plan, view);
    if (!plan.variants.empty() && !options.has_variants() && !options.variants_of_file)
        throw InputError(
            fmt::format("{}: found the variants {}, which may start any program, expected --variants "
                        "to launch them",
                        printable(plan.name), variants_text(plan.variants)));
    if (options.task == Task::compare || options.has_variants() || options.variants_of_file) {
        const int status = launch_variants(options, plan, wanted, view);
        view.summary_of_all(session_summary_line(wanted.database, status));
        return status;
    }
    const auto world = make_world(wanted.database);
    const int status = supervise(wanted, *world);
    view.summary(wanted.database, status);
    return status;
}

/// MPICH's selection tree, as the library in use has it; empty = it has none.
std::string tree_of_library() {
    return find_mpich_tree(LibraryFile(reinterpret_cast<const void*>(&MPI_Get_library_version)).bytes())
        .value_or("");
}

/// Who is to use a tuning file: jobs of this launcher.
TuningUser tuning_user(const Options& options) {
    if (is_simulated(options))
        return {.library = "SMPI Version 3", .own_tree = {}, .ranks = options.ranks};
    TuningUser user{.library = mpi_library_name(), .own_tree = tree_of_library(), .ranks = options.ranks};
    const ControlVariables variables;
    for (const std::string& name : variables.names())
        if (variables.read(name))
            user.numbers.insert(name);
    return user;
}

/// A tuning file: whether the library reads it, then the library with and without it in turns.
int verify_file(Options options, const Subject& subject) {
    outlive_readers();
    const std::string own_plan = verify_plan_path(options.database.value_or("skampi.db"));
    check_files(options, {}, {options.file.empty() ? own_plan : std::string()});
    const TuningUser user = tuning_user(options);
    TuningUse use = read_tuning_use(options.tuning_file, user);
    if (is_simulated(options))
        use.program = simulating_program();
    JobView view(options.progress, stdout);
    for (const std::string& note : use.notes)
        view.note(note);
    SuperviseOptions probed;
    probed.ranks = options.ranks;
    probed.launch = options.launcher;
    const ReadProof proof = prove_read(use, options.ranks, MPI_ERR_ARG, probe_launcher(probed));
    if (!proof.read) {
        write_standard_error(fmt::format("{}: {}: not known to be read by the library: {}\n", options.program,
                                         printable(use.path), proof.why));
        return static_cast<int>(ExitStatus::incomplete);
    }
    view.note(fmt::format("{} reads the file on each of {} ranks", short_library_name(user.library),
                          options.ranks));
    std::vector<VerifySuite> planned;
    if (options.file.empty()) {
        planned = verify_suites(use, options.seed == 0 ? seed_of(use) : options.seed);
        write_verify_plan(use, planned, own_plan, options.ranks);
        options.file = own_plan;
    }
    ParameterFile plan = plan_of_jobs(options, subject);
    check_files(options, plan);
    plan.variants = variants_of(use);
    SuperviseOptions wanted = supervise_options(options, subject, plan);
    show(wanted, options, plan, view);
    const int status = launch_variants(options, plan, wanted, view, suites_of_rules(planned));
    return status > static_cast<int>(ExitStatus::incomplete)
               ? status
               : tell_verified(use, *verified_file(wanted.database, planned));
}

/// What the program that a launcher starts says, as one rank: a simulation has algorithms of its own.
int list_algorithms_of_launch(const Options& options) {
    std::vector<std::string> words = options.operations;
    if (options.json)
        words.emplace_back("--json");
    const ChildResult ended = ask_for_algorithms(options.launcher, usual_program(options.launcher), words);
    if (ended.exit_status == 0) {
        write_standard_output(ended.out);
        return 0;
    }
    // Of all that a simulation prints, what the program itself says.
    constexpr std::string_view own = "skampi-run: ";
    if (const std::size_t at = ended.err.find(own); at != std::string::npos)
        throw Error(ended.exit_status == static_cast<int>(ExitStatus::bad_input) ? ExitStatus::bad_input
                                                                                 : ExitStatus::impossible,
                    ended.err.substr(at + own.size(), ended.err.find('\n', at) - at - own.size()));
    throw SystemError(printable(options.launcher + ": " + ended.describe_end() + "; " + ended.err));
}

/// Launched as a rank, one speaks for all of them.
int list_algorithms(const Options& options, int argc, char** argv) {
    if (options.library_variables)
        return print_library_variables();
    if (!options.launcher.empty())
        return list_algorithms_of_launch(options);
    if (!speaks())
        return 0;
    AlgorithmList list = offered_algorithms();
    if (list.choices.empty())
        throw SystemError(list.refusal);
    list = of_operations(std::move(list), options.operations);
    if (!speaks_last(argc, argv))
        return 0;
    write_standard_output(options.json ? algorithm_list_json(list) : algorithm_list_text(list));
    return 0;
}

/// Operations that are measured without overlap and have several algorithms in the library of the jobs.
std::vector<OperationInfo> operations_to_tune(const Options& options, const Subject& subject) {
    const AlgorithmList all = is_simulated(options)
                                  ? simulated_algorithms(options.launcher, simulating_program())
                                  : offered_algorithms();
    const AlgorithmList list = of_operations(all, options.operations);
    if (list.choices.empty())
        throw SystemError(list.refusal.empty() ? "the MPI library offers no algorithms" : list.refusal);
    std::vector<OperationInfo> operations;
    for (const OperationInfo& operation : operation_infos(subject.operations))
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
void forget_choices(JobView& view) {
    for (const ChoiceInUse& choice : choices_in_use(library_version(mpi_library_name()).kind)) {
        view.note(
            fmt::format("warning: {}={} is not used: algorithms are compared with the library's own choice; "
                        "unset it in jobs that use the tuning file",
                        choice.variable, printable(choice.value)));
        unsetenv(choice.variable.c_str());
    }
}

/// Algorithms are measured without a tuning file: some libraries follow it and not what is chosen.
/// @return the variables that were taken away
std::map<std::string, std::string> without_tuning_files(JobView& view) {
    std::map<std::string, std::string> files = tuning_files_in_use(library_version(mpi_library_name()).kind);
    for (const auto& [variable, file] : files) {
        view.note(fmt::format("{} is not used while algorithms are measured; verification compares with it",
                              printable(file)));
        unsetenv(variable.c_str());
    }
    return files;
}

TuneTask tune_task(const Options& options, const Subject& subject) {
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
    task.gain = options.gain;
    task.prints = options.progress != ProgressKind::json;
    if (options.file.empty())
        task.operations = operations_to_tune(options, subject);
    else
        check_tune_plan(task.own_plan.emplace(
            read_plan(read_plan_text(options.file), operation_infos(subject.operations), {})));
    Options files = options;
    files.database = task.database;
    check_files(files, task.own_plan.value_or(ParameterFile{}),
                {tune_plan_path(task.database), tuning_notes_path(task.wish.path)});
    if (task.wish.format == TuningFormat::mpich_tree)
        task.wish.base_text = tree_of_library();
    return task;
}

/// Launches one run that measures algorithms. @return exit status of the supervisor
/// @param file parameter file
/// @param prints one answer at the end
int launch_algorithms(Options options, const std::string& file, const Subject& subject, JobView& view,
                      bool prints) {
    // Of these launches alone: verification has its own.
    const EnvironmentWith environment(environment_for_algorithms(mpi_library_name()));
    options.task = Task::supervise;
    options.file = file;
    options.output.clear();
    options.time_s.reset();
    const ParameterFile plan = plan_of_jobs(options, subject);
    SuperviseOptions wanted = supervise_options(options, subject, plan);
    show(wanted, options, plan, view);
    if (prints)
        view.be_brief();
    return supervise(wanted, *make_world(wanted.database, wanted.executable));
}

/// Measures algorithms, writes the file that makes the library take the faster ones, and verifies it.
int tune_library(const Options& options, const Subject& subject) {
    outlive_readers();
    JobView view(options.progress, stdout);
    TuneTask task = tune_task(options, subject);
    forget_choices(view);
    const std::map<std::string, std::string> in_use = without_tuning_files(view);
    if (!in_use.empty())
        task.wish.in_use = in_use.begin()->second;
    task.launch = [&](const std::string& file) {
        Options job = options;
        job.database = task.database;
        return launch_algorithms(std::move(job), file, subject, view, task.prints);
    };
    // In a process of its own: its ranks get other variables, and its words are its own.
    task.verify = [&](const std::string& path, const std::string& database) {
        Command verify;
        verify.argv = {this_program(), "verify", path,         "-n", std::to_string(options.ranks),
                       "-d",           database, "--progress", "off"};
        if (!options.launcher.empty())
            verify.argv.insert(verify.argv.end(), {"--launch", options.launcher});
        if (task.simulated) // launches do not differ
            verify.argv.insert(verify.argv.end(), {"--rounds", "1"});
        verify.environment = in_use;
        verify.death_signal = SIGTERM;
        verify.on_line = [&](std::string_view line) {
            if (!task.prints) // else they are part of what is printed at the end
                view.note(printable(line));
        };
        verify.on_error_line = [&view](std::string_view line) { view.error_line(line); };
        const ChildResult ended = run(std::move(verify));
        return ended.signal != 0 ? 128 + ended.signal : ended.exit_status;
    };
    task.planned = [&](const std::string& path) {
        // As the process above has it: its suites are those of what changes.
        const EnvironmentWith files(in_use);
        const TuningUse use = read_tuning_use(path, tuning_user(options));
        return verify_suites(use, seed_of(use));
    };
    const int status = run_tune_task(task, view);
    if (!task.prints)
        view.summary(task.database, status);
    return status;
}

/// @param status of what was measured and stored, whatever becomes of the words about it
int with_output_seen(int status) {
    if (status == 0 && !a_reader_has_gone())
        write_standard_output({}, ExitStatus::incomplete);
    return status;
}

/// What launches of a plan take, and what this host lacks for them.
std::string describe_use(const Options& options, std::span<const OperationInfo> operations,
                         const ParameterFile& plan, int ranks) {
    const std::string other_ranks = options.ranks == 0 ? "for another number of ranks: -n N\n" : "";
    const std::string variants = describe_variants(plan.variants);
    if (is_simulated(options))
        return variants +
               "simulated: these are seconds of the simulated cluster, not those that its simulation takes; one launch is "
               "enough\n" +
               other_ranks;
    const std::string warning = host_warning(host_limits(), ranks, plan.memory_bytes);
    const ParameterFile in_turns =
        options.file.empty() // a pipe is read once
            ? read_plan(read_plan_text({}, ranks <= most_ranks_in_turns), operations, options.suites)
            : plan;
    return describe_launches(plan, in_turns, ranks) + variants + other_ranks +
           (warning.empty() ? "" : warning + "; if they are simulated, add --launch 'smpirun ...'\n");
}

int run_task(const Options& options, const Subject& subject, int argc, char** argv) {
    switch (options.task) {
    case Task::measure:
        return with_output_seen(measure(options, subject, argc, argv));
    case Task::supervise:
    case Task::daemon:
    case Task::compare:
        return with_output_seen(supervise_runs(options, subject));
    case Task::check: {
        const std::vector<OperationInfo> operations = operation_infos(subject.operations);
        ParameterFile plan = read_plan(read_plan_text(options.file), operations, options.suites);
        (void)RunLog(plan.logfile, database_path(options.database, plan)); // refuses what is no log
        const int ranks = std::max(options.ranks, options.ranks == 0 ? 2 : 1);
        write_standard_output(describe_plan(plan, ranks) + describe_use(options, operations, plan, ranks));
        return 0;
    }
    case Task::list:
        write_standard_output(
            options.markdown ? operation_table(subject.operations)
            : options.json   ? operation_list_json(operation_infos(subject.operations), lacking_operations())
                           : operation_list_text(operation_infos(subject.operations), lacking_operations()));
        return 0;
    case Task::algorithms:
        return list_algorithms(options, argc, argv);
    case Task::verify:
        return options.probe.empty()
                   ? with_output_seen(verify_file(options, subject))
                   : answer_probe(options.probe, options.time_s.value_or(longest_read_probe_s), argc, argv);
    case Task::tune:
        return with_output_seen(tune_library(options, subject));
    case Task::status: {
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
        if (!speaks_last(argc, argv))
            return end.exit_status;
        if (end.exit_status == 0)
            write_standard_output(end.text);
        else
            write_standard_error(end.text);
        return end.exit_status;
    }
    setenv(command_variable, command_fact(argc, argv).c_str(), 0); // jobs of a command have its own
    Subject subject;
    subject.operations = operations_with(functions);
    subject.own = !functions.empty();
    return run_task(options, subject, argc, argv);
}

} // namespace

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
