// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"
#include "model/suite.hpp"

#include <cstddef>

namespace skampi {

// How the ranks of collective operations are started in launches that are compared with one another: a time
// between barriers is another quantity than one in a window.

/// Fact of a suite of a launch: the round in which a launch of its session could not keep windows. Since then
/// the session starts this suite between barriers.
inline constexpr const char* fact_windows_given_up_in_round = "session gave up windows in round";

/// Whether its ranks were started between barriers though its suite asks for windows.
[[nodiscard]] inline bool gave_up_windows(const Suite& suite, const Measurement& measurement) {
    return suite.synchronization == Synchronization::window && has(measurement.flags, Flag::unsynchronised);
}

/// Measurements in one launch by their start, for a suite that asks for windows.
struct StartsOfLaunch {
    std::size_t in_windows = 0;
    std::size_t between_barriers = 0;
    /// Lengths without a partner are interpolated; a class of lengths with many missing is not compared.
    [[nodiscard]] bool kept_windows() const { return 4 * between_barriers <= in_windows + between_barriers; }
};

} // namespace skampi
