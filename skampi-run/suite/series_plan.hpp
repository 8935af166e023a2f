// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/laboratory.hpp"
#include "model/suite.hpp"
#include "suite/point.hpp"

#include <cstdint>

namespace skampi {

/// Shapes the series of a suite: how many calls are timed at once, how long a batch is, how often the machine
/// is probed. Pure: learns from series what a probe and an agreement on a start cost.
class SeriesPlan {
public:
    SeriesPlan(const Suite& suite, const Tempo& tempo);

    /// A series of the suite has ended.
    void finished(const SeriesResult& result);
    [[nodiscard]] double probe_cost_s() const { return probe_cost_s_; } ///< 0 = not known yet
    /// Whether two probes take a small part of a visit. With other work on the cores one may take as long as
    /// many calls, and measures the scheduler.
    [[nodiscard]] bool has_time_for_probes(double visit_s) const;

    /// Whether such single measurements begin at agreed times.
    [[nodiscard]] bool in_windows(Synchronization synchronization) const;
    /// Calls per single measurement; a point keeps the block it began with, because the overhead depends on
    /// it.
    /// @param acts_between_calls Laboratory::acts_between_calls
    [[nodiscard]] std::int64_t block_of(const Point& point, bool acts_between_calls) const;
    /// The time of a call with its window or barriers.
    [[nodiscard]] double call_s(const CallTimes& calls, Synchronization synchronization) const;
    /// The same for a single measurement with its overhead.
    [[nodiscard]] double single_s(const CallTimes& calls, Synchronization synchronization,
                                  std::int64_t block) const;

    /// @param count single measurements
    [[nodiscard]] SeriesOrder values(const CallTimes& calls, std::int64_t count, std::int64_t block,
                                     Synchronization synchronization) const;
    /// @param budget_s for the series: probes are left out where they do not fit into it
    [[nodiscard]] SeriesOrder empty_calls(const CallTimes& calls, std::int64_t block,
                                          Synchronization synchronization, double budget_s) const;

    /// Calls of a warm-up, once it is known how long one takes.
    [[nodiscard]] std::int64_t warm_up(const CallTimes& calls) const;
    /// The part of them that is made even if they take long.
    [[nodiscard]] std::int64_t least_warm_up(const CallTimes& calls, double visit_s) const;
    /// How long the first warm-up at an argument may take. @param visit_s for the visit
    [[nodiscard]] static double longest_first_warm_up_s(double visit_s);

private:
    [[nodiscard]] double batch_s() const;
    [[nodiscard]] std::int64_t look_every(double batch_s) const;
    [[nodiscard]] bool has_warm_buffers() const;

    const Suite& suite_;
    const Tempo& tempo_;
    double agreement_s_ = 0; ///< what a batch's start cost last
    double probe_cost_s_ = 0;
};

} // namespace skampi
