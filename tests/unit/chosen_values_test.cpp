// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "ping_pong_suite.hpp"
#include "suite/chosen_values.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <vector>

using namespace skampi;

namespace {

void evaluate_chosen(const Suite& suite, const std::vector<Batch>& batches, const skalib::ModeSplit& split,
                     const Overhead& overhead, const KnownModes& known, double reference_core_speed,
                     Measurement& m) {
    const ChosenValues chosen = choose_values(suite.repetition, batches, split, known, {});
    evaluate(suite, chosen, skalib::summarise(chosen.values_s, suite.repetition.cut_quantile), overhead,
             {known, reference_core_speed, 1e-8}, m);
}

} // namespace

TEST_CASE("without a single measurement left there are no statistics of them") {
    Measurement m;
    evaluate_chosen(ping_pong_suite(), {}, skalib::ModeSplit(std::vector<double>{}), {1e-6, 1e-8}, {}, 0, m);
    CHECK(std::isnan(m.value_s));
    CHECK(std::isnan(m.summary.minimum));
    CHECK(std::isnan(m.summary.maximum));
    CHECK(m.summary.count == 0);
    CHECK(m.mode_share == 1);
}

TEST_CASE("batches whose probes disagree are dropped and counted") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6, 0.3e-6, 0.3e-6, 1.3e-6, 1.3e-6, 1.3e-6});
    std::vector<Batch> batches(3);
    for (Batch& batch : batches) {
        batch.probe_before_s = batch.probe_after_s = 0.3e-6;
        batch.duration_s.assign(10, 2e-6);
    }
    batches[1].probe_after_s = 1.3e-6;
    batches[1].duration_s.assign(10, 5e-6);
    Measurement m;
    CHECK(choose_values(ping_pong_suite().repetition, batches, split, {}, {}).values_s.size() == 20);
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m);
    CHECK(m.discarded == 10);
    CHECK(m.value_s == close_to(2e-6));
}

TEST_CASE("disturbed batches are left out as long as enough others are left") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    std::vector<Batch> batches(3);
    for (Batch& batch : batches)
        batch.duration_s.assign(10, 2e-6);
    batches[2].dirty = true;
    batches[2].duration_s.assign(10, 9e-6);
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m);
    CHECK(m.summary.count == 20);
    CHECK(m.summary.maximum == close_to(2e-6));
    CHECK_FALSE(has(m.flags, Flag::disturbed));

    for (Batch& batch : batches)
        batch.dirty = true;
    Measurement all;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, all);
    CHECK(all.summary.count == 30);
    CHECK(has(all.flags, Flag::disturbed));
}

TEST_CASE(
    "the overhead is subtracted from every value and its error is added, unless the suite is absolute") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    std::vector<Batch> batches(1);
    batches[0].duration_s = {2e-6, 2.1e-6, 2.2e-6, 2.1e-6, 2.0e-6, 2.2e-6, 2.1e-6, 2.1e-6};
    Suite suite = ping_pong_suite();
    Measurement m;
    evaluate_chosen(suite, batches, split, {0.1e-6, 0.03e-6}, {}, 0, m);
    CHECK(m.value_s == close_to(2.0e-6));
    CHECK(m.summary.minimum == close_to(1.9e-6));
    CHECK(m.standard_error_s == close_to(std::hypot(m.summary.cut_standard_error, 0.03e-6)));
    suite.absolute = true;
    Measurement absolute;
    evaluate_chosen(suite, batches, split, {0.1e-6, 0.03e-6}, {}, 0, absolute);
    CHECK(absolute.value_s == close_to(2.1e-6));
}

TEST_CASE("a value below the overhead is flagged unreliable") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    std::vector<Batch> batches(1);
    batches[0].duration_s.assign(10, 1e-9);
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {2e-9, 0}, {}, 0, m);
    CHECK(std::isnan(m.value_s));
    CHECK(m.summary.mean_all < 0); // what it was can be looked up
    CHECK(has(m.flags, Flag::unreliable));
}

