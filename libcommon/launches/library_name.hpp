// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>

namespace skampi {

/// Name of the fact that holds the whole version text of a run's MPI library.
inline constexpr const char* fact_library_text = "mpi library, full text";

/// "MPICH 4.0.2 (ch4:ucx)", "Open MPI v4.1.4": name and version without "Version:" and packagers' additions,
/// and the device if the library names one. Empty = not known.
[[nodiscard]] std::string library_name(const Run& run);

/// Whether its functions were measured without MPI: it has no ranks and no messages.
[[nodiscard]] inline bool is_sequential(const Run& run) {
    return run.mpi_library == library_without_mpi;
}

} // namespace skampi
