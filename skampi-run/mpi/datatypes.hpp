// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <mpi.h>
#include <string>

namespace skampi {

/// The predefined datatype of a name a parameter file may use ("MPI_DOUBLE").
/// @throws InputError for an unknown name
[[nodiscard]] MPI_Datatype datatype_handle(const std::string& name);
/// The predefined reduction of a name ("MPI_SUM"). @throws InputError for an unknown name
[[nodiscard]] MPI_Op reduction_handle(const std::string& name);
/// Size of one element in bytes.
[[nodiscard]] int type_size(MPI_Datatype type);

} // namespace skampi
