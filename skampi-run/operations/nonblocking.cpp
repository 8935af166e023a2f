// Nonblocking collectives: the call and MPI_Wait right after it, without computation in between. One row
// each.
#include "operations/tables.hpp"

namespace skampi {
namespace {

#ifdef SKAMPI_HAVE_MPI_IBCAST

/// Starts an operation and waits for it.
template <int (*Begin)(Call&, MPI_Request*)>
int and_wait(Call& c) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = Begin(c, &request);
    return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int ibarrier(Call& c, MPI_Request* request) {
    return MPI_Ibarrier(c.comm, request);
}
int ibcast(Call& c, MPI_Request* request) {
    return MPI_Ibcast(c.rank == c.root ? c.send : c.receive, c.count, c.type, c.root, c.comm, request);
}
int ireduce(Call& c, MPI_Request* request) {
    return MPI_Ireduce(sent_to_root(c), c.receive, c.count, c.type, c.reduction, c.root, c.comm, request);
}
int iallreduce(Call& c, MPI_Request* request) {
    return MPI_Iallreduce(sent(c), c.receive, c.count, c.type, c.reduction, c.comm, request);
}
int iscan(Call& c, MPI_Request* request) {
    return MPI_Iscan(sent(c), c.receive, c.count, c.type, c.reduction, c.comm, request);
}
int iexscan(Call& c, MPI_Request* request) {
    return MPI_Iexscan(sent(c), c.receive, c.count, c.type, c.reduction, c.comm, request);
}
int ialltoall(Call& c, MPI_Request* request) {
    return MPI_Ialltoall(sent(c), c.count, c.type, c.receive, c.count, c.type, c.comm, request);
}
int ialltoallv(Call& c, MPI_Request* request) {
    return MPI_Ialltoallv(sent(c), c.counts.data(), c.displacements.data(), c.type, c.receive,
                          c.counts.data(), c.displacements.data(), c.type, c.comm, request);
}
int igather(Call& c, MPI_Request* request) {
    return MPI_Igather(sent_to_root(c), c.count, c.type, c.receive, c.count, c.type, c.root, c.comm, request);
}
int igatherv(Call& c, MPI_Request* request) {
    return MPI_Igatherv(sent_to_root(c), c.count, c.type, c.receive, c.counts.data(), c.displacements.data(),
                        c.type, c.root, c.comm, request);
}
int iscatter(Call& c, MPI_Request* request) {
    return MPI_Iscatter(c.send, c.count, c.type, received_from_root(c), c.count, c.type, c.root, c.comm,
                        request);
}
int iscatterv(Call& c, MPI_Request* request) {
    return MPI_Iscatterv(c.send, c.counts.data(), c.displacements.data(), c.type, received_from_root(c),
                         c.count, c.type, c.root, c.comm, request);
}
int iallgather(Call& c, MPI_Request* request) {
    return MPI_Iallgather(sent(c), c.count, c.type, c.receive, c.count, c.type, c.comm, request);
}
int iallgatherv(Call& c, MPI_Request* request) {
    return MPI_Iallgatherv(sent(c), c.count, c.type, c.receive, c.counts.data(), c.displacements.data(),
                           c.type, c.comm, request);
}
int ireduce_scatter(Call& c, MPI_Request* request) {
    return MPI_Ireduce_scatter(sent(c), c.receive, c.counts.data(), c.type, c.reduction, c.comm, request);
}
int ireduce_scatter_block(Call& c, MPI_Request* request) {
    return MPI_Ireduce_scatter_block(sent(c), c.receive, c.count, c.type, c.reduction, c.comm, request);
}
#define WITH_IBCAST(begin) and_wait<begin>
#else
#define WITH_IBCAST(begin) nullptr
#endif

} // namespace

std::vector<Operation> nonblocking_operations() {
    using enum Extent;
    using enum Delivers;
    return {
        collective_row(0, "MPI_Ibcast", one, one, from_root, WITH_IBCAST(ibcast)),
        collective_row(0, "MPI_Ibarrier", none, none, nothing, WITH_IBCAST(ibarrier)),
        reducing_row(0, "MPI_Ireduce", one, one, reduced, WITH_IBCAST(ireduce)),
        reducing_row(0, "MPI_Iallreduce", one, one, reduced_all, WITH_IBCAST(iallreduce)),
        reducing_row(0, "MPI_Iscan", one, one, scanned, WITH_IBCAST(iscan)),
        reducing_row(0, "MPI_Iexscan", one, one, scanned_before, WITH_IBCAST(iexscan)),
        collective_row(0, "MPI_Ialltoall", per_rank, per_rank, exchanged, WITH_IBCAST(ialltoall)),
        collective_row(0, "MPI_Ialltoallv", per_rank, per_rank, exchanged, WITH_IBCAST(ialltoallv)),
        collective_row(0, "MPI_Igather", one, per_rank_at_root, gathered, WITH_IBCAST(igather)),
        collective_row(0, "MPI_Igatherv", one, per_rank_at_root, gathered, WITH_IBCAST(igatherv)),
        collective_row(0, "MPI_Iscatter", per_rank_at_root, one, scattered, WITH_IBCAST(iscatter)),
        collective_row(0, "MPI_Iscatterv", per_rank_at_root, one, scattered, WITH_IBCAST(iscatterv)),
        collective_row(0, "MPI_Iallgather", one, per_rank, gathered_all, WITH_IBCAST(iallgather)),
        collective_row(0, "MPI_Iallgatherv", one, per_rank, gathered_all, WITH_IBCAST(iallgatherv)),
        reducing_row(0, "MPI_Ireduce_scatter", per_rank, one, reduced_block, WITH_IBCAST(ireduce_scatter)),
        reducing_row(0, "MPI_Ireduce_scatter_block", per_rank, one, reduced_block,
                     WITH_IBCAST(ireduce_scatter_block)),
    };
}

} // namespace skampi
