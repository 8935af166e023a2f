// SPDX-License-Identifier: GPL-2.0-or-later
// A real Slurm on this machine: inside a batch job, outside with sbatch --wait, over the time limit, in
// arrays.
#include "base/text.hpp"
#include "environment.hpp"
#include "private_slurm.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "supervisor/batch_system.hpp"
#include "supervisor/process_table.hpp"
#include "supervisor/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <vector>

using namespace skampi;

namespace {

constexpr int skipped = 77; // as meson understands it

/// Ten measurements, over in a moment.
const char* const short_plan = R"(
@MEASUREMENTS
ping
{ Type = MPI_Ssend-MPI_Recv; Variation = Length; Scale = Fixed_linear;
  Start_Argument = 1000; End_Argument = 3000; Stepwidth = 1000; Max_Repetition = 20; }
alltoall
{ Type = MPI_Alltoall; Variation = Length; Scale = Fixed_linear;
  Start_Argument = 1000; End_Argument = 3000; Stepwidth = 1000; Max_Repetition = 20; }
iprobe
{ Type = MPI_Iprobe; Max_Repetition = 20; }
bcast
{ Type = MPI_Bcast; Variation = Length; Scale = Fixed_linear;
  Start_Argument = 1000; End_Argument = 3000; Stepwidth = 1000; Max_Repetition = 20; }
)";
constexpr std::size_t short_points = 10;

/// Takes 6 s for each suite, because an error as small as this is never reached.
std::string long_plan(int suites) {
    std::string text = "@MEASUREMENTS\n";
    for (int i = 0; i < suites; ++i)
        text +=
            "suite " + std::to_string(i) +
            "\n{ Type = MPI_Ssend-MPI_Recv; Variation = Length; Scale = Fixed_linear; "
            "Start_Argument = 1000;  End_Argument = 3000; Stepwidth = 1000; Max_Repetition = Invalid_Value; "
            "Standard_error = 0.00001;  Time_Measurement = 0.033; Time_Suite = 0.1; }\n";
    return text;
}

struct Scene {
    ScratchFolder folder;
    PrivateSlurm slurm{folder.path().string()};

