#pragma once

#include "contest/session_contest.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace skampi {

class Database;

/// What a look at a session came to: statements about all arguments of a suite, or about a class of lengths.
struct LookResult {
    std::size_t open = 0;                            ///< that more rounds may decide
    std::vector<std::string> slower_everywhere = {}; ///< variants
    std::size_t statements = 0;                      ///< in all
    std::size_t different = 0;                       ///< that found a difference
    std::size_t ranges = 0; ///< of lengths, beside them, that differ otherwise than their class
};

/// @param awaited names of suites: of these alone it counts what is open, of all their arguments together;
/// one of which nothing is said yet is open. Empty = whatever is open
[[nodiscard]] LookResult look_result(const SessionContest& session,
                                     const std::set<std::string>& awaited = {});

/// Looks at what a database holds of a session. @throws StoreError, InputError where it has no such session
[[nodiscard]] LookResult look_at(const Database& database, const std::string& session,
                                 const std::set<std::string>& awaited = {});

} // namespace skampi
