// SPDX-License-Identifier: LGPL-2.1-or-later
// The collective pattern's operations: `call` is made by every rank of the communicator. One row each.
#include "operations/tables.hpp"

namespace skampi {
namespace {

int bcast(Call& c) {
    return SKAMPI_COUNTED(MPI_Bcast)(c.rank == c.root ? c.send : c.receive, c.count, c.type, c.root, c.comm);
}
int barrier(Call& c) {
    return MPI_Barrier(c.comm);
}
int reduce(Call& c) {
    return SKAMPI_COUNTED(MPI_Reduce)(sent_to_root(c), c.receive, c.count, c.type, c.reduction, c.root,
                                      c.comm);
}
int allreduce(Call& c) {
    return SKAMPI_COUNTED(MPI_Allreduce)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm);
}
int scan(Call& c) {
    return SKAMPI_COUNTED(MPI_Scan)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm);
}
int exscan(Call& c) {
    return SKAMPI_COUNTED(MPI_Exscan)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm);
}
int alltoall(Call& c) {
    return SKAMPI_COUNTED(MPI_Alltoall)(sent(c), c.count, c.type, c.receive, c.count, c.type, c.comm);
}
int gather(Call& c) {
    return SKAMPI_COUNTED(MPI_Gather)(sent_to_root(c), c.count, c.type, c.receive, c.count, c.type, c.root,
                                      c.comm);
}
int scatter(Call& c) {
    return SKAMPI_COUNTED(MPI_Scatter)(c.send, c.count, c.type, received_from_root(c), c.count, c.type,
                                       c.root, c.comm);
}
int allgather(Call& c) {
    return SKAMPI_COUNTED(MPI_Allgather)(sent(c), c.count, c.type, c.receive, c.count, c.type, c.comm);
}
int gatherv(Call& c) {
    return SKAMPI_COUNTED(MPI_Gatherv)(sent_to_root(c), c.count, c.type, c.receive, c.counts, c.displacements,
                                       c.type, c.root, c.comm);
}
int scatterv(Call& c) {
    return SKAMPI_COUNTED(MPI_Scatterv)(c.send, c.counts, c.displacements, c.type, received_from_root(c),
                                        c.count, c.type, c.root, c.comm);
}
int allgatherv(Call& c) {
    return SKAMPI_COUNTED(MPI_Allgatherv)(sent(c), c.count, c.type, c.receive, c.counts, c.displacements,
                                          c.type, c.comm);
}
int alltoallv(Call& c) {
    return SKAMPI_COUNTED(MPI_Alltoallv)(sent(c), c.counts, c.displacements, c.type, c.receive, c.counts,
                                         c.displacements, c.type, c.comm);
}
/// One datatype for each rank.
int set_up_alltoallw(Call& c) {
    c.types.assign(c.counts.size(), c.type);
    return MPI_SUCCESS;
}
int alltoallw(Call& c) {
    return SKAMPI_COUNTED(MPI_Alltoallw)(sent(c), c.counts, c.displacements, c.types.data(), c.receive,
                                         c.counts, c.displacements, c.types.data(), c.comm);
}
int reduce_scatter(Call& c) {
    return SKAMPI_COUNTED(MPI_Reduce_scatter)(sent(c), c.receive, c.counts, c.type, c.reduction, c.comm);
}
int reduce_scatter_block(Call& c) {
    return SKAMPI_COUNTED(MPI_Reduce_scatter_block)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm);
}
/// A gather as a program would write it (SKaLib 7.15.14): the root receives one message from each rank. Its
/// own is sent like the others; in place it is where it belongs already.
int set_up_gather_waitall(Call& c) {
    c.requests.assign(c.rank == c.root ? static_cast<std::size_t>(c.size) + 1 : 1, MPI_REQUEST_NULL);
    return MPI_SUCCESS;
}
int gather_waitall(Call& c) {
    const auto sends = [&c](int rank) { return rank != c.root || !c.in_place; };
    std::size_t begun = 0;
    int code = MPI_SUCCESS;
    for (int r = 0; c.rank == c.root && r < c.size; ++r)
        if (sends(r))
            code = first_error({code, SKAMPI_COUNTED(MPI_Irecv)(c.receive + r * c.message_bytes, c.count,
                                                                c.type, r, 0, c.comm, &c.requests[begun++])});
    if (sends(c.rank))
        code = first_error({code, SKAMPI_COUNTED(MPI_Isend)(c.send, c.count, c.type, c.root, 0, c.comm,
                                                            &c.requests[begun++])});
    return first_error({code, MPI_Waitall(static_cast<int>(begun), c.requests.data(), MPI_STATUSES_IGNORE)});
}
/// Half of the ranks each, as in the original: the usual case of splitting off a part.
int comm_split(Call& c) {
    return MPI_Comm_split(c.comm, c.rank % 2, c.rank, &c.made);
}
int comm_dup(Call& c) {
    return MPI_Comm_dup(c.comm, &c.made);
}
int free_made(Call& c) {
    return c.made == MPI_COMM_NULL ? MPI_SUCCESS : MPI_Comm_free(&c.made);
}