TEST_CASE("the adjusted value follows the launch's probe and core clock") {
    const skalib::ModeSplit split(std::vector<double>{1e-6});
    std::vector<Batch> batches(1);
    batches[0].duration_s.assign(10, 5e-6);
    batches[0].probe_before_s = batches[0].probe_after_s = 1.1e-6;
    batches[0].core_clock_hz = 3.3e9;
    KnownModes known;
    known.settle(0.3e-6); // two modes
    known.settle(1e-6);
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, known, 3e9, m);
    CHECK(m.adjusted_s == close_to((5e-6 - 1.1e-6) * 1.1 + 1e-6));
    CHECK(m.value_s == close_to(5e-6));
    Suite collective = ping_pong_suite();
    collective.operation.pattern = Pattern::collective; // its messages go one way
    evaluate_chosen(collective, batches, split, {}, known, 3e9, m);
    CHECK(m.adjusted_s == close_to((5e-6 - 0.55e-6) * 1.1 + 0.5e-6));
    known = KnownModes();
    known.settle(0.3e-6);
    evaluate_chosen(ping_pong_suite(), batches, split, {}, known, 3e9, m);
    CHECK(m.adjusted_s == close_to(5e-6 * 1.1));
}

namespace {

std::vector<Batch> batches_of(Synchronization synchronization, std::size_t count, double duration_s) {
    std::vector<Batch> batches(count);
    for (Batch& batch : batches) {
        batch.synchronization = synchronization;
        batch.duration_s.assign(4, duration_s);
    }
    return batches;
}

} // namespace

TEST_CASE("values come from one way of starting the ranks: the one preferred, where there are enough of it") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    const Suite suite = ping_pong_suite(); // min_count 8
    const auto chosen_of = [&](std::size_t windows, std::size_t barriers, Synchronization preferred) {
        std::vector<Batch> batches = batches_of(Synchronization::window, windows, 1e-6);
        const std::vector<Batch> others = batches_of(Synchronization::dissemination, barriers, 5e-6);
        batches.insert(batches.end(), others.begin(), others.end());
        return choose_values(suite.repetition, batches, split, {}, {0, preferred}).values_s;
    };
    using enum Synchronization;
    CHECK(chosen_of(10, 2, dissemination) == std::vector<double>(8, 5e-6));
    CHECK(chosen_of(10, 1, dissemination) == std::vector<double>(40, 1e-6)); // 4 of them are too few
    CHECK(chosen_of(10, 2, window) == std::vector<double>(40, 1e-6));
    CHECK(chosen_of(2, 10, window) == std::vector<double>(8, 1e-6));
    CHECK(chosen_of(0, 1, window) == std::vector<double>(4, 5e-6));
    CHECK(chosen_of(0, 0, window).empty());
}

TEST_CASE("what was started in another way than planned is flagged, and only then") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    for (const Synchronization kind : {Synchronization::window, Synchronization::dissemination}) {
        Measurement m;
        set(m.flags, Flag::unsynchronised); // by a former value
        evaluate_chosen(ping_pong_suite(), batches_of(kind, 4, 1e-5), split, {}, {}, 0, m);
        CHECK(has(m.flags, Flag::unsynchronised) == (kind != Synchronization::window));
    }
}

TEST_CASE("batches between two modes count only where there are no others, and then with flags") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6, 0.3e-6, 0.3e-6, 1.3e-6, 1.3e-6, 1.3e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 4, 2e-6);
    for (Batch& batch : batches) {
        batch.probe_before_s = 0.3e-6;
        batch.probe_after_s = 1.3e-6;
    }
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m);
    CHECK(m.value_s == close_to(2e-6));
    CHECK(has(m.flags, Flag::several_modes));
    CHECK(has(m.flags, Flag::disturbed));
    batches[0].probe_after_s = 0.3e-6;
    batches[0].duration_s.assign(4, 1e-6);
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m);
    CHECK(m.value_s == close_to(1e-6));
    CHECK(m.discarded == 12);
}

