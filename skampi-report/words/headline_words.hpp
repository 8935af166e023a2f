#pragma once

#include "analysis/headline.hpp"

#include <string>

namespace skampi {

// How a report speaks of its headlines.

/// "Peak bandwidth", "MPI_Allreduce of 8 B on 16 ranks"
[[nodiscard]] std::string headline_name(const Headline& headline);
/// "Peak bandwidth (at 304.4 KiB)"
[[nodiscard]] std::string headline_title(const Headline& headline);
/// "8.79 GB/s"
[[nodiscard]] std::string headline_value(const Headline& headline);
/// "8.79 GB/s at 304.4 KiB"
[[nodiscard]] std::string headline_value_at(const Headline& headline);
/// "8.70 GB/s to 8.81 GB/s"; empty where the error has no numbers.
[[nodiscard]] std::string headline_error_numbers(const Headline& headline);
/// Its doubts, and the numbers of its error: for a narrow column.
[[nodiscard]] std::string headline_error_in_short(const Headline& headline);
/// All that limits the value: its doubts, its error, other states of the machine.
[[nodiscard]] std::string headline_error(const Headline& headline);
/// Of it what belongs to the value wherever it stands: "flagged disturbed; 10.41 ms in another state of the
/// machine"; empty = nothing.
[[nodiscard]] std::string headline_doubts(const Headline& headline);

} // namespace skampi
