// SPDX-License-Identifier: LGPL-2.1-or-later
// The simple pattern's operations: called on rank 0 alone. One row each.
#include "operations/tables.hpp"

#include <cstring>
#include <utility>

namespace skampi {
namespace {

int copy_memory(Call& c) {
    std::memcpy(c.receive, c.send, static_cast<std::size_t>(c.message_bytes));
    // The copy must happen although it is not read.
    asm volatile("" : : "r"(c.receive) : "memory");
    return MPI_SUCCESS;
}
int wtime(Call&) {
    const volatile double now = MPI_Wtime();
    (void)now;
    return MPI_SUCCESS;
}
int comm_rank(Call& c) {
    int rank = 0;
    return MPI_Comm_rank(c.comm, &rank);
}
int comm_size(Call& c) {
    int size = 0;
    return MPI_Comm_size(c.comm, &size);
}
int iprobe(Call& c) {
    int there = 0;
    return MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c.comm, &there, MPI_STATUS_IGNORE);
}
int attach_detach(Call& c) {
    return first_error({attach(c), detach(c)});
}

int reduce_local(Call& c) {
    return SKAMPI_COUNTED(MPI_Reduce_local)(c.send, c.receive, c.count, c.type, c.reduction);
}

Operation local(int type, const char* name, const char* does, CallFunction call) {
    return {.type = type,
            .name = name,
            .title = name,
            .pattern = Pattern::simple,
            .meaning = Meaning::local,
            .varied = {Varied::none},
            .call = call,
            .calls = name,
            .does = does};
}

} // namespace

int attach(Call& c) {
    return SKAMPI_COUNTED(MPI_Buffer_attach)(c.attached, c.attached_bytes);
}
int detach(Call& c) {
    void* buffer = nullptr;
    // The size goes the other way: which form can return it is known from the buffer.
#ifdef SKAMPI_HAVE_MPI_SEND_C
    if (!std::in_range<int>(c.attached_bytes)) {
        MPI_Count large_size = 0;
        return MPI_Buffer_detach_c(&buffer, &large_size);
    }
#else
    (void)c;
#endif
    int size = 0;
    return MPI_Buffer_detach(&buffer, &size);
}

std::vector<Operation> simple_operations() {
    Operation copy = local(23, "memcpy", "copies a message from one buffer to another", copy_memory);
    copy.varied = {Varied::message_length, Varied::none};
    copy.send = copy.receive = Extent::one;
    copy.messages = 1;
    Operation probe = local(27, "MPI_Iprobe", "looks for a message where there is none", iprobe);
    probe.title = "MPI_Iprobe, unsuccessful";
    probe.calls = "MPI_Iprobe for any source and tag, without success";
    Operation attaching =
        local(28, "MPI_Buffer_attach", "gives MPI a buffer for MPI_Bsend and takes it back", attach_detach);
    attaching.attached = Extent::one;
    attaching.title = "MPI_Buffer_attach and MPI_Buffer_detach";
    attaching.calls = "MPI_Buffer_attach, MPI_Buffer_detach";
    Operation combine = local(0, "MPI_Reduce_local", "", reduce_local);
    combine.varied = {Varied::message_length, Varied::none};
    combine.send = combine.receive = Extent::one;
    combine.reduces = true;
    combine.messages = 1;
    combine.delivers = Delivers::combined_here;
    return {
        copy,
        local(24, "MPI_Wtime", "reads the clock", wtime),
        local(25, "MPI_Comm_rank", "returns the rank's own number in a communicator", comm_rank),
        local(26, "MPI_Comm_size", "returns the number of ranks in a communicator", comm_size),
        probe,
        attaching,
        combine,
    };
}

} // namespace skampi
