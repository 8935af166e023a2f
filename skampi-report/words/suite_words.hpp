// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace skampi {

// How a report speaks of what a suite was asked to measure.

/// "32 KiB", "4 ranks", "7 chunks"; exact enough to be distinct from the curve's neighbouring arguments.
[[nodiscard]] std::string argument_text(const Curve& curve, std::int64_t argument);
/// Of a range: "1.5 to 2 KiB", "8554 to 15688 B", "512 B to 1 KiB".
[[nodiscard]] std::string arguments_text(const Curve& curve, std::int64_t from, std::int64_t to);

/// What a suite measures and what its times are, in a few sentences.
[[nodiscard]] std::string what_is_measured(const Curve& curve);

/// "rank 3 (farthest), crosses the network, from n1 to n2"; empty where no partner was found.
[[nodiscard]] std::string partner_text(const Curve& curve);
/// "node by node: all of one before the next"; empty where they join by their numbers.
[[nodiscard]] std::string joining_text(const Curve& curve);

[[nodiscard]] std::string pattern_name(Pattern pattern);
/// "message length"; of a local call, which sends none, "length".
[[nodiscard]] std::string_view length_word(const Suite& suite);
[[nodiscard]] std::string varied_text(const Suite& suite);
[[nodiscard]] std::string scale_text(skalib::Scale scale);
/// "mean of the middle 50 %"
[[nodiscard]] std::string value_formed(const Suite& suite);
[[nodiscard]] std::string buffers_text(BufferPolicy policy);
[[nodiscard]] std::string start_text(Synchronization synchronization);
/// The operation's datatype, reduction, root and MPI_IN_PLACE where they are not the usual ones; may be
/// empty.
[[nodiscard]] std::string parameters_text(const Curve& curve);

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
