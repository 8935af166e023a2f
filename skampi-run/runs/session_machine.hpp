#pragma once

#include "model/session.hpp"
#include "store/database.hpp"

namespace skampi {

/// Refuses a launch of a session that would not be comparable with those before, because it is made on
/// another machine, with another library or other bound ranks than the first launch of its variant; or, as
/// the first of its variant, on another machine than that of one that is started by the same launcher.
/// @param run that is about to begin   @throws InputError naming what differs, and what to do
void check_session_machine(const Database& database, const SessionPlace& place, const Run& run);

} // namespace skampi
