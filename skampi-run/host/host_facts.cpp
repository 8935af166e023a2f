// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/host_facts.hpp"

#include "host/topology.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <string_view>
#include <sys/utsname.h>
#include <unistd.h>
#include <utility>

namespace skampi {
namespace {

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// "GCC 12.2.0"
std::string compiler_name() {
#if defined(__INTEL_LLVM_COMPILER)
    return "Intel oneAPI " __VERSION__;
#elif defined(__clang__)
    return "Clang " __clang_version__;
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#else
    return __VERSION__;
#endif
}

/// The value of a line NAME="value" of a file of assignments.
std::string assigned(const std::string& path, std::string_view name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != '=')
            continue;
        std::string value = line.substr(name.size() + 1);
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
            value = value.substr(1, value.size() - 2);
        return value;
    }
    return {};
}

/// The hypervisor below this kernel, if visible: "KVM", "QEMU Standard PC", ...; empty = none.
std::string hypervisor(const std::string& cpu_flags) {
    if ((cpu_flags + " ").find(" hypervisor ") == std::string::npos)
        return {};
    std::string name = first_line("/sys/hypervisor/type");
    for (const char* path : {"/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name"})
        if (const std::string line = first_line(path); !line.empty())
            name += (name.empty() ? "" : " ") + line;
    return name.empty() ? "unknown hypervisor" : name;
}

/// Versions of the layers below the MPI library that this process has loaded.
void add_transports(std::map<std::string, std::string>& facts) {
    const auto function_of = [](const char* library, const char* function) {
        void* const loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
        void* const found = loaded != nullptr ? dlsym(loaded, function) : nullptr;
        if (loaded != nullptr)
            dlclose(loaded); // only ours of its references: it stays
        return found;
    };
    if (void* const found = function_of("libucp.so.0", "ucp_get_version_string"))
        facts["UCX"] = reinterpret_cast<const char* (*)()>(found)();
    if (void* const found = function_of("libfabric.so.1", "fi_version")) {
        const auto version = reinterpret_cast<std::uint32_t (*)()>(found)();
        facts["libfabric"] = fmt::format("{}.{}", version >> 16U, version & 0xffffU);
    }
}

/// What makes ranks of this library give up their core while they wait; empty = not known, or set already.
std::string yielding_setting(const std::string& library) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> settings{{
        {"Open MPI", "OMPI_MCA_mpi_yield_when_idle=1"},
        {"MVAPICH", "MV2_USE_BLOCKING=1"},
        {"Intel", "I_MPI_THREAD_YIELD=2"},
        {"MPICH", "MPIR_CVAR_POLLS_BEFORE_YIELD=1"},
    }};
    for (const auto& [name, setting] : settings)
        if (library.find(name) != std::string::npos) {
            const std::size_t equals = setting.find('=');
            const char* const set = std::getenv(std::string(setting.substr(0, equals)).c_str());
            return set != nullptr && set == setting.substr(equals + 1) ? std::string() : std::string(setting);
        }
    return {};
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

std::string boot_name() {
    return first_line("/proc/sys/kernel/random/boot_id");
}

std::string own_clock_name() {
    const std::string booted = boot_name();
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

HostSizes host_sizes() {
    HostSizes sizes = host_topology().sizes;
    sizes.hardware_threads = static_cast<int>(std::max(0L, sysconf(_SC_NPROCESSORS_ONLN)));
    return sizes;
}

std::map<std::string, std::string> host_facts() {
    std::map<std::string, std::string> facts;
    facts["compiler"] = compiler_name();
    utsname system{};
    if (uname(&system) == 0) {
        facts["kernel"] = fmt::format("{} {}", system.sysname, system.release);
        facts["architecture"] = system.machine;
    }
    std::ifstream cpuinfo("/proc/cpuinfo");
    std::string flags;
    for (std::string line; std::getline(cpuinfo, line) && !line.empty();) { // the first processor's
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos)
            continue;
        if (line.starts_with("model name"))
            facts["cpu model"] = line.substr(colon + 2);
        else if (line.starts_with("flags"))
            flags = line.substr(colon + 1);
    }
    const std::map<std::string, std::string>& topology = host_topology().facts;
    facts.insert(topology.begin(), topology.end());
    if (const std::string name = assigned("/etc/os-release", "PRETTY_NAME"); !name.empty())
        facts["distribution"] = name;
    if (const std::string below = hypervisor(flags); !below.empty())
        facts[fact_hypervisor] = below;
    add_transports(facts);
    const long pages = sysconf(_SC_PHYS_PAGES);
    if (pages > 0)
        facts["memory"] =
            fmt::format("{:.1f} GiB",
                        static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 30));
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

HostLimits host_limits() {
    HostLimits limits;
    limits.cores = static_cast<int>(std::max(0L, sysconf(_SC_NPROCESSORS_ONLN)));
    limits.memory_bytes =
        std::max<std::int64_t>(0, sysconf(_SC_PHYS_PAGES)) * std::max<std::int64_t>(0, sysconf(_SC_PAGESIZE));
    return limits;
}

namespace {

std::string what_binds(const std::string& launcher, bool cores_left, std::size_t ranks) {
    if (!cores_left)
        return std::string(
                   ", and they need all cores of the host. Do not bind them: that makes other work disturb "
                   "more. Better: ") +
               (ranks > 2 ? "fewer ranks, or no other work" : "no other work") + " on the host";
    const std::string bound = binding_launcher(launcher);
    return bound.empty() ? "; bind each rank to a core, with the option of your launcher"
                         : fmt::format("; --launch '{}' binds them", bound);
}

} // namespace

std::string binding_warning(const std::vector<RankFacts>& ranks, const std::string& library,
                            const std::string& launcher) {
    if (ranks.size() == 1)
        return "there is one rank: no message leaves it, and collectives take hardly any time; start two or more "
               "to measure communication";
    std::map<std::string, std::vector<RankFacts>> hosts;
    for (const RankFacts& rank : ranks)
        hosts[rank.processor].push_back(rank);
    std::string text;
    bool crowded = false;
    bool threads = false;
    bool any_unbound = false;
    bool cores_left = true; // otherwise binding is harmful: docs/decisions/binding.md
    for (const auto& [host, members] : hosts) {
        const Binding binding = binding_of(members);
        crowded = crowded || binding.crowded;
        if (binding.crowded) {
            text += fmt::format("{}{}: {} ranks share {}", text.empty() ? "" : "; ", host, members.size(),
                                count_of(binding.cores, "core"));
        } else if (binding.threads) {
            threads = true;
            text += fmt::format("{}{}: {} share {} as hardware threads and slow one another",
                                text.empty() ? "" : "; ", host, count_of(members.size(), "rank"),
                                count_of(binding.cores, "core"));
        } else if (binding.most > 1) {
            cores_left = cores_left && !binding.full;
            if (any_unbound)
                continue;
            any_unbound = true;
            text += fmt::format("{}{}: ranks may move between cores", text.empty() ? "" : "; ", host);
        }
    }
    if (threads && !crowded && !any_unbound)
        text += what_binds(launcher, true, ranks.size()) + ", if there are cores for all" +
                (ranks.size() > 2 ? "; else start fewer ranks" : "");
    if (any_unbound && !crowded)
        text += what_binds(launcher, cores_left, ranks.size());
    if (crowded) {
        const std::string yields = yielding_setting(library);
        text += ": times are mostly those of the scheduler; start no more ranks than there are cores";
        if (!yields.empty())
            text += fmt::format(", or let ranks that wait give up their core ({})", yields);
    }
    return text;
}

} // namespace skampi
