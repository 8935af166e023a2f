#pragma once

#include "analysis/turns/turns.hpp"
#include "store/database.hpp"

#include <string>

namespace skampi {

/// Reads what the launches of a session measured: of several of one variant in one round the first that came
/// to its end. Values of launches that started the ranks otherwise than is compared, because windows could
/// not be kept, are left out (starts_of_session()).
/// @param uuid of the session; empty = the newest of the file
/// @throws InputError where there is no such session; it names those there are
[[nodiscard]] SessionLaunches read_session(const Database& database, const std::string& uuid = {});

} // namespace skampi
