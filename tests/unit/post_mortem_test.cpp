// SPDX-License-Identifier: GPL-2.0-or-later
#include "supervisor/post_mortem.hpp"

#include "../golden.hpp"

#include <doctest/doctest.h>
#include <optional>
#include <set>
#include <string>

using namespace skampi;

namespace {

ChildResult ended(int exit_status, const std::string& out, const std::string& err) {
    ChildResult result;
    result.exit_status = exit_status;
    result.out = out;
    result.err = err;
    return result;
}

// What the launchers really wrote when a rank died.
const std::string hydra_segfault = R"(
===================================================================================
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   PID 14737 RUNNING AT vm
=   EXIT CODE: 11
=   CLEANING UP REMAINING PROCESSES
=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES
===================================================================================
YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)
This typically refers to a problem with your application.
)";
const std::string open_mpi_segfault = R"([vm:14798] *** Process received signal ***
[vm:14798] Signal: Segmentation fault (11)
[vm:14798] Signal code:  (-6)
--------------------------------------------------------------------------
mpiexec.openmpi noticed that process rank 1 with PID 0 on node vm exited on signal 11 (Segmentation fault).
--------------------------------------------------------------------------
)";
const std::string open_mpi_exit =
    R"(mpiexec.openmpi detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:

  Process name: [[21789,1],1]
  Exit code:    3
)";
const std::string srun_segfault = R"(srun: error: localhost: task 1: Segmentation fault
srun: forcing job termination
srun: Job step aborted: Waiting up to 7 seconds for job step to finish.
slurmstepd-localhost: error: *** STEP 2.0 ON localhost CANCELLED AT 2026-11-21T22:49:30 ***
srun: error: localhost: task 0: Killed
)";
const std::string srun_exit =
    "srun: error: node7: task 3: Exited with exit code 5\nsrun: error: node6: tasks 0-2: Killed\n";
const std::string srun_killed = "srun: error: localhost: tasks 0-1: Killed\n";
const std::string own_reason = "skampi-run: warning: x\nskampi-run: x.db: cannot commit: disk full\n";
const std::string mpich_error =
    "Abort(604654082) on node 1 (rank 1 in comm 0): Fatal error in internal_Send: Invalid count, "
    "error stack:\n"
    "internal_Send(120): MPI_Send(buf=(nil), count=-1, MPI_INT, 77, 0, MPI_COMM_WORLD) failed\n"
    "internal_Send(61).: Negative count, value is -1\n";

ChildResult killed_launcher() {
    ChildResult killed;
    killed.signal = 9;
    return killed;
}

} // namespace

TEST_CASE("words for how a job ended") {
    Golden golden("post_mortem");
    golden.add("Hydra, a segmentation fault", examine(ended(11, hydra_segfault, "")).text());
    golden.add("Open MPI, a segmentation fault", examine(ended(139, "", open_mpi_segfault)).text());
    golden.add("Open MPI, a status", examine(ended(3, "", open_mpi_exit)).text());
    golden.add("srun, a segmentation fault", examine(ended(137, "", srun_segfault)).text());
    golden.add("srun, a status", examine(ended(137, "", srun_exit)).text());
    golden.add("MPICH, an MPI error", examine(ended(137, "", mpich_error + srun_killed)).text());
    golden.add("a job that says why", examine(ended(3, "", own_reason)).text());
    golden.add("a status without words", examine(ended(1, "", "")).text());
    golden.add("a signal without words", examine(ended(139, "", "")).text());
    golden.add("a launcher that was killed", examine(killed_launcher()).text());
    golden.check();
}

TEST_CASE(
    "a segmentation fault under Hydra is named with its process, though the exit status is the bare 11") {
    const PostMortem found = examine(ended(11, hydra_segfault, ""));
    CHECK(found.signal == 11);
    CHECK(found.process == 14737);
    CHECK(found.is_crash());
}

TEST_CASE("a segmentation fault under Open MPI is named with its rank") {
    const PostMortem found = examine(ended(139, "", open_mpi_segfault));
    CHECK(found.signal == 11);
    CHECK(found.rank == 1);
}

