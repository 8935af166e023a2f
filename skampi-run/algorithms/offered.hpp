// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "algorithms/choice.hpp"

#include <string>

namespace skampi {

/// What the MPI library of this process lets one choose. MPICH is asked by starting a program several times,
/// for a moment each (library_words.hpp); what it answers is kept (word_cache.hpp). Local: rank 0 alone may
/// call it, before or after MPI_Init.
/// @param program skampi-run, or one like it, with the same MPI library
/// @throws SystemError where the program cannot be started
[[nodiscard]] AlgorithmList offered_algorithms(const std::string& program = "/proc/self/exe");

/// What that program does: prints the values of the library's variables. The library refuses to tell them if
/// the environment holds a word that it does not know.
/// @return exit status
[[nodiscard]] int print_library_variables();

} // namespace skampi
