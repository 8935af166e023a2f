#pragma once

#include "analysis/turns/turns.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

// What sentences about variants in turns call things.

/// Of the variant at a place in the session.
[[nodiscard]] std::string variant_name(const Turns& turns, std::size_t place);
[[nodiscard]] std::string reference_name(const Turns& turns);
/// " in the slower state"; empty where the difference does not depend on the state of the machine
[[nodiscard]] std::string state_text(const TurnsSuite& suite);
/// "MPI_Bcast in the slower state"
[[nodiscard]] std::string turns_suite_name(const TurnsSuite& suite);
/// "up to 1 KiB"
[[nodiscard]] std::string class_text(MessageSize size);
/// "19 rounds"; of a suite in one state of the machine "19 pairs".
[[nodiscard]] std::string rounds_of(const TurnsSuite& suite, std::size_t rounds);
/// " for messages above 64 KiB"; empty = all
[[nodiscard]] std::string messages_text(const std::optional<MessageSize>& size);
/// Rounds that lie far from all others and are left out, of the suites of which they are one of twenty or
/// more: "MPI_Bcast, up to 6 of 34 rounds for messages above 64 KiB, in which new was 10.4 times slower".
/// @param on_one_side those of which the variant may be the cause, or the others
[[nodiscard]] std::vector<std::string> rounds_left_out(const Turns& turns, bool on_one_side);
/// "2.0 %"
[[nodiscard]] std::string margin_text(const Turns& turns);

} // namespace skampi
