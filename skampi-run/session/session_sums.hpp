#pragma once

#include "session/look_result.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <string>

namespace skampi {

/// What the launches of a session came to.
struct SessionSums {
    int rounds = 0;              ///< in which several variants have a launch
    std::int64_t launches = 0;   ///< runs that ended, one for each place
    std::int64_t incomplete = 0; ///< of these, some points of which are missing
    std::int64_t failed = 0; ///< of these, a suite or the data of which failed; and launches without a run
};
[[nodiscard]] SessionSums sums_of_session(const Database& database, const std::string& session_uuid);

/// "SKAMPI: OK rounds=10 launches=20 decided=5 open=2 found=3 failed=0", as sums_line() says it of a run.
/// "found" counts single lengths, too, "decided" does not.
[[nodiscard]] std::string session_line(const SessionSums& sums, const LookResult& look, bool done);

} // namespace skampi
