// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/rule.hpp"
#include "tuning/tuning_format.hpp"

#include <vector>

namespace skampi {

/// Which rules a format gets: by length, or, where it holds one choice per operation or lengths are not safe
/// for the operation, those for all lengths.
[[nodiscard]] std::vector<TuningRule> rules_for(TuningFormat format, const std::vector<TuningRule>& by_length,
                                                const std::vector<TuningRule>& for_all_lengths);

/// A tuning file that was made, not yet written.
struct MadeTuning {
    TuningFile file;   ///< its text is empty where no rule is written, and no other file replaced
    std::string notes; ///< for FILE.md; empty = none
    int written = 0;   ///< rules in it
};

/// Makes the file of the rules that are marked as written.
/// @param target its path is that of the file to be written
/// @throws InputError where the target's library does not read the format, or is of an unknown version
[[nodiscard]] MadeTuning make_tuning(TuningFormat format, const TuningTarget& target,
                                     std::vector<TuningRule> rules);

} // namespace skampi
