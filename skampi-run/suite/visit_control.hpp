// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/laboratory.hpp"
#include "suite/point.hpp"
#include "suite/time_budget.hpp"

#include <cstdint>

namespace skampi {

/// Decides how many single measurements one visit to an argument makes, series after series: its pass's share
/// of what the repetition wants, no more than its time allows, and one at least. Pure.
class VisitControl {
public:
    /// What is known when the next series is planned.
    struct Circumstances {
        std::int64_t block = 1;
        double call_s = 0;       ///< SeriesPlan::call_s
        double single_s = 0;     ///< SeriesPlan::single_s
        double probe_cost_s = 0; ///< SeriesPlan::probe_cost_s
        double allowed_s = 0;    ///< time left for the visit; below 0 = it is over
    };

    /// @param full_visit no shorter than any other, even if few are wanted
    VisitControl(const Suite& suite, const Tempo& tempo, const TimeBudget& budget, int pass, bool full_visit);

    /// A series was made. @param disturbed of the single measurements
    void add(std::int64_t made, std::int64_t disturbed);
    /// Ranks are started in another way from now on: earlier ones no longer count.
    void start_anew() { made_ = disturbed_ = 0; }
    /// Time is so short that one value is enough, and none may begin that would not end in time.
    void be_brief() { brief_ = true; }
    [[nodiscard]] std::int64_t made() const { return made_; }
    /// Single measurements of the next series; 0 = the visit ends.
    [[nodiscard]] std::int64_t next(const RepetitionState& repetition,
                                    const Circumstances& circumstances) const;

private:
    [[nodiscard]] std::int64_t wanted(const RepetitionState& repetition) const;
    [[nodiscard]] std::int64_t shortest_visit(const Circumstances& circumstances) const;

    const Suite& suite_;
    const Tempo& tempo_;
    const TimeBudget& budget_;
    int pass_;
    bool full_visit_;
    bool brief_ = false;
    std::int64_t made_ = 0;
    std::int64_t disturbed_ = 0; ///< of these
};

} // namespace skampi
