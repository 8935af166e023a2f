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

} // namespace skampi
