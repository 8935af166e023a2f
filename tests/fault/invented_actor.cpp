// SPDX-License-Identifier: GPL-2.0-or-later
// Two programs in one, for tests that kill real processes without needing MPI:
//   invented_actor supervise DATABASE      supervises jobs of this same program
//   invented_actor job DATABASE ...        a job that measures nothing (invented_job.hpp)
#include "base/error.hpp"
#include "interruption/stop_signal.hpp"
#include "invented_job.hpp"
#include "supervisor/supervisor.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

namespace {

volatile std::sig_atomic_t stop_wanted = 0;

invented::JobPlan plan_for(const std::string& database) {
    invented::JobPlan plan;
    plan.database = database;
    plan.retries = 1000;
    plan.ranks = 1;
    plan.suites = {"one", "two", "three", "four"};
    plan.arguments = {1, 2, 4, 8, 16, 32, 64, 128};
    return plan;
}

void say(std::string_view line) {
    std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
    std::fflush(stdout);
}

/// Blocks until SIGTERM comes, also when it has come already.
void await_stop() {
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop, &before);
    while (stop_wanted == 0)
        sigsuspend(&before);
    sigprocmask(SIG_SETMASK, &before, nullptr);
}

int job(const std::string& database) {
    std::signal(SIGTERM, [](int) { stop_wanted = 1; });
    const char* wait_at = std::getenv("INVENTED_WAIT_AT"); // this line, for SIGTERM
    int lines = 0;
    invented::Job job(plan_for(database));
    say(R"({"event":"start"})");
    while (true) {
        switch (job.step({}, stop_wanted != 0)) {
        case invented::Job::Step::working:
            say(R"({"event":"heartbeat"})");
            if (wait_at != nullptr && ++lines == std::atoi(wait_at))
                await_stop();
            break;
        case invented::Job::Step::run_ended:
            say(R"({"event":"end"})");
            return job.exit_status();
        case invented::Job::Step::stopped:
            return 128 + SIGTERM;
        case invented::Job::Step::fault:
            return 1;
        }
    }
}

int supervise(const std::string& database) {
    skampi::outlive_readers();
    skampi::SuperviseOptions options;
    options.database = database;
    options.ranks = 1;
    // A launcher of its own between supervisor and job, as mpiexec is.
    options.launch = "sh -c '{command}; exit $?'";
    options.job_arguments = {"job", database};
    options.series = skampi::Series(invented::run_of(plan_for(database)));
    options.retries = 1000;
    options.max_failures = 1000;
    options.hang_after_s = 60;
    options.runs_in_database = true;
    options.on_line = say;
    const auto world = skampi::make_world(database);
    return skampi::supervise(options, *world);
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 3 && std::string_view(argv[1]) == "supervise")
            return supervise(argv[2]);
        if (argc >= 3 && std::string_view(argv[1]) == "job")
            return job(argv[2]);
        return 2;
    } catch (const skampi::Error& error) {
        std::fprintf(stderr, "skampi-run: %s\n", error.what());
        return static_cast<int>(error.status());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "skampi-run: %s\n", error.what());
        return 3;
    }
}
