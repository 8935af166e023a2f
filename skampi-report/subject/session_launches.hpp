#pragma once

#include "analysis/turns.hpp"
#include "store/database.hpp"

#include <string>

namespace skampi {

/// Reads what the launches of a session measured: of several of one variant in one round the first that came
/// to its end. Where launches began the calls of a suite otherwise than most, because windows could not be
/// kept, their values are left out.
/// @param uuid of the session; empty = the newest of the file
/// @throws InputError where there is no such session; it names those there are
[[nodiscard]] SessionLaunches read_session(const Database& database, const std::string& uuid = {});

} // namespace skampi