TEST_CASE("an overhead flags the values that it is not small against") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    const auto unreliable = [&](double overhead_s, bool doubtful, bool absolute = false) {
        Suite suite = ping_pong_suite();
        suite.absolute = absolute;
        Measurement m;
        evaluate_chosen(suite, batches_of(Synchronization::window, 4, 1e-5), split,
                        {overhead_s, 1e-9, 0, doubtful}, {}, 0, m);
        return has(m.flags, Flag::unreliable);
    };
    CHECK_FALSE(unreliable(4e-6, false));
    CHECK(unreliable(6e-6, false)); // most of what was measured
    CHECK(unreliable(1e-6, true));
    CHECK_FALSE(unreliable(1e-7, true));
    CHECK(unreliable(0, true)); // not known at all
    CHECK_FALSE(unreliable(1e-6, true, true));
}

TEST_CASE("an adjusted value is never below zero either") {
    const skalib::ModeSplit split(std::vector<double>{1e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 4, 1e-7);
    for (Batch& batch : batches)
        batch.probe_before_s = batch.probe_after_s = 1e-6;
    KnownModes known;
    known.settle(0.8e-6);
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, known, 0, m);
    CHECK(m.adjusted_s == m.value_s);
    CHECK(m.value_s == close_to(1e-7));
}

TEST_CASE("batches without a probe do not dilute the probe of a measurement") {
    const skalib::ModeSplit split(std::vector<double>{1e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 4, 1e-5);
    batches[1].probe_before_s = batches[1].probe_after_s = 1e-6;
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m);
    CHECK(m.probe_s == close_to(1e-6));
}

TEST_CASE("one probe that was interrupted is not that of a measurement") {
    const skalib::ModeSplit split(std::vector<double>{1e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 4, 1e-5);
    for (Batch& batch : batches)
        batch.probe_before_s = batch.probe_after_s = 1e-6;
    batches[1].probe_before_s = batches[1].probe_after_s = 4e-3;
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m);
    CHECK(m.probe_s == close_to(1e-6));
    // Also where it is beside the only batch, which then lies between two modes.
    batches.resize(1);
    batches[0].probe_after_s = 4e-3;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m);
    CHECK(m.probe_s == close_to(1e-6));
}

TEST_CASE("what takes exactly as long as an empty call takes no time, but is flagged") {
    const skalib::ModeSplit split(std::vector<double>{1e-6});
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches_of(Synchronization::window, 4, 1e-8), split,
                    {std::nextafter(1e-8, 1), 0}, {}, 0, m);
    CHECK(m.value_s == 0);
    CHECK(has(m.flags, Flag::unreliable));
}

TEST_CASE("of few values those of the majority count, whichever is preferred") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    using enum Synchronization;
    std::vector<Batch> batches = batches_of(window, 1, 1e-6);
    batches.push_back(batches_of(dissemination, 1, 5e-6).front());
    batches[1].duration_s.pop_back(); // 4 and 3, where 8 would be enough
    const skalib::RepetitionLimits limits = ping_pong_suite().repetition;
    CHECK(choose_values(limits, batches, split, {}, {0, dissemination}).synchronization == window);
    batches[0].duration_s.resize(2);
    CHECK(choose_values(limits, batches, split, {}, {0, window}).synchronization == dissemination);
    for (Batch& batch : batches)
        batch.duration_s.clear(); // all windows missed: no way has more than another
    CHECK(choose_values(limits, batches, split, {}, {0, window}).synchronization == window);
    CHECK(choose_values(limits, batches, split, {}, {0, dissemination}).synchronization == dissemination);
}

TEST_CASE("values come from the mode preferred where there are just enough of it, else from the largest") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6, 0.3e-6, 0.3e-6, 1.3e-6, 1.3e-6, 1.3e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 5, 1e-6);
    for (std::size_t i = 0; i < batches.size(); ++i)
        batches[i].probe_before_s = batches[i].probe_after_s = i < 2 ? 1.3e-6 : 0.3e-6; // 8 and 12 values
    for (std::size_t i = 0; i < 2; ++i)
        batches[i].duration_s.assign(4, 4e-6);
    const skalib::RepetitionLimits limits = ping_pong_suite().repetition;
    CHECK(choose_values(limits, batches, split, {}, {1, {}}).chosen == 1);
    CHECK(choose_values(limits, batches, split, {}, {0, {}}).chosen == 0);
    CHECK(choose_values(limits, batches, split, {}, {2, {}}).chosen == 0); // there is none
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {0.5e-6, 0}, {}, 0, m);
    CHECK(m.value_s == close_to(0.5e-6));
    CHECK(m.mode == 0);
    CHECK(m.mode_share == close_to(0.6));
    REQUIRE(m.modes.size() == 2);
    CHECK(m.modes[0].value_s == close_to(0.5e-6));
    CHECK(m.modes[1].value_s == close_to(3.5e-6));
    CHECK(m.modes[0].share == close_to(0.6));
    CHECK(m.modes[1].share == close_to(0.4));
    CHECK(m.modes[0].probe_s == close_to(0.3e-6));
    CHECK(m.modes[1].probe_s == close_to(1.3e-6));
    CHECK(m.modes[0].count == 12);
    CHECK(m.modes[1].count == 8);
    CHECK(m.flags == static_cast<Flags>(Flag::several_modes));
    batches.resize(1);
    CHECK(choose_values(limits, batches, split, {}, {0, {}}).chosen == 1);
}

