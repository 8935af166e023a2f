// SPDX-License-Identifier: LGPL-2.1-or-later
// Persistent requests: made in `setup` on the buffers of that moment, started and completed in `call`. One
// row each.
#include "operations/tables.hpp"

namespace skampi {
namespace {

constexpr std::size_t sends = 0; // places in Call::requests
constexpr std::size_t receives = 1;

int start_and_wait(MPI_Request& request) {
    return first_error({MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE)});
}
int free_requests(Call& c) {
    int code = MPI_SUCCESS;
    for (MPI_Request& request : c.requests)
        if (request != MPI_REQUEST_NULL)
            if (const int failed = MPI_Request_free(&request); failed != MPI_SUCCESS)
                code = failed;
    return code;
}

int make_ping_pong(Call& c) {
    c.requests.assign(2, MPI_REQUEST_NULL);
    return first_error(
        {SKAMPI_COUNTED(MPI_Send_init)(c.send, c.count, c.type, c.partner, 0, c.comm, &c.requests[sends]),
         SKAMPI_COUNTED(MPI_Recv_init)(c.receive, c.count, c.type, c.partner, 0, c.comm,
                                       &c.requests[receives])});
}
template <std::size_t First, std::size_t Second>
int round_trip(Call& c) {
    return first_error({start_and_wait(c.requests[First]), start_and_wait(c.requests[Second])});
}

Operation ping_pong(const char* name, const char* title, CallFunction setup, CallFunction call,
                    CallFunction client) {
    return {.name = name,
            .title = title,
            .pattern = Pattern::ping_pong,
            .meaning = Meaning::round_trip,
            .varied = {Varied::message_length},
            .send = Extent::one,
            .receive = Extent::one,
            .messages = 2,
            .delivers = Delivers::from_partner,
            .call = call,
            .client = client,
            .setup = setup,
            .teardown = free_requests,
            .calls = "MPI_Start, MPI_Wait of the send; MPI_Start, MPI_Wait of the receive",
            .client_calls = "the same, the receive first"};
}

#ifdef SKAMPI_HAVE_MPI_PSEND_INIT
constexpr int most_partitions = 4;

int partitions(const Call& c) {
    return c.count % most_partitions == 0 ? most_partitions : 1;
}
int make_partitioned(Call& c) {
    c.requests.assign(2, MPI_REQUEST_NULL);
    const int parts = partitions(c);
    return first_error({MPI_Psend_init(c.send, parts, c.count / parts, c.type, c.partner, 0, c.comm,
                                       MPI_INFO_NULL, &c.requests[sends]),
                        MPI_Precv_init(c.receive, parts, c.count / parts, c.type, c.partner, 0, c.comm,
                                       MPI_INFO_NULL, &c.requests[receives])});
}
int send_partitions(Call& c) {
    int code = MPI_Start(&c.requests[sends]);
    for (int part = 0; part < partitions(c); ++part)
        code = first_error({code, MPI_Pready(part, c.requests[sends])});
    return first_error({code, MPI_Wait(&c.requests[sends], MPI_STATUS_IGNORE)});
}
int partitioned_call(Call& c) {
    return first_error({send_partitions(c), start_and_wait(c.requests[receives])});
}
int partitioned_client(Call& c) {
    return first_error({start_and_wait(c.requests[receives]), send_partitions(c)});
}
#else
constexpr CallFunction make_partitioned = nullptr;
constexpr CallFunction partitioned_call = nullptr;
constexpr CallFunction partitioned_client = nullptr;
#endif

#ifdef SKAMPI_HAVE_MPI_BCAST_INIT
template <int (*Make)(Call&, MPI_Request*)>
int make_collective(Call& c) {
    c.requests.assign(1, MPI_REQUEST_NULL);
    return Make(c, c.requests.data());
}
int run_collective(Call& c) {
    return start_and_wait(c.requests.front());
}

int barrier(Call& c, MPI_Request* request) {
    return MPI_Barrier_init(c.comm, MPI_INFO_NULL, request);
}
int bcast(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Bcast_init)(c.rank == c.root ? c.send : c.receive, c.count, c.type, c.root,
                                          c.comm, MPI_INFO_NULL, request);
}
int reduce(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Reduce_init)(sent_to_root(c), c.receive, c.count, c.type, c.reduction, c.root,
                                           c.comm, MPI_INFO_NULL, request);
}
int allreduce(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Allreduce_init)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm,
                                              MPI_INFO_NULL, request);
}
int alltoall(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Alltoall_init)(sent(c), c.count, c.type, c.receive, c.count, c.type, c.comm,
                                             MPI_INFO_NULL, request);
}
int gather(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Gather_init)(sent_to_root(c), c.count, c.type, c.receive, c.count, c.type,
                                           c.root, c.comm, MPI_INFO_NULL, request);
}
int scatter(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Scatter_init)(c.send, c.count, c.type, received_from_root(c), c.count, c.type,
                                            c.root, c.comm, MPI_INFO_NULL, request);
}
int allgather(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Allgather_init)(sent(c), c.count, c.type, c.receive, c.count, c.type, c.comm,
                                              MPI_INFO_NULL, request);
}
int scan(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Scan_init)(sent(c), c.receive, c.count, c.type, c.reduction, c.comm,
                                         MPI_INFO_NULL, request);
}
#define WITH_BCAST_INIT(make) make_collective<make>
#else
constexpr CallFunction run_collective = nullptr;
#define WITH_BCAST_INIT(make) nullptr
#endif

