// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/guideline.hpp"

#include <string>

namespace skampi {

// How a report speaks of performance guidelines.

/// The worst place of a guideline that is violated: "MPI_Reduce of 1 MiB on 2 ranks takes 3.08 times as long
/// as two of 512 KiB (at least 2.9 times; in the machine state shown)."
/// @param in_one_state of several that the launches met  @pre it is violated
[[nodiscard]] std::string violation_sentence(const GuidelineResult& result, bool in_one_state);

/// "MPI_Allreduce(m) <= MPI_Reduce(m) + MPI_Bcast(m)"
[[nodiscard]] std::string guideline_text(const Guideline& guideline);
/// "64 KiB on 8 ranks"
[[nodiscard]] std::string violation_place(const Violation& violation);
/// "57.0 µs with 64 KiB", "57.0 µs with 2 x 32 KiB"
[[nodiscard]] std::string violation_instead(const Violation& violation, GuidelineKind kind);
/// How many guidelines and places were checked, and how many are violated. @param violated guidelines
[[nodiscard]] std::string guidelines_sentence(const SelfConsistency& consistency, std::size_t violated);
/// What a violation rests on.
[[nodiscard]] std::string guideline_certainty(const Subject& subject);
/// What the letters and times of the table are.
inline constexpr const char* guideline_terms =
    "m is the message length as the operation defines it (one rank's message, or the message to each rank), n the number "
    "of ranks. The replacement of a function is taken at the shortest message measured that is long enough. Times are "
    "geometric means over the launches that measured both sides.";

} // namespace skampi
