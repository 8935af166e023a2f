#pragma once

#include "model/clock_estimate.hpp"
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

struct StoredSuite {
    SuiteId id = 0;
    int ordinal = 0; ///< position in the plan
    Suite suite;
    SuiteState state = SuiteState::open;
    int attempts = 0;         ///< how often it was begun, without those that ended with state open
    bool in_progress = false; ///< begun and neither finished nor put off: the culprit after a crash
    std::string reason;       ///< why put off or failed
    /// Merged: rank autocorrelation of the launches in the order in which they ran; raw: none.
    std::optional<double> launch_correlation;
    /// What was found out: "partner", "barrier exit skew", "arguments capped", ...
    std::map<std::string, std::string> facts;
    std::vector<ClockEstimate> clock_estimates; ///< in the order made; empty in merged runs
};

struct StoredMeasurement {
    MeasurementId id = 0;
    bool finished = false; ///< false: begun, more passes to come
    Measurement measurement;
    std::optional<MergeFacts> merge; ///< merged runs only
};

// --- fields

/// The fields of StoredSuite: those of its suite, and what became of it (model/fields.hpp).
template <MaybeConst<StoredSuite> Row, typename Visitor>
void for_each_field(Row& stored, Visitor&& field) {
    field({"ordinal", "position in the plan, from 0"}, stored.ordinal);
    for_each_field(stored.suite, field);
    field({"state", "open, finished, put off, failed"}, stored.state);
    field({"attempts", "how often it was begun"}, stored.attempts);
    field({"in_progress", "1 = begun and neither finished nor put off"}, stored.in_progress);
    field({"reason", "why it was put off or failed"}, stored.reason);
    field({"launch_correlation",
           "merged: rank autocorrelation of the launches in the order in which they ran; NULL = raw"},
          stored.launch_correlation);
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
