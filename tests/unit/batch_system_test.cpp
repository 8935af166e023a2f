// SPDX-License-Identifier: GPL-2.0-or-later
#include "supervisor/batch_system.hpp"

#include "base/error.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using namespace skampi;

namespace {

using Words = std::vector<std::string>;

/// A world of which a batch system sees the helper programs only.
class InventedSlurm : public World {
public:
    std::vector<Words> asked;
    std::string queue; ///< what squeue prints
    bool installed = true;

    ChildResult ask(Command command) override {
        asked.push_back(command.argv);
        CHECK(command.timeout_s.has_value()); // a server that is gone must not hold up a supervisor
        if (!installed)
            throw SystemError("cannot start '" + command.argv.front() + "': no such program in PATH");
        ChildResult result;
        result.out = command.argv.front() == "squeue" ? queue : "";
        return result;
    }
    double monotonic_s() override { return 0; }
    double utc_s() override { return 0; }
    void start(Command) override { FAIL("starts a job"); }
    Wakeup wait(std::optional<double>) override { return {}; }
    void send(int) override { FAIL("signals the launcher"); }
    int send_to_ranks(int) override { return 0; }
    int send_to_leftovers(int) override { return 0; }
    const ChildResult& result() override { return result_; }
    std::uint64_t look_at(const std::string&) override { return 0; }

    /// Without the questions for what is in the queue.
    [[nodiscard]] std::vector<Words> done() const {
        std::vector<Words> all;
        for (const Words& words : asked) {
            if (words.front() != "squeue")
                all.push_back(words);
        }
        return all;
    }

private:
    ChildResult result_;
};

struct Allocation {
    Allocation() { ::setenv("SLURM_JOB_ID", "17", 1); }
    ~Allocation() { ::unsetenv("SLURM_JOB_ID"); }
};

const Words sbatch{"/usr/bin/sbatch", "--wait"};

} // namespace

TEST_CASE("what is submitted carries a name by which it is found again, made of the database's path") {
    InventedSlurm slurm;
    BatchSystem batch(slurm, "/data/my x.db", sbatch);
    Command command;
    batch.prepare(command);
    const std::string name = command.environment.at("SBATCH_JOB_NAME");
    CHECK(name.starts_with("skampi-"));
    CHECK(name.find('/') == std::string::npos);
    CHECK(name.find(' ') == std::string::npos);
    CHECK(command.environment.at("SLURM_JOB_NAME") == name);
    CHECK_FALSE(batch.has_jobs());
    REQUIRE(slurm.asked.size() == 1);
    CHECK(slurm.asked[0] == Words{"squeue", "--noheader", "--me", "--format=%A", "--name=" + name});
    Command other;
    BatchSystem(slurm, "/data/my y.db", sbatch).prepare(other);
    CHECK(other.environment.at("SBATCH_JOB_NAME") != name);
}

TEST_CASE("a launcher that does not queue keeps the allocation's own name, and asks for no queue") {
    InventedSlurm slurm;
    BatchSystem batch(slurm, "/x.db", {"mpiexec", "-n", "2"});
    CHECK_FALSE(batch.queues());
    Command command;
    batch.prepare(command);
    CHECK(command.environment.at("SLURM_KILL_BAD_EXIT") == "1");
    CHECK_FALSE(command.environment.contains("SLURM_JOB_NAME"));
    slurm.queue = "5\n";
    CHECK_FALSE(batch.has_jobs());
    CHECK(batch.cancel_leftovers().empty());
    CHECK_FALSE(batch.forward_stop({}, SIGTERM));
    batch.cancel({});
    CHECK(slurm.asked.empty());
}

TEST_CASE("jobs of a former supervisor are cancelled, each of them") {
    InventedSlurm slurm;
    slurm.queue = "5\n6\n";
    BatchSystem batch(slurm, "/x.db", sbatch);
    CHECK(batch.cancel_leftovers() == Words{"5", "6"});
    CHECK(slurm.done() == std::vector<Words>{{"scancel", "5"}, {"scancel", "6"}});
}

TEST_CASE("a job is asked to end by its steps' SIGTERM; one that waits in the queue leaves it") {
    InventedSlurm slurm;
    BatchSystem batch(slurm, "/x.db", sbatch);
    CHECK(batch.forward_stop("7", SIGTERM)); // not listed yet, but submitted
    CHECK(slurm.done() ==
          std::vector<Words>{{"scancel", "--state=PENDING", "7"}, {"scancel", "--signal=TERM", "7"}});
    slurm.asked.clear();
    slurm.queue = "7\n";
    batch.cancel("7"); // once, though it is known twice
    CHECK(slurm.done() == std::vector<Words>{{"scancel", "7"}});
}

TEST_CASE("of a submitted job it is known whether Slurm ended it") {
    InventedSlurm slurm;
    BatchSystem batch(slurm, "/x.db", sbatch);
    slurm.queue = "CANCELLED\n";
    CHECK(batch.forced_end("7") == "JOB 7 CANCELLED");
    slurm.queue = "FAILED\n";
    CHECK(batch.forced_end("7").empty());
    slurm.asked.clear();
    CHECK(batch.forced_end("").empty());
    CHECK(slurm.asked.empty());
}

TEST_CASE("inside an allocation srun's steps are asked, but not those of another launcher") {
    const Allocation allocation;
    InventedSlurm slurm;
    CHECK(BatchSystem(slurm, "/x.db", {"/usr/bin/srun", "-n", "2"}).forward_stop({}, SIGTERM));
    CHECK(slurm.done() == std::vector<Words>{{"scancel", "--signal=TERM", "17"}});
    CHECK(BatchSystem(slurm, "/x.db", {"/usr/bin/srun", "-n", "2"}).forward_stop({}, SIGINT));
    CHECK(slurm.done().back() == Words{"scancel", "--signal=INT", "17"});
    CHECK_FALSE(BatchSystem(slurm, "/x.db", {"mpiexec", "-n", "2"}).forward_stop({}, SIGTERM));
}

TEST_CASE("a batch system that is not Slurm queues, and is asked nothing it cannot answer") {
    InventedSlurm slurm;
    slurm.installed = false;
    BatchSystem batch(slurm, "/x.db", {"qsub", "-W", "block=true"});
    CHECK(batch.queues());
    CHECK(batch.cancel_leftovers().empty());
    CHECK_FALSE(batch.forward_stop({}, SIGTERM));
}

TEST_CASE("the number of a submitted job is read from sbatch's line, and from no other") {
    CHECK(submitted_job("Submitted batch job 4711") == "4711");
    CHECK(submitted_job("Submitted batch job 4711 on cluster lab") == "4711");
    CHECK_FALSE(submitted_job("Submitted batch job").has_value());
    CHECK_FALSE(submitted_job("Submitted batch job x").has_value());
    CHECK_FALSE(submitted_job("I Submitted batch job 4711").has_value());
}

TEST_CASE("srun says when it ends ranks at a limit") {
    CHECK(is_forced_end("srun: forcing job termination"));
    CHECK_FALSE(is_forced_end("srun: error: localhost: task 1: Segmentation fault"));
}
