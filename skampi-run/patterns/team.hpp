// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/pattern.hpp"
#include "model/placement.hpp"
#include "mpi/communicator.hpp"
#include "operations/operation.hpp"

#include <cstddef>
#include <list>
#include <string>
#include <utility>

namespace skampi {

/// Who takes part in a measurement, by pattern. Rank 0 of the run is always rank 0 of the team and keeps
/// time.
struct TeamShape {
    Pattern pattern = Pattern::simple;
    int ranks = 1;   ///< size of the team
    int partner = 0; ///< ping-pong: rank in the run of the other one
    JoinOrder join = JoinOrder::by_rank;
    /// The word of the algorithm that its communicator was made for; empty = the library's own choice.
    std::string algorithm = {};

    /// @param place of the rank in the order in which ranks join
    [[nodiscard]] bool has(int rank, int place) const {
        return row_of(pattern).has_partner ? rank == 0 || rank == partner : place < ranks;
    }
    /// Whether the same ranks take part, with any communicator.
    [[nodiscard]] bool is_same_team(TeamShape other) const {
        other.algorithm = algorithm;
        return other == *this;
    }
    auto operator<=>(const TeamShape&) const = default;
};

/// The team's shape for a setting. @return why it is impossible; empty = possible
[[nodiscard]] std::string choose_team(const Suite& suite, int ranks_wanted, int ranks_there, int partner,
                                      TeamShape& shape);

/// Communicators of the teams used last: making one costs a collective call, so they are kept; libraries have
/// room for some thousand, and each takes memory for every rank in it, so few are. All ranks ask for the same
/// teams in the same order and so free the same ones at the same time.
class Teams {
public:
    static constexpr std::size_t most = 16;

    /// Collective over all: the team's communicator, empty on ranks outside it. It exists until `most` others
    /// have been requested.
    /// @param place of this rank in the order in which ranks join
    [[nodiscard]] const Communicator& get(const Communicator& all, const TeamShape& shape, int place);
    /// Forgets a team after an error: its communicator is made anew next time.
    void forget(const TeamShape& shape);
    [[nodiscard]] std::size_t count() const { return made_.size(); }

private:
    struct Team {
        TeamShape shape;
        Communicator communicator;
    };
    std::list<Team> made_; ///< the one used last first; addresses stay
};

} // namespace skampi
