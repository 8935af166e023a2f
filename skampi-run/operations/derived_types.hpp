// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/layout.hpp"

#include <mpi.h>

namespace skampi {

/// The datatype of a message in an array, committed; of a contiguous one `element` itself, of which there are
/// as many as the message has elements. Without large counts MPI_ERR_COUNT for what int does not count.
[[nodiscard]] int make_type(const Strided& message, MPI_Count elements, MPI_Datatype element,
                            MPI_Datatype* made);
/// The type of a block of such a message, as long as the distance to the next one.
[[nodiscard]] int make_block_type(const Strided& message, MPI_Datatype element, MPI_Datatype* made);
/// The type of a block received into a transposed matrix with so many rows: column by column.
[[nodiscard]] int make_transposing_type(const BlockOfMatrix& block, int ranks, MPI_Datatype element,
                                        MPI_Datatype* made);
[[nodiscard]] inline bool is_contiguous(const Strided& message, MPI_Count elements) {
    return message.block >= elements;
}
/// Those of Call::types and Call::receive_types that are not the elements' own.
int free_types(Call& c);

/// Copies a message between an array and a place of its own, as a program would.
void pack(std::byte* packed, const std::byte* array, const Strided& message, MPI_Count elements, int size);
void unpack(std::byte* array, const std::byte* packed, const Strided& message, MPI_Count elements, int size);

} // namespace skampi
