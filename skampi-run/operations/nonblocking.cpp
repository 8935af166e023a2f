// SPDX-License-Identifier: LGPL-2.1-or-later
// Nonblocking collectives: begun and waited for at once, and with computation in between. One line each.
#include "operations/begun.hpp"
#include "operations/tables.hpp"

#ifdef SKAMPI_SIMULATED
#include <smpi/smpi.h>
#else
#include "skalib/clock.hpp"
#endif

namespace skampi {
namespace {

#ifdef SKAMPI_HAVE_MPI_IBCAST

int ibarrier(Call& c, MPI_Request* request) {
    return MPI_Ibarrier(c.comm, request);
}
int ibcast(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Ibcast)(c.rank == c.root ? c.send : c.receive, c.count, c.type, c.root, c.comm,
                                      request);
}
int ireduce(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Ireduce)(sent_to_root(c), c.receive, c.count, c.type, c.reduction, c.root,
                                       c.comm, request);
}
int iallreduce(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Iallreduce)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm, request);
}
int iscan(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Iscan)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm, request);
}
int iexscan(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Iexscan)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm, request);
}
int ialltoall(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Ialltoall)(sent(c), c.count, c.type, c.receive, c.count, c.type, c.comm,
                                         request);
}
int ialltoallv(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Ialltoallv)(sent(c), c.counts, c.displacements, c.type, c.receive, c.counts,
                                          c.displacements, c.type, c.comm, request);
}
int igather(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Igather)(sent_to_root(c), c.count, c.type, c.receive, c.count, c.type, c.root,
                                       c.comm, request);
}
int igatherv(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Igatherv)(sent_to_root(c), c.count, c.type, c.receive, c.counts,
                                        c.displacements, c.type, c.root, c.comm, request);
}
int iscatter(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Iscatter)(c.send, c.count, c.type, received_from_root(c), c.count, c.type,
                                        c.root, c.comm, request);
}
int iscatterv(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Iscatterv)(c.send, c.counts, c.displacements, c.type, received_from_root(c),
                                         c.count, c.type, c.root, c.comm, request);
}
int iallgather(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Iallgather)(sent(c), c.count, c.type, c.receive, c.count, c.type, c.comm,
                                          request);
}
int iallgatherv(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Iallgatherv)(sent(c), c.count, c.type, c.receive, c.counts, c.displacements,
                                           c.type, c.comm, request);
}
int ireduce_scatter(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Ireduce_scatter)(sent(c), c.receive, c.counts, c.type, c.reduction, c.comm,
                                               request);
}
int ireduce_scatter_block(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Ireduce_scatter_block)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm,
                                                     request);
}
#define ROWS(begin, row) begun<begin>(row)
#else
#define ROWS(begin, row) lacking(row)
#endif

} // namespace

void compute(const Call& c) {
#ifdef SKAMPI_SIMULATED
    smpi_execute(c.computation_s);
#else
    skalib::compute(c.computation_s, c.core_clock_hz);
#endif
}

std::vector<Operation> joined(const std::vector<std::vector<Operation>>& tables) {
    std::vector<Operation> all;
    for (const std::vector<Operation>& table : tables)
        all.insert(all.end(), table.begin(), table.end());
    return all;
}

std::vector<Operation> nonblocking_operations() {
    using enum Extent;
    using enum Delivers;
    return joined({
        ROWS(ibcast, collective_row(0, "MPI_Ibcast", one, one, from_root, nullptr)),
        ROWS(ibarrier, collective_row(0, "MPI_Ibarrier", none, none, nothing, nullptr)),
        ROWS(ireduce, reducing_row(0, "MPI_Ireduce", one, one, reduced, nullptr)),
        ROWS(iallreduce, reducing_row(0, "MPI_Iallreduce", one, one, reduced_all, nullptr)),
        ROWS(iscan, reducing_row(0, "MPI_Iscan", one, one, scanned, nullptr)),
        ROWS(iexscan, reducing_row(0, "MPI_Iexscan", one, one, scanned_before, nullptr)),
        ROWS(ialltoall, collective_row(0, "MPI_Ialltoall", per_rank, per_rank, exchanged, nullptr)),
        ROWS(ialltoallv,
             displaced_row(collective_row(0, "MPI_Ialltoallv", per_rank, per_rank, exchanged, nullptr))),
        ROWS(igather, collective_row(0, "MPI_Igather", one, per_rank_at_root, gathered, nullptr)),
        ROWS(igatherv,
             displaced_row(collective_row(0, "MPI_Igatherv", one, per_rank_at_root, gathered, nullptr))),
        ROWS(iscatter, collective_row(0, "MPI_Iscatter", per_rank_at_root, one, scattered, nullptr)),
        ROWS(iscatterv,
             displaced_row(collective_row(0, "MPI_Iscatterv", per_rank_at_root, one, scattered, nullptr))),
        ROWS(iallgather, collective_row(0, "MPI_Iallgather", one, per_rank, gathered_all, nullptr)),
        ROWS(iallgatherv,
             displaced_row(collective_row(0, "MPI_Iallgatherv", one, per_rank, gathered_all, nullptr))),
        ROWS(ireduce_scatter, reducing_row(0, "MPI_Ireduce_scatter", per_rank, one, reduced_block, nullptr)),
        ROWS(ireduce_scatter_block,
             reducing_row(0, "MPI_Ireduce_scatter_block", per_rank, one, reduced_block, nullptr)),
    });
}

} // namespace skampi
