#pragma once

#include "model/run.hpp"

#include <mpi.h>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// A random version-4 UUID from the kernel.
[[nodiscard]] std::string make_uuid();
/// What this process knows of its rank.
[[nodiscard]] RankFacts my_rank_facts(int rank);
/// Every rank's facts on rank 0; empty elsewhere. Collective.
[[nodiscard]] std::vector<RankFacts> gather_rank_facts(const RankFacts& mine, MPI_Comm comm);
/// The names of the control variables that the MPI library has (MPI_T); empty = it does not tell.
[[nodiscard]] std::set<std::string> control_variables();
/// What a reader needs to trust a run: library, compiler, kernel, CPU, governor.
[[nodiscard]] std::map<std::string, std::string> environment_facts();
/// What is wrong with the binding, in words: ranks that share a core, more ranks than cores, unbound ranks.
/// Empty = nothing.
[[nodiscard]] std::string binding_warning(const std::vector<RankFacts>& ranks);

} // namespace skampi
