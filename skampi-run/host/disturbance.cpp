// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/disturbance.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace skampi {

namespace {

/// The unit of times in /proc.
double kernel_tick_s() {
    return 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace

DisturbanceMeter::DisturbanceMeter() {
    lap();
}

Disturbance DisturbanceMeter::lap() {
    if (!notices_disturbance)
        return {};
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    const int cpu = sched_getcpu();
    const std::int64_t before = std::exchange(switches_, usage.ru_nivcsw);
    const int cpu_before = std::exchange(cpu_, cpu);
    return {usage.ru_nivcsw - before, cpu != cpu_before ? 1 : 0};
}

HostTicks HostTicks::read() {
    std::ifstream stat("/proc/stat");
    std::string label;
    std::int64_t user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0;
    if (!(stat >> label >> user >> nice >> system >> idle >> wait >> irq >> softirq >> steal) ||
        label != "cpu")
        return {};
    return {user + nice + system + irq + softirq, idle + wait, steal};
}

std::int64_t StealMeter::lap(double now_s) {
    constexpr double tick_s = 0.01; // of the kernel's counters
    if (!notices_disturbance || now_s - read_at_s_ <= tick_s)
        return 0;
    const std::int64_t ticks = HostTicks::read().steal;
    const std::int64_t since = read_at_s_ > 0 ? ticks - ticks_ : 0;
    ticks_ = ticks;
    read_at_s_ = now_s;
    return since;
}

std::optional<double> cpu_time_s(const std::string& stat, double tick_s) {
    // "pid (name) state ppid ...": a name may hold anything, its last parenthesis ends it.
    const std::size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos)
        return std::nullopt;
    std::istringstream fields(stat.substr(name_end + 1));
    std::string skipped;
    constexpr int before_user_time = 11; // state and 10 numbers
    for (int i = 0; i < before_user_time; ++i)
        fields >> skipped;
    std::int64_t user = 0;
    std::int64_t system = 0;
    if (!(fields >> user >> system) || user < 0 || system < 0)
        return std::nullopt;
    return static_cast<double>(user + system) * tick_s;
}

std::optional<double> cpu_time_s(const std::vector<std::int64_t>& pids) {
    double sum_s = 0;
    for (const std::int64_t pid : pids) {
        std::ifstream stream(fmt::format("/proc/{}/stat", pid));
        std::string stat;
        std::getline(stream, stat);
        const std::optional<double> own_s = cpu_time_s(stat, kernel_tick_s());
        if (!own_s)
            return std::nullopt;
        sum_s += *own_s;
    }
    return pids.empty() ? std::nullopt : std::optional(sum_s);
}

HostMoment host_moment(const std::vector<std::int64_t>& ranks) {
    if (!notices_disturbance)
        return {};
    return {HostTicks::read(), cpu_time_s(ranks)};
}

std::map<std::string, std::string> host_facts_since(const HostMoment& before, double elapsed_s,
                                                    const std::vector<std::int64_t>& ranks) {
    std::map<std::string, std::string> facts;
#ifdef SKAMPI_SIMULATED
    static_cast<void>(before), static_cast<void>(elapsed_s), static_cast<void>(ranks);
#else
    const HostMoment after = host_moment(ranks);
    const auto cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    if (const std::optional<double> share = foreign_cpu_share(before, after, elapsed_s, cpus);
        share && elapsed_s > 1)
        facts["CPU share of other processes"] = fmt::format("{:.3f}", *share);
    facts["steal ticks"] = std::to_string(after.ticks.steal - before.ticks.steal);
    std::ifstream frequency("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
    if (std::string khz; std::getline(frequency, khz))
        facts["CPU 0 frequency, kHz"] = khz;
#endif
    return facts;
}

std::optional<double> foreign_cpu_share(const HostMoment& before, const HostMoment& after, double elapsed_s,
                                        int cpus) {
    const std::int64_t busy = after.ticks.busy - before.ticks.busy;
    if (!before.ranks_s || !after.ranks_s || busy <= 0 || !(elapsed_s > 0) || cpus < 1)
        return std::nullopt;
    const double others_s = static_cast<double>(busy) * kernel_tick_s() - (*after.ranks_s - *before.ranks_s);
    return std::clamp(others_s / (elapsed_s * cpus), 0.0, 1.0);
}

} // namespace skampi
