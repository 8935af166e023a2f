// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"
#include "model/session.hpp"
#include "store/database.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// How the ranks of a suite were started in the launches of a session, where not all could keep windows.
struct TurnsStarts {
    Synchronization compared = Synchronization::window; ///< those that were started otherwise are left out
    std::size_t rounds = 0;         ///< in which the suite was measured by several launches
    std::size_t alike = 0;          ///< of these, all in the way that is compared
    std::optional<int> given_up_in; ///< the session chose barriers after windows were given up in this round
    bool operator==(const TurnsStarts&) const = default;
};

/// Launches of a variant that were made on another machine, with another library or other bound ranks than
/// its first one: their rounds are compared with the others as if they were not.
struct TurnsMove {
    std::size_t variant = 0;              ///< its place in the session
    int round = 0;                        ///< the first such
    std::vector<std::string> differences; ///< surroundings_differ()
};

/// What the launches of a session measured.
struct SessionLaunches {
    Session session;
    /// As session.variants. Their curves hold what each launch measured itself, in any state of the machine.
    std::vector<Subject> variants;
    /// For each variant, round -> uuid of the launch that counts.
    std::vector<std::map<int, std::string>> launches;
    std::vector<std::set<int>> failed; ///< for each variant, rounds in which a launch gave no run
    double round_s = 0;           ///< that the launches of a round took together, on average; 0 = not known
    std::vector<TurnsMove> moves; ///< the first of each variant; mostly none
    std::map<std::string, TurnsStarts> starts; ///< of suites, by name: only those with several starts
};

/// Reads what the launches of a session measured; if a variant has several in one round, the first that
/// ended. Leaves out values with another start of the ranks than the one compared, where windows could not be
/// kept (starts_of_session()).
/// @param uuid of the session; empty = the newest of the file
/// @throws InputError where there is no such session; it lists the existing ones
[[nodiscard]] SessionLaunches read_session(const Database& database, const std::string& uuid = {});

/// What one launch of a session measured.
struct LaunchOfSession {
    std::size_t variant = 0; ///< its place in the session
    int round = 0;
    Subject measured;
};

/// How the ranks of each suite were started in the rounds of a session, for suites with several starts. A
/// time in a window and one between barriers are two quantities: only launches of one round with the same
/// start are compared, and only rounds with one start. The start that keeps more of the rounds is chosen,
/// counted by the share of the arguments that both launches of a pair began with it.
[[nodiscard]] std::map<std::string, TurnsStarts>
starts_of_session(const std::vector<LaunchOfSession>& launches);

/// Leaves out what a launch measured with another start than the one compared.
void leave_out_other_starts(Subject& launch, const std::map<std::string, TurnsStarts>& starts);

/// Leaves out launches of a suite in which a rank waited for a core: lost_core() by the fastest quarter of
/// the launches' probes.
void leave_out_without_core(Curve& curve);

} // namespace skampi
