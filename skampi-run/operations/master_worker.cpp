// SPDX-License-Identifier: LGPL-2.1-or-later
// The master-worker pattern's operations: `call` is the master's side and is timed, `client` a worker's. One
// row each.
#include "operations/pieces.hpp"

#include "operations/tables.hpp"

namespace skampi {
namespace {

int send(Call& c, int worker, MPI_Request&) {
    return SKAMPI_COUNTED(MPI_Send)(c.send, c.count, c.type, worker, piece_tag, c.comm);
}
int ssend(Call& c, int worker, MPI_Request&) {
    return SKAMPI_COUNTED(MPI_Ssend)(c.send, c.count, c.type, worker, piece_tag, c.comm);
}
int bsend(Call& c, int worker, MPI_Request&) {
    return SKAMPI_COUNTED(MPI_Bsend)(c.send, c.count, c.type, worker, piece_tag, c.comm);
}
int isend(Call& c, int worker, MPI_Request& request) {
    // The worker has answered the piece before this one, so that waiting for its request takes no time.
    return first_error(
        {MPI_Wait(&request, MPI_STATUS_IGNORE),
         SKAMPI_COUNTED(MPI_Isend)(c.send, c.count, c.type, worker, piece_tag, c.comm, &request)});
}

template <Dispatch How, Collect Way>
int master(Call& c) {
    return serve_pieces(c, How, Way);
}
int whole_answers(Call& c) {
    return work_on_pieces(c, true);
}
int empty_answers(Call& c) {
    return work_on_pieces(c, false);
}
int set_up_attached(Call& c) {
    return first_error({set_up_pieces(c), attach(c)});
}

/// @param row with type, name, title, what is received and delivered, and functions
/// @param sends,collects how the master hands out a piece and waits for announcements and answers, for people
Operation serving(Operation row, const std::string& sends, const std::string& collects) {
    row.pattern = Pattern::master_worker;
    row.meaning = Meaning::work;
    row.varied = {Varied::message_length, Varied::nodes, Varied::chunks};
    row.send = Extent::one;
    row.setup = set_up_pieces;
    row.after = stop_workers;
    row.calls = "for each announcement and answer " + collects + ", for each piece " + sends;
    row.client_calls = "MPI_Send of an announcement; for each piece MPI_Recv, MPI_Send of the answer";
    return row;
}
/// About receiving results: answers as long as a piece.
Operation receiving(int type, const char* name, const char* title, Extent receive, CallFunction call,
                    const char* collects) {
    return serving({.type = type,
                    .name = name,
                    .title = title,
                    .receive = receive,
                    .delivers = Delivers::results,
                    .call = call,
                    .client = whole_answers},
                   "MPI_Send", collects);
}
/// About sending out work: empty answers, received from MPI_ANY_SOURCE.
Operation dispatching(int type, const char* name, const char* title, CallFunction call, const char* sends) {
    return serving({.type = type,
                    .name = name,
                    .title = title,
                    .receive = Extent::one,
                    .delivers = Delivers::pieces,
                    .call = call,
                    .client = empty_answers},
                   sends, "MPI_Recv from MPI_ANY_SOURCE");
}

} // namespace

std::vector<Operation> master_worker_operations() {
    using enum Collect;
    Operation buffered = dispatching(16, "Master-Bsend", "Master sends pieces with MPI_Bsend",
                                     master<bsend, any_source>, "MPI_Bsend");
    buffered.attached = Extent::per_rank;
    buffered.setup = set_up_attached;
    buffered.teardown = detach;
    return {
        receiving(10, "Master-Waitsome", "Master receives results with MPI_Waitsome", Extent::per_worker,
                  master<send, some>, "MPI_Waitsome on a posted MPI_Irecv of each worker"),
        receiving(11, "Master-Waitany", "Master receives results with MPI_Waitany", Extent::per_worker,
                  master<send, any>, "MPI_Waitany on a posted MPI_Irecv of each worker"),
        receiving(12, "Master-Recv_any_source", "Master receives results with MPI_Recv from MPI_ANY_SOURCE",
                  Extent::one, master<send, any_source>, "MPI_Recv from MPI_ANY_SOURCE"),
        dispatching(13, "Master-Send", "Master sends pieces with MPI_Send", master<send, any_source>,
                    "MPI_Send"),
        dispatching(14, "Master-Ssend", "Master sends pieces with MPI_Ssend", master<ssend, any_source>,
                    "MPI_Ssend"),
        dispatching(15, "Master-Isend", "Master sends pieces with MPI_Isend", master<isend, any_source>,
                    "MPI_Isend (its MPI_Wait before the same worker's next piece)"),
        buffered,
    };
}

} // namespace skampi