TEST_CASE("the core clock is the mean of the single measurements', without what was met by something") {
    const skalib::ModeSplit split(std::vector<double>{1e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 3, 1e-5);
    for (Batch& batch : batches)
        batch.probe_before_s = batch.probe_after_s = 1e-6;
    batches[0].duration_s.resize(1);
    batches[0].core_clock_hz = 4e9;
    batches[1].duration_s.resize(3);
    batches[1].core_clock_hz = 3.8e9;
    batches[2].core_clock_hz = 2e9;
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m);
    CHECK(m.core_clock_hz == close_to(3.85e9));
    CHECK(m.core_throughput == 0);
    // What shares the core lowers the throughput of all that it meets.
    batches[0].core_throughput = 3;
    batches[1].core_throughput = 2.2;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m);
    CHECK(m.core_throughput == close_to(2.4));
}

TEST_CASE("of batches beyond the maximum nothing is used, not even their probe") {
    const skalib::ModeSplit split(std::vector<double>{1e-6});
    Suite suite = ping_pong_suite();
    suite.repetition.max_count = 8;
    std::vector<Batch> batches = batches_of(Synchronization::window, 3, 1e-5);
    for (Batch& batch : batches)
        batch.probe_before_s = batch.probe_after_s = 1e-6;
    batches[2].probe_before_s = batches[2].probe_after_s = 1.2e-6;
    batches[1].core_clock_hz = 3e9;
    batches[2].core_clock_hz = 4e9;
    Measurement m;
    evaluate_chosen(suite, batches, split, {}, {}, 0, m);
    CHECK(m.summary.count == 8);
    CHECK(m.probe_s == close_to(1e-6));
    CHECK(m.core_clock_hz == 3e9);
    CHECK(m.flags == 0);
    suite.repetition.max_count = 6; // in the middle of a batch
    const ChosenValues six = choose_values(suite.repetition, batches, split, {}, {});
    CHECK(six.values_s.size() == 6);
    CHECK(six.blocks.size() == 6);
    CHECK(six.used.size() == 2);
}

TEST_CASE(
    "undisturbed values come before disturbed ones, and those count only where the others are too few") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 3, 2e-6);
    batches[0].dirty = true;
    batches[0].duration_s.assign(4, 9e-6);
    const ChosenValues enough = choose_values(ping_pong_suite().repetition, batches, split, {}, {});
    CHECK_FALSE(enough.disturbed);
    CHECK(enough.values_s == std::vector<double>(8, 2e-6));
    CHECK(enough.discarded == 4);
    batches.pop_back();
    const ChosenValues few = choose_values(ping_pong_suite().repetition, batches, split, {}, {});
    CHECK(few.disturbed);
    CHECK(few.values_s == std::vector<double>{2e-6, 2e-6, 2e-6, 2e-6, 9e-6, 9e-6, 9e-6, 9e-6});
    CHECK(few.discarded == 0);
}

TEST_CASE("without a maximum all values count") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    skalib::RepetitionLimits limits = ping_pong_suite().repetition;
    limits.max_count.reset();
    const std::vector<Batch> batches = batches_of(Synchronization::window, 500, 2e-6);
    CHECK(choose_values(limits, batches, split, {}, {}).values_s.size() == 2000);
}

