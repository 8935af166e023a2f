// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/trust/headline.hpp"
#include "analysis/trust/value_error.hpp"
#include "launches/subject.hpp"
#include "model/quantity.hpp"

#include <string>
#include <vector>

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

// What a report says of one suite in one line.

/// "7 (D T)": how many points have flags, and which; empty where none has.
[[nodiscard]] std::string flagged_text(const Curve& curve);
/// "N S": a letter for each flag.
[[nodiscard]] std::string flag_letters(Flags flags);
/// "Flags: T timed out, D disturbed by other work on the cores."; empty where there are none.
[[nodiscard]] std::string flag_legend(Flags flags);
/// A value's time; "9.68 ms?" where it is disturbed, timed out or unreliable, or its launches lie far apart.
[[nodiscard]] std::string value_in_table(const Curve& curve, const Measurement& measurement, int digits = 4);
/// What a table of these curves' values needs to be read alone, a sentence each: what its errors are, the
/// times in another state and the adjusted ones where it has such columns, and the flags.
/// @param columns its headers
[[nodiscard]] std::vector<std::string> values_notes(const std::vector<const Curve*>& curves,
                                                    const std::vector<std::string>& columns);
/// All flags that any of the curves' points has.
[[nodiscard]] Flags flags_of(const std::vector<const Curve*>& curves);

/// "560 ns at 0 B, 190 µs at 4 MiB". @pre the curve has points
[[nodiscard]] std::string ends_text(const Curve& curve);
/// "0 B: 560 ns": an argument of the curve and its time, in short.
[[nodiscard]] std::string time_at(const Curve& curve, const StoredMeasurement& point);
/// Of the last one of a range, whose first names the argument: "16: 19.2 µs".
[[nodiscard]] std::string time_at_last(const Curve& curve, const StoredMeasurement& point);
/// "46.6 GB/s" of a point; empty where it has no bandwidth.
[[nodiscard]] std::string bandwidth_at(const Curve& curve, const StoredMeasurement& point);

} // namespace skampi
