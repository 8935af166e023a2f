// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "clock/global_clock.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"

#include <functional>
#include <vector>

namespace skampi {

/// The ranks of a team, and the clock of this one. All members are taken part in by every rank of the team,
/// though only some send messages; errors are noted.
class Prober {
public:
    Prober(const Communicator& team, const GlobalClock& clock, FirstError& failed)
        : team_(team)
        , clock_(clock)
        , failed_(failed) {}

    /// A look at the machine's state: short ping-pongs of the team's first and last rank; alone, what the
    /// core itself needs.
    /// @param over rank 0: whether time is over; then a probe has fewer blocks, one at least
    [[nodiscard]] double probe(const std::function<bool()>& over) const;

    /// Which share of a probe's round trip its way to the last rank takes: the median of some trips whose
    /// ends are read on one clock; 0 = the two ranks have clocks of their own, or this is neither of them.
    /// @param over rank 0: whether time is over; then there are fewer trips, two at least: before the first
    /// one a rank may have had something else to do
    [[nodiscard]] double find_way_there(const std::function<bool()>& over) const;

    /// 1-byte ping-pongs of rank 0 with one other rank, on both: the fastest block of them.
    [[nodiscard]] double latency_s(int other) const;

private:
    struct Trip {
        double sent_s;
        double back_s;
    };
    [[nodiscard]] std::vector<double> arrivals(std::vector<double> mine, std::size_t trips) const;

    const Communicator& team_;
    const GlobalClock& clock_;
    FirstError& failed_;
};

} // namespace skampi
