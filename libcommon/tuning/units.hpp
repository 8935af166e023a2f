// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/library_version.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace skampi {

/// What a library compares with the lengths of a tuning file, for a message of our length (each rank's block,
/// docs/operations.md).
enum class LengthUnit {
    none,        ///< nothing that all ranks and calls agree on: only one rule for all lengths is safe
    bytes,       ///< our length
    bytes_of_all ///< our length times the number of ranks
};

/// How tuning files name an operation, and in what they count its lengths.
struct FiledOperation {
    std::string_view operation; ///< "MPI_Bcast"
    std::string_view word;      ///< in names of variables and in MPICH's tree: "bcast"
    int open_mpi_id = 0;
    LengthUnit open_mpi = LengthUnit::none;
    LengthUnit mpich = LengthUnit::none;
    std::string_view mpich_test; ///< "total_msg_size"; empty = none
};

/// All operations that files know.
[[nodiscard]] std::span<const FiledOperation> filed_operations();
/// @return null = no file knows it
[[nodiscard]] const FiledOperation* filed_operation(std::string_view operation);
/// The one with this number in Open MPI's files; null = there is none.
[[nodiscard]] const FiledOperation* filed_operation_of_id(long open_mpi_id);

/// Whether units, names and numbers of the version are known: Open MPI 4.1 and 5.0, MPICH 4 and 5, SimGrid 3
/// and 4.
[[nodiscard]] bool has_known_files(const LibraryVersion& version);
/// For messages: the versions of a kind that are known; of all kinds for LibraryKind::unknown.
[[nodiscard]] std::string_view known_versions(LibraryKind kind);

/// The largest number of an algorithm that the version of Open MPI has for an operation. A larger one is
/// accepted when the file is read, and makes each call return MPI_ERR_ARG. -1 = it has no rules for it.
[[nodiscard]] int most_open_mpi_algorithm(const FiledOperation& operation, const LibraryVersion& version);

/// Whether an operation combines elements, so that its lengths are whole ones.
[[nodiscard]] bool combines(std::string_view operation);

/// Our length in a unit. @pre unit != LengthUnit::none
[[nodiscard]] std::int64_t in_unit(LengthUnit unit, std::int64_t bytes, std::int64_t ranks);

} // namespace skampi
