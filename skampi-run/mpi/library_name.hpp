#pragma once

#include <string>

namespace skampi {

/// The first line of what the MPI library says of itself. May be asked before MPI_Init.
[[nodiscard]] std::string mpi_library_name();
/// Name and version alone of such a text: "MPICH 4.0.2", "Open MPI 4.1.4"; what is not known is left as it
/// is.
[[nodiscard]] std::string short_library_name(const std::string& name);

} // namespace skampi