TEST_CASE("under srun the first task reported is the culprit, those killed because of it are not") {
    const PostMortem crashed = examine(ended(137, "", srun_segfault));
    CHECK(crashed.signal == 11);
    CHECK(crashed.rank == 1);
    const PostMortem left = examine(ended(137, "", srun_exit));
    CHECK(left.rank_status == 5);
    CHECK(left.rank == 3);
    CHECK_FALSE(left.signal);
    const PostMortem aborted = examine(ended(137, "", "srun: error: n1: tasks 4-7: Aborted (core dumped)\n"));
    CHECK(aborted.signal == 6);
    CHECK(aborted.rank == 4);
}

TEST_CASE("a rank that leaves with a status is named under Open MPI") {
    const PostMortem found = examine(ended(3, "", open_mpi_exit));
    CHECK(found.rank_status == 3);
    CHECK(found.rank == 1);
}

TEST_CASE("the MPI library's own message counts more than the signal it ends in") {
    const PostMortem found = examine(ended(137, "", mpich_error + srun_killed));
    CHECK(found.rank == 1);
    CHECK(mpich_error.starts_with(found.mpi_error + "\n"));
}

TEST_CASE("MPI_Abort is a crash with its message") {
    const PostMortem found = examine(ended(5, "",
                                           "Abort(5) on node 1 (rank 1 in comm 0): "
                                           "application called MPI_Abort(MPI_COMM_WORLD, 5) - process 1\n"));
    CHECK(found.is_crash());
    CHECK(found.rank == 1);
}

TEST_CASE("an end without any words is told by the launcher's own end") {
    const PostMortem found = examine(ended(1, "", ""));
    CHECK_FALSE(found.is_crash());
    CHECK(found.launcher_status == 1);
    CHECK(examine(ended(139, "", "")).signal == 11);
    CHECK(examine(killed_launcher()).signal == 9);
}

TEST_CASE("a job that says why it cannot go on left by its own decision") {
    const PostMortem found = examine(ended(3, "", own_reason));
    CHECK(found.left_with(3));
    CHECK_FALSE(found.left_with(2));
    CHECK_FALSE(examine(ended(3, "", "")).left_with(3));
    CHECK_FALSE(examine(ended(11, hydra_segfault, "skampi-run: x\n")).left_with(11));
}

TEST_CASE("variables that UCX did not use are read from its warnings, and nothing else") {
    const auto unused = [](const std::string& err) { return examine(ended(0, "", err)).unused_variables; };
    CHECK(unused("[1.2] [vm:1 :0]  parser.c:1908 UCX  WARN  unused env variable: UCX_X (set UCX_WARN=n)\n"
                 "[1.3] [vm:2 :0]  parser.c:1908 UCX  WARN  unused env variable: UCX_X (set UCX_WARN=n)\n") ==
          std::set<std::string>{"UCX_X"});
    CHECK(unused("UCX  WARN  unused env variables: UCX_A,UCX_B_2 (set UCX_WARN_UNUSED_ENV_VARS=n ...)") ==
          std::set<std::string>{"UCX_A", "UCX_B_2"});
    CHECK(
        unused(
            "UCX  WARN  unused environment variables: UCX_A (maybe: UCX_C, UCX_D?); UCX_B; UCX_E (maybe: UCX_F?)") ==
        std::set<std::string>{"UCX_A", "UCX_B", "UCX_E"});
    CHECK(unused("unused env variable: PATH\nunused env variable: UCX_\x1b[2J\nUCX_X is used\n").empty());
}

TEST_CASE("ordinary output is no crash") {
    CHECK_FALSE(
        examine(ended(0, "{\"event\":\"point\",\"suite\":\"signal 11\"}\n", "a warning about signals\n"))
            .is_crash());
}

TEST_CASE("hostile output neither breaks the examination nor passes unescaped") {
    std::string hostile = "Fatal error in \x1b[2J\x80" + std::string(5000000, 'x');
    const std::string text = examine(ended(1, hostile, "EXIT CODE: 99999999999999999999\n")).text();
    CHECK(text.size() < 400);
    CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("a job that Slurm ended is no crash of a rank, and one whose step ends after a crash is") {
    const PostMortem found = examine(
        ended(143, "",
              "slurmstepd: error: *** JOB 17 ON n1 CANCELLED AT 2026-11-21T22:49:30 DUE TO TIME LIMIT ***\n"
              "srun: error: n1: tasks 0-1: Terminated\n"));
    CHECK(found.text().find("JOB 17 ON n1 CANCELLED") != std::string::npos);
    CHECK(examine(ended(139, "", srun_segfault)).cancelled.empty());
}
