#pragma once

#include <string>
#include <vector>

namespace skampi {

/// What a rank of a probe does: answers each question with a line "skampi-probe RANK QUESTION NUMBER".
/// "MPI_Bcast:65536" and "MPI_Bcast:65536:8" (bytes of our message length, bytes of an element) are called,
/// and answered with the class of the error, 0 for none; all else is the name of a control variable.
/// @return exit status
[[nodiscard]] int answer_probe(const std::vector<std::string>& questions, int argc, char** argv);

} // namespace skampi
