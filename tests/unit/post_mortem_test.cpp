#include "supervisor/post_mortem.hpp"

#include <doctest/doctest.h>

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
const std::string mpich_error =
    "Abort(604654082) on node 1 (rank 1 in comm 0): Fatal error in internal_Send: Invalid count, "
    "error stack:\n"
    "internal_Send(120): MPI_Send(buf=(nil), count=-1, MPI_INT, 77, 0, MPI_COMM_WORLD) failed\n"
    "internal_Send(61).: Negative count, value is -1\n";

} // namespace

TEST_CASE(
    "a segmentation fault under Hydra is named with its process, though the exit status is the bare 11") {
    const PostMortem found = examine(ended(11, hydra_segfault, ""));
    CHECK(found.signal == 11);
    CHECK(found.process == 14737);
    CHECK(found.is_crash());
    CHECK(found.text() == "signal 11 (Segmentation fault)");
}

TEST_CASE("a segmentation fault under Open MPI is named with its rank") {
    CHECK(examine(ended(139, "", open_mpi_segfault)).text() == "signal 11 (Segmentation fault) on rank 1");
}

TEST_CASE("under srun the first task reported is the culprit, those killed because of it are not") {
    CHECK(examine(ended(137, "", srun_segfault)).text() == "signal 11 (Segmentation fault) on rank 1");
    CHECK(examine(ended(137, "",
                        "srun: error: node7: task 3: Exited with exit code 5\n"
                        "srun: error: node6: tasks 0-2: Killed\n"))
              .text() == "exit status 5 on rank 3");
    CHECK(examine(ended(137, "", "srun: error: n1: tasks 4-7: Aborted (core dumped)\n")).text() ==
          "signal 6 (Aborted) on rank 4");
}

TEST_CASE("a rank that leaves with a status is named under Open MPI") {
    CHECK(examine(ended(3, "", open_mpi_exit)).text() == "exit status 3 on rank 1");
}

TEST_CASE("the MPI library's own message counts more than the signal it ends in") {
    const PostMortem found =
        examine(ended(137, "", mpich_error + "srun: error: localhost: tasks 0-1: Killed\n"));
    CHECK(found.rank == 1);
    CHECK(found.text() == "MPI error on rank 1: Abort(604654082) on node 1 (rank 1 in comm 0): "
                          "Fatal error in internal_Send: Invalid count, error stack:");
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
    CHECK(found.text() == "exit status 1");
    CHECK(examine(ended(139, "", "")).text() == "signal 11 (Segmentation fault)");
    ChildResult killed;
    killed.signal = 9;
    CHECK(examine(killed).text() == "signal 9 (Killed)");
}

TEST_CASE("a job that says why it cannot go on left by its own decision") {
    const PostMortem found =
        examine(ended(3, "", "skampi-run: warning: x\nskampi-run: x.db: cannot commit: disk full\n"));
    CHECK(found.left_with(3));
    CHECK_FALSE(found.left_with(2));
    CHECK(found.text() == "exit status 3: skampi-run: x.db: cannot commit: disk full");
    CHECK_FALSE(examine(ended(3, "", "")).left_with(3));
    CHECK_FALSE(examine(ended(11, hydra_segfault, "skampi-run: x\n")).left_with(11));
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
