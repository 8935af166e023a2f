// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "host/environment.hpp"
#include "host/host_facts.hpp"
#include "host/simulation.hpp"
#include "job/recorder.hpp"

#include <map>
#include <mpi.h>
#include <string>
#include <vector>

namespace skampi {

/// What this process knows of its rank.
[[nodiscard]] RankFacts my_rank_facts(int rank);
/// Adds what this rank is bound to. One rank of each host examines the machine for the others.
/// Collective.
void find_seats(RankFacts& mine, MPI_Comm comm);
/// Every rank's facts on rank 0; empty elsewhere. Collective.
[[nodiscard]] std::vector<RankFacts> gather_rank_facts(const RankFacts& mine, MPI_Comm comm);
/// All of that. Collective. @return as gathered: empty but on rank 0
[[nodiscard]] std::vector<RankFacts> facts_of_all_ranks(MPI_Comm comm);
/// Hosts of one name are distinguished by their kernels (give_hosts_unique_names). Collective.
/// @param ranks as gathered: empty but on rank 0
void tell_hosts_apart(std::vector<RankFacts>& ranks, MPI_Comm comm);
/// What else a run is measured with, as rank 0 finds it. @param ranks facts_of_all_ranks()
[[nodiscard]] Surroundings surroundings_of_job(std::vector<RankFacts> ranks,
                                               const std::vector<Variable>& variables);
/// What is kept of an environment, and of the files in which the MPI library reads settings.
[[nodiscard]] Environment environment_of_job(const std::vector<Variable>& variables);
/// What the MPI library holds for variables of the environment, whoever set them: fact_setting_read_back and
/// fact_setting_unknown of each that is MPICH's or Open MPI's by its name. None where the library does not
/// tell.
[[nodiscard]] std::map<std::string, std::string> setting_facts(const std::vector<std::string>& variables);
/// host_facts(), or of a simulated cluster what it is, and what the MPI library says of itself.
[[nodiscard]] std::map<std::string, std::string> environment_facts(const Simulation& simulation);

} // namespace skampi
