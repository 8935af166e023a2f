#pragma once

#include "store/database.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace skampi {

/// Where the launches of a round measure the suites of a session whose scale refines, by suite, ascending:
/// at the arguments of the first pass, and at those that any launch of the first round has added. So a length
/// at which one variant alone bends or jumps is measured of all, and every round has both values at every
/// length. Of added arguments nearer to one another than 4 % the smaller one is taken; a larger distance
/// where there would be more than twice as many as the launch with the most had.
///
/// Follows from the launches of earlier rounds that have ended, of the first of these alone, so that an
/// interruption changes nothing. Empty for the first round.
[[nodiscard]] std::map<std::string, std::vector<std::int64_t>>
arguments_of_session(const Database& database, const std::string& session_uuid, int round);

} // namespace skampi
