#pragma once

#include "launches/subject.hpp"
#include "words/fact.hpp"
#include "words/text_and_command.hpp"

#include <string>
#include <vector>

namespace skampi {

// How a report speaks of how far the values of a subject can be trusted.

/// The answer of a report on one subject: the library with its most asked-for numbers, or why there are none;
/// how far the values are known; what makes them doubtful; what to do next.
/// @param values_asked false = something else was asked for: without the values of suites, and without how
/// many launches make them exact
[[nodiscard]] TextAndCommand descriptive_answer(const Subject& subject, bool values_asked = true);

/// "In NAME: 1 of 27 values was disturbed by other work on the cores." for the answer of a comparison;
/// empty = no doubts. Whether there are launches enough is said by the verdict.
[[nodiscard]] std::string doubts_about(const Subject& subject);

/// The same of the gravest doubt about any of several; where all have the same kind it is said of all.
[[nodiscard]] std::string gravest_doubt_about(const std::vector<const Subject*>& subjects);

/// Everything that is counted, for the first page.
[[nodiscard]] std::vector<Fact> trust_facts(const Subject& subject);
/// The same in one line, of one of several subjects.
[[nodiscard]] std::string trust_in_short(const Subject& subject);
/// Of several subjects together, as far as their counts can be added.
[[nodiscard]] std::string trust_in_short(const std::vector<const Subject*>& subjects);

} // namespace skampi
