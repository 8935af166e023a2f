// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

// SimGrid keeps the function that does a collective in a variable of its library, which nothing but the
// configuration is meant to set. This sets it in between: its functions for that are exported (seen
// with 3.32). All simulated ranks share it. Variables have the names of the configuration: "smpi/bcast".

/// The collectives that have one, if this SimGrid exports all that is needed; else none.
[[nodiscard]] std::vector<std::string> simgrid_variables();
/// The words a variable can be set to, in SimGrid's order. SimGrid lists them only when it refuses another
/// one and aborts: a copy of this process does that.
[[nodiscard]] std::vector<std::string> simgrid_words(const std::string& variable);

/// The function that does it now, as a number; none = there is no such variable.
[[nodiscard]] std::optional<std::intptr_t> simgrid_function(const std::string& variable);
/// @pre word is one of simgrid_words(variable): SimGrid aborts at any other
void choose_simgrid_function(const std::string& variable, const std::string& word);
/// All of them are what the configuration says again: what was there before is not known, as another
/// simulated rank may have chosen already.
void restore_simgrid_functions();

/// The words that SimGrid names as it refuses one: behind "Valid algorithms:".
[[nodiscard]] std::vector<std::string> words_in_refusal(const std::string& text);

} // namespace skampi
