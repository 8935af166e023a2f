// SPDX-License-Identifier: LGPL-2.1-or-later
#include "own_functions/local_program.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "host/host_facts.hpp"
#include "host/program.hpp"
#include "interruption/process_guards.hpp"
#include "interruption/stop_signal.hpp"
#include "job/recorder.hpp"
#include "options.hpp"
#include "own_functions/function_names.hpp"
#include "own_functions/local_laboratory.hpp"
#include "plan/job_plan.hpp"
#include "plan/operation_list.hpp"
#include "runs/merge_at_end.hpp"
#include "runs/run_log.hpp"
#include "runs/status.hpp"
#include "skampi/functions.hpp"
#include "spec/plan_text.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <memory>

namespace skampi {
namespace {

std::vector<OperationInfo> rows_of(const std::vector<Function>& functions) {
    std::vector<OperationInfo> rows;
    for (const Function& function : functions) {
        OperationInfo row;
        row.type = function.type;
        row.name = function.name;
        row.title = function.title.empty() ? function.name : function.title;
        row.pattern = Pattern::simple;
        row.varied = function.varied;
        row.meaning = Meaning::local;
        row.argument_name = function.argument_name;
        row.argument_unit = function.argument_unit;
        refuse_unfit(row, static_cast<bool>(function.call), rows);
        if (std::ranges::find(row.varied, Varied::nodes) != row.varied.end())
            throw InputError(fmt::format("function \"{}\": found Nodes to vary, but it has no ranks",
                                         printable(function.name)));
        rows.push_back(std::move(row));
    }
    return rows;
}

MessageLimit limit_by_memory(const Suite&, int, std::int64_t memory_bytes, int type_bytes) {
    return {memory_bytes / 2 / type_bytes * type_bytes, // a source and a target
            fmt::format("@MEMORY allows {} bytes", memory_bytes), true};
}

int measure(const RunOptions& options, const std::vector<Function>& functions,
            const std::vector<OperationInfo>& rows) {
    outlive_readers();
    catch_stop_signals();
    ParameterFile plan = read_plan(read_plan_text(options.file), rows, options.suites);
    const std::vector<std::string> changes = fit_to_machine(plan, 1, limit_by_memory);
    Surroundings surroundings;
    surroundings.library = library_without_mpi;
    surroundings.environment.settings = program_settings(options.program);
    surroundings.facts = host_facts();
    surroundings.host_sizes = host_sizes();
    surroundings.ranks = {own_rank_facts(0, host_name())};
    surroundings.clock = skalib::measure_clock(skalib::steady_seconds);
    const std::unique_ptr<Recorder> recorder = Recorder::begin(options, plan, changes, surroundings);
    const std::vector<Suite> stored = recorder->plan();
    LocalLaboratory laboratory(stored, functions, [] { return stop_signal() != 0; });
    const int status = [&] {
        const NoSilentExit guard(fmt::format(
            "{}: a function ended the program in the middle of the run (exit status 0)\n", options.program));
        return recorder->measure(laboratory, Tempo().with(surroundings.clock, plan.resolution));
    }();
    merge_at_end(options, database_to_merge(options, plan), status);
    if (status == 0 && !a_reader_has_gone())
        write_standard_output({}, ExitStatus::incomplete);
    return status;
}

int run_task(const Options& options, const std::vector<Function>& functions) {
    const std::vector<OperationInfo> rows = rows_of(functions);
    if (rows.empty())
        throw InputError("there is no function to measure");
    switch (options.task) {
    case Task::check: {
        const ParameterFile plan = read_plan(read_plan_text(options.file), rows, options.suites);
        (void)RunLog(plan.logfile, database_path(options.database, plan)); // refuses what is no log
        write_standard_output(describe_plan(plan, 0));
        return 0;
    }
    case Task::list:
        write_data_to_standard_output((options.json ? operation_list_json : operation_list_text)(rows, {}));
        return 0;
    case Task::status: {
        const Status status = read_status(*options.database);
        write_data_to_standard_output(options.json ? status_json(status) + "\n"
                                                   : status_text(status, options.full));
        return 0;
    }
    default:
        return measure(options, functions, rows);
    }
}

int run(int argc, const char* const* argv, const std::vector<Function>& functions,
        const std::string& program) {
    CommandLine line;
    line.program = program;
    line.about = "Measures this program's functions as a parameter file asks, into a result file.";
    line.version = fmt::format("{}, skampi {}", program, SKAMPI_VERSION);
    line.has_ranks = false;
    line.needs_file = true;
    try {
        return run_task(parse_options(argc, argv, line), functions);
    } catch (const OptionsEnd& end) {
        if (end.exit_status == 0)
            write_standard_output(end.text);
        else
            write_standard_error(end.text);
        return end.exit_status;
    }
}

} // namespace

void refuse_unfit(const std::vector<Function>& functions) {
    (void)rows_of(functions);
}

int measure_functions(int argc, const char* const* argv, const std::vector<Function>& functions,
                      std::string& error) noexcept {
    const std::string program = program_name(argc, argv);
    const auto say = [&](const std::string& text) {
        error = text;
        std::fputs((program + ": " + text + "\n").c_str(), stderr);
    };
    try {
        return run(argc, argv, functions, program);
    } catch (const Error& wrong) {
        say(wrong.what());
        return static_cast<int>(wrong.status());
    } catch (const std::exception& wrong) {
        say(printable(wrong.what()));
        return static_cast<int>(ExitStatus::impossible);
    }
}

int measure_functions(int argc, const char* const* argv, const std::vector<Function>& functions) noexcept {
    std::string error;
    return measure_functions(argc, argv, functions, error);
}

} // namespace skampi
