#pragma once

#include "launches/subject.hpp"

#include <string>

namespace skampi {

/// Name of the fact in which a run holds all that its MPI library says of itself.
inline constexpr const char* fact_library_text = "mpi library, full text";

/// "MPICH 4.0.2 (ch4:ucx)", "Open MPI v4.1.4": the library's first words about itself without "Version:" and
/// what packagers add, and its device where it tells one. Empty where none is known.
[[nodiscard]] std::string library_name(const Run& run);

} // namespace skampi
