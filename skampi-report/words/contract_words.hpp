// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/contract.hpp"
#include "words/text_and_command.hpp"

#include <string>
#include <vector>

namespace skampi {

// How a report speaks of a contract: a table of promises, and one sentence.

/// "12 µs", "11 GB/s": a value of the promised quantity; "unknown" where there is none.
[[nodiscard]] std::string promised_text(const Promise& promise, double value);
/// "12.4 µs to 13.1 µs"; "unknown" where it is as good as infinite; empty where nothing is judged
[[nodiscard]] std::string promise_interval(const PromiseFinding& finding);
/// "kept", "broken", "open"
[[nodiscard]] std::string promise_word(GateOutcome outcome);
/// "kept", "broken", "open: not measured at this length"
[[nodiscard]] std::string promise_verdict(const PromiseFinding& finding);
/// "broken: MPI_Allreduce 8 B on 64 ranks: time < 12 us: 14.1 µs (13.2 to 15.0 µs, 7 launches)"; where it is
/// open also how many launches would decide it.
[[nodiscard]] std::string promise_message(const PromiseFinding& finding);
/// Of the findings with this outcome, a line each.
[[nodiscard]] std::vector<std::string> promise_lines(const std::vector<PromiseFinding>& findings,
                                                     GateOutcome outcome);
/// "The contract is broken: of 5 promises 1 is broken, 1 is open and 3 are kept.", and what decides what is
/// open.
[[nodiscard]] TextAndCommand contract_answer(const std::vector<PromiseFinding>& findings);

} // namespace skampi
