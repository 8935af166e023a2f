#include "merge/merge_suite.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <numeric>
#include <random>

using namespace skampi;

namespace {

Measurement measured(std::int64_t argument, double value_s, std::int64_t count = 10) {
    Measurement m;
    m.argument = m.message_bytes = argument;
    m.ranks = 2;
    m.value_s = m.adjusted_s = value_s;
    m.standard_error_s = value_s / 100;
    m.summary = {.count = count,
                 .mean_all = value_s,
                 .standard_error_all = value_s / 50,
                 .cut_count = count / 2,
                 .cut_mean = value_s,
                 .cut_standard_error = value_s / 100,
                 .lower = value_s * 0.98,
                 .minimum = value_s * 0.9,
                 .quartile25 = value_s * 0.95,
                 .median = value_s,
                 .quartile75 = value_s * 1.05,
                 .maximum = value_s * 1.2};
    m.node_times = {{0, value_s, value_s / 90}, {1, value_s * 0.8, value_s / 80}};
    return m;
}

SuiteCurve curve(const std::string& run, std::vector<Measurement> measurements) {
    return {run, run + ".db", std::move(measurements)};
}

MergedSuite by_median(const std::vector<SuiteCurve>& runs) {
    return merge_suite(runs, skalib::Grid::union_, skalib::MergedValue::median);
}

/// As SKaLib does it.
MergedSuite by_count(const std::vector<SuiteCurve>& runs) {
    return merge_suite(runs, skalib::Grid::union_, skalib::MergedValue::median, skalib::Weights::count);
}

} // namespace

TEST_CASE("a bad launch that was repeated most does not capture the merged value") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 4; ++launch)
        runs.push_back({"good " + std::to_string(launch), "x.db", {measured(8, 1.000 + 0.001 * launch, 16)}});
    runs.push_back({"bad", "x.db", {measured(8, 5.6, 1000)}});
    const auto value = [&](skalib::Weights weights) {
        return merge_suite(runs, skalib::Grid::union_, skalib::MergedValue::median, weights)
            .points.front()
            .measurement.value_s;
    };
    CHECK(value(skalib::Weights::equal) == 1.002);
    CHECK(value(skalib::Weights::count) == 5.6);
    CHECK(by_median(runs).points.front().measurement.value_s == 1.002);
    CHECK(by_median(runs).points.front().measurement.summary.count == 1064);
}

TEST_CASE("the median run gives value, error, quartiles and node times; all runs give count and extremes") {
    const auto merged = by_count({curve("a", {measured(64, 910, 4)}), curve("b", {measured(64, 899, 10)}),
                                  curve("c", {measured(64, 901, 4)})});
    REQUIRE(merged.points.size() == 1);
    const Measurement& m = merged.points[0].measurement;
    CHECK(m.value_s == 899);
    CHECK(m.standard_error_s == doctest::Approx(8.99));
    CHECK(m.summary.count == 18);
    CHECK(m.summary.quartile25 == doctest::Approx(899 * 0.95));
    CHECK(m.summary.minimum == doctest::Approx(899 * 0.9));
    CHECK(m.summary.maximum == doctest::Approx(910 * 1.2));
    REQUIRE(m.node_times.size() == 2);
    CHECK(m.node_times[1].value_s == doctest::Approx(899 * 0.8));
    CHECK(m.flags == 0);
    CHECK(m.message_bytes == 64);

    const MergeFacts& facts = merged.points[0].facts;
    CHECK(facts.runs == 3);
    CHECK(facts.minimum_s == 899);
    CHECK(facts.maximum_s == 910);
    REQUIRE(facts.sources.size() == 3);
    CHECK(facts.sources[0].run == "a");
    CHECK(facts.sources[0].database == "a.db");
    CHECK(facts.sources[0].value_s == 910);
    CHECK_FALSE(facts.sources[0].chosen);
    CHECK(facts.sources[1].chosen);
    CHECK(merged.abstained == 0);
}

TEST_CASE("a chosen value that was interpolated says so, and so does one of a single run") {
    const auto merged =
        by_median({curve("a", {measured(1, 10), measured(4, 40)}), curve("b", {measured(2, 21)})});
    REQUIRE(merged.points.size() == 3);
    const Measurement& between = merged.points[1].measurement;
    CHECK(between.argument == 2);
    CHECK(between.message_bytes == 2);
    CHECK(between.value_s == doctest::Approx(20));
    CHECK(between.flags == static_cast<Flags>(Flag::interpolated));
    CHECK(between.node_times.at(1).value_s == doctest::Approx(16));
    CHECK(between.summary.quartile75 == doctest::Approx(21));
    CHECK(merged.points[0].measurement.flags == static_cast<Flags>(Flag::one_run));
    CHECK(merged.points[2].measurement.flags == static_cast<Flags>(Flag::one_run));
    CHECK(merged.abstained == 2);
    CHECK_FALSE(merged.points[0].facts.sources[1].value_s.has_value());
    CHECK(merged.points[1].facts.sources[0].interpolated);
}

