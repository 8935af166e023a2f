#pragma once

#include "model/session.hpp"
#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

/// A launch of a session that came to its end.
struct EndedLaunch {
    RunId id = 0;
    Run run;
    SessionPlace place;
};

/// Those of one session, in the order of the file. Of several at one place, a variant in a round, the first
/// counts.
[[nodiscard]] std::vector<EndedLaunch> launches_of_session(const Database& database,
                                                           const std::string& session_uuid);

} // namespace skampi
