// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/trust/doubt.hpp"
#include "words/fact.hpp"
#include "words/text_and_command.hpp"

#include <string>
#include <vector>

namespace skampi {

// How a report speaks of how far the values of a subject can be trusted: all of it as facts, the gravest in
// sentences.

/// "1 of 27 values was disturbed by other work on the cores". Launches are counted in their table alone.
[[nodiscard]] std::string doubt_text(const Doubt& doubt);
/// The gravest of them, three at most, joined by semicolons; empty = none.
[[nodiscard]] std::string doubts_text(const std::vector<Doubt>& doubts);
/// The same as sentences.
[[nodiscard]] std::string doubt_sentences(const std::vector<Doubt>& doubts);

/// The answer of a report on one subject: the library with its most asked-for numbers, or why there are none;
/// how far the values are known; what makes them doubtful; what to do next.
/// @param values_asked false = something else was asked for: without the values of suites, and without how
/// many launches make them exact
[[nodiscard]] TextAndCommand descriptive_answer(const Subject& subject, bool values_asked = true);

/// "In NAME: 1 of 27 values was disturbed by other work on the cores.": the gravest doubt about any of these,
/// without a name where several have the same; empty = no doubts. That there are too few launches is none.
[[nodiscard]] std::string gravest_doubt_about(const std::vector<const Subject*>& subjects);

/// Everything that is counted, each doubt among it.
[[nodiscard]] std::vector<Fact> trust_facts(const Subject& subject);

/// A row of the table of launches: how many, whether values rest on them, and else why not. All first, then
/// those that are left out, by reason; empty for one launch and for simulated ones.
struct LaunchRow {
    std::size_t launches = 0;
    std::string used; ///< "4", "none", "in part"
    std::string reason;
};
[[nodiscard]] std::vector<LaunchRow> launch_rows(const Subject& subject);

} // namespace skampi
