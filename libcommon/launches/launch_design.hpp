// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

#include <array>
#include <cstddef>

namespace skampi {

/// How the launches of one side lie in time.
struct SideInTime {
    bool in_a_row = false; ///< most began less than an hour after the previous one ended
    bool unknown = false;  ///< it is not known when they were made, as of imported ones
    std::size_t launches = 0;
    double length_s = 0; ///< from the first begin to the last end
};

/// How the launches of two databases lie in time, and whether their probes are measures of one thing.
struct LaunchDesign {
    std::array<SideInTime, 2> sides; ///< reference, subject
    bool in_turns = false;           ///< launches of both sides alternate: then none counts as in a row
    bool other_machine = false;      ///< the machines or their CPUs are known to differ
    bool other_software =
        false;             ///< the series of the two are known to differ: a probe is a call of the library
    bool by_probe = false; ///< the probe shows the state of the machine on both sides
};

[[nodiscard]] SideInTime side_in_time(const Subject& subject);

/// Launches are in turns where the sides change at least as often as the smaller side has launches
/// (docs/decisions/launches-in-a-row.md).
[[nodiscard]] LaunchDesign launch_design(const Subject& reference, const Subject& other);

} // namespace skampi