TEST_CASE("the flags are those of the value chosen") {
    Measurement chosen = measured(8, 10);
    chosen.flags = static_cast<Flags>(Flag::disturbed);
    Measurement other = measured(8, 12);
    other.flags = static_cast<Flags>(Flag::timed_out);
    const auto merged = by_median({curve("a", {chosen}), curve("b", {other})});
    CHECK(merged.points.at(0).measurement.flags == static_cast<Flags>(Flag::disturbed));

    SUBCASE("between two measurements those of both") {
        Measurement right = measured(32, 10);
        right.flags = static_cast<Flags>(Flag::unsettled);
        const auto between = by_median({curve("a", {chosen, right}), curve("b", {measured(16, 99)})});
        CHECK(between.points.at(1).measurement.flags ==
              (static_cast<Flags>(Flag::disturbed) | (Flag::unsettled | Flag::interpolated)));
    }
}

TEST_CASE("a merged value is one taken between barriers where half of its runs are") {
    const auto merged_flags = [](int fallen, int runs) {
        std::vector<SuiteCurve> curves;
        for (int run = 0; run < runs; ++run) {
            // The run chosen, that in the middle, kept its windows.
            Measurement m = measured(1, run < fallen ? 1e-6 + 1e-9 * run : 2e-6 + 1e-9 * run);
            if (run < fallen)
                set(m.flags, Flag::unsynchronised);
            curves.push_back(curve("run" + std::to_string(run), {m}));
        }
        return merge_suite(curves, skalib::Grid::union_, skalib::MergedValue::mean)
            .points.at(0)
            .measurement.flags;
    };
    CHECK(has(merged_flags(2, 4), Flag::unsynchronised));
    CHECK(has(merged_flags(2, 3), Flag::unsynchronised));
    CHECK_FALSE(has(merged_flags(1, 3), Flag::unsynchronised));
}

TEST_CASE("the adjusted value takes out what probe and core clock explain") {
    // T = (5 + P) * 3 GHz / G: nothing but the machine's state differs between the runs.
    std::vector<SuiteCurve> runs;
    int number = 0;
    for (const double clock_hz : {2.9e9, 3.0e9, 3.3e9}) {
        const double probe_s = 1e-6 * (1 + 0.05 * number);
        Measurement m = measured(8, 0);
        m.core_clock_hz = clock_hz;
        m.probe_s = probe_s;
        m.value_s = 5e-6 * 3.0e9 / clock_hz + probe_s;
        runs.push_back(curve(std::string(1, static_cast<char>('a' + number++)), {m}));
    }
    const auto merged = by_median(runs);
    CHECK(merged.reference_probe_s == doctest::Approx(1.05e-6));
    CHECK(merged.reference_clock_hz == 3.0e9);
    CHECK(merged.points.at(0).measurement.adjusted_s == doctest::Approx(6.05e-6));

    SUBCASE("a probe of another mode is not subtracted") {
        runs[2].measurements[0].probe_s = 5e-6;
        runs[2].measurements[0].value_s = 20e-6;
        runs.erase(runs.begin());
        const auto two = by_median(runs);
        CHECK(two.reference_probe_s == doctest::Approx(1.05e-6));
        CHECK(has(two.points.at(0).measurement.flags, Flag::several_modes));
    }
    SUBCASE("a run without a probe leaves only the core clock to adjust by") {
        runs[0].measurements[0].probe_s = 0;
        const auto without = by_median(runs);
        CHECK(without.reference_probe_s == 0);
        CHECK(without.reference_clock_hz == 3.0e9);
    }
    SUBCASE("without any the runs' own adjusted values are merged") {
        for (SuiteCurve& run : runs) {
            run.measurements[0].probe_s = run.measurements[0].core_clock_hz = 0;
            run.measurements[0].adjusted_s = 7;
        }
        CHECK(by_median(runs).points.at(0).measurement.adjusted_s == 7);
    }
}

