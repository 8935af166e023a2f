#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "job/job.hpp"
#include "operations/operation.hpp"
#include "options.hpp"
#include "shared/job_plan.hpp"
#include "shared/operation_list.hpp"
#include "shared/status.hpp"
#include "supervisor/job_view.hpp"
#include "supervisor/supervisor.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <mpi.h>

namespace skampi {
namespace {

/// Before MPI_Init only the launchers' variables tell the ranks apart: one of them speaks for all.
bool speaks() {
    for (const char* name :
         {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"})
        if (const char* rank = std::getenv(name); rank != nullptr)
            return std::string_view(rank) == "0";
    return true;
}

int measure(const Options& options, int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int status = 0;
    try {
        status = run_job(options);
    } catch (const std::exception& error) {
        // Other ranks wait for this one in calls that will never return.
        fmt::print(stderr, "skampi-run: {}\n", printable(error.what()));
        MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitStatus::impossible));
    }
    MPI_Finalize();
    return status;
}

int supervise_runs(const Options& options) {
    ParameterFile plan = read_plan(read_plan_text(options.file), options.suites, std::nullopt);
    (void)fit_to_machine(plan, options.ranks);
    SuperviseOptions wanted;
    wanted.database = database_path(options, plan);
    wanted.ranks = options.ranks;
    wanted.launch = options.launcher;
    if (!options.file.empty())
        wanted.job_arguments.push_back(options.file);
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
    wanted.plan_hash = plan_hash(plan);
    wanted.plan = plan.suites;
    wanted.runs = options.task == Task::daemon ? options.runs : 1;
    wanted.runs_in_database = options.task == Task::daemon;
    wanted.every_s = options.every_s;
    wanted.launches = options.launches;
    wanted.hang_after_s = options.hang_after_s;
    wanted.max_failures = options.max_failures;
    wanted.retries = options.retries;
    JobView view(options.progress, stdout);
    wanted.on_line = [&](std::string_view line) { view.job_line(line); };
    wanted.on_error_line = [&](std::string_view line) { view.error_line(line); };
    wanted.on_note = [&](std::string_view note) { view.note(note); };
    const auto world = make_world(wanted.database);
    const int status = supervise(wanted, *world);
    view.summary(wanted.database, status);
    return status;
}

/// @param status of what was measured and stored, whatever becomes of the words about it
int with_output_seen(int status) {
    if (status == 0)
        write_standard_output({}, ExitStatus::incomplete);
    return status;
}

int run_task(const Options& options, int argc, char** argv) {
    switch (options.task) {
    case Task::measure:
        return with_output_seen(measure(options, argc, argv));
    case Task::supervise:
    case Task::daemon:
        return with_output_seen(supervise_runs(options));
    case Task::check: {
        ParameterFile plan = read_plan(read_plan_text(options.file), {}, std::nullopt);
        const int ranks = std::max(options.ranks, options.ranks == 0 ? 2 : 1);
        write_standard_output(describe_plan(plan, ranks));
        return 0;
    }
    case Task::list:
        write_standard_output((options.json ? operation_list_json : operation_list_text)(
            all_operation_infos(), lacking_operations()));
        return 0;
    case Task::status: {
        const Status status = read_status(*options.database);
        write_standard_output(options.json ? status_json(status) + "\n" : status_text(status));
        return 0;
    }
    }
    return 0;
}

int run(int argc, char** argv) {
    Options options;
    try {
        options = parse_options(argc, argv);
    } catch (const OptionsEnd& end) {
        if (speaks() && end.exit_status == 0)
            write_standard_output(end.text);
        else if (speaks())
            fmt::print(stderr, "{}", end.text);
        return end.exit_status;
    }
    return run_task(options, argc, argv);
}

} // namespace
} // namespace skampi

int main(int argc, char** argv) {
    using namespace skampi;
    try {
        return run(argc, argv);
    } catch (const Error& error) {
        fmt::print(stderr, "skampi-run: {}\n", error.what());
        return static_cast<int>(error.status());
    } catch (const std::exception& error) {
        fmt::print(stderr, "skampi-run: {}\n", printable(error.what()));
        return static_cast<int>(ExitStatus::impossible);
    }
}
