// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mpi/control_traffic.hpp"

#include <sched.h>
#include <time.h>

namespace skampi {
namespace {

constexpr int looks_before_sleep = 100;
constexpr long sleep_ns = 50'000;

constexpr int looks_before_nap = 5'000; // half a millisecond: ranks in the same turn have met by then

int complete(int begun, MPI_Request request, Waiting waiting) {
    return begun == MPI_SUCCESS
               ? skampi::complete({&request, 1}, waiting == Waiting::alert ? Pause::napping : Pause::sleeping)
               : begun;
}

} // namespace

int complete(std::span<MPI_Request> requests, Pause pause) {
    for (int looks = 0;; ++looks) {
        int done = 0;
        const int code =
            MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS || done != 0)
            return code;
        if ((pause == Pause::sleeping && looks >= looks_before_sleep) ||
            (pause == Pause::napping && looks >= looks_before_nap)) {
            const timespec nap{.tv_sec = 0, .tv_nsec = sleep_ns};
            nanosleep(&nap, nullptr);
        } else if (pause != Pause::napping) {
            sched_yield();
        }
    }
}

int ControlTraffic::broadcast(void* data, int count, MPI_Datatype type, int root) const {
    if (waiting_ == Waiting::busy)
        return MPI_Bcast(data, count, type, root, comm_);
    MPI_Request request = MPI_REQUEST_NULL;
    const int begun = MPI_Ibcast(data, count, type, root, comm_, &request);
    return complete(begun, request, waiting_);
}

int ControlTraffic::reduce(const void* mine, void* all, int count, MPI_Datatype type,
                           MPI_Op operation) const {
    if (waiting_ == Waiting::busy)
        return MPI_Reduce(mine, all, count, type, operation, 0, comm_);
    MPI_Request request = MPI_REQUEST_NULL;
    const int begun = MPI_Ireduce(mine, all, count, type, operation, 0, comm_, &request);
    return complete(begun, request, waiting_);
}

int ControlTraffic::allreduce(const void* mine, void* all, int count, MPI_Datatype type,
                              MPI_Op operation) const {
    if (waiting_ == Waiting::busy)
        return MPI_Allreduce(mine, all, count, type, operation, comm_);
    MPI_Request request = MPI_REQUEST_NULL;
    const int begun = MPI_Iallreduce(mine, all, count, type, operation, comm_, &request);
    return complete(begun, request, waiting_);
}

int ControlTraffic::gather(const double* mine, double* all, int count) const {
    if (waiting_ == Waiting::busy)
        return MPI_Gather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE, 0, comm_);
    MPI_Request request = MPI_REQUEST_NULL;
    const int begun = MPI_Igather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE, 0, comm_, &request);
    return complete(begun, request, waiting_);
}

} // namespace skampi
