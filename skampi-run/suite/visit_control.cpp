// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/visit_control.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {
namespace {

constexpr std::int64_t few_values = 4; // a single one would show no error at all

} // namespace

VisitControl::VisitControl(const Suite& suite, const Tempo& tempo, const TimeBudget& budget, int pass,
                           bool full_visit)
    : suite_(suite)
    , tempo_(tempo)
    , budget_(budget)
    , pass_(pass)
    , full_visit_(full_visit) {}

void VisitControl::add(std::int64_t made, std::int64_t disturbed) {
    made_ += made;
    disturbed_ += disturbed;
}

std::int64_t VisitControl::wanted(const RepetitionState& repetition) const {
    if (pass_ + 1 >= suite_.passes || repetition.reason == skalib::StopReason::time_limit)
        return repetition.wanted;
    // A later pass shows other states of the machine even if the error is already small enough.
    const std::int64_t expected = std::max(repetition.expected, repetition.have + repetition.wanted);
    const auto due = static_cast<std::int64_t>(
        std::ceil(budget_.share_of_repetitions(pass_) * static_cast<double>(expected)));
    return std::clamp<std::int64_t>(due - repetition.have, 0, repetition.wanted);
}

/// A probe at each end must not take more than its share of the visit.
std::int64_t VisitControl::shortest_visit(const Circumstances& now) const {
    const double visit_s =
        std::max(tempo_.visit_s, tempo_.probe_share > 0 ? 2 * now.probe_cost_s / tempo_.probe_share : 0);
    const auto count = static_cast<std::int64_t>(
        std::ceil(budget_.share_of_visit(pass_) * visit_s / (now.call_s * static_cast<double>(now.block))));
    if (!suite_.repetition.max_count)
        return count;
    // Leaves something for later passes.
    return std::min(count, std::max<std::int64_t>(1, *suite_.repetition.max_count / suite_.passes));
}

std::int64_t VisitControl::next(const RepetitionState& repetition, const Circumstances& now) const {
    std::int64_t count = wanted(repetition);
    if (made_ == 0) {
        count = std::max(count, std::int64_t{1});
        if (pass_ < suite_.passes || full_visit_)
            count = std::max(count, shortest_visit(now));
    }
    if (count <= 0 || repetition.reason == skalib::StopReason::time_limit)
        return 0;
    // A visit yields one value, unless the suite's or the measurement's time is over; if there is time for it
    // a few, since a single one shows no error at all.
    const std::int64_t few = brief_ ? 1 : std::min(few_values, suite_.repetition.min_count);
    if (made_ > 0 && now.allowed_s <= (brief_ ? now.single_s / 2 : 0))
        return 0;
    if (made_ >= few && 2 * disturbed_ > made_) // a later pass may find the cores undisturbed
        return 0;
    if (std::isfinite(now.allowed_s))
        count =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(std::max(0.0, now.allowed_s) / now.single_s),
                                     std::min(few, count), count);
    return count;
}

} // namespace skampi
