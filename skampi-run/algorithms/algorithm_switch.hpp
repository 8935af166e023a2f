// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "algorithms/choice.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace skampi {

/// Chooses algorithms of the MPI library on this rank, by its control variables (MPI_T) or, simulated, by
/// SimGrid's functions. All ranks of a communicator must choose alike before the next call on it: a library
/// does not notice if they do not, and hangs or mixes up messages. So rank 0 knows the list, the others get a
/// packed_choice() from it, and a barrier stands before write() and before restore(): simulated ranks share
/// one library, whose choice holds for all of them at once.
/// It must be gone before MPI_Finalize.
class AlgorithmSwitch {
public:
    AlgorithmSwitch();
    ~AlgorithmSwitch(); ///< puts back what was there
    AlgorithmSwitch(const AlgorithmSwitch&) = delete;
    AlgorithmSwitch& operator=(const AlgorithmSwitch&) = delete;

    /// Writes the choice and what goes with it. With Acts::communicator it holds on communicators made from
    /// now on until restore().
    /// @return what went wrong; empty = all variables hold what was written. After a failure restore()
    [[nodiscard]] std::string write(const AlgorithmChoice& choice);
    /// What the variable of the choice holds now; none = it cannot be read.
    [[nodiscard]] std::optional<int> read_back(const AlgorithmChoice& choice) const;
    /// Puts all variables back to what they were before the first write(). Without effect if nothing was
    /// written. @return what went wrong; empty = all is as it was
    std::string restore();

private:
    class Library;
    std::unique_ptr<Library> library_;
    std::map<std::string, std::intptr_t> before_; ///< of the variables written
};

} // namespace skampi
