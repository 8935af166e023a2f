#pragma once

#include <mpi.h>
#include <string>

namespace skampi {

/// The predefined datatype of a name a parameter file may use ("MPI_DOUBLE").
/// @throws InputError for an unknown name
[[nodiscard]] MPI_Datatype find_datatype(const std::string& name);
/// The predefined reduction of a name ("MPI_SUM"). @throws InputError for an unknown name
[[nodiscard]] MPI_Op find_reduction(const std::string& name);
/// Size of one element in bytes.
[[nodiscard]] int type_size(MPI_Datatype type);

} // namespace skampi
