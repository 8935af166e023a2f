#include "patterns/team.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

std::string choose_team(const Suite& suite, int ranks_wanted, int ranks_there, int partner,
                        TeamShape& shape) {
    shape = {suite.operation.pattern, ranks_wanted, 0, JoinOrder::by_rank};
    switch (suite.operation.pattern) {
    case Pattern::simple:
        shape.ranks = 1;
        return {};
    case Pattern::ping_pong:
        shape.ranks = 2;
        shape.partner = partner;
        if (ranks_there < 2)
            return "a ping-pong needs 2 ranks, there is 1; start with `mpiexec -n 2` or more";
        return {};
    case Pattern::master_worker:
        if (ranks_wanted < 2)
            return fmt::format("master-worker needs at least 2 ranks, {} asked for", ranks_wanted);
        break;
    case Pattern::collective:
        shape.join = join_order(suite);
        break;
    }
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
