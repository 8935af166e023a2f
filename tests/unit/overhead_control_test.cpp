// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "suite/overhead_control.hpp"

#include <doctest/doctest.h>

using namespace skampi;

namespace {

const OverheadKey key{.pattern = Pattern::ping_pong, .ranks = 2};
const skalib::ModeSplit one_mode(std::vector<double>{0.3e-6, 0.3e-6});
const KnownModes nothing_known;
const ModesSeen seen_now{one_mode, nothing_known, 0};
constexpr std::int64_t enough = 64;

SeriesOfEmptyCalls series(double duration_s, bool dirty = false, int batches = 8) {
    SeriesOfEmptyCalls made;
    for (int b = 0; b < batches; ++b) {
        Batch batch;
        batch.duration_s.assign(32, duration_s);
        batch.dirty = dirty;
        made.batches.push_back(batch);
    }
    return made;
}

} // namespace

TEST_CASE("an overhead that is not known is measured once") {
    KnownOverheads of_run;
    OverheadControl control(enough, 1e-8, of_run);
    OverheadControl::Question question{.key = key};
    const Overhead unknown = control.overhead(key, seen_now);
    CHECK(unknown.doubtful);
    CHECK(control.wants_series(question, unknown));
    control.begin_attempt(question, unknown);
    (void)control.start(key, 1);
    control.add(key, series(1e-7));
    const Overhead known = control.overhead(key, seen_now);
    CHECK_FALSE(known.doubtful);
    CHECK(known.value_s == close_to(1e-7));
    CHECK_FALSE(control.wants_series(question, known));
    CHECK(control.is_measured(key));
    CHECK_FALSE(control.was_repeated());
}

TEST_CASE("a doubtful one is measured again where that is asked for, three times in a row, twelve in all") {
    KnownOverheads of_run;
    OverheadControl control(enough, 1e-8, of_run);
    int made = 0;
    for (int visit = 0; visit < 10; ++visit) {
        OverheadControl::Question question{.key = key, .may_repeat = true};
        int attempts = 0;
        for (Overhead overhead = control.overhead(key, seen_now); control.wants_series(question, overhead);
             overhead = control.overhead(key, seen_now)) {
            control.begin_attempt(question, overhead);
            (void)control.start(key, 1);
            control.add(key, series(1e-7, true)); // interrupted
            ++attempts;
        }
        CHECK(attempts <= 3);
        made += attempts;
    }
    CHECK(made == 12);
    CHECK(control.was_repeated());
    const OverheadControl::Question once{.key = key};
    CHECK_FALSE(control.wants_series(once, control.overhead(key, seen_now)));
}

TEST_CASE("empty calls longer than calls were interrupted: they are forgotten") {
    KnownOverheads of_run;
    OverheadControl control(enough, 1e-8, of_run);
    OverheadControl::Question question{.key = key, .may_repeat = true, .usual_call_s = 1e-6};
    (void)control.start(key, 1);
    control.add(key, series(5e-3));
    const Overhead impossible = control.overhead(key, seen_now);
    CHECK_FALSE(impossible.doubtful); // nothing says what kept them
    CHECK(control.wants_series(question, impossible));
    control.begin_attempt(question, impossible);
    CHECK_FALSE(control.is_measured(key));
    (void)control.start(key, 1);
    control.add(key, series(1e-7));
    CHECK(control.overhead(key, seen_now).value_s == close_to(1e-7));
}

TEST_CASE("all series of a key together take a fiftieth of the time left, each less than the one before") {
    KnownOverheads of_run;
    OverheadControl control(enough, 1e-8, of_run);
    CHECK(control.start(key, 10) == close_to(0.2));
    CHECK(control.start(key, 10) == close_to(0.1));
    CHECK(OverheadControl::time_for_question_s(10) == close_to(0.2));
}

TEST_CASE("at its end a suite hands the run what is certain, and the next one compares with it") {
    KnownOverheads of_run;
    OverheadControl first(enough, 1e-8, of_run);
    first.add(key, series(1e-7));
    OverheadKey other = key;
    other.block = 2;
    first.add(other, series(1e-7, true));
    first.finished(seen_now);
    CHECK(of_run[key].size() == 1);
    CHECK(of_run[other].empty());
    OverheadControl second(enough, 1e-9, of_run);
    second.add(key, series(1e-6));
    CHECK(second.overhead(key, seen_now).doubtful);
}
