#pragma once

#include "runs/launches_of_session.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// Where the launches of a round measure the suites of a session whose scale refines, by suite, ascending:
/// at the arguments of the first pass, and at those that any launch of the first round has added. So a length
/// at which one variant alone bends or jumps is measured of all, and every round has both values at every
/// length. Of added arguments nearer to one another than 4 % the smaller one is taken; a larger distance
/// where there would be more than twice as many as the launch with the most had. Suites over the message
/// length also measure the lengths near a threshold that a variant may set (lengths_near_settings()).
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

} // namespace skampi
