// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/session_contest.hpp"
#include "store/database.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// The result of a look at a session: statements about all arguments of a suite, or about a class of lengths.
struct LookResult {
    std::size_t open = 0;  ///< that more rounds may decide
    std::vector<std::string> slower_everywhere = {}; ///< variants
    std::size_t statements = 0;                      ///< in all
    std::size_t different = 0;                       ///< that found a difference
    std::size_t ranges = 0; ///< further ones, of lengths that differ in another way than their class
    std::size_t known = 0;  ///< undecided ones that are known as well as was asked for
};

/// @param awaited names of suites: it counts only open statements about all their arguments together; one
/// without a statement is open. Empty = all that is open
/// @param half_width of the interval of a ratio, by the ratio, that is known well enough; 0 = none is
[[nodiscard]] LookResult look_result(const SessionContest& session, const std::set<std::string>& awaited = {},
                                     double half_width = 0);

/// Looks at what a database holds of a session. @throws StoreError, InputError where it has no such session
[[nodiscard]] LookResult look_at(const Database& database, const std::string& session,
                                 const std::set<std::string>& awaited = {}, double half_width = 0);

/// The sums over the launches of a session.
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
