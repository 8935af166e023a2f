#pragma once

#include "store/database.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace skampi {

/// What the launches of a session came to.
struct SessionSums {
    int rounds = 0;              ///< in which several variants have a launch
    std::int64_t launches = 0;   ///< runs that ended, one for each place
    std::int64_t incomplete = 0; ///< of these, some points of which are missing
    std::int64_t failed = 0; ///< of these, a suite or the data of which failed; and launches without a run
    [[nodiscard]] bool ok() const { return incomplete == 0 && failed == 0; }
};
[[nodiscard]] SessionSums sums_of_session(const Database& database, const std::string& session_uuid);

/// What is known of its statements.
struct SessionStatements {
    std::int64_t decided = 0;
    std::int64_t open = 0;
    std::int64_t found = 0; ///< differences, also at single lengths, of which decided counts none
};

/// "SKAMPI: OK rounds=10 launches=20 decided=5 open=2 found=3 failed=0", as sums_line() says it of a run.
/// @param statements none = nobody could look
[[nodiscard]] std::string session_line(const SessionSums& sums,
                                       const std::optional<SessionStatements>& statements, bool done);

} // namespace skampi
