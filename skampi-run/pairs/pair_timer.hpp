// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "clock/global_clock.hpp"

#include <cstdint>
#include <mpi.h>
#include <vector>

namespace skampi {

/// How long a pair is measured: at least so many round trips, then on until the time is over.
struct PairTempo {
    int warm_up = 2;
    int least = 3;
    int most = 1000;
    double fill_s = 0.01; ///< of a step, in which all pairs are busy
    int exchanges = 25;   ///< both ways at the same time
    int exchanges_warm_up = 3;
    double lead_s = 0.005;      ///< from an order to its first step
    double longest_order_s = 4; ///< so often results are seen, and a wish to stop
    double watch_s = 1;         ///< how long cores are watched; 0 = they are not
};

#ifdef SKAMPI_SIMULATED
/// Simulated pairs repeat exactly, each message costs processor time, and cores do no other work.
inline constexpr PairTempo pair_tempo_here = {
    .warm_up = 0, .least = 1, .most = 1, .fill_s = 0, .exchanges = 1, .exchanges_warm_up = 0, .watch_s = 0};
#else
inline constexpr PairTempo pair_tempo_here = {};
#endif

/// When the steps of an order begin, on the clock that all members agree on.
struct StepTimes {
    double start_s = 0;
    double distance_s = 0;
    double fill_s = 0;
    bool both_ways = false; ///< messages go both ways at the same time, else there and back
};

/// Measures the pairs of one member, step by step: half a round trip, the median of several; or a message
/// each way, the mean of several. Nothing is sent but the pairs' messages. Their first byte says that a round
/// trip is the last, or its sender late.
class PairTimer {
public:
    /// @param members outlives this
    PairTimer(MPI_Comm members, const GlobalClock& clock, const PairTempo& tempo);

    struct Result {
        /// Of each step; not a number: no partner, the partner reports (the lower number does), or late.
        std::vector<float> time_s;
        double longest_s = 0; ///< step, with its warm-up
    };
    /// @param partners in each step; -1 = none   @throws MpiError
    [[nodiscard]] Result measure(const std::vector<int>& partners, const StepTimes& times,
                                 std::int64_t message_bytes);

private:
    [[nodiscard]] float begin(int partner, const StepTimes& times, double start_s, bool late);
    void answer(int partner, bool late);
    [[nodiscard]] float exchange(int partner, bool late);
    void send(int partner);
    void receive(int partner);

    MPI_Comm members_;
    const GlobalClock& clock_;
    PairTempo tempo_;
    int member_ = 0;
    std::vector<unsigned char> message_;
    std::vector<unsigned char> received_; ///< at the same time
    std::vector<double> trips_s_;
};

} // namespace skampi
