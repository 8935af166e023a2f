// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite/visit_control.hpp"

#include <doctest/doctest.h>
#include <limits>

using namespace skampi;

namespace {

constexpr double unlimited_s = std::numeric_limits<double>::infinity();

struct Stay {
    Suite suite;
    Tempo tempo;
    Stay() {
        suite.arguments.scale = skalib::Scale::fixed_linear;
        suite.passes = 2;
        suite.repetition.min_count = 8;
        suite.repetition.max_count = 400;
        tempo.visit_s = 1e-3;
        tempo.probe_share = 0;
    }
    TimeBudget budget() const { return TimeBudget(suite, is_dynamic(suite.arguments.scale)); }
};

/// Calls of 100 us: ten make the shortest stay.
VisitControl::Circumstances long_calls(double allowed_s = unlimited_s) {
    return {.block = 1, .call_s = 1e-4, .single_s = 1e-4, .probe_cost_s = 0, .allowed_s = allowed_s};
}

RepetitionState wanting(std::int64_t wanted, std::int64_t have = 0) {
    return {skalib::StopReason::none, have, have + wanted, wanted, wanted};
}

} // namespace

TEST_CASE("a pass makes its share of the repetitions, the last one the rest") {
    const Stay stay;
    const TimeBudget budget = stay.budget();
    const VisitControl first(stay.suite, stay.tempo, budget, 0, false);
    CHECK(first.next(wanting(100), long_calls()) == 50);
    CHECK(first.next(wanting(90, 10), long_calls()) == 40);
    const VisitControl last(stay.suite, stay.tempo, budget, 1, false);
    CHECK(last.next(wanting(50, 50), long_calls()) == 50);
}

TEST_CASE("a stay lasts a while even where little is wanted, but no longer than the passes to come allow") {
    Stay stay;
    const TimeBudget budget = stay.budget();
    VisitControl control(stay.suite, stay.tempo, budget, 0, false);
    CHECK(control.next(wanting(0, 50), long_calls()) == 10);
    stay.suite.repetition.max_count = 6;
    CHECK(control.next(wanting(0, 50), long_calls()) == 3);
    control.add(3, 0);
    CHECK(control.next(wanting(0, 53), long_calls()) == 0); // once
    // Beyond the passes planned only where the cores were disturbed.
    CHECK(VisitControl(stay.suite, stay.tempo, budget, 2, false).next(wanting(0), long_calls()) == 1);
    CHECK(VisitControl(stay.suite, stay.tempo, budget, 2, true).next(wanting(0), long_calls()) == 3);
}

TEST_CASE("two probes take no more than their share of a stay") {
    Stay stay;
    stay.tempo.probe_share = 0.1;
    const TimeBudget budget = stay.budget();
    const VisitControl control(stay.suite, stay.tempo, budget, 0, false);
    VisitControl::Circumstances now = long_calls();
    now.probe_cost_s = 1e-4; // two: 2 ms of stay
    CHECK(control.next(wanting(1), now) == 20);
}

TEST_CASE("time left is filled with values; without any there is one, or a few") {
    const Stay stay;
    const TimeBudget budget = stay.budget();
    VisitControl control(stay.suite, stay.tempo, budget, 1, false);
    CHECK(control.next(wanting(100), long_calls(2e-3)) == 20);
    CHECK(control.next(wanting(100), long_calls(0)) == 4);
    CHECK(control.next(wanting(2, 98), long_calls(0)) == 4);
    control.add(1, 0);
    CHECK(control.next(wanting(100), long_calls(0)) == 0);
}

TEST_CASE("a stay among disturbed cores ends soon, and a limit of time at once") {
    const Stay stay;
    const TimeBudget budget = stay.budget();
    VisitControl control(stay.suite, stay.tempo, budget, 1, false);
    control.add(8, 5);
    CHECK(control.next(wanting(100), long_calls()) == 0);
    control.start_anew();
    CHECK(control.made() == 0);
    CHECK(control.next(wanting(100), long_calls()) == 100);
    RepetitionState over = wanting(100);
    over.reason = skalib::StopReason::time_limit;
    CHECK(control.next(over, long_calls()) == 0);
}
