// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/clock_estimate.hpp"
#include "model/machine_state.hpp"
#include "model/measurement.hpp"
#include "model/run.hpp"
#include "model/suite.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

using RunId = std::int64_t;
using SuiteId = std::int64_t;
using MeasurementId = std::int64_t;

enum class SuiteState {
    open,     ///< planned or being measured
    finished, ///< all arguments done
    put_off,  ///< crashed or hung: tried again when all others are done
    failed,   ///< given up, with a reason
};
[[nodiscard]] std::string_view to_text(SuiteState state);

/// Results of merging a suite, without its points. A raw suite has the defaults.
struct SuiteMerge {
    int launches = 0;           ///< that planned it; 0 = it was not merged
    int unfinished = 0;         ///< of those, launches in which it did not end
    bool without_value = false; ///< no launch has a value
    /// Rank autocorrelation of the launches in the order in which they ran.
    std::optional<double> launch_correlation = {};
    MachineState reference = {}; ///< that adjusted values refer to; unknown = there are none
    Adjustment adjustment{.share = 0, .by_core_speed = false};
    std::int64_t wrong_results = 0; ///< measurements that were left out because the data were wrong
};

struct StoredSuite {
    SuiteId id = 0;
    int ordinal = 0; ///< position in the plan
    Suite suite;
    SuiteState state = SuiteState::open;
    int attempts = 0;         ///< how often it was begun, except attempts that ended with state open
    bool in_progress = false; ///< begun and neither finished nor put off: the culprit after a crash
    std::string reason;       ///< why put off or failed; of a merged suite the reason of one launch
    SuiteMerge merge;
    /// Findings: "partner", "barrier exit skew", "arguments capped", ...
    std::map<std::string, std::string> facts;
    std::vector<ClockEstimate> clock_estimates; ///< in the order made; empty in merged runs
};

/// Why a suite was put off or failed, if merged in how many launches: "in 2 of 5 launches: MPI error".
/// Empty = not known.
[[nodiscard]] std::string reason_of(const StoredSuite& suite);
struct StoredMeasurement {
    MeasurementId id = 0;
    bool finished = false; ///< false: begun, more passes to come
    Measurement measurement;
    std::optional<MergeFacts> merge; ///< merged runs only
};

// --- fields

template <MaybeConst<SuiteMerge> Row, typename Visitor>
void for_each_field(Row& merge, Visitor&& field) {
    field({"merged_launches", "merged: launches that planned it; raw: 0"}, merge.launches);
    field({"unfinished_launches", "of those, launches in which it did not end"}, merge.unfinished);
    field({"without_value", "1 = no launch has a value"}, merge.without_value);
    field({"launch_correlation",
           "merged: rank autocorrelation of the launches in the order in which they ran; NULL = raw"},
          merge.launch_correlation);
    field({"adjusted_to_probe_s", "probe time that the suite's adjusted values refer to; 0 = none"},
          merge.reference.probe_s);
    field({"adjusted_to_core_speed", "core speed that they refer to, in additions per second; 0 = none"},
          merge.reference.core_speed);
    field({"probe_share", "how many probe times are removed from adjusted values"}, merge.adjustment.share);
    field(
        {"by_core_speed", "0 = adjusted values ignore the core speed, because launches scatter more with it"},
        merge.adjustment.by_core_speed);
    field({"wrong_results", "merged: measurements that were left out because their data were wrong"},
          merge.wrong_results);
}

/// The fields of StoredSuite: those of its suite, and what became of it (model/fields.hpp).
template <MaybeConst<StoredSuite> Row, typename Visitor>
void for_each_field(Row& stored, Visitor&& field) {
    field({"ordinal", "position in the plan, from 0"}, stored.ordinal);
    for_each_field(stored.suite, field);
    field({"state", "open, finished, put off, failed"}, stored.state);
    field({"attempts", "how often it was begun"}, stored.attempts);
    field({"in_progress", "1 = begun and neither finished nor put off"}, stored.in_progress);
    field({"reason", "why it was put off or failed; of a merged suite: in one of its launches"},
          stored.reason);
    for_each_field(stored.merge, field);
}

[[nodiscard]] inline bool is_unknown(const StoredSuite& stored, std::string_view field) {
    return is_unknown(stored.suite, field);
}

/// The fields of StoredMeasurement: those of its measurement, and whether it is complete (model/fields.hpp).
template <MaybeConst<StoredMeasurement> Row, typename Visitor>
void for_each_field(Row& stored, Visitor&& field) {
    for_each_field(stored.measurement, field);
    field({"finished", "0 = begun, more passes to come"}, stored.finished);
}

} // namespace skampi
