// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/rule.hpp"
#include "verify/tuning_use.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skampi {

/// What came of tuning.
struct TuneOutcome {
    std::string path;      ///< of the file, as the user gave it
    std::string candidate; ///< next to it, a file that is not verified; empty = none
    std::string library;   ///< as MPI_Get_library_version returns it
    std::string launcher;  ///< as the user gave it; empty = the usual one
    int ranks = 0;
    int written = 0;               ///< rules in the file; 0 = there is no file, unless it replaces one
    std::string in_use;            ///< tuning file that the environment names; empty = none
    bool replaces = false;         ///< the file has no rules and is faster than the one in use
    std::vector<TuningRule> rules; ///< also those that are not in it
    std::string found; ///< by the last verification (verified_text()); empty = it measured nothing
};

/// What was written, what the verification found, which rules it took out, and what to type to use the file.
[[nodiscard]] std::string outcome_text(const TuneOutcome& outcome);

[[nodiscard]] TunedRegion region_of(const TuningRule& rule);
/// Whether a rule holds on so many ranks.
[[nodiscard]] bool is_on(const TuningRule& rule, std::int64_t ranks);

} // namespace skampi
