// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/exit_skew.hpp"

#include "patterns/timed_loop.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace skampi {
namespace {

// Fewer where ranks share cores and a barrier takes long: the suite's time is for its values.
#ifdef SKAMPI_SIMULATED
constexpr std::size_t most = 2; // all are alike, and one of a thousand ranks is ten thousand messages
#else
constexpr std::size_t most = 10; // their median is stored, and nothing depends on it
#endif
constexpr double longest_s = 0.02;

/// Of each barrier: from the first exit to the last, on rank 0.
std::vector<double> skews_of(std::vector<double> exits, const Communicator& team, FirstError& failed) {
    const std::size_t times = exits.size();
    std::vector<double> negated(times);
    std::ranges::transform(exits, negated.begin(), [](double t) { return -t; });
    exits.insert(exits.end(), negated.begin(), negated.end());
    std::vector<double> extremes(exits.size());
    failed.note(MPI_Reduce(exits.data(), extremes.data(), static_cast<int>(2 * times), MPI_DOUBLE, MPI_MAX, 0,
                           team.get()),
                "MPI_Reduce");
    std::vector<double> skews(times);
    for (std::size_t i = 0; i < times; ++i)
        skews[i] = extremes[i] + extremes[i + times];
    return skews;
}

} // namespace

ExitSkew measure_exit_skew(const Communicator& team, const GlobalClock& clock,
                           const std::function<bool()>& stop, FirstError& failed) {
    const auto skew_of = [&](auto&& barrier) {
        std::vector<double> exits;
        const double begin_s = clock.local();
        for (unsigned char wishes = 0; exits.size() < most;) {
            const int code = barrier();
            exits.push_back(clock.now());
            failed.note(code, "a barrier");
            if (team.rank() == 0 && (clock.local() - begin_s > longest_s || stop()))
                wishes = wish_to_end;
            // Rank 0 alone wishes, and whoever hears of it late only comes late to the next barrier.
            failed.note(MPI_Bcast(&wishes, 1, MPI_BYTE, 0, team.get()), "MPI_Bcast");
            if (wishes != 0)
                break;
        }
        std::vector<double> skews = skews_of(std::move(exits), team, failed);
        std::ranges::sort(skews);
        return skews[skews.size() / 2];
    };
    ExitSkew skew;
    skew.library_s = skew_of([&] { return MPI_Barrier(team.get()); });
    skew.dissemination_s = skew_of([&] { return dissemination_barrier(team.get()); });
    return skew;
}

} // namespace skampi
