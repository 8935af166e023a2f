#pragma once

#include "launches/subject.hpp"
#include "analysis/trust/value_error.hpp"
#include "model/quantity.hpp"

#include <string>

namespace skampi {

/// "not repeatable, several modes": flags as a reader of the report has them; empty for none.
[[nodiscard]] std::string flag_text(Flags flags);

/// "± 1.2 ns", "1.20 µs to 1.31 µs"; empty where no error is known.
[[nodiscard]] std::string error_numbers(const ValueError& error, TimeUnit unit = TimeUnit::automatic);
/// "standard error within this run", "96.9 % interval of the median of 6 launches"
[[nodiscard]] std::string error_kind(const ValueError& error);
/// Both: "± 1.2 ns (standard error within this run)"
[[nodiscard]] std::string error_text(const ValueError& error, TimeUnit unit = TimeUnit::automatic);

/// "96.9 % interval of the median of 2 to 22 launches; below 5 launches their range"
[[nodiscard]] std::string error_kind(const CurveError& error);
/// What the column of such errors is called: "interval".
[[nodiscard]] std::string error_column(ErrorKind kind);
/// "Error bars: interval between launches."
[[nodiscard]] std::string error_bars_text(ErrorKind kind);

} // namespace skampi
