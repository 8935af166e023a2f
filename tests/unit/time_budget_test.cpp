// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "suite/time_budget.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace skampi;

namespace {

/// Ten seconds for a suite of four passes.
Suite timed_suite(skalib::Scale scale = skalib::Scale::fixed_linear) {
    Suite suite;
    suite.arguments.scale = scale;
    suite.passes = 4;
    suite.max_suite_time_s = 10;
    return suite;
}

} // namespace

TEST_CASE("the time of a suite runs from its start, less what former starts used") {
    TimeBudget budget(timed_suite(), false);
    budget.start(100);
    CHECK(budget.left_s(100) == close_to(10));
    CHECK(budget.left_s(104) == close_to(6));
    CHECK(budget.left_s(120) == 0);
    budget.add_used(3);
    budget.add_used(2);
    CHECK(budget.left_s(101) == close_to(4));
    CHECK(budget.share_used(101) == close_to(0.6));
}

TEST_CASE("without a limit there is always time, and none of it is used") {
    Suite suite = timed_suite();
    suite.max_suite_time_s.reset();
    TimeBudget budget(suite, false);
    budget.start(100);
    CHECK(std::isinf(budget.left_s(1e9)));
    CHECK(std::isinf(budget.fair_share_s(1e9, budget.kept_by_first_pass_s(), 3)));
    CHECK(std::isinf(budget.deadline_s(1e9, 5)));
    CHECK(budget.share_used(1e9) == 0);
}

TEST_CASE("each argument gets an equal part of what the passes to come leave") {
    TimeBudget budget(timed_suite(), false);
    budget.start(0);
    // 2.5 s are the first pass's, for five arguments.
    CHECK(budget.fair_share_s(0, budget.kept_by_first_pass_s(), 5) == close_to(0.5));
    CHECK(budget.fair_share_s(2, budget.kept_by_first_pass_s(), 1) == close_to(0.5));
    CHECK(budget.fair_share_s(3, budget.kept_by_first_pass_s(), 1) == 0); // late: the others keep theirs
    // Of 6 s left the second of four passes may use a third, the last one all.
    CHECK(budget.fair_share_s(4, budget.kept_by_pass_s(1, 4), 1) == close_to(2));
    CHECK(budget.fair_share_s(4, budget.kept_by_pass_s(3, 4), 2) == close_to(3));
    CHECK(budget.fair_share_s(4, budget.kept_by_pass_s(7, 4), 1) == close_to(6)); // beyond those planned
}

TEST_CASE("where a refinement follows, the first pass has two fifths of the time, with it three") {
    TimeBudget budget(timed_suite(skalib::Scale::dynamic_linear), true);
    budget.start(0);
    CHECK(budget.fair_share_s(0, budget.kept_by_first_pass_s(), 1) == close_to(4));
    CHECK(budget.fair_share_s(4, budget.kept_by_refinement_s(), 1) == close_to(2));
}

TEST_CASE("a visit ends by the time of the suite or of its measurement, whichever is sooner") {
    Suite suite = timed_suite();
    suite.repetition.max_time_s = 2;
    TimeBudget budget(suite, false);
    budget.start(100);
    CHECK(budget.deadline_s(101, 0) == close_to(103));
    CHECK(budget.deadline_s(101, 1.5) == close_to(101.5)); // used by former visits
    CHECK(budget.deadline_s(109, 0) == close_to(110));
}

TEST_CASE("each pass brings its part of the repetitions, the first one half where it is refined") {
    const TimeBudget even(timed_suite(), false);
    CHECK(even.share_of_repetitions(0) == close_to(0.25));
    CHECK(even.share_of_repetitions(1) == close_to(0.5));
    CHECK(even.share_of_repetitions(3) == close_to(1));
    const TimeBudget refined(timed_suite(skalib::Scale::dynamic_linear), true);
    CHECK(refined.share_of_repetitions(0) == close_to(0.5));
    CHECK(refined.share_of_repetitions(3) == close_to(1));
}
