// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "suite/overhead.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

using namespace skampi;

namespace {

std::vector<Batch> empty_calls(std::size_t batches, double duration_s, double probe_s = 0) {
    std::vector<Batch> made(batches);
    for (Batch& batch : made) {
        batch.duration_s.assign(32, duration_s);
        batch.probe_before_s = batch.probe_after_s = probe_s;
    }
    return made;
}

const OverheadKey windows{.pattern = Pattern::collective};
const OverheadKey barriers{.pattern = Pattern::collective, .synchronization = Synchronization::barrier};
const skalib::ModeSplit two_modes(std::vector<double>{0.3e-6, 0.3e-6, 1.3e-6, 1.3e-6});

Overhead overhead_in(const OverheadKey& key, const std::vector<Batch>& batches, int mode = 0,
                     const std::vector<Overhead>& others = {}, double clock_resolution_s = 1e-8,
                     double agreement_s = 0) {
    const KnownModes nothing_known;
    return overhead_of(key, {batches, agreement_s}, {two_modes, nothing_known, mode}, 64, others,
                       clock_resolution_s);
}

} // namespace

TEST_CASE("collectives have an overhead of their own by root, reported time and synchronisation") {
    Suite suite;
    suite.operation.pattern = Pattern::collective;
    const OverheadKey key = overhead_key(suite, 4, Synchronization::window, 1);
    CHECK(key != overhead_key(suite, 4, Synchronization::barrier, 1));
    CHECK(key != overhead_key(suite, 8, Synchronization::window, 1));
    CHECK(key != overhead_key(suite, 4, Synchronization::window, 2));
    suite.root = 1;
    CHECK(key != overhead_key(suite, 4, Synchronization::window, 1));
    suite.root = 0;
    suite.join = "round-robin"; // a barrier between nodes takes longer than one within a node
    CHECK(key != overhead_key(suite, 4, Synchronization::window, 1));
    suite.join.clear();
    suite.reported_time = ReportedTime::root;
    CHECK(key != overhead_key(suite, 4, Synchronization::window, 1));
    suite.operation.pattern = Pattern::ping_pong; // which knows none of them
    const OverheadKey round_trip = overhead_key(suite, 2, Synchronization::window, 1);
    suite.reported_time = ReportedTime::max;
    CHECK(round_trip == overhead_key(suite, 2, Synchronization::barrier, 1));
}

TEST_CASE("an overhead is made of undisturbed batches of the mode asked for") {
    std::vector<Batch> batches = empty_calls(4, 1e-7, 0.3e-6);
    for (const Batch& far : empty_calls(6, 4e-7, 1.3e-6))
        batches.push_back(far);
    batches[0].dirty = true;
    batches[0].duration_s.assign(32, 8e-3);
    CHECK(overhead_in(windows, batches, 0).value_s == close_to(1e-7));
    CHECK(overhead_in(windows, batches, 1).value_s == close_to(4e-7));
    CHECK(overhead_in(windows, batches, 0).probe_s == close_to(0.3e-6));
    CHECK_FALSE(overhead_in(windows, batches, 0).doubtful);
}

TEST_CASE("empty calls that were interrupted do not count, however many they are") {
    for (const std::size_t batches : {4, 8}) {
        std::vector<Batch> mostly_interrupted = empty_calls(batches, 8e-3, 0.3e-6);
        for (Batch& batch : mostly_interrupted)
            std::fill_n(batch.duration_s.begin(), 12, 4e-7);
        const Overhead overhead = overhead_in(barriers, mostly_interrupted);
        CHECK(overhead.value_s == close_to(4e-7));
        CHECK(overhead.doubtful == (batches == 4)); // 48 are left, or 96
    }
    // Barriers scatter by a few times the fastest, and that is no interruption.
    std::vector<Batch> scattered = empty_calls(4, 1.6e-6, 0.3e-6);
    scattered[0].duration_s[0] = 0.4e-6;
    CHECK(overhead_in(barriers, scattered).value_s == close_to(1.6e-6));
    // Nor is a step of the clock.
    std::vector<Batch> short_ones = empty_calls(4, 6e-8, 0.3e-6);
    short_ones[0].duration_s[0] = 0;
    CHECK(overhead_in(windows, short_ones).value_s == close_to(6e-8));
}

