#pragma once

#include "launches/session_launches.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace skampi {

/// What one launch of a session measured.
struct LaunchOfSession {
    std::size_t variant = 0; ///< its place in the session
    int round = 0;
    Subject measured;
};

/// How the ranks of each suite were started in the rounds of a session, of suites with several starts alone.
/// A time in a window and one between barriers are two quantities: only launches of one round that were
/// started alike are compared, and only rounds of one start. Of two starts it is that in which more is left
/// of the rounds; both are counted by the share of the arguments that both launches of a pair began so.
[[nodiscard]] std::map<std::string, TurnsStarts>
starts_of_session(const std::vector<LaunchOfSession>& launches);

/// Leaves out of a launch what was started otherwise than is compared.
void leave_out_other_starts(Subject& launch, const std::map<std::string, TurnsStarts>& starts);

} // namespace skampi
