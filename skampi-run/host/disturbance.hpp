// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What the operating system did to this rank and its host since a moment (the disturbance ledger).
struct Disturbance {
    std::int64_t involuntary_switches = 0;
    std::int64_t migrations = 0; ///< 1 when the CPU differs at both ends
};

/// Whether a rank lost its core during the batch, or was moved to another (Batch::dirty).
[[nodiscard]] inline bool interrupted(const Batch& batch) {
    return batch.involuntary_switches > 0 || batch.migrations > 0 || batch.steal_ticks > 0;
}

/// All ranks of a simulation share one thread: its counters are not those of a rank, and nothing disturbs it.
#ifdef SKAMPI_SIMULATED
constexpr bool notices_disturbance = false;
#else
constexpr bool notices_disturbance = true;
#endif

/// Reads the calling thread's counters; cheap enough to stand between batches (two system calls).
class DisturbanceMeter {
public:
    DisturbanceMeter();
    /// What happened since construction or the last call.
    Disturbance lap();

private:
    std::int64_t switches_ = 0;
    int cpu_ = -1;
};

/// The host's CPU time from /proc/stat, in ticks summed over all CPUs; zeros where there is none.
struct HostTicks {
    std::int64_t busy = 0; ///< user, nice, system, interrupts
    std::int64_t idle = 0;
    std::int64_t steal = 0;
    static HostTicks read();
};

/// Looks at the host's steal time from time to time.
class StealMeter {
public:
    /// Ticks since the last look; 0 at the first, and within one tick of the last, where nothing is new.
    std::int64_t lap(double now_s);

private:
    std::int64_t ticks_ = 0;
    double read_at_s_ = 0;
};

/// The processor time that processes have used so far, all of their threads; none where one of them cannot be
/// read. @param pids of this host
[[nodiscard]] std::optional<double> cpu_time_s(const std::vector<std::int64_t>& pids);
/// The same of one, from the text of its /proc/PID/stat; none where that is something else.
[[nodiscard]] std::optional<double> cpu_time_s(const std::string& stat, double tick_s);

/// The state of rank 0's host at a moment.
struct HostMoment {
    HostTicks ticks;
    std::optional<double> ranks_s; ///< processor time of the run's ranks there; none = not known
};
/// @param ranks ids of the processes of the run's ranks on this host
[[nodiscard]] HostMoment host_moment(const std::vector<std::int64_t>& ranks);

/// Other work of rank 0's host since a moment, for the facts of a suite: share of other processes, steal
/// ticks, frequency. @param elapsed_s since then; below a second the kernel's ticks give no shares
[[nodiscard]] std::map<std::string, std::string> host_facts_since(const HostMoment& before, double elapsed_s,
                                                                  const std::vector<std::int64_t>& ranks);

/// Share of the host's CPU time that processes other than the run's ranks used between two moments, 0..1;
/// none where it is not known: the ranks' own time cannot be read, or the host does not count its own.
[[nodiscard]] std::optional<double> foreign_cpu_share(const HostMoment& before, const HostMoment& after,
                                                      double elapsed_s, int cpus);

} // namespace skampi
