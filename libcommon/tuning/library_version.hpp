// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <compare>
#include <string_view>

namespace skampi {

/// MPI libraries whose tuning files are known. Others that descend from them (MVAPICH, Intel MPI, Cray MPICH)
/// are unknown: they keep neither names nor numbers.
enum class LibraryKind { unknown, mpich, open_mpi, simgrid };

struct LibraryVersion {
    LibraryKind kind = LibraryKind::unknown;
    std::array<int, 3> number{}; ///< 4, 1, 4
    bool operator==(const LibraryVersion&) const = default;
    [[nodiscard]] bool at_least(int major, int minor, int patch = 0) const {
        return number >= std::array{major, minor, patch};
    }
};

/// @param text as MPI_Get_library_version returns it: "MPICH Version: 4.0.2", "Open MPI v4.1.4, package:
/// ...", "SMPI Version 3.32. ..."
[[nodiscard]] LibraryVersion library_version(std::string_view text);

} // namespace skampi
