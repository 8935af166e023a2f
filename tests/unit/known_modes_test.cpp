#include "job/known_modes.hpp"

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

TEST_CASE("a core is shared when it does clearly less than the best seen") {
    KnownModes modes;
    CHECK_FALSE(modes.shared(batch_with(1e-6, 2.0)));
    modes.learn(batch_with(1e-6, 2.0));
    CHECK_FALSE(modes.shared(batch_with(1e-6, 2.0)));
    modes.learn(batch_with(1.1e-6, 3.8));
    CHECK(modes.shared(batch_with(1e-6, 2.0)));
    CHECK(modes.shared(batch_with(1e-6, 3.5)));
    CHECK_FALSE(modes.shared(batch_with(1e-6, 3.75)));
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