Operation started(Operation row, CallFunction setup) {
    row.setup = setup;
    row.teardown = free_requests;
    row.calls = "MPI_Start, MPI_Wait";
    return row;
}
Operation collective(const char* name, Extent send, Extent receive, Delivers delivers, CallFunction setup) {
    return started(collective_row(0, name, send, receive, delivers, run_collective), setup);
}
Operation reducing(const char* name, Extent send, Extent receive, Delivers delivers, CallFunction setup) {
    return started(reducing_row(0, name, send, receive, delivers, run_collective), setup);
}

} // namespace

std::vector<Operation> persistent_operations() {
    using enum Extent;
    using enum Delivers;
    Operation partitioned = ping_pong(
        "MPI_Psend_init-MPI_Precv_init",
        "partitioned send to partitioned receive, 4 partitions (1 if the count is no multiple of 4)",
        make_partitioned, partitioned_call, partitioned_client);
    partitioned.calls =
        "MPI_Start, MPI_Pready of each partition, MPI_Wait of the send; MPI_Start, MPI_Wait of the receive";
    return {
        ping_pong("MPI_Send_init-MPI_Recv_init", "Persistent MPI_Send to persistent MPI_Recv", make_ping_pong,
                  round_trip<sends, receives>, round_trip<receives, sends>),
        partitioned,
        collective("MPI_Barrier_init", none, none, nothing, WITH_BCAST_INIT(barrier)),
        collective("MPI_Bcast_init", one, one, from_root, WITH_BCAST_INIT(bcast)),
        reducing("MPI_Reduce_init", one, one, reduced, WITH_BCAST_INIT(reduce)),
        reducing("MPI_Allreduce_init", one, one, reduced_all, WITH_BCAST_INIT(allreduce)),
        reducing("MPI_Scan_init", one, one, scanned, WITH_BCAST_INIT(scan)),
        collective("MPI_Alltoall_init", per_rank, per_rank, exchanged, WITH_BCAST_INIT(alltoall)),
        collective("MPI_Gather_init", one, per_rank_at_root, gathered, WITH_BCAST_INIT(gather)),
        collective("MPI_Scatter_init", per_rank_at_root, one, scattered, WITH_BCAST_INIT(scatter)),
        collective("MPI_Allgather_init", one, per_rank, gathered_all, WITH_BCAST_INIT(allgather)),
    };
}

} // namespace skampi
