// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "clock/clock_model.hpp"
#include "host/host_facts.hpp"
#include "model/clock_estimate.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "mpi/control_traffic.hpp"

#include <mpi.h>
#include <string>
#include <time.h>

namespace skampi {

/// This rank's own clock: CLOCK_MONOTONIC, which all processes of a host share and no one can set.
/// (MPI_Wtime may count from a moment of each process's own, as Open MPI's does.) Simulated ranks have
/// MPI_Wtime. Offset and drift are zero except in tests that pretend ranks with clocks of their own.
struct LocalClock {
    double false_offset_s = 0;
    double false_drift = 0;
    [[nodiscard]] double operator()() const {
#ifdef SKAMPI_SIMULATED
        const double now = MPI_Wtime();
#else
        timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);
        const double now = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#endif
        return now + false_offset_s + false_drift * now;
    }
};

/// The clock all ranks agree on: rank 0's. Ranks that read one clock of the system agree exactly; one of
/// them, the first, measures the other clocks. It does so by ping-pongs along a binomial tree of these first
/// ranks, in ceil(log2) rounds in which every rank that already has the global time serves one that does not.
/// Each keeps its last sights, from which its drift and its bound follow (ClockHistory).
class GlobalClock {
public:
    /// @param name of the clock that this rank reads; empty = not known: counts as its own clock
    /// @param baseline_s of the first estimate, at least. Offsets known within 5 us give the drift within
    /// 1e-5 over a second, and the bound doubles in the second after it.
    explicit GlobalClock(LocalClock local = {}, std::string name = own_clock_name(), double baseline_s = 1)
        : local_(local)
        , name_(std::move(name))
        , least_baseline_s_(baseline_s) {}

    /// Estimates offsets and drifts anew and checks the former estimate against it. The first time, and after
    /// a clock was set, it lasts until there is a baseline. Collective.
    /// @return the same on all ranks, except the time, which the caller sets
    /// @throws MpiError after it has done its part for the others
    ClockEstimate synchronise(MPI_Comm comm);
    /// Whether an estimate is needed before the global time is used. Rank 0 asks.
    [[nodiscard]] bool due() const;
    /// As if there had never been an estimate: after an error on any rank all do so.
    void forget() { *this = GlobalClock(local_, name_, least_baseline_s_); }

    /// This rank's clock is set: the model remains, and is wrong.
    void set(LocalClock local) { local_ = local; }

    [[nodiscard]] double local() const { return local_(); }
    [[nodiscard]] double now() const { return model_.to_global(local_()); }
    [[nodiscard]] const ClockModel& model() const { return model_; }
    /// The name of this rank's clock: ranks with the same name read the same clock.
    [[nodiscard]] const std::string& name() const { return name_; }
    /// How far this rank's global time may be off now.
    [[nodiscard]] double bound_s() const { return bound_s_ + growth_ * (local_() - estimated_s_); }
    [[nodiscard]] bool synchronised() const { return estimated_; } ///< the same on all ranks
    [[nodiscard]] int clocks() const { return clocks_; } ///< different clocks of the ranks; 0 = not known yet

    /// Returns when this rank's clock shows the global time, at once when it is past.
    /// @return the local time at which the call saw that it was reached; `late` when it was past already
    double wait_until(double global_s, bool& late) const;

private:
    void find_sharers(MPI_Comm comm, FirstError& error);
    [[nodiscard]] bool agrees_with_sharers(FirstError& error) const;
    ClockEstimate look(MPI_Comm comm, FirstError& error);

    LocalClock local_;
    std::string name_;
    double least_baseline_s_;
    Communicator sharers_; ///< ranks that read this rank's clock
    Communicator firsts_;  ///< the first of each such group; empty on all others
    int clocks_ = 0;
    ClockHistory history_; ///< of the first of a group
    ClockModel model_;
    double bound_s_ = 0; ///< at estimated_s_
    double growth_ = 0;
    double estimated_s_ = 0;
    double baseline_s_ = 0; ///< the shortest of all ranks
    bool estimated_ = false;
};

/// Our own barrier: ceil(log2 P) rounds of empty messages (Hensgen, Finkel & Manber 1988), so that the
/// library's barrier does not affect the times of its other collectives. @return the first MPI
/// error code; after an error, too, it does its part for the others
int dissemination_barrier(MPI_Comm comm, Waiting waiting = Waiting::busy);

/// The same barrier, whose messages also carry the wishes of all ranks to every rank. @param wishes bits;
/// this rank's before, all ranks' after it   @return the first MPI error code
int agreeing_barrier(MPI_Comm comm, unsigned char& wishes, Waiting waiting = Waiting::busy);

/// Sleeps in simulated time where time is simulated; busy waiting would take forever there.
void pass_time(double seconds);

} // namespace skampi
