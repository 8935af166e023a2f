#include "job/host_facts.hpp"

#include "model/series.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
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

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string own_clock_name() {
    const std::string booted = first_line("/proc/sys/kernel/random/boot_id");
    if (booted.empty())
        return {};
    std::array<char, 64> name{};
    const ssize_t length = readlink("/proc/self/ns/time", name.data(), name.size());
    return booted + " " + std::string(name.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
}

RankFacts own_rank_facts(int rank, const std::string& processor) {
    RankFacts facts;
    facts.rank = rank;
    facts.processor = processor;
    facts.pid = getpid();
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        facts.cpus_allowed = cpu_list(set);
    facts.cpu = sched_getcpu();
    return facts;
}

std::map<std::string, std::string> host_facts() {
    std::map<std::string, std::string> facts;
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
