#include "job/run_facts.hpp"

#include "model/record.hpp"
#include "model/series.hpp"
#include "mpi/check.hpp"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sched.h>
#include <set>
#include <sys/utsname.h>
#include <unistd.h>

namespace skampi {
namespace {

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::string cpu_list(const cpu_set_t& set) {
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
    return ranges_text(cpus);
}

} // namespace

std::string make_uuid() {
    return first_line("/proc/sys/kernel/random/uuid");
}

RankFacts my_rank_facts(int rank) {
    RankFacts facts;
    facts.rank = rank;
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    check(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
    facts.processor = name.data();
    facts.pid = getpid();
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        facts.cpus_allowed = cpu_list(set);
    facts.cpu = sched_getcpu();
    return facts;
}

std::vector<RankFacts> gather_rank_facts(const RankFacts& mine, MPI_Comm comm) {
    int rank = 0;
    int size = 1;
    FirstError error;
    error.note(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    error.note(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    const std::string text = packed(std::vector<RankFacts>{mine});
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(static_cast<std::size_t>(size));
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

std::set<std::string> control_variables() {
    std::set<std::string> names;
#ifndef SKAMPI_SIMULATED
    int provided = 0;
    int count = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
        return names;
    if (MPI_T_cvar_get_num(&count) != MPI_SUCCESS)
        count = 0;
    for (int i = 0; i < count; ++i) {
        std::array<char, 512> name{};
        int name_length = static_cast<int>(name.size());
        int description_length = 0;
        int verbosity = 0;
        int bind = 0;
        int scope = 0;
        MPI_Datatype datatype = MPI_DATATYPE_NULL;
        if (MPI_T_cvar_get_info(i, name.data(), &name_length, &verbosity, &datatype, nullptr, nullptr,
                                &description_length, &bind, &scope) == MPI_SUCCESS)
            names.insert(name.data());
    }
    MPI_T_finalize();
#endif
    return names;
}

std::map<std::string, std::string> environment_facts() {
    std::map<std::string, std::string> facts;
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
    int length = 0;
    MPI_Get_library_version(library.data(), &length);
    facts["mpi library, full text"] = library.data();
    int version = 0;
    int subversion = 0;
    MPI_Get_version(&version, &subversion);
    facts["mpi standard"] = fmt::format("{}.{}", version, subversion);
    facts["compiler"] = __VERSION__;
    utsname system{};
    if (uname(&system) == 0) {
        facts["kernel"] = fmt::format("{} {}", system.sysname, system.release);
        facts["architecture"] = system.machine;
    }
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);)
        if (line.starts_with("model name")) {
            facts["cpu model"] = line.substr(line.find(':') + 2);
            break;
        }
    facts["cpus online"] = std::to_string(sysconf(_SC_NPROCESSORS_ONLN));
    facts["memory pages"] = fmt::format("{} bytes", sysconf(_SC_PAGESIZE));
    for (const auto& [name, path] :
         {std::pair{"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"},
          {"transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled"},
          {"clock source", "/sys/devices/system/clocksource/clocksource0/current_clocksource"},
          {"load before", "/proc/loadavg"}})
        if (const std::string line = first_line(path); !line.empty())
            facts[name] = line;
    return facts;
}

std::string binding_warning(const std::vector<RankFacts>& ranks) {
    std::map<std::string, std::vector<RankFacts>> hosts;
    for (const RankFacts& rank : ranks)
        hosts[rank.processor].push_back(rank);
    std::string text;
    bool unbound_told = false;
    for (const auto& [host, members] : hosts) {
        const Binding binding = binding_of(members);
        if (binding.crowded) {
            text += fmt::format("{}{}: {} ranks on {} cores share them", text.empty() ? "" : "; ", host,
                                members.size(), binding.cores);
        } else if (binding.most > 1 && !unbound_told) {
            unbound_told = true;
            text += fmt::format("{}{}: ranks are bound to no single core and may move",
                                text.empty() ? "" : "; ", host);
        }
    }
    return text;
}

} // namespace skampi
