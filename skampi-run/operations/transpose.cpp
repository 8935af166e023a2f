// SPDX-License-Identifier: LGPL-2.1-or-later
// The transpose of a matrix over the ranks, as in a parallel FFT: each rank has some rows, and sends to each
// rank the block that lies in its columns. One row each.
#include "operations/derived_types.hpp"
#include "operations/tables.hpp"

#include <algorithm>
#include <utility>

namespace skampi {
namespace {

std::int64_t bytes_of_element(const Call& c) {
    return c.count == 0 ? 0 : c.message_bytes / c.count;
}
/// The block of rank 0 in the rows of this one.
Strided first_block(const Call& c, const BlockOfMatrix& block) {
    return {0, block.columns, c.size * block.columns};
}

int make_types(Call& c) {
    const BlockOfMatrix block(c.count);
    const auto ranks = static_cast<std::size_t>(c.size);
    std::vector<MPI_Aint> sent;
    std::vector<MPI_Aint> received;
    int code = MPI_SUCCESS;
    for (int rank = 0; rank < c.size; ++rank) {
        sent.push_back(static_cast<MPI_Aint>(rank * block.columns * bytes_of_element(c)));
        received.push_back(static_cast<MPI_Aint>(rank * block.rows * bytes_of_element(c)));
    }
    MPI_Datatype type = c.type;
    MPI_Datatype transposing = c.type;
    if (c.count > 0)
        code = first_error({make_type(first_block(c, block), c.count, c.type, &type),
                            make_transposing_type(block, c.size, c.type, &transposing)});
    c.types.assign(ranks, type);
    c.receive_types.assign(ranks, transposing);
    c.counts = Counts(std::vector<MPI_Count>(ranks, type == c.type ? c.count : 1));
    c.displacements = Displacements(std::move(sent));
    c.receive_displacements = Displacements(std::move(received));
    c.receive_counts = Counts(std::vector<MPI_Count>(ranks, c.count > 0 ? 1 : 0));
    c.requests.assign(2 * ranks, MPI_REQUEST_NULL);
    return code;
}
int clear_types(Call& c) {
    // All ranks' are the same.
    c.types.resize(1);
    c.receive_types.resize(1);
    return free_types(c);
}

int by_alltoallw(Call& c) {
    return SKAMPI_COUNTED(MPI_Alltoallw)(c.send, c.counts, c.displacements, c.types.data(), c.receive,
                                         c.receive_counts, c.receive_displacements, c.receive_types.data(),
                                         c.comm);
}
int transposed_by_isend(Call& c) {
    const MPI_Aint* const sent = c.displacements.as<const MPI_Aint*>();
    const MPI_Aint* const received = c.receive_displacements.as<const MPI_Aint*>();
    int code = MPI_SUCCESS;
    // Beginning behind itself, so that not all send to the same rank at once.
    for (int step = 0; step < c.size; ++step) {
        const auto from = static_cast<std::size_t>((c.rank - step + c.size) % c.size);
        code =
            first_error({code, SKAMPI_COUNTED(MPI_Irecv)(
                                   c.receive + received[from], c.receive_counts.as<const MPI_Count*>()[from],
                                   c.receive_types[from], static_cast<int>(from), 0, c.comm,
                                   &c.requests[static_cast<std::size_t>(step)])});
    }
    for (int step = 0; step < c.size; ++step) {
        const auto to = static_cast<std::size_t>((c.rank + step) % c.size);
        code = first_error(
            {code, SKAMPI_COUNTED(MPI_Isend)(c.send + sent[to], c.counts.as<const MPI_Count*>()[to],
                                             c.types[to], static_cast<int>(to), 0, c.comm,
                                             &c.requests[static_cast<std::size_t>(c.size + step)])});
    }
    return first_error({code, MPI_Waitall(2 * c.size, c.requests.data(), MPI_STATUSES_IGNORE)});
}
/// Blocks are copied together before, and element by element into their columns behind.
int transposed_by_packing(Call& c) {
    const int size = static_cast<int>(bytes_of_element(c));
    Strided block = c.faces.front();
    const std::int64_t rows = c.count / block.block;
    for (int rank = 0; rank < c.size; ++rank, block.begin += block.block)
        pack(c.send + c.packed_at + rank * c.message_bytes, c.send, block, c.count, size);
    const int code = SKAMPI_COUNTED(MPI_Alltoall)(c.send + c.packed_at, c.count, c.type,
                                                  c.receive + c.packed_at, c.count, c.type, c.comm);
    for (int rank = 0; rank < c.size; ++rank)
        for (std::int64_t row = 0; row < rows; ++row)
            unpack(c.receive, c.receive + c.packed_at + rank * c.message_bytes + row * block.block * size,
                   {rank * rows + row, 1, c.size * rows}, block.block, size);
    return code;
}
int set_up_packing(Call& c) {
    c.packed_at = c.size * c.message_bytes;
    c.faces = {first_block(c, BlockOfMatrix(c.count))};
    return MPI_SUCCESS;
}

Operation transpose(const char* name, const char* title, CallFunction call, const char* calls) {
    Operation row = collective_row(0, name, Extent::per_rank, Extent::per_rank, Delivers::exchanged, call);
    row.title = title;
    row.layout = Layout::matrix;
    row.does = "transposes a matrix of which each rank has some rows";
    row.messages_per = MessagesPer::other_rank;
    row.setup = make_types;
    row.teardown = clear_types;
    row.calls = calls;
    return row;
}

} // namespace

std::vector<Operation> transpose_operations() {
    Operation by_types = transpose("Transpose-Alltoallw", "Transpose of a matrix by derived datatypes",
                                   by_alltoallw, "MPI_Alltoallw with datatypes that transpose");
    by_types.displaced = Displaced::by_bytes;
    Operation packed = transpose(
        "Transpose-packed", "Transpose of a matrix with blocks packed by the program", transposed_by_packing,
        "a copy of each block, MPI_Alltoall, a transposing copy of each block");
    packed.packs = true;
    packed.setup = set_up_packing;
    packed.teardown = nullptr;
    return {by_types,
            transpose("Transpose-Isend", "Transpose of a matrix by nonblocking messages", transposed_by_isend,
                      "MPI_Irecv and MPI_Isend for each rank with datatypes that transpose, MPI_Waitall"),
            packed};
}

} // namespace skampi
