// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/models/cost_model.hpp"
#include "analysis/models/suite_findings.hpp"
#include "launches/subject.hpp"
#include "words/fact.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skampi {

// What a report says of one suite: the facts of the paper's appendix B.

/// What was asked for. @pre the curve has points
[[nodiscard]] std::vector<Fact> suite_setup(const Curve& curve);
/// What came out. @pre the curve has points
[[nodiscard]] std::vector<Fact> suite_results(const Curve& curve);

/// "Node times at 4 MiB: rank 0 5.000 ms, rank 1 10.00 µs (± 100 ns)."; none where there are none.
[[nodiscard]] std::optional<std::string> node_times_sentence(const Curve& curve);
/// What else was recorded of the suite, under the names of the database; none where nothing was.
[[nodiscard]] std::optional<std::string> recorded_sentence(const Curve& curve);
/// "no value at 27 arguments, 1 below what can be measured: not repeatable"; empty where all have a time.
[[nodiscard]] std::string without_time_text(const PointsWithoutTime& points);
/// Why a suite has no points at all.
[[nodiscard]] std::string without_points_text(const StoredSuite& suite);
/// "a part only: failed: rank 1 was killed by signal 11"; empty for a suite that is finished.
/// @param with_reason or only "part: failed"
[[nodiscard]] std::string part_text(const StoredSuite& suite, bool with_reason);
/// "560 ns at 0 B, 190 µs at 4 MiB; 46.6 GB/s at 256 KiB; jump of +168 % at 8 KiB; 7 of 27 points flagged:
/// timed out".
[[nodiscard]] std::string suite_answer(const Curve& curve, const CostModel& model);
/// The caption of a suite's plot.
[[nodiscard]] std::string suite_caption(const Curve& curve, bool with_bandwidth);

} // namespace skampi
