// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/units.hpp"

#include "tuning/rule.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace skampi {

namespace {

// Sources.
// Open MPI 4.1.x and 5.0.x: ids in ompi/mca/coll/base/coll_base_functions.h; lengths in
// ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c, functions ..._intra_dec_dynamic:
//   allgather, alltoall, reduce_scatter(_block): size of all blocks; allgatherv: mean over ranks;
//   allreduce, bcast, reduce: size of the message; alltoallv, barrier: 0; scan, exscan: without the count;
//   gather, scatter: sendcount, which has no meaning on all ranks, so that ranks would choose differently.
// MPICH 4.0 to 5.0, whose words are the same (seen in 4.3.2 and 5.0.1): src/mpi/coll/src/csel.c,
// get_avg_msgsize and get_total_msgsize:
//   avg_msg_size exists for allreduce, bcast, reduce, alltoall; total_msg_size of gather and scatter forgets
//   the size of the datatype, that of alltoallv and alltoallw differs between ranks; scan, exscan, barrier
//   have neither.
constexpr LengthUnit none = LengthUnit::none;
constexpr LengthUnit bytes = LengthUnit::bytes;
constexpr LengthUnit of_all = LengthUnit::bytes_of_all;
constexpr auto operations = std::to_array<FiledOperation>({
    {"MPI_Allgather", "allgather", 0, of_all, of_all, "total_msg_size"},
    {"MPI_Allgatherv", "allgatherv", 1, bytes, of_all, "total_msg_size"},
    {"MPI_Allreduce", "allreduce", 2, bytes, bytes, "avg_msg_size"},
    {"MPI_Alltoall", "alltoall", 3, of_all, bytes, "avg_msg_size"},
    {"MPI_Alltoallv", "alltoallv", 4, none, none, ""},
    {"MPI_Alltoallw", "alltoallw", 5, none, none, ""},
    {"MPI_Barrier", "barrier", 6, none, none, ""},
    {"MPI_Bcast", "bcast", 7, bytes, bytes, "avg_msg_size"},
    {"MPI_Exscan", "exscan", 8, none, none, ""},
    {"MPI_Gather", "gather", 9, none, none, ""},
    {"MPI_Gatherv", "gatherv", 10, none, none, ""},
    {"MPI_Reduce", "reduce", 11, bytes, bytes, "avg_msg_size"},
    {"MPI_Reduce_scatter", "reduce_scatter", 12, of_all, of_all, "total_msg_size"},
    {"MPI_Reduce_scatter_block", "reduce_scatter_block", 13, of_all, of_all, "total_msg_size"},
    {"MPI_Scan", "scan", 14, none, none, ""},
    {"MPI_Scatter", "scatter", 15, none, none, ""},
    {"MPI_Scatterv", "scatterv", 16, none, none, ""},
});

// By id: the enums of coll_tuned_<operation>_decision.c.
constexpr std::array<int, 17> algorithms_of_open_mpi_4_1 = {6, 5,  6, 5, 2, -1, 6, 9, 2,
                                                            3, -1, 7, 4, 4, 2,  3, -1};
constexpr std::array<int, 17> algorithms_of_open_mpi_5_0 = {7, 6,  6, 5, 2, -1, 6, 9, 2,
                                                            3, -1, 7, 4, 4, 2,  3, -1};

} // namespace

std::span<const FiledOperation> filed_operations() {
    return operations;
}

const FiledOperation* filed_operation(std::string_view operation) {
    const auto found = std::ranges::find(operations, operation, &FiledOperation::operation);
    return found == operations.end() ? nullptr : &*found;
}

const FiledOperation* filed_operation_of_id(long open_mpi_id) {
    const auto found = std::ranges::find(operations, open_mpi_id, [](const FiledOperation& row) {
        return static_cast<long>(row.open_mpi_id);
    });
    return found == operations.end() ? nullptr : &*found;
}

bool has_known_files(const LibraryVersion& version) {
    switch (version.kind) {
    case LibraryKind::mpich:
        return version.at_least(4, 0) && !version.at_least(6, 0);
    case LibraryKind::open_mpi:
        return version.at_least(4, 1) && !version.at_least(5, 1);
    case LibraryKind::simgrid:
        return version.at_least(3, 0) && !version.at_least(5, 0);
    case LibraryKind::unknown:
        break;
    }
    return false;
}

std::string_view known_versions(LibraryKind kind) {
    switch (kind) {
    case LibraryKind::mpich:
        return "MPICH 4 and 5";
    case LibraryKind::open_mpi:
        return "Open MPI 4.1 and 5.0";
    case LibraryKind::simgrid:
        return "SimGrid 3 and 4";
    case LibraryKind::unknown:
        break;
    }
    return "MPICH 4 and 5, Open MPI 4.1 and 5.0, SimGrid 3 and 4";
}

int most_open_mpi_algorithm(const FiledOperation& operation, const LibraryVersion& version) {
    const auto& most = version.at_least(5, 0) ? algorithms_of_open_mpi_5_0 : algorithms_of_open_mpi_4_1;
    return most[static_cast<std::size_t>(operation.open_mpi_id)];
}

bool combines(std::string_view operation) {
    return operation.find("educe") != std::string_view::npos || operation.ends_with("scan") ||
           operation.ends_with("Scan");
}

std::int64_t in_unit(LengthUnit unit, std::int64_t bytes, std::int64_t ranks) {
    if (unit == LengthUnit::bytes || bytes == 0)
        return bytes;
    return bytes > any_length / ranks ? any_length : bytes * ranks;
}

} // namespace skampi
