#pragma once

#include "mpi/check.hpp"

#include <mpi.h>

namespace skampi {

/// This rank's own clock. Offset and drift are zero except in tests that pretend ranks with clocks of their
/// own.
struct LocalClock {
    double false_offset_s = 0;
    double false_drift = 0;
    [[nodiscard]] double operator()() const {
        const double now = MPI_Wtime();
        return now + false_offset_s + false_drift * now;
    }
};

/// How a rank's local clock maps to rank 0's, the run's global clock: linear in time.
struct ClockModel {
    double offset_s = 0;    ///< global - local at reference
    double drift = 0;       ///< seconds per second
    double reference_s = 0; ///< local time at which offset_s held
    [[nodiscard]] double to_global(double local_s) const {
        return local_s + offset_s + drift * (local_s - reference_s);
    }
    [[nodiscard]] double to_local(double global_s) const {
        return reference_s + (global_s - reference_s - offset_s) / (1 + drift);
    }
};

/// The clock all ranks agree on. Offsets are found by ping-pongs along a binomial tree, ceil(log2 P) rounds
/// in which every rank that already knows the global time serves one that does not (the fastest of several
/// exchanges counts: Cristian 1989). Drift comes from two such estimates some time apart.
class GlobalClock {
public:
    explicit GlobalClock(LocalClock local = {})
        : local_(local) {}

    /// Estimates the offset anew, and the drift when the former estimate is old enough; of a clock that was
    /// set meanwhile the drift known before stays. Collective.
    /// @throws MpiError after it has done its part for the others
    void synchronise(MPI_Comm comm);
    /// As if there had never been an estimate: after an error on any rank all do so.
    void forget() { *this = GlobalClock(local_); }
    /// Largest deviation of the present models from a fresh estimate over all ranks, in seconds, and the
    /// bound half the fastest exchange puts on that estimate. Collective; the same on every rank.
    /// @throws MpiError as synchronise()
    struct Deviation {
        double largest_s = 0;
        double bound_s = 0;
    };
    [[nodiscard]] Deviation deviation(MPI_Comm comm) const;

    /// This rank's clock is set, as somebody may do: what is known of it stays, and is wrong.
    void set(LocalClock local) { local_ = local; }

    [[nodiscard]] double local() const { return local_(); }
    [[nodiscard]] double now() const { return model_.to_global(local_()); }
    [[nodiscard]] const ClockModel& model() const { return model_; }
    /// Half the fastest exchange of the last synchronise() along this rank's path: the offset's error bound.
    [[nodiscard]] double bound_s() const { return bound_s_; }
    [[nodiscard]] bool synchronised() const { return estimated_; } ///< the same on all ranks
    [[nodiscard]] double age_s() const { return local_() - model_.reference_s; }

    /// Returns when this rank's clock shows the global time, at once when it is past.
    /// @return the local time at which the call saw that it was reached; `late` when it was past already
    double wait_until(double global_s, bool& late) const;

private:
    struct Estimate {
        double offset_s = 0;
        double local_s = 0; ///< when
        double bound_s = 0;
    };
    [[nodiscard]] Estimate estimate(MPI_Comm comm, FirstError& error) const;

    LocalClock local_;
    ClockModel model_;
    double bound_s_ = 0;
    bool estimated_ = false;
    Estimate first_; ///< of the estimates the drift is taken from
};

/// Our own barrier: ceil(log2 P) rounds of empty messages (Hensgen, Finkel & Manber 1988), so that the
/// library's barrier algorithm does not leak into the times of its other collectives. @return the first MPI
/// error code; after an error, too, it does its part for the others
int dissemination_barrier(MPI_Comm comm);

/// The same barrier, with whose messages all ranks learn what any of them wishes: after it every rank has
/// heard of every other. @param wishes bits; this rank's before, all ranks' after it   @return the first MPI
/// error code
int agreeing_barrier(MPI_Comm comm, unsigned char& wishes);

/// Sleeps in simulated time where time is simulated; busy waiting would take forever there.
void pass_time(double seconds);

} // namespace skampi
