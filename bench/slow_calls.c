/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes calls of MPI slower by a known share, for bench/sessions: preloaded, it spins behind a call for SLOW_SHARE (0.05)
   of the time that the call took. Blocking point-to-point calls are slower on rank 0 alone, whose send and receive are
   together a round trip; collective ones on every rank. */
#include <mpi.h>
#include <stdlib.h>

static double share(void) {
    static double value = -1;
    if (value < 0) {
        const char* const text = getenv("SLOW_SHARE");
        value = text != NULL ? atof(text) : 0.05;
    }
    return value;
}

static int is_first(void) {
    static int rank = -1;
    if (rank < 0)
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static int slower(int result, double begin) {
    const double end = PMPI_Wtime();
    const double until = end + (end - begin) * share();
    while (PMPI_Wtime() < until)
        ;
    return result;
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    if (!is_first())
        return PMPI_Send(buffer, count, type, to, tag, comm);
    const double begin = PMPI_Wtime();
    return slower(PMPI_Send(buffer, count, type, to, tag, comm), begin);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    if (!is_first())
        return PMPI_Recv(buffer, count, type, from, tag, comm, status);
    const double begin = PMPI_Wtime();
    return slower(PMPI_Recv(buffer, count, type, from, tag, comm, status), begin);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    const double begin = PMPI_Wtime();
    return slower(PMPI_Bcast(buffer, count, type, root, comm), begin);
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const double begin = PMPI_Wtime();
    return slower(PMPI_Allreduce(in, out, count, type, op, comm), begin);
}
