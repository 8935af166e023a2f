#pragma once

#include "analysis/turns.hpp"
#include "words/fact.hpp"

#include <string>
#include <vector>

namespace skampi {

// How a report speaks of variants that were launched in turns.

/// What each variant is: its library, its ranks and where they are, and what it changes.
[[nodiscard]] std::vector<Fact> turns_variants(const Turns& turns);
/// Which variant is faster, where and by how much; what is equal, what is open; after how many rounds.
[[nodiscard]] std::string turns_answer(const Turns& turns);
/// How many rounds more would decide what is open, and how to make them; empty where nothing is open.
[[nodiscard]] std::string turns_next_step(const Turns& turns);
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
/// The command that makes the same session once more; empty where there is none (session_command()).
[[nodiscard]] std::string turns_command(const Turns& turns);

/// A cell of the table: "4.1 % faster (3.2 to 5.0 %)", "equal", "open".
[[nodiscard]] std::string turns_cell(const TurnsStatement& statement);
/// A cell whose median would be that of no length: "40 % faster to 3.8 % slower".
[[nodiscard]] std::string turns_cell(const RatioSpan& span);
/// "2 variants in 8 rounds"; empty before the first round
[[nodiscard]] std::string turns_launches(const Turns& turns);
/// Title of the table of the variants' times.
[[nodiscard]] std::string turns_times_title(const Turns& turns);
/// Where the times of that table come from.
[[nodiscard]] std::string turns_times_note(const Turns& turns);
/// Title of the table of a variant, and what the words in its cells mean.
[[nodiscard]] std::string turns_title(const Turns& turns, const TurnsVariant& variant);
/// The same of the table of all variants of a session with one suite.
[[nodiscard]] std::string turns_title(const Turns& turns, const TurnsSuite& suite);
[[nodiscard]] std::string turns_note(const Turns& turns);
/// By which differences are sorted: |log ratio| at the bound of its interval that is nearer to no difference;
/// 0 where none is decided.
[[nodiscard]] double certain_effect(const TurnsStatement& statement);
/// "16 KiB", "16 KiB to 64 KiB"
[[nodiscard]] std::string turns_lengths(const TurnsSuite& suite, const TurnsRange& range);
/// Title of the table of a variant's ranges. @param variant null = all
[[nodiscard]] std::string turns_ranges_title(const Turns& turns, const TurnsVariant* variant);

} // namespace skampi
