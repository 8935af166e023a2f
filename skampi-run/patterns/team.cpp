#include "patterns/team.hpp"

#include <fmt/format.h>

namespace skampi {

std::string choose_team(const Suite& suite, int ranks_wanted, int ranks_there, int partner,
                        TeamShape& shape) {
    shape = {suite.operation.pattern, ranks_wanted, 0};
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
        break;
    }
    if (ranks_wanted > ranks_there)
        return fmt::format("{} ranks asked for, there are {}", ranks_wanted, ranks_there);
    if (suite.root >= ranks_wanted)
        return fmt::format("root is rank {}, the communicator has {} ranks", suite.root, ranks_wanted);
    return {};
}

const Communicator& Teams::get(const Communicator& all, const TeamShape& shape) {
    if (const auto found = made_.find(shape); found != made_.end())
        return found->second;
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_split(all.get(), shape.has(all.rank()) ? 0 : MPI_UNDEFINED, all.rank(), &comm),
          "MPI_Comm_split");
    return made_.emplace(shape, Communicator(comm)).first->second;
}

} // namespace skampi
