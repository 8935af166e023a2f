#pragma once

#include "runs/launches_of_session.hpp"

#include <map>
#include <string>
#include <vector>

namespace skampi {

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

} // namespace skampi