TEST_CASE("wrong results give no time and are not interpolated over") {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    Measurement wrong = measured(4, none);
    wrong.flags = static_cast<Flags>(Flag::wrong_result);
    const SuiteCurve bad = curve("a", {measured(1, 10), wrong, measured(8, 80)});
    SUBCASE("another run has the value") {
        const auto merged = by_median({bad, curve("b", {measured(4, 41)})});
        REQUIRE(merged.points.size() == 3);
        CHECK(merged.points[1].measurement.value_s == 41);
        CHECK(merged.points[1].facts.runs == 1);
        CHECK(merged.wrong_results == 1);
    }
    SUBCASE("no other run has one: the point stays, without a value") {
        const auto merged = by_median({bad, curve("b", {measured(1, 11)})});
        REQUIRE(merged.points.size() == 3);
        CHECK(merged.points[1].measurement.argument == 4);
        CHECK(std::isnan(merged.points[1].measurement.value_s));
        CHECK(has(merged.points[1].measurement.flags, Flag::wrong_result));
        CHECK(merged.points[1].facts.runs == 0);
    }
}

TEST_CASE("measurements without any value are no values") {
    const auto merged = by_median({curve("a", {measured(1, 10), measured(2, 99, 0), measured(4, 40)})});
    REQUIRE(merged.points.size() == 2);
    CHECK(merged.points[0].measurement.value_s == 10);
    CHECK(by_median({curve("a", {})}).points.empty());
    CHECK(by_median({}).points.empty());
}

TEST_CASE("a single run merges to itself, flagged as one run") {
    const auto merged = by_median({curve("a", {measured(1, 10), measured(2, 20)})});
    REQUIRE(merged.points.size() == 2);
    const Measurement& m = merged.points[1].measurement;
    CHECK(m.value_s == 20);
    CHECK(m.standard_error_s == measured(2, 20).standard_error_s);
    CHECK(m.summary.count == 10);
    CHECK(m.adjusted_s == 20);
    CHECK(m.flags == static_cast<Flags>(Flag::one_run));
}

TEST_CASE("statistics unknown in one run do not spoil those of the others") {
    Measurement bare = measured(8, 30);
    bare.summary.minimum = bare.summary.maximum = std::numeric_limits<double>::quiet_NaN();
    const auto merged = by_median({curve("a", {measured(8, 10)}), curve("b", {bare})});
    CHECK(merged.points.at(0).measurement.summary.minimum == doctest::Approx(9));
    CHECK(merged.points.at(0).measurement.summary.maximum == doctest::Approx(12));
}

TEST_CASE("the order of the runs changes no merged measurement") {
    std::mt19937_64 random(13);
    std::uniform_int_distribution<int> small(0, 3);
    std::vector<SuiteCurve> runs;
    for (const char* name : {"a", "b", "c", "d"}) {
        std::vector<Measurement> measurements;
        for (std::int64_t argument = 1; argument < 40; argument += 1 + small(random)) {
            Measurement m = measured(argument, 10.0 + small(random), 8 + small(random));
            m.probe_s = 1 + 0.1 * small(random);
            m.core_clock_hz = 3e9 + 1e8 * small(random);
            m.flags = static_cast<Flags>(small(random));
            measurements.push_back(m);
        }
        runs.push_back(curve(name, std::move(measurements)));
    }
    for (const auto value :
         {skalib::MergedValue::median, skalib::MergedValue::mean, skalib::MergedValue::minimum}) {
        const auto expected = merge_suite(runs, skalib::Grid::union_, value);
        std::vector<std::size_t> order(runs.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        while (std::next_permutation(order.begin(), order.end())) {
            std::vector<SuiteCurve> permuted;
            for (const std::size_t index : order)
                permuted.push_back(runs[index]);
            const auto merged = merge_suite(permuted, skalib::Grid::union_, value);
            REQUIRE(merged.points.size() == expected.points.size());
            for (std::size_t i = 0; i < merged.points.size(); ++i) {
                const Measurement& a = merged.points[i].measurement;
                const Measurement& b = expected.points[i].measurement;
                REQUIRE(a.argument == b.argument);
                REQUIRE(a.value_s == b.value_s);
                REQUIRE(a.standard_error_s == b.standard_error_s);
                REQUIRE(a.adjusted_s == b.adjusted_s);
                REQUIRE(a.summary.count == b.summary.count);
                REQUIRE(a.summary.minimum == b.summary.minimum);
            }
        }
    }
}

TEST_CASE("the median of an even number is the smaller of the middle values") {
    CHECK(lower_median({}) == 0);
    CHECK(lower_median({3, 1, 2}) == 2);
    CHECK(lower_median({4, 1, 3, 2}) == 2);
}