TEST_CASE(
    "the entry of the mode reported has its value, without disturbed batches; others that of all theirs") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6, 0.3e-6, 0.3e-6, 1.3e-6, 1.3e-6, 1.3e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 6, 2e-6);
    for (std::size_t i = 0; i < batches.size(); ++i)
        batches[i].probe_before_s = batches[i].probe_after_s = i < 3 ? 0.3e-6 : 1.3e-6;
    for (const std::size_t dirty : {2u, 5u}) {
        batches[dirty].dirty = true;
        batches[dirty].duration_s.assign(4, 9e-6);
        batches[dirty].probe_before_s *= 1.1;
    }
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {0.5e-6, 0}, {}, 0, m);
    CHECK(m.value_s == close_to(1.5e-6));
    REQUIRE(m.modes.size() == 2);
    CHECK(m.modes[0].count == 12);
    CHECK(m.modes[0].value_s == close_to(1.5e-6));
    CHECK(m.modes[0].probe_s == close_to(0.3e-6));
    // A quarter is cut off at each end: 5 of 2 us and 1 of 9 us are left.
    CHECK(m.modes[1].value_s == close_to(19e-6 / 6 - 0.5e-6));
}

TEST_CASE("every rank's time is that of the batches used, less the overhead") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 3, 5e-6);
    for (Batch& batch : batches)
        batch.node_durations = {{0, std::vector<double>(4, 3e-6)}, {1, {5e-6, 5e-6, 5.4e-6, 5.4e-6}}};
    batches[2].dirty = true;
    batches[2].node_durations = {{0, std::vector<double>(4, 1)}, {1, std::vector<double>(4, 1)}};
    const Suite suite = ping_pong_suite();
    const ChosenValues chosen = choose_values(suite.repetition, batches, split, {}, {});
    const std::vector<NodeTime> times = node_times_of(suite, chosen, 1e-6);
    REQUIRE(times.size() == 2);
    CHECK(times[0].rank == 0);
    CHECK(times[1].rank == 1);
    CHECK(times[0].value_s == close_to(2e-6));
    CHECK(times[1].value_s == close_to(4.2e-6));
    CHECK(times[0].standard_error_s == 0);
    CHECK(times[1].standard_error_s > 0);
    CHECK(node_times_of(suite, {}, 0).empty());
}

TEST_CASE("a rank that took no part has no time, and the others keep their numbers") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 3, 5e-6);
    for (Batch& batch : batches)
        batch.node_durations = {{0, std::vector<double>(4, 3e-6)}, {2, std::vector<double>(4, 5e-6)}};
    const Suite suite = ping_pong_suite();
    const ChosenValues chosen = choose_values(suite.repetition, batches, split, {}, {});
    const std::vector<NodeTime> times = node_times_of(suite, chosen, 1e-6);
    REQUIRE(times.size() == 2);
    CHECK(times[0].rank == 0);
    CHECK(times[1].rank == 2);
    CHECK(times[1].value_s == close_to(4e-6));
}

TEST_CASE("what a doubtful overhead leaves is no value where it is less than overhead and scatter") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    const auto value_of = [&](const std::vector<double>& durations_s, const Overhead& overhead) {
        std::vector<Batch> batches(1);
        batches[0].duration_s = durations_s;
        Measurement m;
        evaluate_chosen(ping_pong_suite(), batches, split, overhead, {}, 0, m);
        CHECK(has(m.flags, Flag::unreliable) == (overhead.doubtful || m.overhead_s > m.value_s));
        return m.value_s;
    };
    const std::vector<double> scattered = {7.98e-3, 8.0e-3, 8.01e-3, 8.02e-3, 8.03e-3, 8.04e-3};
    CHECK(std::isnan(value_of(scattered, {.value_s = 8.007e-3, .doubtful = true})));
    CHECK(value_of(scattered, {.value_s = 2e-3, .doubtful = true}) == close_to(6.015e-3));
    // Well measured, or with little scatter it stands.
    CHECK(value_of(scattered, {.value_s = 8.007e-3}) == close_to(8e-6));
    CHECK(value_of(std::vector<double>(8, 3e-6), {.value_s = 2e-6, .doubtful = true}) == close_to(1e-6));
    // One single measurement does not show any.
    CHECK(std::isnan(value_of({20e-3}, {.value_s = 12e-3, .doubtful = true})));
}

