#pragma once

#include <string>

namespace skampi {

/// The first line of what the MPI library says of itself. May be asked before MPI_Init.
[[nodiscard]] std::string mpi_library_name();

} // namespace skampi
