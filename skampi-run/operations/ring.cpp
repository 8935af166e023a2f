// SPDX-License-Identifier: LGPL-2.1-or-later
// Messages that go from rank to rank around a ring. One row each.
#include "operations/tables.hpp"

#include <algorithm>
#include <cstring>

namespace skampi {
namespace {

constexpr std::int64_t segment_bytes = 8 * 1024;

int before(const Call& c) {
    return (c.rank + c.size - 1) % c.size;
}
int behind(const Call& c) {
    return (c.rank + 1) % c.size;
}

/// This rank's message is where it belongs before it is passed on.
void begin_with_own(Call& c) {
    if (!c.in_place)
        std::memcpy(c.receive + c.rank * c.message_bytes, c.send, static_cast<std::size_t>(c.message_bytes));
}
/// Whose message is passed on in a step.
std::byte* in_step(const Call& c, int step) {
    return c.receive + (c.rank + c.size - step) % c.size * c.message_bytes;
}
/// As in a systolic computation, where each rank's data visit all ranks: what came in a step goes on in the
/// next.
int around_by_sendrecv(Call& c) {
    begin_with_own(c);
    int code = MPI_SUCCESS;
    for (int step = 0; step + 1 < c.size; ++step)
        code = first_error({code, SKAMPI_COUNTED(MPI_Sendrecv)(in_step(c, step), c.count, c.type, behind(c),
                                                               0, in_step(c, step + 1), c.count, c.type,
                                                               before(c), 0, c.comm, MPI_STATUS_IGNORE)});
    return code;
}
int make_request(Call& c) {
    c.requests.assign(2, MPI_REQUEST_NULL);
    return MPI_SUCCESS;
}
int around_by_isend(Call& c) {
    begin_with_own(c);
    int code = MPI_SUCCESS;
    for (int step = 0; step + 1 < c.size; ++step)
        code = first_error({code,
                            SKAMPI_COUNTED(MPI_Irecv)(in_step(c, step + 1), c.count, c.type, before(c), 0,
                                                      c.comm, &c.requests[0]),
                            SKAMPI_COUNTED(MPI_Isend)(in_step(c, step), c.count, c.type, behind(c), 0, c.comm,
                                                      &c.requests[1]),
                            MPI_Waitall(2, c.requests.data(), MPI_STATUSES_IGNORE)});
    return code;
}

/// One step of it.
int shift(Call& c) {
    return SKAMPI_COUNTED(MPI_Sendrecv)(c.send, c.count, c.type, behind(c), 0, c.receive, c.count, c.type,
                                        before(c), 0, c.comm, MPI_STATUS_IGNORE);
}
int receive_from_before(Call& c) {
    c.partner = before(c);
    return MPI_SUCCESS;
}

/// The root's message in segments, each passed on while the next one arrives.
int by_segments(Call& c) {
    const bool root = c.rank == c.root;
    const bool last = behind(c) == c.root;
    std::byte* const message = root ? c.send : c.receive;
    const std::int64_t element = c.count == 0 ? 1 : c.message_bytes / c.count;
    const MPI_Count in_segment = std::max<MPI_Count>(segment_bytes / element, 1);
    const auto length = [&](MPI_Count at) { return std::min(in_segment, c.count - at); };
    const auto receive = [&](MPI_Count at) {
        return MPI_Irecv(message + at * element, static_cast<int>(length(at)), c.type, before(c), 0, c.comm,
                         &c.requests[static_cast<std::size_t>(at / in_segment % 2)]);
    };
    int code = root ? MPI_SUCCESS : receive(0);
    for (MPI_Count at = 0; at == 0 || at < c.count; at += in_segment) {
        if (!root && at + in_segment < c.count)
            code = first_error({code, receive(at + in_segment)});
        if (!root)
            code = first_error({code, MPI_Wait(&c.requests[static_cast<std::size_t>(at / in_segment % 2)],
                                               MPI_STATUS_IGNORE)});
        if (!last)
            code = first_error({code, MPI_Send(message + at * element, static_cast<int>(length(at)), c.type,
                                               behind(c), 0, c.comm)});
    }
    return code;
}

Operation around(const char* name, const char* title, CallFunction call, const char* calls) {
    Operation row = collective_row(0, name, Extent::one, Extent::per_rank, Delivers::gathered_all, call);
    row.title = title;
    row.messages_per = MessagesPer::other_rank;
    row.does = "passes each rank's message around all ranks, one step after the other";
    row.setup = make_request;
    row.calls = calls;
    return row;
}

} // namespace

std::vector<Operation> ring_operations() {
    Operation pipeline = around("Ring-pipeline", "Broadcast in segments of 8 KiB from rank to rank",
                                by_segments, "for each segment MPI_Irecv of the next, MPI_Wait, MPI_Send");
    pipeline.does = "passes the root's message from rank to rank in segments";
    pipeline.receive = Extent::one;
    pipeline.delivers = Delivers::from_root;
    pipeline.messages_per = MessagesPer::call;
    Operation once = around("Ring-shift", "A message to the next rank of a ring by MPI_Sendrecv", shift,
                            "MPI_Sendrecv to the next rank and from the one before");
    once.does = "sends each rank's message to the next one";
    once.receive = Extent::one;
    once.setup = receive_from_before;
    once.delivers = Delivers::from_partner;
    once.messages_per = MessagesPer::call;
    return {around("Ring-Sendrecv", "Each rank's message around a ring by MPI_Sendrecv", around_by_sendrecv,
                   "a copy of the own message; n - 1 MPI_Sendrecv"),
            around("Ring-Isend", "Each rank's message around a ring by nonblocking messages", around_by_isend,
                   "a copy of the own message; n - 1 times MPI_Irecv, MPI_Isend, MPI_Waitall"),
            pipeline, once};
}

} // namespace skampi
