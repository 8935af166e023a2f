// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/history/step_detector.hpp"
#include "contest/statement.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace skampi {

/// A place in a series at which its level changed for good.
struct ChangePoint {
    std::size_t at = 0;       ///< index of the first value behind it
    std::size_t found_at = 0; ///< index of the value with which it was found, looking after every value
    double strength = 0;      ///< in standard errors of the difference when it was found
    /// Level (levels_beside()) of the values from the step before to this one, at most change_window.
    double before = 0;
    double after = 0; ///< of the values from here to the next step, at most change_window
    /// Values since by those before. That there is a step is the detector's decision; the interval (95 %)
    /// says how well the ratio is known.
    Statement statement = {};
};

/// So many values on either side of a step say how large it is, at most.
inline constexpr std::size_t change_window = 32;
/// Looked at after every run, lines without a step have one reported on average once in this many runs or
/// more, all lines of a series together: ten years of daily runs.
inline constexpr double average_run_length = 3650;

/// A line over the runs of a series.
struct LineOverRuns {
    std::vector<std::size_t> runs; ///< that have a value, ascending
    std::vector<double> values;    ///< one for each, above 0
};

/// The steps of lines that are looked at together, found by looking after every run at what was known then: a
/// step that is reported once is reported for good, and when it was found follows from the values alone.
///
/// Each line has a StepDetector. After each run, the k lines with the most evidence have a step if the
/// evidence of each is at least average_run_length times the number of lines by k: the procedure of Benjamini
/// and Hochberg for e-values (Wang & Ramdas 2022), which holds for dependent lines.
/// @return of each line, ascending place
[[nodiscard]] std::vector<std::vector<ChangePoint>> find_changes(std::span<const LineOverRuns> lines);

/// The same for one line.
/// @param values above 0
[[nodiscard]] std::vector<ChangePoint> find_changes(std::span<const double> values);

} // namespace skampi