const std::vector<Varied> by_length = {Varied::message_length, Varied::nodes};
const std::vector<Varied> by_nodes = {Varied::nodes};

Operation making(int type, const char* name, const char* does, CallFunction call) {
    Operation row = collective_row(type, name, Extent::none, Extent::none, Delivers::nothing, call);
    row.after = free_made;
    row.does = does;
    return row;
}

} // namespace

Operation collective_row(int type, const char* name, Extent send, Extent receive, Delivers delivers,
                         CallFunction call) {
    const bool moves = send != Extent::none;
    return {.type = type,
            .name = name,
            .title = name,
            .pattern = Pattern::collective,
            .meaning = Meaning::collective,
            .varied = moves ? by_length : by_nodes,
            .send = send,
            .receive = receive,
            .messages = moves ? 1.0 : 0.0,
            .delivers = delivers,
            .call = call,
            .calls = name,
            .does = moves ? "" : "lets no rank continue before all ranks have called it"};
}
Operation reducing_row(int type, const char* name, Extent send, Extent receive, Delivers delivers,
                       CallFunction call) {
    Operation row = collective_row(type, name, send, receive, delivers, call);
    row.reduces = true;
    return row;
}

Operation displaced_row(Operation row) {
    row.displaced = Displaced::by_elements;
    return row;
}

std::vector<Operation> collective_operations() {
    using enum Extent;
    using enum Delivers;
    Operation with_types = collective_row(0, "MPI_Alltoallw", per_rank, per_rank, exchanged, alltoallw);
    with_types.setup = set_up_alltoallw;
    with_types.displaced = Displaced::by_bytes;
    Operation by_messages =
        collective_row(42, "Gather-Waitall", one, per_rank_at_root, gathered, gather_waitall);
    by_messages.title = "Gather by MPI_Isend and MPI_Irecv with MPI_Waitall";
    by_messages.setup = set_up_gather_waitall;
    by_messages.calls = "MPI_Isend, MPI_Waitall; on the root before them an MPI_Irecv for each rank";
    return {
        collective_row(17, "MPI_Bcast", one, one, from_root, bcast),
        collective_row(18, "MPI_Barrier", none, none, nothing, barrier),
        reducing_row(19, "MPI_Reduce", one, one, reduced, reduce),
        collective_row(20, "MPI_Alltoall", per_rank, per_rank, exchanged, alltoall),
        reducing_row(21, "MPI_Scan", one, one, scanned, scan),
        making(22, "MPI_Comm_split", "makes two communicators, each of half the ranks", comm_split),
        collective_row(33, "MPI_Gather", one, per_rank_at_root, gathered, gather),
        collective_row(34, "MPI_Scatter", per_rank_at_root, one, scattered, scatter),
        collective_row(35, "MPI_Allgather", one, per_rank, gathered_all, allgather),
        reducing_row(36, "MPI_Allreduce", one, one, reduced_all, allreduce),
        displaced_row(collective_row(37, "MPI_Gatherv", one, per_rank_at_root, gathered, gatherv)),
        displaced_row(collective_row(38, "MPI_Scatterv", per_rank_at_root, one, scattered, scatterv)),
        displaced_row(collective_row(39, "MPI_Allgatherv", one, per_rank, gathered_all, allgatherv)),
        displaced_row(collective_row(40, "MPI_Alltoallv", per_rank, per_rank, exchanged, alltoallv)),
        reducing_row(41, "MPI_Reduce_scatter", per_rank, one, reduced_block, reduce_scatter),
        by_messages,
        reducing_row(0, "MPI_Exscan", one, one, scanned_before, exscan),
        reducing_row(0, "MPI_Reduce_scatter_block", per_rank, one, reduced_block, reduce_scatter_block),
        with_types,
        making(0, "MPI_Comm_dup", "makes a copy of a communicator", comm_dup),
    };
}

} // namespace skampi
