#pragma once

#include "analysis/inference/launch_difference.hpp"
#include "analysis/subject/subject.hpp"

#include <cstddef>
#include <vector>

namespace skampi {

/// Launches of a side made one after the other.
struct LaunchesInARow {
    bool of_other = false;
    std::size_t launches = 0;
    bool all = true; ///< else most of them
    double length_s = 0;
};

/// How the launches of two databases lie in time, and what their machine states are good for.
struct LaunchDesign {
    StateUse state = StateUse::nothing;
    bool in_turns = false;       ///< launches of both sides alternate
    bool other_machine = false;  ///< the machines or their CPUs are known to differ
    bool other_software = false; ///< the series of the two are known to differ
    /// Sides whose few launches were made in a row, unless they were made in turns with the other side's.
    std::vector<LaunchesInARow> in_a_row;
    /// Of a side's few launches it is not known when they were made, as of imported ones.
    bool reference_times_unknown = false;
    bool other_times_unknown = false;
};

/// Launches are in turns where the sides change at least as often as the smaller side has launches. They are
/// in a row where most began less than an hour after the end of the one before
/// (docs/decisions/launches-in-a-row.md).
[[nodiscard]] LaunchDesign launch_design(const Subject& reference, const Subject& other);

/// Of a side with fewer launches, made in a row and not in turns, nothing but the machine's state says
/// whether a difference is that of the hour.
constexpr std::size_t launches_in_a_row_needed = 8;

} // namespace skampi
