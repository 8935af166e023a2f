#include "job/disturbance.hpp"

#include <algorithm>
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
#ifdef SKAMPI_SIMULATED
    return {}; // all ranks share one thread: its counters say nothing of a rank
#else
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    const int cpu = sched_getcpu();
    const std::int64_t before = std::exchange(switches_, usage.ru_nivcsw);
    const int cpu_before = std::exchange(cpu_, cpu);
    return {usage.ru_nivcsw - before, cpu != cpu_before ? 1 : 0};
#endif
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

double foreign_cpu_share(const HostTicks& before, const HostTicks& after, double elapsed_s, int ranks_here,
                         int cpus) {
    const double tick_s = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    const double busy_s = static_cast<double>(after.busy - before.busy) * tick_s;
    const double own_s = elapsed_s * std::min(ranks_here, cpus);
    return elapsed_s > 0 && cpus > 0 ? std::clamp((busy_s - own_s) / (elapsed_s * cpus), 0.0, 1.0) : 0;
}

} // namespace skampi
