// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/algorithm_groups.hpp"
#include "tuning/rule.hpp"
#include "words/text_and_command.hpp"

#include <string>
#include <vector>

namespace skampi {

// How a report speaks of the algorithms of operations.

/// Why the default is kept, and what could be done; empty where it is not.
[[nodiscard]] std::string why_text(const TuningRule& rule, double gain);

/// A line for each operation: which algorithm is faster where and by how much, or that the default is kept.
[[nodiscard]] std::vector<std::string> rule_lines(const std::vector<TuningRule>& rules, double gain);
/// Which operations have a faster algorithm; what else there is to know follows as rule_lines().
[[nodiscard]] std::string algorithms_answer(const AlgorithmFindings& found);
/// What the default does, which choices have no effect, and which algorithms are left out.
[[nodiscard]] std::vector<std::string> algorithm_remarks(const AlgorithmFindings& found);
/// Of a table of all algorithms, by length.
[[nodiscard]] std::string algorithm_times_title(const AlgorithmGroup& group);
inline constexpr const char* algorithm_times_note =
    "0.50 = half the default's time, 2.00 = twice; = behind a number: at this length alone no difference from the "
    "default was found.";
/// How it was decided.
[[nodiscard]] std::string algorithms_method(const AlgorithmFindings& found);
/// What to type for a file that the library reads, or how to decide what is open; empty = nothing is to do.
[[nodiscard]] TextAndCommand algorithms_next_step(const AlgorithmFindings& found);

/// What was written, and that it is not checked.
/// @param rules in the file; 0 = none was written
[[nodiscard]] std::string tuning_file_note(int rules, const std::string& path, const Run& measured);

} // namespace skampi
