// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/contest.hpp"
#include "contest/gate.hpp"
#include "words/text_and_command.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace skampi {

// How a report speaks of contests: two databases, variants of a session, two suites. Tables speak; sentences
// say the largest first.

/// "to 1 KiB"
[[nodiscard]] std::string size_text(MessageSize size);
/// " above 64 KiB", " from 8 KiB to 12 KiB", " at 8 B"; empty for a suite as a whole
[[nodiscard]] std::string place_text(const SuiteContest& suite, const Place& place);
/// "MPI_Bcast", "MPI_Bcast in the slower machine state"
[[nodiscard]] std::string suite_name(const SuiteContest& suite, std::size_t most_characters = 40);
/// "too few usable launches"; empty for none
[[nodiscard]] std::string reason_text(Why why);
/// "partner (rank 1 and rank 2), root (0 and 1)"
[[nodiscard]] std::string fields_text(const std::vector<FieldDifference>& differences);
/// A cell of the table: "5.2 % slower (4.1 to 6.3 %)", "equal", "none found (at most 3 %)", "unknown", "open:
/// ...".
[[nodiscard]] std::string statement_text(const Statement& statement);
/// "unknown", "other quantity": of a suite of which nothing is said.
[[nodiscard]] std::string suite_text(const SuiteContest& suite);

/// The answer in one sentence: in how many suites the subject is slower, faster, equal, open, and the largest
/// difference. @param subject,reference what the sides are called
[[nodiscard]] std::string contest_answer(const Contest& contest, const std::string& subject,
                                         const std::string& reference);
/// The same of two databases, behind what forbids a verdict.
[[nodiscard]] std::string contest_answer(const Contest& contest);
/// Of many against one reference: how many differ and which most. @pre there are some
[[nodiscard]] std::string contests_answer(std::span<const Contest> contests);
[[nodiscard]] std::string doubt_sentence(const Contest& contest, const ContestDoubt& doubt);
/// Below the table: what the words in its cells mean, and how often they are wrong.
[[nodiscard]] std::string contest_note(const Contest& contest);
/// What decides what is open, with its command; empty where nothing is known to.
[[nodiscard]] TextAndCommand contest_next(const Contest& contest);

/// "B against A"
[[nodiscard]] std::string contest_name(const Contest& contest);
/// What a gate found of a suite: "fails: above 64 KiB: ratio 2.57, 2.40 to 2.80 (limit 1.1)", "undecided:
/// ...; 12 launches of each side would decide it".
[[nodiscard]] std::string gate_message(const GateResult& result);
/// The messages of the results with this outcome, a line each, without line ends.
[[nodiscard]] std::vector<std::string> gate_lines(const std::vector<GateResult>& results,
                                                  GateOutcome outcome);
/// What makes failed results doubtful, a line each: the gravest doubts, and launches of unknown times.
[[nodiscard]] std::vector<std::string> gate_doubts(const std::vector<GateResult>& results);

} // namespace skampi
