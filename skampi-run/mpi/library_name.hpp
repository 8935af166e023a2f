// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace skampi {

/// The first line of the MPI library's version text. May be called before MPI_Init.
[[nodiscard]] std::string mpi_library_name();
/// Name and version from such a text: "MPICH 4.0.2", "Open MPI 4.1.4"; unknown texts are unchanged.
[[nodiscard]] std::string short_library_name(const std::string& name);

} // namespace skampi
