#pragma once

#include "model/session.hpp"
#include "runs/launches_of_session.hpp"

#include <vector>

namespace skampi {

/// Refuses a launch of a session that would not be comparable with those before, because it is made on
/// another machine, with another library or other bound ranks than the first launch of its variant; or, as
/// the first of its variant, on another machine than that of one that is started by the same launcher.
/// @param launches of the session so far   @param run that is about to begin
/// @throws InputError naming what differs, and what to do
void check_session_machine(const std::string& database, const Session& session,
                           const std::vector<EndedLaunch>& launches, const Run& run);

} // namespace skampi
