// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <mpi.h>
#include <span>

namespace skampi {

/// How a rank waits for the others outside the timing. Patient: ranks share cores, and one that waits
/// gives its core to those it waits for. An MPI library that polls would keep it until the scheduler's slice
/// is over: with 4 ranks on 2 cores a broadcast of one byte took 8 to 16 ms, and orders, agreements and
/// results all of a suite's time. Alert: something else wants the cores, too. Each rank then has its own core
/// in turns of some milliseconds only, and ranks that poll may have theirs in opposite turns for seconds:
/// each message takes a turn. A rank that sleeps between two looks keeps its turn until the others are there.
enum class Waiting { busy, alert, patient };

/// How a rank passes the time until its messages are there.
enum class Pause {
    yielding, ///< gives its core away after each look
    sleeping, ///< the same, and sleeps when the wait is long: others need the cores for it
    napping,  ///< looks for a moment, then sleeps between two looks
};
/// Until all requests are complete. @return of the first error, or MPI_SUCCESS
int complete(std::span<MPI_Request> requests, Pause pause);

/// Messages of the control traffic in one communicator. All return an MPI error code.
class ControlTraffic {
public:
    ControlTraffic(MPI_Comm comm, Waiting waiting)
        : comm_(comm)
        , waiting_(waiting) {}

    int broadcast(void* data, int count, MPI_Datatype type, int root = 0) const;
    /// To rank 0.
    int reduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op operation) const;
    int allreduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op operation) const;
    /// So many from each rank, to rank 0.
    int gather(const double* mine, double* all, int count) const;

private:
    MPI_Comm comm_;
    Waiting waiting_;
};

} // namespace skampi
