// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/session_contest.hpp"
#include "words/fact.hpp"
#include "words/text_and_command.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

// How a report speaks of variants that were launched in turns.

/// Of the variant at a place in the session; 0 = the reference.
[[nodiscard]] std::string variant_name(const SessionContest& session, std::size_t place);
/// What each variant is: its library, its ranks and where they are, and what it changes.
[[nodiscard]] std::vector<Fact> session_variants(const SessionContest& session);
/// "2 variants in 8 rounds"; empty before the first round
[[nodiscard]] std::string session_launches(const SessionContest& session);
/// A sentence for each variant, the largest difference first; what it changes without effect before that.
[[nodiscard]] std::string session_answer(const SessionContest& session);
/// How many rounds more would decide what is open, and how to make them; empty where nothing is open.
[[nodiscard]] TextAndCommand session_next(const SessionContest& session);
/// The command that makes the same session once more; empty where there is none, or session_next() has a
/// longer one.
[[nodiscard]] TextAndCommand session_again(const SessionContest& session);
/// What makes times of all variants doubtful, or lacks of one: another machine in mid-session, shared cores,
/// launches that failed. A sentence each, the gravest first.
[[nodiscard]] std::vector<std::string> session_warnings(const SessionContest& session);
/// What else happened: suites that could not be compared, launches started otherwise. A sentence each.
[[nodiscard]] std::vector<std::string> session_remarks(const SessionContest& session);
/// How it was decided, with the chance of an error.
[[nodiscard]] std::string session_method(const SessionContest& session);

} // namespace skampi
