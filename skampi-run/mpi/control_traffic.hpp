#pragma once

#include <mpi.h>
#include <span>

namespace skampi {

/// How a rank waits for the others outside of what is timed. Patient: ranks share cores, and one that waits
/// gives its core to those it waits for. An MPI library that polls would keep it until the scheduler's slice
/// is over: with 4 ranks on 2 cores a broadcast of one byte took 8 to 16 ms, and orders, agreements and
/// results all of a suite's time.
enum class Waiting { busy, patient };

/// Until all requests are complete. @param may_sleep a long wait is likely: others need the cores for it
/// @return of the first error, or MPI_SUCCESS
int complete(std::span<MPI_Request> requests, bool may_sleep);

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