    explicit Scene(const std::string& plan) { std::ofstream(folder / "plan.skampi") << plan; }
    [[nodiscard]] std::string script(const std::string& arguments) const {
        return "#!/bin/sh\nexec " + for_shell(from_environment("SKAMPI_RUN")) +
               " plan.skampi -n 2 --launch 'srun -n {n}' " + arguments + "\n";
    }
    [[nodiscard]] Command daemon(const std::string& database, std::vector<std::string> more = {}) const {
        Command command =
            slurm.command({from_environment("SKAMPI_RUN"), "daemon", "plan.skampi", "-n", "2", "-d", database,
                           "--launch", "sbatch --wait -n {n} -t 5 --wrap 'srun -n {n} {command}'"});
        command.argv.insert(command.argv.end(), more.begin(), more.end());
        return command;
    }
    [[nodiscard]] std::string output_of(const std::string& job) const {
        std::ifstream file(folder / ("slurm-" + job + ".out"));
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

/// Waits until a condition holds, looked at while the child works.
template <typename Condition>
bool until(Child& child, Condition condition) {
    for (int step = 0; step < 3000 && !child.advance(); ++step) {
        if (condition())
            return true;
        std::vector<pollfd> entries;
        for (const int descriptor : child.descriptors())
            entries.push_back({descriptor, POLLIN, 0});
        ::poll(entries.data(), entries.size(), 100);
    }
    return false;
}

bool is_measuring(const std::string& database) {
    try {
        const Database stored = Database::open(database);
        for (const RunId run : stored.runs()) {
            for (const StoredSuite& suite : stored.suites(run)) {
                if (suite.in_progress)
                    return true;
            }
        }
    } catch (const std::exception&) {
        // not there yet
    }
    return false;
}

std::string example_script() {
    std::ifstream example(from_environment("SKAMPI_SBATCH_EXAMPLE"));
    return {std::istreambuf_iterator<char>(example), {}};
}

/// By it the script's `skampi-run` is the one under test.
std::string path_with_skampi_run() {
    const std::filesystem::path program = from_environment("SKAMPI_RUN");
    return program.parent_path().string() + ":" + from_environment("PATH");
}

std::size_t finished_points(const Database& database, RunId run) {
    std::size_t count = 0;
    for (const StoredSuite& suite : database.suites(run)) {
        CHECK(suite.state == SuiteState::finished);
        for (const StoredMeasurement& m : database.measurements(suite.id))
            count += m.finished ? 1 : 0;
    }
    return count;
}

} // namespace

TEST_CASE("inside a batch job skampi-run starts srun, and the run knows its Slurm job") {
    const Scene scene(short_plan);
    const std::string job = scene.slurm.submit(scene.script("-d x.db"), {"-n", "2"});
    CHECK(scene.slurm.wait_for(job) == "COMPLETED 0:0");
    CAPTURE(scene.output_of(job));
    const Database database = Database::open(scene.folder / "x.db");
    REQUIRE(database.runs().size() == 1);
    CHECK(finished_points(database, 1) == short_points);
    const std::map<std::string, std::string> facts = database.run(1).facts;
    REQUIRE(facts.contains("env SLURM_JOB_ID"));
    CHECK(facts.at("env SLURM_JOB_ID") == job);
}

TEST_CASE("a rank that dies under srun is named, its suite retried last and marked failed") {
    const Scene scene(short_plan);
    Command command = scene.slurm.command(
        {from_environment("SKAMPI_RUN"), "plan.skampi", "-n", "2", "-d", "x.db", "--retries", "1", "--launch",
         "srun -n {n} env LD_PRELOAD=" + for_shell(from_environment("SKAMPI_INTERPOSER"))});
    command.environment.insert(
        {{"SKAMPI_FAULT", "MPI_Alltoall:5:1:segfault:2000"}, {"SKAMPI_FAULT_TIMES", "0"}});
    const ChildResult result = run(command);
    CAPTURE(result.err);
    CHECK(result.exit_status == 1);
    const Database database = Database::open(scene.folder / "x.db");
    for (const StoredSuite& suite : database.suites(1)) {
        CAPTURE(suite.suite.name);
        const bool culprit = suite.suite.name == "alltoall";
        CHECK(suite.state == (culprit ? SuiteState::failed : SuiteState::finished));
        if (culprit)
            CHECK(suite.reason == "signal 11 (Segmentation fault) on rank 1");
    }
    CHECK(scene.slurm.queue_empties());
}

TEST_CASE("a daemon outside submits one batch job per run and waits for it") {
    const Scene scene(short_plan);
    const ChildResult result = run(scene.daemon("x.db", {"--runs", "2"}));
    CAPTURE(result.err);
    CHECK(result.exit_status == 0);
    const Database database = Database::open(scene.folder / "x.db");
    REQUIRE(database.runs().size() == 2);
    for (const RunId run : database.runs())
        CHECK(finished_points(database, run) == short_points);
    CHECK(database.run(1).facts.at("env SLURM_JOB_ID") != database.run(2).facts.at("env SLURM_JOB_ID"));
}

TEST_CASE("SIGTERM to a daemon outside lets its batch job finish the current measurement") {
    const Scene scene(long_plan(10));
    Child daemon(scene.daemon("x.db"));
    REQUIRE(until(daemon, [&] { return is_measuring(scene.folder / "x.db"); }));
    ::kill(daemon.pid(), SIGTERM);
    CHECK(daemon.wait().exit_status == 128 + SIGTERM);
    CHECK(scene.slurm.queue_empties());
    const Database database = Database::open(scene.folder / "x.db");
    for (const StoredSuite& suite : database.suites(1)) {
        CHECK_FALSE(suite.in_progress);
        CHECK(suite.state != SuiteState::put_off);
    }
}

TEST_CASE(
    "a daemon killed while its batch job runs: started again it ends that job and goes on with the run") {
    const Scene scene(long_plan(2));
    {
        Child daemon(scene.daemon("x.db"));
        REQUIRE(until(daemon, [&] { return is_measuring(scene.folder / "x.db"); }));
        ::kill(daemon.pid(), SIGKILL);
        daemon.wait();
    }
    CHECK_FALSE(scene.slurm.queue_is_empty());
    const ChildResult result = run(scene.daemon("x.db"));
    CAPTURE(result.err);
    CHECK(result.exit_status == 0);
    const Database database = Database::open(scene.folder / "x.db");
    CHECK(database.runs().size() == 1);
    CHECK(finished_points(database, 1) == 6);
    CHECK(scene.slurm.queue_empties());
}

TEST_CASE("a job over its time limit is gone on with by the next one, and no suite is blamed") {
    // Slurm counts limits in minutes and looks twice a minute: a job may have 90 s, and here is work for 120.
    const Scene scene(long_plan(20));
    std::vector<std::string> ends;
    do {
        REQUIRE(ends.size() < 20);
        const std::string job = scene.slurm.submit(scene.script("-d x.db"), {"-n", "2", "-t", "1"});
        ends.push_back(scene.slurm.wait_for(job));
        CAPTURE(scene.output_of(job));
        CHECK_FALSE(scene.output_of(job).empty());
    } while (ends.back() != "COMPLETED 0:0");
    CHECK(ends.size() > 1);
    CHECK(ends.front().starts_with("TIMEOUT"));
    const Database database = Database::open(scene.folder / "x.db");
    database.check_integrity();
    REQUIRE(database.runs().size() == 1);
    CHECK(finished_points(database, 1) == 60);
    for (const StoredSuite& suite : database.suites(1))
        CHECK(suite.attempts == 1);
}

TEST_CASE("the example batch script puts itself back into the queue until its run is complete") {
    // The signal comes at some time in the first 30 s of each job, because Slurm looks twice a minute.
    const Scene scene(long_plan(10));
    const std::string script = example_script();
    REQUIRE(script.find("scontrol requeue") != std::string::npos);
    const std::string job =
        scene.slurm.submit(script, {"--nodes=1", "--ntasks-per-node=2", "-t", "2", "--signal=B:USR1@90"},
                           {{"PATH", path_with_skampi_run()}});
    CHECK(scene.slurm.wait_through_requeues(job) == "COMPLETED 0:0");
    CAPTURE(scene.output_of(job));
    CHECK(std::stoi(scene.slurm.fact(job, "Restarts")) > 0);
    const Database database = Database::open(scene.folder / "skampi.db");
    REQUIRE(database.runs().size() == 1);
    CHECK(finished_points(database, 1) == 30);
    for (const StoredSuite& suite : database.suites(1))
        CHECK(suite.attempts == 1);
}

TEST_CASE("the example batch script that is cancelled does not put itself back into the queue") {
    const Scene scene(long_plan(10));
    Command submit = scene.slurm.command({"sbatch", "--wait", "--nodes=1", "--ntasks-per-node=2", "-t", "5"});
    submit.environment["PATH"] = path_with_skampi_run();
    submit.input = example_script();
    submit.timeout_s = 300; // it waits for a job that is back in the queue, too
    std::string job;
    submit.on_line = [&job](std::string_view line) { job = submitted_job(line).value_or(job); };
    Child waiting(std::move(submit));
    REQUIRE(until(waiting, [&] { return is_measuring(scene.folder / "skampi.db"); }));
    CHECK(scene.slurm.ask({"scancel", job}).ok());
    waiting.wait();
    CHECK(scene.slurm.queue_empties());
    CAPTURE(scene.output_of(job));
    CHECK(scene.slurm.fact(job, "JobState") == "CANCELLED");
    CHECK(scene.slurm.fact(job, "Restarts") == "0");
    const Database database = Database::open(scene.folder / "skampi.db");
    for (const StoredSuite& suite : database.suites(1))
        CHECK(suite.attempts <= 1);
}

TEST_CASE("a job array writes one database each; they merge") {
    const Scene scene(short_plan);
    const std::string job =
        scene.slurm.submit(scene.script("-d run-$SLURM_ARRAY_TASK_ID.db"), {"-n", "2", "--array=0-2"});
    static_cast<void>(scene.slurm.wait_for(job));
    const ChildResult merged = scene.slurm.ask(
        {from_environment("SKAMPI_MERGE"), "run-0.db", "run-1.db", "run-2.db", "-o", "merged.db"});
    CAPTURE(merged.err);
    CHECK(merged.exit_status == 0);
    const Database database = Database::open(scene.folder / "merged.db");
    REQUIRE(database.runs().size() == 1);
    CHECK(database.run(database.runs()[0]).merged_runs == 3);
    CHECK(finished_points(database, database.runs()[0]) == short_points);
}

int main(int argc, char** argv) {
    if (const std::string missing = PrivateSlurm::missing(); !missing.empty()) {
        std::cout << "skipped: no Slurm of its own on this machine: " << missing << '\n';
        return skipped;
    }
    return doctest::Context(argc, argv).run();
}
