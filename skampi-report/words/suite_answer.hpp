#pragma once

#include "analysis/models/cost_model.hpp"
#include "analysis/subject/subject.hpp"

#include <string>
#include <vector>

namespace skampi {

// What a report says of one suite in one line.

/// "7 (D T)": how many points have flags, and which; empty where none has.
[[nodiscard]] std::string flagged_text(const Curve& curve);
/// "N S": a letter for each flag.
[[nodiscard]] std::string flag_letters(Flags flags);
/// "Flags: T timed out, D disturbed by other work on the cores."; empty where there are none.
[[nodiscard]] std::string flag_legend(Flags flags);
/// A point's time; "9.68 ms?" where it is disturbed, timed out or unreliable.
[[nodiscard]] std::string value_in_table(const Curve& curve, const StoredMeasurement& point, int digits = 4);
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
/// Of the last one of a range, whose first has told what the argument is: "16: 19.2 µs".
[[nodiscard]] std::string time_at_last(const Curve& curve, const StoredMeasurement& point);
/// "46.6 GB/s" of a point; empty where it has no bandwidth.
[[nodiscard]] std::string bandwidth_at(const Curve& curve, const StoredMeasurement& point);

/// "560 ns at 0 B, 190 µs at 4 MiB; 46.6 GB/s at 256 KiB; jump of +168 % at 8 KiB; 7 of 27 points flagged:
/// timed out".
[[nodiscard]] std::string suite_answer(const Curve& curve, const CostModel& model);

} // namespace skampi
