// SPDX-License-Identifier: LGPL-2.1-or-later
#include "commands/supervise.hpp"

#include "algorithms/choice.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "host/environment.hpp"
#include "host/host_facts.hpp"
#include "host/program.hpp"
#include "interruption/stop_signal.hpp"
#include "model/launch_command.hpp"
#include "session/launch_until.hpp"
#include "session/variant_text.hpp"
#include "session/variants_task.hpp"
#include "spec/plan.hpp"
#include "supervisor/launch.hpp"
#include "supervisor/world.hpp"
#include "tune/simulated_algorithms.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace skampi {

bool is_simulated(const Options& options) {
    return is_simulating(options.launcher);
}

SuperviseOptions supervise_options(const Options& options, const JobProgram& program,
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
        known.mpi_library = program.library;
        known.settings = program.settings();
        if (program.has_own_functions)
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

ParameterFile plan_of_jobs(const Options& options, const JobProgram& program) {
    ParameterFile plan =
        read_plan(read_plan_text(options.file, options.in_turns), program.operations, options.suites);
    (void)fit_to_machine(plan, options.ranks, program.limit);
    return plan;
}

void check_files(const Options& options, const ParameterFile& plan, std::vector<std::string> outputs) {
    outputs.insert(outputs.end(), {database_path(options.database, plan), plan.logfile, options.output});
    refuse_confused_files({options.file, options.config, options.tuning_file}, outputs);
}

void show_jobs(SuperviseOptions& wanted, const Options& options, const ParameterFile& plan, JobView& view) {
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

namespace {

/// Of the command line, else of the plan; not of a daemon, whose launches are counted, nor where they are.
Precision precision_of(const Options& options, const ParameterFile& plan) {
    Precision precision = options.precision.asked_for() ? options.precision : plan.precision;
    if (options.task != Task::supervise || options.launches > 1)
        precision.half_width = 0;
    constexpr double usual_time_s = 3600;
    precision.time_s = precision.time_s.value_or(std::max(usual_time_s, options.spread_s));
    return precision;
}

} // namespace

int supervise_runs(const Options& options, const JobProgram& program) {
    outlive_readers();
    const ParameterFile plan = plan_of_jobs(options, program);
    check_files(options, plan);
    // For every launch, the library's own choice among them.
    std::optional<EnvironmentWith> environment;
    if (asks_for_algorithms(plan))
        environment.emplace(environment_for_algorithms(program.library));
    SuperviseOptions wanted = supervise_options(options, program, plan);
    JobView view(options.progress, stdout);
    if (options.task == Task::daemon)
        view.show_each_end();
    show_jobs(wanted, options, plan, view);
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
    if (const Precision precision = precision_of(options, plan); precision.asked_for())
        return launch_until(options, precision, wanted, view);
    if (options.task == Task::supervise && options.launches > 1)
        view.show_together();
    const auto world = make_world(wanted.database);
    const int status = supervise(wanted, *world);
    view.summary(wanted.database, status);
    return status;
}

} // namespace skampi
