// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "options.hpp"
#include "store/database.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace skampi {

struct MergeOutcome {
    std::size_t points = 0;
    std::size_t runs = 0;
    std::size_t groups = 0;            ///< of runs that are merged with one another
    std::size_t abstained = 0;         ///< sum over the points of the runs that have no value there
    std::vector<std::string> notes;    ///< one line each; nothing is wrong
    std::vector<std::string> warnings; ///< one line each: what the merged runs lack
};

/// Merges all runs in the input files into one database, suite by suite: memory grows with the largest suite.
/// With a key in `by` each group of runs becomes one merged run.
/// The output appears complete or not at all.
/// @throws InputError when a file is no input, runs do not belong together (unless forced), suites of one
/// name measure different things, a merged input lacks its sources, or the output exists
[[nodiscard]] MergeOutcome merge_runs(const MergeOptions& options);

/// Makes the output with a database that is written: it appears complete or not at all.
/// @throws InputError when it may not be written
void write_output(const MergeOptions& options, const std::function<void(Database&)>& write);

/// Describes each input, and whether and why its runs belong together, for readers. Writes nothing.
/// @param outcome gets how many runs, groups and points there are, notes and warnings
[[nodiscard]] std::string describe_runs(const MergeOptions& options, MergeOutcome& outcome);

} // namespace skampi
