#pragma once

#include "mpi/communicator.hpp"
#include "operations/operation.hpp"

#include <map>
#include <string>
#include <utility>

namespace skampi {

/// Who takes part in a measurement, by pattern. Rank 0 of the run is always rank 0 of the team and keeps
/// time.
struct TeamShape {
    Pattern pattern = Pattern::simple;
    int ranks = 1;   ///< size of the team
    int partner = 0; ///< ping-pong: rank in the run of the other one

    [[nodiscard]] bool has(int rank) const {
        return pattern == Pattern::ping_pong ? rank == 0 || rank == partner : rank < ranks;
    }
    auto operator<=>(const TeamShape&) const = default;
};

/// The team's shape for a setting. @return what makes it impossible; empty = possible
[[nodiscard]] std::string choose_team(const Suite& suite, int ranks_wanted, int ranks_there, int partner,
                                      TeamShape& shape);

/// Communicators of the teams used so far: making one costs a collective call, so they are kept.
class Teams {
public:
    /// Collective over all: the team's communicator, empty on ranks outside it.
    [[nodiscard]] const Communicator& get(const Communicator& all, const TeamShape& shape);
    /// Forgets a team after an error: its communicator is made anew next time.
    void forget(const TeamShape& shape) { made_.erase(shape); }

private:
    std::map<TeamShape, Communicator> made_;
};

} // namespace skampi