TEST_CASE("beside a value no time is below zero") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    std::vector<Batch> batches(1);
    batches[0].duration_s = {0.9e-6, 1.1e-6, 2e-6, 2e-6, 2e-6, 2e-6, 2e-6, 2e-6};
    Measurement m;
    evaluate_chosen(ping_pong_suite(), batches, split, {.value_s = 1e-6}, {}, 0, m);
    CHECK(m.value_s == close_to(1e-6));
    CHECK(m.summary.minimum == 0);
    CHECK(m.summary.maximum == close_to(1e-6));
}

TEST_CASE("what a block takes is resolved by the clock, or flagged") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    std::vector<Batch> batches = batches_of(Synchronization::window, 4, 2e-9);
    for (const std::int64_t block : {4, 6}) {
        for (Batch& batch : batches)
            batch.block = block;
        Measurement m;
        evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, m); // a clock with steps of 10 ns
        CHECK(has(m.flags, Flag::unreliable) == (block == 4));
    }
}

TEST_CASE(
    "a few undisturbed values among many disturbed ones are in doubt: they count, flagged, and more are wanted") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    std::vector<Batch> batches(12);
    for (Batch& batch : batches) {
        batch.duration_s.assign(10, 9e-6);
        batch.dirty = true;
    }
    batches[3].dirty = false;
    batches[3].duration_s.assign(10, 2e-6);
    const Suite suite = ping_pong_suite();
    const ChosenValues one = choose_values(suite.repetition, batches, split, {}, {});
    CHECK(one.values_s.size() == 10);
    CHECK(one.doubtful);
    const std::int64_t missing = one.undisturbed_missing(suite.repetition.min_count);
    Measurement doubtful;
    evaluate_chosen(suite, batches, split, {}, {}, 0, doubtful);
    CHECK(doubtful.value_s == close_to(2e-6));
    CHECK(has(doubtful.flags, Flag::disturbed));

    batches.push_back(batches[3]);
    batches.back().duration_s.assign(static_cast<std::size_t>(missing), 2e-6);
    const ChosenValues enough = choose_values(suite.repetition, batches, split, {}, {});
    CHECK_FALSE(enough.doubtful);
    CHECK(enough.undisturbed_missing(suite.repetition.min_count) == 0);
    batches.back().duration_s.resize(static_cast<std::size_t>(missing) - 1);
    CHECK(choose_values(suite.repetition, batches, split, {}, {}).undisturbed_missing(8) == 1);
}

TEST_CASE("values near to a shared core are left out as long as enough lie apart from it") {
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    KnownModes known;
    std::vector<Batch> batches(20); // of a quarter of a millisecond
    for (std::size_t i = 0; i < batches.size(); ++i) {
        Batch& batch = batches[i];
        batch.start_s = 0.25e-3 * static_cast<double>(i);
        batch.probe_before_s = batch.probe_after_s = 0.3e-6;
        batch.core_throughput = i == 10 ? 2.8 : 3.4;
        batch.duration_s.assign(4, i == 10 ? 9e-6 : i > 5 && i < 15 ? 4e-6 : 2e-6);
        known.learn(batch);
    }
    const Suite suite = ping_pong_suite();
    const ChosenValues chosen = choose_values(suite.repetition, batches, split, known, {});
    CHECK_FALSE(chosen.disturbed);
    CHECK_FALSE(chosen.doubtful);
    CHECK(chosen.values_s == std::vector<double>(44, 2e-6)); // all that are a millisecond away
    CHECK(chosen.discarded == 36);

    SUBCASE("other arguments lie between two passes") {
        for (std::size_t i = 8; i < batches.size(); ++i)
            batches[i].pass = i < 12 ? 1 : 2;
        // In the same pass are 8, 9 and 11.
        CHECK(choose_values(suite.repetition, batches, split, known, {}).values_s.size() == 16 * 4);
    }
    SUBCASE("of a few the near ones count, too, and they are not in doubt while most are undisturbed") {
        batches.resize(12);
        batches.erase(batches.begin(), batches.begin() + 5);
        const ChosenValues few = choose_values(suite.repetition, batches, split, known, {});
        CHECK_FALSE(few.doubtful);
        CHECK(few.values_s.size() == 24);
        CHECK(few.values_s.front() == 2e-6); // the one that lies apart is the first
    }
    SUBCASE("near to many they are in doubt until enough lie apart") {
        for (std::size_t i = 0; i < batches.size(); ++i)
            if (i % 3 != 0)
                batches[i].core_throughput = 2.8;
        const ChosenValues doubtful = choose_values(suite.repetition, batches, split, known, {});
        CHECK(doubtful.doubtful);
        CHECK(doubtful.values_s.size() == 28);
        CHECK(doubtful.undisturbed_missing(8) >= 8);
    }
}

