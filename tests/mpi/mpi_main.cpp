// SPDX-License-Identifier: GPL-2.0-or-later
// doctest's main for tests whose every rank runs the same cases.
#include <doctest/doctest.h>
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int failed = doctest::Context(argc, argv).run();
    int worst = failed;
    MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst;
}
