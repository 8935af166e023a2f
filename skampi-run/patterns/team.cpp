// SPDX-License-Identifier: LGPL-2.1-or-later
#include "patterns/team.hpp"
#include "model/pattern.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

std::string choose_team(const Suite& suite, int ranks_wanted, int ranks_there, int partner,
                        TeamShape& shape) {
    const PatternRow& row = row_of(suite.operation.pattern);
    shape = {row.pattern,
             row.ranks > 0 ? row.ranks : ranks_wanted,
             row.has_partner ? partner : 0,
             row.starts_together ? join_order(suite) : JoinOrder::by_rank,
             {}};
    if (row.ranks > ranks_there)
        return fmt::format("a {} needs {} ranks, there is {}; start with `mpiexec -n {}` or more", row.name,
                           row.ranks, ranks_there, row.ranks);
    if (row.ranks > 0)
        return {};
    if (ranks_wanted < row.fewest_ranks)
        return fmt::format("{} needs at least {} ranks, {} asked for", row.name, row.fewest_ranks,
                           ranks_wanted);
    if (ranks_wanted > ranks_there)
        return fmt::format("{} ranks asked for, there are {}", ranks_wanted, ranks_there);
    if (suite.root >= ranks_wanted)
        return fmt::format("Root = {}, but the last place among the ranks that take part is {}", suite.root,
                           ranks_wanted - 1);
    return {};
}

const Communicator& Teams::get(const Communicator& all, const TeamShape& shape, int place) {
    const auto found = std::ranges::find(made_, shape, &Team::shape);
    if (found != made_.end()) {
        made_.splice(made_.begin(), made_, found);
        return made_.front().communicator;
    }
    while (made_.size() >= most)
        made_.pop_back();
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_split(all.get(), shape.has(all.rank(), place) ? 0 : MPI_UNDEFINED, place, &comm),
          "MPI_Comm_split");
    made_.push_front({shape, Communicator(comm)});
    return made_.front().communicator;
}

void Teams::forget(const TeamShape& shape) {
    made_.remove_if([&](const Team& team) { return team.shape == shape; });
}

} // namespace skampi
