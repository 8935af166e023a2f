#pragma once

#include "operations/operation.hpp"

namespace skampi {

// One table, one file per family. To add an operation, add its row there (docs/adding-an-operation.md). A row
// without `call` is what the MPI library lacks: functions of newer MPI versions stand between `#ifdef
// SKAMPI_HAVE_...`, which the configuration defines, and with_...() leaves their rows empty without it.
[[nodiscard]] std::vector<Operation> ping_pong_operations();
[[nodiscard]] std::vector<Operation> master_worker_operations();
[[nodiscard]] std::vector<Operation> collective_operations();
[[nodiscard]] std::vector<Operation> simple_operations();
[[nodiscard]] std::vector<Operation> nonblocking_operations();
[[nodiscard]] std::vector<Operation> persistent_operations();
[[nodiscard]] std::vector<Operation> neighbourhood_operations();
[[nodiscard]] std::vector<Operation> bandwidth_operations();
[[nodiscard]] std::vector<Operation> one_sided_operations();

/// A collective's row; varied over nodes, and over the message length if it sends anything.
[[nodiscard]] Operation collective_row(int type, const char* name, Extent send, Extent receive,
                                       Delivers delivers, CallFunction call);
/// The same with a reduction.
[[nodiscard]] Operation reducing_row(int type, const char* name, Extent send, Extent receive,
                                     Delivers delivers, CallFunction call);
/// The same row, of a call that takes displacements in elements.
[[nodiscard]] Operation displaced_row(Operation row);

/// Call::attached given to MPI for buffered sends, and taken back.
[[nodiscard]] int attach(Call& c);
[[nodiscard]] int detach(Call& c);

/// What a collective sends from: the send buffer or, in place, MPI_IN_PLACE.
[[nodiscard]] inline const void* sent(const Call& c) {
    return c.in_place ? MPI_IN_PLACE : c.send;
}
/// The same where only the root can work in place.
[[nodiscard]] inline const void* sent_to_root(const Call& c) {
    return c.in_place && c.rank == c.root ? MPI_IN_PLACE : c.send;
}
[[nodiscard]] inline void* received_from_root(const Call& c) {
    return c.in_place && c.rank == c.root ? MPI_IN_PLACE : c.receive;
}

} // namespace skampi
