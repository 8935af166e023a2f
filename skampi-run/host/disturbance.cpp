#include "host/disturbance.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace skampi {

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

std::map<std::string, std::string> host_facts_since(const HostTicks& before, double elapsed_s,
                                                    int ranks_here) {
    std::map<std::string, std::string> facts;
#ifdef SKAMPI_SIMULATED
    static_cast<void>(before), static_cast<void>(elapsed_s), static_cast<void>(ranks_here);
#else
    const HostTicks ticks = HostTicks::read();
    const auto cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    if (elapsed_s > 1)
        facts["CPU share of other processes"] =
            fmt::format("{:.3f}", foreign_cpu_share(before, ticks, elapsed_s, ranks_here, cpus));
    facts["steal ticks"] = std::to_string(ticks.steal - before.steal);
    std::ifstream frequency("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
    if (std::string khz; std::getline(frequency, khz))
        facts["CPU 0 frequency, kHz"] = khz;
#endif
    return facts;
}

double foreign_cpu_share(const HostTicks& before, const HostTicks& after, double elapsed_s, int ranks_here,
                         int cpus) {
    const double tick_s = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    const double busy_s = static_cast<double>(after.busy - before.busy) * tick_s;
    const double own_s = elapsed_s * std::min(ranks_here, cpus);
    return elapsed_s > 0 && cpus > 0 ? std::clamp((busy_s - own_s) / (elapsed_s * cpus), 0.0, 1.0) : 0;
}

} // namespace skampi
