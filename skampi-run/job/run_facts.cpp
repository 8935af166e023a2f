// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/run_facts.hpp"

#include "algorithms/library_file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "clock/global_clock.hpp"
#include "host/environment.hpp"
#include "host/launcher.hpp"
#include "host/setting_files.hpp"
#include "host/topology.hpp"
#include "model/placement.hpp"
#include "model/record.hpp"
#include "model/series.hpp"
#include "model/session.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "mpi/control_variables.hpp"
#include "mpi/library_name.hpp"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>

namespace skampi {

namespace {

/// The control variables that the library lists (MPI_T), and of these names those by which it reads others:
/// MPICH does not list MPICH_NO_LOCAL for MPIR_CVAR_NOLOCAL, but its file holds the name. Empty = it does not
/// tell.
std::set<std::string> known_variables(const ControlVariables& library,
                                      const std::vector<std::string>& names) {
    std::set<std::string> known = library.names();
    if (known.empty())
        return known;
    const LibraryFile file(reinterpret_cast<const void*>(&MPI_Get_library_version));
    for (const std::string& name : names) {
        const std::string control = control_variable_of(name);
        const std::string_view text(name.c_str(), name.size() + 1); // with the 0 at its end
        if (!control.empty() && !known.contains(control) && file.bytes().find(text) != std::string_view::npos)
            known.insert(control);
    }
    return known;
}

} // namespace

RankFacts my_rank_facts(int rank) {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    check(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
#ifndef SKAMPI_SIMULATED
    return own_rank_facts(rank, name.data());
#else
    RankFacts facts; // of the simulating process there is nothing to tell
    facts.rank = rank;
    facts.processor = name.data();
    return facts;
#endif
}

void find_seats(RankFacts& mine, MPI_Comm comm) {
#ifndef SKAMPI_SIMULATED
    MPI_Comm raw = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &raw), "MPI_Comm_split_type");
    const Communicator here(raw);
    std::vector<int> numbers; // a hardware thread and its seat, one after the other
    if (here.rank() == 0)
        for (const auto& [cpu, seat] : host_topology().seats)
            numbers.insert(numbers.end(), {cpu, seat.socket, seat.numa, seat.l3, seat.l2, seat.core});
    auto count = static_cast<int>(numbers.size());
    check(MPI_Bcast(&count, 1, MPI_INT, 0, here.get()), "MPI_Bcast");
    numbers.resize(static_cast<std::size_t>(count));
    check(MPI_Bcast(numbers.data(), count, MPI_INT, 0, here.get()), "MPI_Bcast");
    std::map<int, Seat> seats;
    for (std::size_t i = 0; i + 5 < numbers.size(); i += 6)
        seats[numbers[i]] = {numbers[i + 1], numbers[i + 2], numbers[i + 3], numbers[i + 4], numbers[i + 5]};
    mine.seat = common_seat(seats, cores_in(mine.cpus_allowed));
#else
    (void)mine; // simulated hosts have no parts
    (void)comm;
#endif
}

std::vector<RankFacts> gather_rank_facts(const RankFacts& mine, MPI_Comm comm) {
    int rank = 0;
    int size = 1;
    FirstError error;
    error.note(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    error.note(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    const std::string text = packed(std::vector<RankFacts>{mine});
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(static_cast<std::size_t>(rank == 0 ? size : 0));
    error.note(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm), "MPI_Gather");
    std::vector<int> places(lengths.size());
    for (std::size_t i = 1; i < places.size(); ++i)
        places[i] = places[i - 1] + lengths[i - 1];
    std::string all(rank == 0 ? static_cast<std::size_t>(places.back() + lengths.back()) : 0, ' ');
    error.note(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR,
                           0, comm),
               "MPI_Gatherv");
    error.raise();
    return unpacked<RankFacts>(all);
}

void tell_hosts_apart(std::vector<RankFacts>& ranks, MPI_Comm comm) {
    const std::uint64_t machine = Fnv1a().add(boot_name()).value();
    std::vector<std::uint64_t> machines(ranks.size());
    check(MPI_Gather(&machine, 1, MPI_UINT64_T, machines.data(), 1, MPI_UINT64_T, 0, comm), "MPI_Gather");
    give_hosts_unique_names(ranks, machines);
}

std::vector<RankFacts> facts_of_all_ranks(MPI_Comm comm) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    RankFacts mine = my_rank_facts(rank);
    find_seats(mine, comm);
    std::vector<RankFacts> ranks = gather_rank_facts(mine, comm);
    tell_hosts_apart(ranks, comm);
    return ranks;
}

Surroundings surroundings_of_job(std::vector<RankFacts> ranks, const std::vector<Variable>& variables) {
    Surroundings surroundings;
    surroundings.ranks = std::move(ranks);
    Simulation simulation = own_simulation();
    surroundings.library = mpi_library_name();
    surroundings.environment = environment_of_job(variables);
    surroundings.environment.settings.merge(simulation.settings);
    surroundings.facts = environment_facts(simulation);
    if (!surroundings.facts.contains(fact_simulation))
        surroundings.host_sizes = host_sizes();
    surroundings.launcher = launcher_name();
    surroundings.clock = skalib::measure_clock(LocalClock{});
    return surroundings;
}

Environment environment_of_job(const std::vector<Variable>& variables) {
    const ControlVariables library;
    const std::vector<Variable> all =
        with_settings_of_files(variables, {library.text("mca_base_param_files").value_or(""),
                                           library.text("mca_base_override_param_file").value_or("")});
    std::vector<std::string> names;
    for (const auto& [name, value] : all)
        names.push_back(name);
    return kept_environment(all, known_variables(library, names));
}

std::map<std::string, std::string> setting_facts(const std::vector<std::string>& variables) {
    std::map<std::string, std::string> facts;
    if (variables.empty())
        return facts;
    const ControlVariables library;
    const std::set<std::string> known = known_variables(library, variables);
    if (known.empty())
        return facts;
    for (const std::string& name : variables) {
        const std::string control = control_variable_of(name);
        if (control.empty())
            continue;
        if (!known.contains(control))
            facts[std::string(fact_setting_unknown) + name] = control;
        else if (const std::optional<std::string> held = library.text(control))
            facts[std::string(fact_setting_read_back) + name] = printable(*held);
    }
    return facts;
}

std::map<std::string, std::string> environment_facts(const Simulation& simulation) {
#ifndef SKAMPI_SIMULATED
    (void)simulation;
    std::map<std::string, std::string> facts = host_facts();
#else
    std::map<std::string, std::string> facts{
        {fact_simulation,
         fmt::format("{}: {}", std::filesystem::path(simulation.platform).filename().string(),
                     simulation.network)}};
#endif
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
    int length = 0;
    MPI_Get_library_version(library.data(), &length);
    facts["mpi library, full text"] = library.data();
    facts["mpi library, short"] = short_library_name(mpi_library_name());
    int version = 0;
    int subversion = 0;
    MPI_Get_version(&version, &subversion);
    facts["mpi standard"] = fmt::format("{}.{}", version, subversion);
    return facts;
}

} // namespace skampi
