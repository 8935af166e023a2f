// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "laboratory/series_watch.hpp"

#include <doctest/doctest.h>

using namespace skampi;

namespace {

/// Each probe takes 3 us and shows another number; each look takes 10 us.
struct Machine {
    double now_s = 0;
    int probes = 0;
    int looks = 0;
    SeriesWatch::Eyes eyes() {
        return {.clock = [this] { return now_s; },
                .probe =
                    [this] {
                        now_s += 3e-6;
                        return 1e-6 * ++probes;
                    },
                .look =
                    [this] {
                        now_s += 10e-6;
                        ++looks;
                        return skalib::CoreSpeed{};
                    }};
    }
};

std::vector<Batch> watched(const SeriesOrder& order, Machine& machine, int made) {
    SeriesWatch watch(order, machine.eyes());
    watch.begin(false);
    std::vector<Batch> batches;
    for (int b = 0; b < made; ++b) {
        Batch batch;
        batch.probe_before_s = watch.last_probe_s();
        batches.push_back(batch);
        watch.add(batches);
    }
    watch.finish(batches);
    CHECK(watch.away_s() == close_to(machine.probes * 3e-6 + machine.looks * 10e-6));
    return batches;
}

} // namespace

TEST_CASE("batches lie between two probes, also those after which the series ends early") {
    Machine machine;
    SeriesOrder order;
    order.batches = 9;
    order.probe_every = 2;
    const std::vector<Batch> batches = watched(order, machine, 5);
    CHECK(machine.probes == 4); // before, after two, after four, at the end
    CHECK(batches[0].probe_before_s == close_to(1e-6));
    CHECK(batches[1].probe_after_s == close_to(2e-6));
    CHECK(batches[2].probe_before_s == close_to(2e-6));
    CHECK(batches[4].probe_before_s == close_to(3e-6));
    CHECK(batches[4].probe_after_s == close_to(4e-6));
}

TEST_CASE("cores are looked at before the first batch, after every few, and after the last one") {
    Machine machine;
    SeriesOrder order;
    order.batches = 9;
    order.probe_every = 9;
    order.look_every = 2;
    (void)watched(order, machine, 5);
    CHECK(machine.looks == 4);
    Machine in_step;
    (void)watched(order, in_step, 4);
    CHECK(in_step.looks == 3);
}

TEST_CASE("a series without probes, or without time for a batch, is not watched") {
    Machine machine;
    SeriesOrder order;
    order.batches = 3;
    (void)watched(order, machine, 3);
    CHECK(machine.probes == 0);
    CHECK(machine.looks == 0);
    order.probe_every = 1;
    SeriesWatch watch(order, machine.eyes());
    watch.begin(true);
    std::vector<Batch> none;
    watch.finish(none);
    CHECK_FALSE(watch.is_probing());
    CHECK(watch.probe_cost_s() == 0);
    CHECK(machine.probes == 0);
}
