#pragma once

#include "analysis/turns/turns.hpp"
#include "words/fact.hpp"
#include "words/text_and_command.hpp"

#include <string>
#include <vector>

namespace skampi {

// How a report speaks of variants that were launched in turns.

/// What each variant is: its library, its ranks and where they are, and what it changes.
[[nodiscard]] std::vector<Fact> turns_variants(const Turns& turns);
/// Which variant is faster, where and by how much; what is equal, what is open; after how many rounds.
[[nodiscard]] std::string turns_answer(const Turns& turns);
/// How many rounds more would decide what is open, and how to make them; empty where nothing is open.
[[nodiscard]] TextAndCommand turns_next_step(const Turns& turns);
/// Where several statements are open, how many rounds would decide which, the fewest first; empty where no
/// number can be given.
[[nodiscard]] std::string turns_rounds_for_each(const Turns& turns);
/// What makes times of all variants doubtful, or lacks of one: another machine in mid-session, shared cores,
/// launches that failed. A sentence each.
[[nodiscard]] std::vector<std::string> turns_warnings(const Turns& turns);
/// What else happened: rounds left out, suites that could not be compared. A sentence each.
[[nodiscard]] std::vector<std::string> turns_remarks(const Turns& turns);
/// How it was decided, with the chance of an error.
[[nodiscard]] std::string turns_method(const Turns& turns);
/// The command that makes the same session once more; empty where there is none (session_command()), or
/// turns_next_step() names a longer one.
[[nodiscard]] TextAndCommand turns_command(const Turns& turns);

} // namespace skampi
