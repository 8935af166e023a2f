#pragma once

#include "launches/subject.hpp"

#include <string>

namespace skampi {

// How a report speaks of a curve's times. All of it follows from what the operation's row says a time is
// (Meaning), nothing from the pattern.

/// "Round trip", "Exchange", "Latency", "Time": in front of " at 8 B: 1.2 µs".
[[nodiscard]] std::string time_word(const Curve& curve);
/// What a time is, as a sentence of its own.
[[nodiscard]] std::string meaning_sentence(const Curve& curve);
/// A fact of a suite that may have gone on elsewhere: "1 | 5" as "1, then 5".
[[nodiscard]] std::string in_turn(std::string fact);
/// The root as a rank of the run: "rank 3", "rank 5 (place 3)" where ranks do not join by number, "the rank
/// at place 3" where it is not known which rank joined there.
[[nodiscard]] std::string root_words(const Curve& curve);
/// "Round-trip time", "Time of an exchange": begins the caption of a plot.
[[nodiscard]] std::string time_caption(const Curve& curve);
/// "bandwidth of one direction (length by half of the round trip)"
[[nodiscard]] std::string bandwidth_caption(const Curve& curve);
/// "a round trip", "an exchange", "a collective call"
[[nodiscard]] std::string meaning_noun(const Curve& curve);

/// What the times of a table of suites are: "Times: a round trip (MPI_Send-MPI_Recv), else one call."; empty
/// where all are those of one call.
[[nodiscard]] std::string times_note(const std::vector<const Curve*>& curves);

/// The heading of a suite's section.
[[nodiscard]] std::string suite_heading(const Curve& curve);

} // namespace skampi
