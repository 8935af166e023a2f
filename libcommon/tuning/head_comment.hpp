// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/rule.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// What a tuning file says about itself, for people: for what it is, where it comes from, its rules with
/// their gains, and the line that uses it. Each line begins with `mark`, and no text of the target can end a
/// line.
[[nodiscard]] std::string head_comment(const TuningTarget& target, const std::vector<TuningRule>& rules,
                                       std::string_view mark);

/// The environment variables, or options, that name the file to a library, by its whole path: one line
/// of a shell.
[[nodiscard]] std::string line_to_use(const TuningTarget& target);

} // namespace skampi
