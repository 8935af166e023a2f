#pragma once

#include "analysis/trust/headline.hpp"

#include <string>

namespace skampi {

// How a report speaks of its headlines. A doubtful value is given all the same: "about", and with two digits.

/// "Peak bandwidth", "MPI_Allreduce of 8 B on 16 ranks"
[[nodiscard]] std::string headline_name(const Headline& headline);
/// "Peak bandwidth (at 304.4 KiB)"
[[nodiscard]] std::string headline_title(const Headline& headline);
/// A number in the headline's unit. @param digits significant ones
[[nodiscard]] std::string headline_number(const Headline& headline, double value, int digits = 4);
/// "8.79 GB/s"; of a doubtful one "about 8.8 GB/s".
[[nodiscard]] std::string headline_value(const Headline& headline);
/// "8.79 GB/s at 304.4 KiB"
[[nodiscard]] std::string headline_value_at(const Headline& headline);
/// What the value is in the other states of the machine; empty where it has none.
[[nodiscard]] std::string headline_in_other_states(const Headline& headline);
/// "170 ns in a faster state of the machine"; empty where it has no other value.
[[nodiscard]] std::string headline_of_other_states(const Headline& headline);
/// Whether its one other state is "faster" or "slower"; empty where it has none or several.
[[nodiscard]] std::string headline_speed_of_other_state(const Headline& headline);
/// "±2.0 %" within a launch, "620 ns to 650 ns"; empty where no number is known.
[[nodiscard]] std::string headline_error_numbers(const Headline& headline);
/// The same for a column of its own, which says what it is where that differs from row to row: "±1.0 % within
/// the launch", "620 ns to 650 ns, 4 launches", "unknown".
/// @param of_launches of the report; 0 = not known
[[nodiscard]] std::string headline_error(const Headline& headline, int of_launches = 0);
[[nodiscard]] std::string headline_words(HeadlineDoubt doubt);
/// "disturbed by other work on the cores"; empty where nothing makes it doubtful.
[[nodiscard]] std::string headline_doubt(const Headline& headline);
/// The same wherever it stands alone, with its other values: "the machine was in several states; 10 ms in
/// another".
[[nodiscard]] std::string headline_doubts(const Headline& headline);
/// That it is of another state of the machine than the first headline; empty where it is not.
[[nodiscard]] std::string headline_other_probe(const Headline& headline);

} // namespace skampi
