// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite/known_modes.hpp"

#include <doctest/doctest.h>

using namespace skampi;

namespace {

Batch batch_with(double probe_s, double throughput) {
    Batch batch;
    batch.probe_before_s = batch.probe_after_s = probe_s;
    batch.core_throughput = throughput;
    return batch;
}

} // namespace

TEST_CASE("a core is shared when it does clearly less than it can") {
    KnownModes modes;
    CHECK_FALSE(modes.shared(batch_with(1e-6, 2.0)));
    modes.learn(batch_with(1e-6, 2.0));
    CHECK_FALSE(modes.shared(batch_with(1e-6, 2.0)));
    modes.learn(batch_with(1.1e-6, 3.8));
    CHECK(modes.shared(batch_with(1e-6, 2.0)));
    CHECK(modes.shared(batch_with(1e-6, 3.5)));
    CHECK_FALSE(modes.shared(batch_with(1e-6, 3.75)));
}

TEST_CASE("one batch in ten thousand that the clock flatters does not make all others shared") {
    KnownModes modes;
    for (int i = 0; i < 5000; ++i) {
        modes.learn(batch_with(1e-6, i % 3 == 0 ? 2.8 : 3.39));
        if (i == 2500)
            modes.learn(batch_with(1e-6, 3.56));
    }
    CHECK(modes.find(1e-6)->throughput == 3.39);
    CHECK_FALSE(modes.shared(batch_with(1e-6, 3.39)));
    CHECK_FALSE(modes.shared(batch_with(1e-6, 3.3)));
    CHECK(modes.shared(batch_with(1e-6, 3.2)));
}

TEST_CASE("of few batches, too, one that the clock flatters is not what cores can do") {
    KnownModes modes;
    for (int i = 0; i < 30; ++i)
        modes.learn(batch_with(1e-6, i == 10 ? 3.56 : 3.39));
    CHECK(modes.find(1e-6)->throughput == 3.39);
    CHECK(modes.find(1e-6)->own_throughput() == 3.39); // nor is it told the runs to come
    CHECK_FALSE(modes.shared(batch_with(1e-6, 3.39)));
    modes.learn(batch_with(1e-6, 3.58)); // two are no slip any more
    CHECK(modes.shared(batch_with(1e-6, 3.39)));
}

TEST_CASE("what cores can do is known beside neighbours that leave a few batches alone") {
    KnownModes modes;
    for (int i = 0; i < 1000; ++i)
        modes.learn(batch_with(1e-6, i % 40 == 0 ? 3.39 : 2.5 + 0.0008 * i));
    CHECK(modes.find(1e-6)->throughput == 3.39);
    CHECK(modes.shared(batch_with(1e-6, 3.2)));
}

TEST_CASE("a run that meets no undisturbed core knows from an earlier one that it is disturbed") {
    KnownModes modes;
    for (const double throughput : {2.4, 3.39, 2.3, 2.2})
        modes.know(1e-6, 1e-6, 1e-6, throughput);
    modes.learn(batch_with(1e-6, 2.5));
    CHECK(modes.find(1e-6)->throughput == 3.39);
    CHECK(modes.find(1e-6)->own_throughput() == 2.5); // and this is what it tells the next
    CHECK(modes.shared(batch_with(1e-6, 2.5)));
    CHECK_FALSE(modes.shared(batch_with(1e-6, 3.35)));
    modes.learn(batch_with(1e-6, 3.8)); // cores that can do more than any run knew
    CHECK(modes.shared(batch_with(1e-6, 3.35)));
}

TEST_CASE("each of the machine's modes has a best of its own") {
    KnownModes modes;
    modes.learn(batch_with(1e-6, 3.8));
    modes.learn(batch_with(0.3e-6, 2.0)); // the ranks share a core with each other
    CHECK_FALSE(modes.shared(batch_with(0.3e-6, 1.98)));
    CHECK(modes.shared(batch_with(1e-6, 1.98)));
}

TEST_CASE("what was not measured is neither shared nor learnt from") {
    KnownModes modes;
    modes.learn(batch_with(0, 3.8));
    modes.learn(batch_with(1e-6, 0));
    CHECK(modes.find(1e-6) == nullptr);
    modes.learn(batch_with(1e-6, 3.8));
    CHECK_FALSE(modes.shared(batch_with(1e-6, 0)));
    CHECK_FALSE(modes.shared(batch_with(0, 1)));
}

TEST_CASE("the judgement changes when batches may be judged otherwise, and not with every batch") {
    KnownModes modes;
    modes.learn(batch_with(1e-6, 3.7));
    const int first = modes.judgement();
    modes.learn(batch_with(1e-6, 3.71));
    modes.learn(batch_with(1e-6, 2));
    CHECK(modes.judgement() == first);
    modes.learn(batch_with(1e-6, 3.9));
    CHECK(modes.judgement() != first);
}

TEST_CASE("the first measurement of a mode is its reference, and its mode is as wide as its measurements") {
    KnownModes modes;
    CHECK_FALSE(modes.reference(1e-6));
    modes.settle(1e-6);
    modes.settle(0.8e-6);
    CHECK(modes.reference(1.3e-6) == 1e-6);
    CHECK(modes.reference(0.6e-6) ==
          1e-6); // 1.3 times below the lowest, though 1.7 times below the reference
    CHECK_FALSE(modes.reference(0.5e-6));
    modes.settle(0.3e-6);
    CHECK(modes.reference(0.31e-6) == 0.3e-6);
    CHECK(modes.reference(0.8e-6) == 1e-6);
}

TEST_CASE("measurements that met two modes do not make one of them") {
    KnownModes modes;
    for (double probe_s = 0.4e-6; probe_s < 1.3e-6; probe_s *= 1.2)
        modes.settle(probe_s);
    modes.settle(1.4e-6);
    CHECK(modes.reference(0.35e-6) == 0.4e-6);
    CHECK(modes.reference(1.4e-6) > 0.9e-6);
    KnownModes of_earlier_runs;
    of_earlier_runs.know(0.4e-6, 0.35e-6, 2.4e-6, 3.4);
    CHECK(of_earlier_runs.reference(0.5e-6) == 0.4e-6);
    CHECK_FALSE(of_earlier_runs.reference(1.4e-6));
}

TEST_CASE("between two modes the nearer one counts") {
    KnownModes modes;
    modes.settle(1e-6);
    modes.settle(1.6e-6);
    CHECK(modes.reference(1.2e-6) == 1e-6);
    CHECK(modes.reference(1.35e-6) == 1.6e-6);
}

TEST_CASE("an earlier run's mode goes on with its reference, its width and its cores") {
    KnownModes modes;
    modes.know(0, 0, 0, 3.8); // a run without probes
    CHECK(modes.find(1e-6) == nullptr);
    modes.know(1e-6, 0.7e-6, 1.1e-6, 3.8);
    modes.know(0.8e-6, 0.8e-6, 0.8e-6, 0);
    CHECK(modes.reference(0.55e-6) == 1e-6);
    CHECK(modes.shared(batch_with(0.9e-6, 2)));
    modes.settle(0.75e-6);
    CHECK(modes.reference(0.75e-6) == 1e-6);
}

TEST_CASE("one rank alone refers to nothing") {
    KnownModes modes(true);
    modes.settle(1e-6);
    CHECK_FALSE(modes.reference(1e-6));
    modes.learn(batch_with(1e-6, 3.8));
    CHECK(modes.shared(batch_with(1e-6, 2)));
}
