// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "suite/window_control.hpp"

#include <doctest/doctest.h>

using namespace skampi;

namespace {

/// Batches of ten windows, some of which were missed in each.
SeriesResult batches(int count, std::int64_t late, double duration_s = 1e-5) {
    SeriesResult result;
    for (int b = 0; b < count; ++b) {
        Batch batch;
        batch.late = late;
        batch.duration_s.assign(static_cast<std::size_t>(10 - late), duration_s);
        result.batches.push_back(batch);
    }
    return result;
}

SeriesOrder in_windows(double window_s) {
    SeriesOrder order;
    order.window_s = window_s;
    return order;
}

} // namespace

TEST_CASE("the first window is twice the fastest call, or what the last rank needs") {
    CallTimes calls{.estimate_s = 1e-5};
    WindowControl::start(calls);
    CHECK(calls.window_s == close_to(2.4e-5));
    WindowControl::start(calls); // known already
    CHECK(calls.window_s == close_to(2.4e-5));
    CallTimes apart{.estimate_s = 1e-5, .warm_up_span_s = 3e-5};
    WindowControl::start(apart);
    CHECK(apart.window_s == close_to(6.4e-5));
}

TEST_CASE("windows that are kept become as long as most calls need, and grow no faster than twofold") {
    WindowControl control(Synchronization::window);
    CallTimes calls{.window_s = 1e-4};
    control.finished(in_windows(1e-4), batches(4, 0), calls);
    CHECK(calls.window_s == close_to(1.3e-5 + 2e-6));
    control.finished(in_windows(1.5e-5), batches(4, 0, 1e-3), calls);
    CHECK(calls.window_s == close_to(3e-5));
    SeriesResult apart = batches(4, 0);
    apart.span_s.assign(4, 2e-5); // the last rank needs longer than the one that keeps time
    control.finished(in_windows(3e-5), apart, calls);
    CHECK(calls.window_s == close_to(2.6e-5 + 2e-6));
    CHECK(control.synchronization() == Synchronization::window);
}

TEST_CASE("missed windows double; after six late series in a row there are barriers instead") {
    WindowControl control(Synchronization::window);
    CallTimes calls{.wall_s = 5e-6, .window_s = 1e-5};
    for (int series = 1; series < 6; ++series) {
        control.finished(in_windows(1e-5), batches(1, 2), calls);
        CHECK(calls.window_s == close_to(1e-5 * (1 << series)));
        CHECK(control.synchronization() == Synchronization::window);
    }
    control.finished(in_windows(1e-5), batches(1, 2), calls);
    CHECK(control.synchronization() == Synchronization::dissemination);
}

TEST_CASE("a series in time begins the count anew") {
    WindowControl control(Synchronization::window);
    CallTimes calls{.window_s = 1e-5};
    for (int round = 0; round < 3; ++round) {
        for (int series = 0; series < 5; ++series)
            control.finished(in_windows(1e-5), batches(1, 2), calls);
        control.finished(in_windows(1e-5), batches(1, 0), calls);
    }
    CHECK(control.synchronization() == Synchronization::window);
}

TEST_CASE("an argument that is always late gives up, though others are in time") {
    WindowControl control(Synchronization::window);
    CallTimes late{.window_s = 1e-5};
    CallTimes good{.window_s = 1e-5};
    for (int series = 0; series < 5; ++series) {
        control.finished(in_windows(1e-5), batches(1, 2), late);
        control.finished(in_windows(1e-5), batches(1, 0), good);
    }
    CHECK(control.synchronization() == Synchronization::window);
    control.finished(in_windows(1e-5), batches(1, 2), late);
    CHECK(control.synchronization() == Synchronization::dissemination);
}

TEST_CASE("series that are hopeless count twice, batches without any window in time at once") {
    WindowControl control(Synchronization::window);
    CallTimes calls{.window_s = 1e-5};
    for (int series = 0; series < 2; ++series)
        control.finished(in_windows(1e-5), batches(2, 6), calls);
    CHECK(control.synchronization() == Synchronization::window);
    control.finished(in_windows(1e-5), batches(2, 6), calls);
    CHECK(control.synchronization() == Synchronization::dissemination);

    WindowControl never(Synchronization::window);
    never.finished(in_windows(1e-5), batches(4, 10), calls);
    CHECK(never.synchronization() == Synchronization::dissemination);
}

TEST_CASE("empty calls have short windows, and teach nothing about the operation's") {
    CHECK(WindowControl::empty_window_s({.window_s = 60}) == close_to(1e-4));
    CHECK(WindowControl::empty_window_s({.window_s = 1e-9}) == close_to(4e-6));
    WindowControl control(Synchronization::window);
    CallTimes calls{.window_s = 5e-5};
    SeriesOrder order = in_windows(5e-5);
    order.empty = true;
    control.finished(order, batches(4, 0, 1e-7), calls);
    control.finished(order, batches(1, 3), calls);
    CHECK(calls.window_s == close_to(5e-5));
    CHECK(calls.late_series == 1);                          // but a machine that misses them is seen
    control.finished(in_windows(0), batches(4, 10), calls); // between barriers nothing is late
    CHECK(control.synchronization() == Synchronization::window);
}

TEST_CASE("windows given up for lack of time are tried again in the next visits, but not for ever") {
    WindowControl control(Synchronization::window);
    CHECK_FALSE(control.gave_up());
    int tried_again = 0;
    for (int visit = 0; visit < 10; ++visit) {
        control.next_visit();
        if (control.synchronization() != Synchronization::window)
            continue;
        ++tried_again;
        control.give_up_here();
        CHECK(control.synchronization() == Synchronization::dissemination);
    }
    CHECK(tried_again == 4);
    CHECK(control.gave_up());
    // What evidence says of the machine stands.
    WindowControl resumed(Synchronization::window);
    resumed.resume(Synchronization::dissemination);
    resumed.next_visit();
    CHECK(resumed.synchronization() == Synchronization::dissemination);
}
