// SPDX-License-Identifier: LGPL-2.1-or-later
// Sparse exchange: each rank sends to a few others and doesn't know who sends to it. It learns this by a
// nonblocking barrier (NBX: Hoefler, Siebert & Lumsdaine, PPoPP 2010) or by an exchange of counts. One row
// each. The partners of rank r are the ranks r + 1, r + 2, r + 4 and r + 8, as far as there are so many.
#include "operations/tables.hpp"

namespace skampi {
namespace {

int partner(const Call& c, int number) {
    return (c.rank + (1 << number)) % c.size;
}
/// Calls::pieces[0]: how many messages came; Call::indices: from whom.
int& received(Call& c) {
    return c.pieces.front();
}
int* counts_sent(Call& c) {
    return c.pieces.data() + 1;
}
int* counts_received(Call& c) {
    return counts_sent(c) + c.size;
}
int set_up(Call& c) {
    c.indices.assign(most_sparse_partners, -1);
    c.requests.assign(2 * most_sparse_partners, MPI_REQUEST_NULL);
    c.pieces.assign(2 * static_cast<std::size_t>(c.size) + 1, 0);
    for (int i = 0; i < sparse_partners(c.size); ++i)
        counts_sent(c)[partner(c, i)] = 1;
    return MPI_SUCCESS;
}
std::byte* place(const Call& c, int message) {
    return c.receive + message * c.message_bytes;
}
int send_to_partners(Call& c) {
    int code = MPI_SUCCESS;
    for (int i = 0; i < sparse_partners(c.size); ++i)
        code = first_error(
            {code, SKAMPI_COUNTED(MPI_Isend)(c.send + i * c.message_bytes, c.count, c.type, partner(c, i), 0,
                                             c.comm, &c.requests[static_cast<std::size_t>(i)])});
    return code;
}

// MPI_Test in SimGrid 3.32 calls a barrier complete that not all ranks have entered.
#if defined(SKAMPI_HAVE_MPI_IBCAST) && !defined(SKAMPI_SIMULATED)
/// Receives what has arrived with this tag, if anything has.
int receive_arrived(Call& c, int tag) {
    int arrived = 0;
    MPI_Status status;
    if (const int code = MPI_Iprobe(MPI_ANY_SOURCE, tag, c.comm, &arrived, &status);
        code != MPI_SUCCESS || arrived == 0)
        return code;
    if (received(c) == most_sparse_partners)
        return MPI_ERR_OTHER; // more than were sent
    const int message = received(c)++;
    c.indices[static_cast<std::size_t>(message)] = status.MPI_SOURCE;
    return SKAMPI_COUNTED(MPI_Recv)(place(c, message), c.count, c.type, status.MPI_SOURCE, tag, c.comm,
                                    MPI_STATUS_IGNORE);
}
/// A rank enters the barrier when all its messages are received; when all have entered, nothing is under way.
/// Another rank may then be in the next call already, so two tags take turns. A rank that sees an error does
/// its part all the same: otherwise others would wait for its messages or its barrier for ever.
int by_ibarrier(Call& c) {
    const int tag = ++c.round % 2;
    received(c) = 0;
    int code = MPI_SUCCESS;
    for (int i = 0; i < sparse_partners(c.size); ++i)
        code = first_error(
            {code, SKAMPI_COUNTED(MPI_Issend)(c.send + i * c.message_bytes, c.count, c.type, partner(c, i),
                                              tag, c.comm, &c.requests[static_cast<std::size_t>(i)])});
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (int done = 0; done == 0;) {
        code = first_error({code, receive_arrived(c, tag)});
        if (barrier != MPI_REQUEST_NULL) {
            const int tested = MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
            code = first_error({code, tested});
            if (tested != MPI_SUCCESS)
                break;
            continue;
        }
        int sent = 0;
        const int tested = MPI_Testall(most_sparse_partners, c.requests.data(), &sent, MPI_STATUSES_IGNORE);
        if (sent != 0 || tested != MPI_SUCCESS) {
            code = first_error({code, tested, MPI_Ibarrier(c.comm, &barrier)});
            if (barrier == MPI_REQUEST_NULL)
                break;
        }
    }
    return code;
}
#else
constexpr CallFunction by_ibarrier = nullptr;
#endif

int by_alltoall(Call& c) {
    received(c) = 0;
    int code = MPI_Alltoall(counts_sent(c), 1, MPI_INT, counts_received(c), 1, MPI_INT, c.comm);
    for (int source = 0; source < c.size; ++source) {
        if (counts_received(c)[source] == 0 || received(c) == most_sparse_partners)
            continue;
        const int message = received(c)++;
        c.indices[static_cast<std::size_t>(message)] = source;
        code =
            first_error({code, SKAMPI_COUNTED(MPI_Irecv)(
                                   place(c, message), c.count, c.type, source, 0, c.comm,
                                   &c.requests[static_cast<std::size_t>(most_sparse_partners + message)])});
    }
    return first_error({code, send_to_partners(c),
                        MPI_Waitall(2 * most_sparse_partners, c.requests.data(), MPI_STATUSES_IGNORE)});
}
/// Each rank learns only how many messages come. None of the next call can be among them: it begins with a
/// reduction that this rank takes part in.
int by_reduce_scatter(Call& c) {
    int coming = 0;
    received(c) = 0;
    int code = MPI_Reduce_scatter_block(counts_sent(c), &coming, 1, MPI_INT, MPI_SUM, c.comm);
    code = first_error({code, send_to_partners(c)});
    for (; received(c) < coming && received(c) < most_sparse_partners; ++received(c)) {
        MPI_Status status;
        status.MPI_SOURCE = MPI_ANY_SOURCE; // left so where it fails
        code = first_error({code, SKAMPI_COUNTED(MPI_Recv)(place(c, received(c)), c.count, c.type,
                                                           MPI_ANY_SOURCE, 0, c.comm, &status)});
        c.indices[static_cast<std::size_t>(received(c))] = status.MPI_SOURCE;
    }
    return first_error({code, MPI_Waitall(most_sparse_partners, c.requests.data(), MPI_STATUSES_IGNORE)});
}

Operation sparse(const char* name, const char* title, CallFunction call, const char* calls) {
    Operation row =
        collective_row(0, name, Extent::per_neighbour, Extent::per_neighbour, Delivers::from_unknown, call);
    row.title = title;
    row.messages_per = MessagesPer::partner;
    row.setup = set_up;
    row.calls = calls;
    return row;
}

} // namespace

std::vector<Operation> sparse_operations() {
    return {
        sparse(
            "Sparse-Ibarrier", "Sparse exchange with unknown partners by MPI_Ibarrier", by_ibarrier,
            "MPI_Issend to each partner; MPI_Iprobe, MPI_Recv of what arrives until MPI_Test of MPI_Ibarrier succeeds, which is called when MPI_Testall of the sends succeeds"),
        sparse("Sparse-Alltoall", "Sparse exchange with unknown partners by MPI_Alltoall of counts",
               by_alltoall,
               "MPI_Alltoall of an int; MPI_Irecv of each message, MPI_Isend to each partner, MPI_Waitall"),
        sparse(
            "Sparse-Reduce_scatter_block",
            "Sparse exchange with unknown partners by MPI_Reduce_scatter_block of counts", by_reduce_scatter,
            "MPI_Reduce_scatter_block of an int; MPI_Isend to each partner, MPI_Recv of each message, MPI_Waitall"),
    };
}

} // namespace skampi
