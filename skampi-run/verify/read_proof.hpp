#pragma once

#include "base/child.hpp"
#include "model/session.hpp"
#include "verify/tuning_use.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// What the ranks of a probe said.
struct ProbeAnswer {
    ChildResult end; ///< of the launcher
    /// By question: "MPI_Bcast:65536" is answered with the class of the call's error (0 = none), the name of
    /// a control variable with its number. By rank; who cannot answer is missing.
    std::map<std::string, std::map<int, int>> answers;
    /// The one answer that all ranks gave; none = they differ, or some gave none.
    [[nodiscard]] std::optional<int> of_all(const std::string& question, int ranks) const;
};
[[nodiscard]] ProbeAnswer parse_probe(ChildResult ended);

/// Launches a probe: `settings` are the variables of the ranks, each question is asked of all of them.
using LaunchProbe =
    std::function<ProbeAnswer(const Variant& variant, const std::vector<std::string>& questions)>;

/// Whether the library reads a tuning file.
struct ReadProof {
    bool read = false;
    std::string why; ///< it is not known to be read
};

/// Proves that ranks read the file: a copy beside it, which nobody who reads it can overlook, must make each
/// rank fail, and the file itself none. With Open MPI the copy gives Bcast an algorithm that does not exist,
/// with MPICH and SimGrid it has a word that does not exist; variables are read back.
/// @param error_class_of_argument MPI_ERR_ARG
/// @throws SystemError where no copy can be written
[[nodiscard]] ReadProof prove_read(const TuningUse& use, int ranks, int error_class_of_argument,
                                   const LaunchProbe& launch);

} // namespace skampi
