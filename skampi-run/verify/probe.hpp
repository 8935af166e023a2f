#pragma once

#include <string>
#include <vector>

namespace skampi {

constexpr double longest_read_probe_s =
    120; ///< ranks of which only some read the file may wait for one another

/// What a rank of a probe does: answers each question with a line "skampi-probe RANK QUESTION NUMBER".
/// "MPI_Bcast:65536" and "MPI_Bcast:65536:8" (bytes of our message length, bytes of an element) are called,
/// and answered with the class of the error, 0 for none; all else is the name of a control variable.
/// @param longest_s SIGALRM ends the rank then, wherever it waits
/// @return exit status
[[nodiscard]] int answer_probe(const std::vector<std::string>& questions, double longest_s, int argc,
                               char** argv);

} // namespace skampi
