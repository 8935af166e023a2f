// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/session.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace skampi {

// What a launch takes from the launches before it: of its series, and of its session.

/// Both sides of the jumps that a run located in a suite: where to look first in the next run. A refinement
/// of the values that it stored finds them again. Empty where it did not measure the suite at such arguments.
[[nodiscard]] std::vector<std::int64_t> sides_of_jumps(const Database& database, RunId run,
                                                       const Suite& suite);

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

/// Refuses a launch of a session that would not be comparable with those before, because it is made on
/// another machine, with another library or other bound ranks than the first launch of its variant; or, as
/// the first of its variant, on another machine than that of one that is started by the same launcher.
/// @param launches of the session so far   @param run that is about to begin
/// @throws InputError naming what differs, and what to do
void check_session_machine(const std::string& database, const Session& session,
                           const std::vector<EndedLaunch>& launches, const Run& run);

/// The suites that a launch of a session starts between barriers from its first call on, with the round of
/// the launch that decided it: the first round in which launches without windows have cost as many rounds as
/// they have left. A round whose launches were not all started alike says nothing; between barriers every
/// round counts.
///
/// Follows from the runs that have ended alone, so that an interruption changes nothing. What a launch did is
/// a fact of its suite (fact_windows_given_up_in_round), and stays decided.
/// @param launches of the session
[[nodiscard]] std::map<std::string, int> suites_without_windows(const Database& database,
                                                                const std::vector<EndedLaunch>& launches);

/// Where the launches of a round measure the suites of a session, by suite, ascending; none = as planned.
/// Those whose scale refines: at the arguments of the first pass, and at those that any launch of the first
/// round has added. So a length at which one variant alone bends or jumps is measured of all, and every round
/// has both values at every length. Of added arguments nearer to one another than 4 % the smaller one is
/// taken; a larger distance where there would be more than twice as many as the launch with the most had.
/// Suites over the message length also measure the lengths near a threshold that a variant may set
/// (lengths_near_settings()).
///
/// Follows from the launches of earlier rounds that have ended, of the first of these alone, so that an
/// interruption changes nothing. Empty for the first round.
/// @param launches of the session
[[nodiscard]] std::map<std::string, std::vector<std::int64_t>>
arguments_of_session(const Database& database, const std::vector<EndedLaunch>& launches,
                     const std::vector<Variant>& variants, int round);

/// Message lengths in bytes near those that variables of the variants have as values ("16k", "65536",
/// "1MB"): of each 3/4, 7/8, 9/8 and 3/2, ascending. A setting that moves a threshold acts on one side of it
/// and may act nowhere else. Values below 64 (switches, numbers of threads) and above 1 GiB are taken for no
/// lengths.
[[nodiscard]] std::vector<std::int64_t> lengths_near_settings(const std::vector<Variant>& variants);
/// Those that a suite can measure: multiples within its limits; none where it does not refine lengths.
[[nodiscard]] std::set<std::int64_t> lengths_near_settings(const Suite& suite,
                                                           const std::vector<Variant>& variants);

/// What the launches of a session have in common, as those of earlier rounds decided it.
struct SharedBySession {
    std::map<std::string, int> without_windows;                 ///< suites_without_windows()
    std::map<std::string, std::vector<std::int64_t>> arguments; ///< arguments_of_session()
};
/// @param run that is about to begin, with its place in the session   @throws InputError as
/// check_session_machine
[[nodiscard]] SharedBySession join_session(const Database& database, const std::string& path, const Run& run);

} // namespace skampi
