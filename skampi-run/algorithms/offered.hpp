#pragma once

#include "algorithms/choice.hpp"

namespace skampi {

/// What the MPI library of this process lets one choose. With MPICH it starts this program several times, for
/// a moment each (words.hpp). Local: rank 0 alone may call it, before or after MPI_Init.
[[nodiscard]] AlgorithmList offered_algorithms();

/// What such a child does: prints the values of the library's variables and ends. It prints nothing and ends
/// otherwise if the environment holds a word that the library does not know.
/// @return exit status
[[nodiscard]] int print_library_variables();

} // namespace skampi
