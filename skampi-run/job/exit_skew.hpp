// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "clock/global_clock.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"

#include <functional>

namespace skampi {

/// How far apart the ranks of a team leave a barrier, by the global clock.
struct ExitSkew {
    double library_s = 0;       ///< MPI_Barrier
    double dissemination_s = 0; ///< our own
};
/// Medians of a few barriers, known on rank 0. Collective.
/// @param stop asked on rank 0 between two barriers
[[nodiscard]] ExitSkew measure_exit_skew(const Communicator& team, const GlobalClock& clock,
                                         const std::function<bool()>& stop, FirstError& failed);

} // namespace skampi
