// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"

namespace skampi {

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
