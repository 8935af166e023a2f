#include "core_sharing.hpp"

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
    CoreSharing cores;
    CHECK_FALSE(cores.shared(false, batch_with(1e-6, 2.0)));
    cores.learn(false, batch_with(1e-6, 2.0));
    CHECK_FALSE(cores.shared(false, batch_with(1e-6, 2.0)));
    cores.learn(false, batch_with(1.1e-6, 3.8));
    CHECK(cores.shared(false, batch_with(1e-6, 2.0)));
    CHECK(cores.shared(false, batch_with(1e-6, 3.5)));
    CHECK_FALSE(cores.shared(false, batch_with(1e-6, 3.75)));
    CHECK(cores.best(false, 1e-6) == 3.8);
}

TEST_CASE("each of the machine's modes has a best of its own") {
    CoreSharing cores;
    cores.learn(false, batch_with(1e-6, 3.8));
    cores.learn(false, batch_with(0.3e-6, 2.0)); // the ranks share a core with each other
    CHECK_FALSE(cores.shared(false, batch_with(0.3e-6, 1.98)));
    CHECK(cores.shared(false, batch_with(1e-6, 1.98)));
    cores.learn(true, batch_with(0.3e-6, 3.8));
    CHECK_FALSE(cores.shared(false, batch_with(0.3e-6, 1.98)));
    CHECK(cores.shared(true, batch_with(0.3e-6, 1.98)));
}

TEST_CASE("what was not measured is neither shared nor learnt from") {
    CoreSharing cores;
    cores.learn(false, batch_with(0, 3.8));
    cores.learn(false, batch_with(1e-6, 0));
    CHECK(cores.best(false, 1e-6) == 0);
    cores.learn(false, batch_with(1e-6, 3.8));
    CHECK_FALSE(cores.shared(false, batch_with(1e-6, 0)));
}

TEST_CASE("the judgement changes when batches may be judged otherwise, and not with every batch") {
    CoreSharing cores;
    cores.learn(false, batch_with(1e-6, 3.7));
    const int first = cores.judgement();
    cores.learn(false, batch_with(1e-6, 3.71));
    cores.learn(false, batch_with(1e-6, 2));
    CHECK(cores.judgement() == first);
    cores.learn(false, batch_with(1e-6, 3.9));
    CHECK(cores.judgement() != first);
}