TEST_CASE("empty calls that took far longer than ranks need to agree on a start tell nothing") {
    const std::vector<Batch> batches = empty_calls(4, 8e-3, 0.3e-6);
    const Overhead interrupted = overhead_in(barriers, batches, 0, {}, 1e-8, 2e-6);
    CHECK(interrupted.doubtful);
    CHECK(interrupted.value_s == 0);
    for (const double agreement_s : {1e-3, 0.0}) { // over a long way; not known
        const Overhead overhead = overhead_in(barriers, batches, 0, {}, 1e-8, agreement_s);
        CHECK_FALSE(overhead.doubtful);
        CHECK(overhead.value_s == close_to(8e-3));
    }
}

TEST_CASE("an overhead is doubtful when it is disturbed, short of values, or of another mode with barriers") {
    CHECK(overhead_in(windows, {}).doubtful);
    CHECK(overhead_in(windows, empty_calls(1, 1e-7, 0.3e-6)).doubtful);
    CHECK_FALSE(overhead_in(windows, empty_calls(2, 1e-7, 0.3e-6)).doubtful);
    std::vector<Batch> disturbed = empty_calls(8, 1e-7, 0.3e-6);
    for (Batch& batch : disturbed)
        batch.dirty = true;
    CHECK(overhead_in(windows, disturbed).doubtful);
    CHECK_FALSE(overhead_in(windows, empty_calls(4, 1e-7, 0.3e-6), 1).doubtful);
    CHECK(overhead_in(barriers, empty_calls(4, 1e-7, 0.3e-6), 1).doubtful);
}

TEST_CASE("batches of empty calls without a probe do not dilute the overhead's probe") {
    std::vector<Batch> batches = empty_calls(4, 1e-7);
    batches[1].probe_before_s = 0.3e-6;
    batches[1].probe_after_s = 0.32e-6;
    CHECK(overhead_in(windows, batches).probe_s == close_to(0.31e-6));
}

TEST_CASE("an overhead unlike the others of its key in its mode is doubtful") {
    const std::vector<Batch> batches = empty_calls(4, 1e-6, 0.3e-6);
    const Overhead alike{.value_s = 0.9e-6, .probe_s = 0.3e-6};
    const Overhead shorter{.value_s = 1e-7, .probe_s = 0.3e-6};
    const Overhead longer{.value_s = 4e-6, .probe_s = 0.3e-6};
    const Overhead elsewhere{.value_s = 4e-6, .probe_s = 1.3e-6};
    CHECK_FALSE(overhead_in(windows, batches, 0, {alike}).doubtful);
    CHECK(overhead_in(windows, batches, 0, {shorter}).doubtful);
    CHECK(overhead_in(windows, batches, 0, {longer}).doubtful);
    CHECK_FALSE(overhead_in(windows, batches, 0, {elsewhere}).doubtful);
    CHECK_FALSE(overhead_in(windows, batches, 0, {alike, alike, longer}).doubtful);
    CHECK_FALSE(overhead_in(windows, batches, 0, {shorter}, 1e-6).doubtful); // below what the clock resolves
    OverheadKey in_blocks = windows;
    in_blocks.block = 4; // each of whose calls is known to a quarter of the step
    CHECK(overhead_in(in_blocks, batches, 0, {shorter}, 1e-6).doubtful);
    // Without a probe nobody knows of another mode.
    CHECK(overhead_in(windows, batches, 0, {{.value_s = 4e-6}}).doubtful);
    CHECK(overhead_in(windows, empty_calls(4, 1e-6), 0, {longer}).doubtful);
    // The others' median counts.
    const Overhead far_longer{.value_s = 1e-4, .probe_s = 0.3e-6};
    CHECK_FALSE(overhead_in(windows, batches, 0, {alike, alike, alike, far_longer, far_longer}).doubtful);
    CHECK(overhead_in(windows, batches, 0, {alike, alike, far_longer, far_longer, far_longer}).doubtful);
}