TEST_CASE("values that differ by less than the clock's step are no more certain than the step") {
    std::vector<Batch> batches(4);
    for (Batch& batch : batches)
        batch.duration_s.assign(100, 1e-6); // evaluate_chosen's clock steps by 1e-8
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    Measurement alike;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, alike);
    CHECK(alike.standard_error_s == close_to(1e-8 / std::sqrt(12.0)));
    for (Batch& batch : batches)
        batch.block = 100;
    Measurement blocks;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, blocks);
    CHECK(blocks.standard_error_s == close_to(1e-10 / std::sqrt(12.0)));
    for (Batch& batch : batches)
        for (std::size_t i = 0; i < batch.duration_s.size(); ++i)
            batch.duration_s[i] += i % 2 == 0 ? 0 : 5e-8;
    Measurement scattered;
    evaluate_chosen(ping_pong_suite(), batches, split, {}, {}, 0, scattered);
    CHECK(scattered.standard_error_s == close_to(scattered.summary.cut_standard_error));
}

TEST_CASE("the error is that of the kind of value reported") {
    std::vector<Batch> batches(3);
    for (std::size_t b = 0; b < batches.size(); ++b)
        for (int i = 0; i < 40; ++i)
            batches[b].duration_s.push_back(1e-6 +
                                            1e-7 * static_cast<double>((i * 7 + static_cast<int>(b)) % 40));
    const skalib::ModeSplit split(std::vector<double>{0.3e-6});
    Suite suite = ping_pong_suite();
    for (const skalib::ValueKind kind : {skalib::ValueKind::cut_mean, skalib::ValueKind::lower,
                                         skalib::ValueKind::median, skalib::ValueKind::minimum}) {
        suite.value = kind;
        Measurement m;
        evaluate_chosen(suite, batches, split, {}, {}, 0, m);
        CHECK(m.standard_error_s == close_to(m.summary.standard_error(kind)));
    }
}

TEST_CASE(
    "of many ranks the times of rank 0, of the fastest, the slowest, and of quantiles between are kept") {
    const auto times_of = [](int ranks) {
        std::vector<NodeTime> times;
        for (int rank = 0; rank < ranks; ++rank)
            times.push_back({rank, 1e-6 * ((rank * 7919 + 500) % ranks + 1), 0});
        return times;
    };
    CHECK(bounded_node_times(times_of(static_cast<int>(most_node_times))).size() == most_node_times);
    constexpr int ranks = 10007; // a prime: all times differ
    const std::vector<NodeTime> all = times_of(ranks);
    const std::vector<NodeTime> kept = bounded_node_times(all);
    CHECK(kept.size() <= most_node_times);
    CHECK(kept.front().rank == 0);
    double fastest_s = 1;
    double slowest_s = 0;
    int below_the_median = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        CHECK((i == 0 || kept[i - 1].rank < kept[i].rank));
        CHECK(kept[i].value_s == all[static_cast<std::size_t>(kept[i].rank)].value_s);
        fastest_s = std::min(fastest_s, kept[i].value_s);
        slowest_s = std::max(slowest_s, kept[i].value_s);
        below_the_median += kept[i].value_s < 1e-6 * ranks / 2 ? 1 : 0;
    }
    CHECK(fastest_s == close_to(1e-6));
    CHECK(slowest_s == close_to(1e-6 * ranks));
    CHECK(below_the_median == 128);
}
