#pragma once

#include "options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

struct MergeOutcome {
    std::size_t points = 0;
    std::size_t runs = 0;
    std::size_t abstained = 0;         ///< sum over the points of the runs that have no value there
    std::vector<std::string> notes;    ///< one line each; nothing is wrong
    std::vector<std::string> warnings; ///< one line each: what is missing of the runs merged
};

/// Merges all runs in the input files into one database, suite by suite: memory grows with the largest suite.
/// The output appears complete or not at all.
/// @throws InputError when an input is none, runs do not belong together (unless forced), suites of one name
/// measure different things, a merged input no longer knows its sources, or the output exists
[[nodiscard]] MergeOutcome merge_runs(const MergeOptions& options);

} // namespace skampi
