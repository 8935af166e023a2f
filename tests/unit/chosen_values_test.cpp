#include "job/chosen_values.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <vector>

using namespace skampi;

namespace {

Suite ping_pong_suite() {
    Suite suite;
    suite.name = suite.family = "ping-pong";
    suite.operation = {
        1, "MPI_Send-MPI_Recv", "MPI_Send to MPI_Recv", Pattern::ping_pong, {Varied::message_length}};
    suite.varied = Varied::message_length;
    suite.arguments = {skalib::Scale::dynamic_log, 1, 4096, 2, 1, 1, 64, 0.01};
    suite.repetition = {8, 400, 0.01, 0.25, std::nullopt, skalib::ErrorEstimator::trimmed};
    return suite;
}

void evaluate_chosen(const Suite& suite, const std::vector<Batch>& batches, const skalib::ModeSplit& split,
                     const Overhead& overhead, const KnownModes& known, double reference_clock_hz,
                     Measurement& m) {
    const ChosenValues chosen = choose_values(suite.repetition, batches, split, known, {});
    evaluate(suite, chosen, skalib::summarise(chosen.values_s, suite.repetition.cut_quantile), overhead,
             known, reference_clock_hz, 1e-8, m);
}

} // namespace

TEST_CASE("without a single measurement left there are no statistics of them") {
    Measurement m;
    evaluate_chosen(ping_pong_suite(), {}, skalib::ModeSplit(std::vector<double>{}), {1e-6, 1e-8}, {}, 0, m);
    CHECK(std::isnan(m.value_s));
    CHECK(std::isnan(m.summary.minimum));
    CHECK(std::isnan(m.summary.maximum));
    CHECK(m.summary.count == 0);
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
    CHECK(m.value_s == doctest::Approx(2e-6));
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
    CHECK(m.summary.maximum == doctest::Approx(2e-6));
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
    CHECK(m.value_s == doctest::Approx(2.0e-6));
    CHECK(m.summary.minimum == doctest::Approx(1.9e-6));
    CHECK(m.standard_error_s == doctest::Approx(std::hypot(m.summary.cut_standard_error, 0.03e-6)));
    suite.absolute = true;
    Measurement absolute;
    evaluate_chosen(suite, batches, split, {0.1e-6, 0.03e-6}, {}, 0, absolute);
    CHECK(absolute.value_s == doctest::Approx(2.1e-6));
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
    CHECK(m.adjusted_s == doctest::Approx((5e-6 - 1.1e-6) * 1.1 + 1e-6));
    CHECK(m.value_s == doctest::Approx(5e-6));
    known = KnownModes();
    known.settle(0.3e-6);
    evaluate_chosen(ping_pong_suite(), batches, split, {}, known, 3e9, m);
    CHECK(m.adjusted_s == doctest::Approx(5e-6 * 1.1));
}
