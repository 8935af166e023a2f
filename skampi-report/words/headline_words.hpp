#pragma once

#include "analysis/trust/headline.hpp"

#include <string>

namespace skampi {

// How a report speaks of its headlines: one value, or one range. A doubtful value is given all the same:
// "about", and with two digits.

/// "Peak bandwidth", "MPI_Allreduce of 8 B on 16 ranks"
[[nodiscard]] std::string headline_name(const Headline& headline);
/// "Peak bandwidth (at 304.4 KiB)"
[[nodiscard]] std::string headline_title(const Headline& headline);
/// A number in the headline's unit. @param digits significant ones
[[nodiscard]] std::string headline_number(const Headline& headline, double value, int digits = 4);
/// "8.79 GB/s"; of a doubtful one "about 8.8 GB/s"; of several states of the machine "100 to 400 ns".
[[nodiscard]] std::string headline_value(const Headline& headline);
/// "8.79 GB/s at 304.4 KiB"
[[nodiscard]] std::string headline_value_at(const Headline& headline);
/// "latency 400.0 ns (396 to 404 ns)", "peak 48 GB/s at 64 KiB": for an answer.
[[nodiscard]] std::string headline_in_short(const Headline& headline);
/// "±2.0 %" within a launch, "620 ns to 650 ns"; empty where no number is known.
[[nodiscard]] std::string headline_error_numbers(const Headline& headline);
/// The same for a column of its own, which says what it is where that differs from row to row: "±1.0 % within
/// the launch", "620 ns to 650 ns", "unknown".
[[nodiscard]] std::string headline_error(const Headline& headline);
/// "disturbed by other work on the cores"; empty where nothing makes it doubtful.
[[nodiscard]] std::string headline_doubt(const Headline& headline);

} // namespace skampi
