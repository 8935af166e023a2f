// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/time_budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skampi {
namespace {

// Where a refinement follows the first pass: of the repetitions, so that it sees settled values, and of
// Time_Suite, for the first pass alone and with the refinement. Without one all passes are alike.
constexpr double first_pass_share = 0.5;
constexpr double first_pass_time_share = 0.4;
constexpr double refined_time_share = 0.6;

// Most members of a group get the first pass only: it shows which are far from the fastest, and takes a third
// of the time of another pass.
constexpr double first_share_in_turns = 0.3;

constexpr double unlimited_s = std::numeric_limits<double>::infinity();

} // namespace

TimeBudget::TimeBudget(const Suite& suite, bool refined, bool in_turns)
    : suite_time_s_(suite.max_suite_time_s.value_or(unlimited_s))
    , measurement_time_s_(suite.repetition.max_time_s.value_or(unlimited_s))
    , passes_(suite.passes)
    , refined_(refined)
    , in_turns_(in_turns) {}

double TimeBudget::left_s(double now_s) const {
    return std::max(0.0, suite_time_s_ - used_before_s_ - (running_ ? now_s - begin_s_ : 0));
}

double TimeBudget::share_used(double now_s) const {
    return std::isfinite(suite_time_s_) ? 1 - left_s(now_s) / suite_time_s_ : 0;
}

double TimeBudget::share_of_first_pass(double if_refined) const {
    return refined_ ? if_refined : 1.0 / passes_;
}

double TimeBudget::kept_by_first_pass_s() const {
    return (1 - share_of_first_pass(first_pass_time_share)) * suite_time_s_;
}

double TimeBudget::kept_by_refinement_s() const {
    return (1 - refined_time_share) * suite_time_s_;
}

double TimeBudget::kept_by_pass_s(int pass, double now_s) const {
    return left_s(now_s) * (1 - 1.0 / std::max(1, passes_ - pass));
}

double TimeBudget::fair_share_s(double now_s, double kept_s, std::size_t arguments) const {
    const double there_s = left_s(now_s);
    return std::isfinite(there_s) ? std::max(0.0, there_s - kept_s) / static_cast<double>(arguments)
                                  : there_s;
}

double TimeBudget::deadline_s(double visit_begin_s, double used_before_s) const {
    return std::min(begin_s_ + suite_time_s_ - used_before_s_,
                    visit_begin_s + measurement_time_s_ - used_before_s);
}

double TimeBudget::share_of_repetitions(int pass) const {
    const double first = in_turns_ ? first_share_in_turns / passes_ : share_of_first_pass(first_pass_share);
    return first + (1 - first) * pass / (passes_ - 1);
}

double TimeBudget::share_of_visit(int pass) const {
    return in_turns_ && pass == 0 && passes_ > 1 ? first_share_in_turns : 1;
}

} // namespace skampi
