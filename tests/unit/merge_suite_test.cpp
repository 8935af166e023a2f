// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "close_to.hpp"
#include "merge/merge_suite.hpp"
#include "model/machine_state.hpp"
#include "model/measured_value.hpp"

#include <algorithm>
#include <array>
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
    return merge_suite(runs);
}

/// As SKaLib does it.
MergedSuite by_count(const std::vector<SuiteCurve>& runs) {
    return merge_suite(runs, {.weights = skalib::Weights::count});
}

} // namespace

TEST_CASE("a bad launch that was repeated most does not capture the merged value") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 4; ++launch)
        runs.push_back({"good " + std::to_string(launch), "x.db", {measured(8, 1.000 + 0.001 * launch, 16)}});
    runs.push_back({"bad", "x.db", {measured(8, 5.6, 1000)}});
    const auto value = [&](skalib::Weights weights) {
        return merge_suite(runs, {.weights = weights}).points.front().measurement.value_s;
    };
    CHECK(value(skalib::Weights::equal) == 1.002);
    CHECK(value(skalib::Weights::count) == 5.6);
    CHECK(value(skalib::Weights::precision) == close_to(1.0015)); // its own error is large
    CHECK(by_median(runs).points.front().measurement.value_s == close_to(1.0015));
    CHECK(by_median(runs).points.front().measurement.summary.count == 1064);
}

TEST_CASE("the median run gives value, error, quartiles and node times; all runs give count and extremes") {
    const auto merged = by_count({curve("a", {measured(64, 910, 4)}), curve("b", {measured(64, 899, 10)}),
                                  curve("c", {measured(64, 901, 4)})});
    REQUIRE(merged.points.size() == 1);
    const Measurement& m = merged.points[0].measurement;
    CHECK(m.value_s == 899);
    CHECK(m.standard_error_s == close_to(8.99));
    CHECK(m.summary.count == 18);
    CHECK(m.summary.quartile25 == close_to(899 * 0.95));
    CHECK(m.summary.minimum == close_to(899 * 0.9));
    CHECK(m.summary.maximum == close_to(910 * 1.2));
    REQUIRE(m.node_times.size() == 2);
    CHECK(m.node_times[1].value_s == close_to(899 * 0.8));
    CHECK(m.flags == 0);
    CHECK(m.message_bytes == 64);

    const MergeFacts& facts = merged.points[0].facts;
    CHECK(facts.runs == 3);
    CHECK(facts.minimum_s == 899);
    CHECK(facts.maximum_s == 910);
    REQUIRE(facts.sources.size() == 3);
    CHECK(facts.sources[0].run == "a");
    CHECK(facts.sources[0].database == "a.db");
    CHECK(facts.sources[0].own.value_s == 910);
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
    CHECK(between.value_s == close_to(20.5)); // the mean of 20, interpolated, and 21
    CHECK(between.flags == static_cast<Flags>(Flag::interpolated));
    CHECK(between.node_times.at(1).value_s == close_to(16.4));
    CHECK(between.summary.quartile75 == close_to(21.525));
    CHECK(merged.points[0].measurement.flags == static_cast<Flags>(Flag::one_run));
    CHECK(merged.points[2].measurement.flags == static_cast<Flags>(Flag::one_run));
    CHECK(merged.abstained == 2);
    CHECK(merged.points[0].facts.sources[1].abstained());
    CHECK(merged.points[1].facts.sources[0].interpolated);
}

TEST_CASE("a merged value is repeatable only if all launches are that it rests on") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 5; ++launch)
        runs.push_back(curve(std::to_string(launch), {measured(8, 10 + 0.1 * launch)}));
    CHECK(by_median(runs).points.at(0).measurement.flags == 0);
    CHECK(by_median(runs).points.at(0).facts.flagged.empty());
    runs[4].measurements[0].flags = static_cast<Flags>(Flag::not_repeatable);
    CHECK(by_median(runs).points.at(0).measurement.flags == static_cast<Flags>(Flag::not_repeatable));
    CHECK(by_median(runs).points.at(0).facts.flagged == "1 not_repeatable");
    runs[1].measurements[0].flags = Flag::not_repeatable | Flag::disturbed;
    CHECK(by_median(runs).points.at(0).facts.flagged == "2 not_repeatable, 1 disturbed");

    SUBCASE("a value between two measurements has the flags of both") {
        Measurement left = measured(8, 10);
        left.flags = static_cast<Flags>(Flag::timed_out);
        Measurement right = measured(32, 10);
        right.flags = static_cast<Flags>(Flag::not_repeatable);
        const auto between = by_median({curve("a", {left, right}), curve("b", {measured(16, 10.2)})});
        CHECK(between.points.at(1).measurement.flags ==
              ((Flag::timed_out | Flag::not_repeatable) | static_cast<Flags>(Flag::interpolated)));
    }
}

TEST_CASE("half of the launches in several modes say so, fewer do not") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 4; ++launch)
        runs.push_back(curve(std::to_string(launch), {measured(8, 10 + 0.1 * launch)}));
    runs[1].measurements[0].flags = static_cast<Flags>(Flag::several_modes);
    CHECK(by_median(runs).points.at(0).measurement.flags == 0);
    runs[3].measurements[0].flags = static_cast<Flags>(Flag::several_modes);
    CHECK(by_median(runs).points.at(0).measurement.flags == static_cast<Flags>(Flag::several_modes));
}

TEST_CASE(
    "a launch whose time was over tells as much as others while its error is small against what they differ by") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 9; ++launch) {
        Measurement m = measured(8, 10 + 0.1 * launch);
        m.flags = static_cast<Flags>(launch < 6 ? static_cast<Flags>(Flag::timed_out) : Flags{0});
        m.standard_error_s = 0.04 * m.value_s;
        runs.push_back(curve(std::to_string(launch), {m}));
    }
    const MergedMeasurement point = by_median(runs).points.at(0);
    CHECK(point.facts.runs == 9);
    CHECK(point.measurement.value_s == close_to(10.4));
    CHECK(point.measurement.flags == 0); // they agree
    CHECK(point.facts.flagged == "6 timed_out");
    runs[2].measurements[0].standard_error_s = std::numeric_limits<double>::quiet_NaN();
    CHECK(by_median(runs).points.at(0).facts.runs == 8);
    runs[2].measurements[0].standard_error_s = 0.4;
    runs.resize(5); // too few to agree
    CHECK(by_median(runs).points.at(0).measurement.flags == static_cast<Flags>(Flag::timed_out));
    for (int launch : {0, 1, 2})
        runs[static_cast<std::size_t>(launch)].measurements[0].flags = 0; // less than half of them
    CHECK(by_median(runs).points.at(0).measurement.flags == 0);
    for (int launch = 0; launch < 6; ++launch) {
        runs.push_back(runs.back());
        runs.back().run = "wide" + std::to_string(launch);
        runs.back().measurements[0].value_s *= 1.1;
        set(runs.back().measurements[0].flags, Flag::timed_out);
    }
    CHECK(by_median(runs).points.at(0).measurement.flags == (Flag::timed_out | Flag::scattered));
}

TEST_CASE("values shorter than their overhead are not cut off: the longer ones would stay") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 9; ++launch) {
        Measurement m = measured(8, 10 + launch);
        m.overhead_s = 14;
        if (m.value_s < m.overhead_s)
            set(m.flags, Flag::unreliable);
        runs.push_back(curve("run" + std::to_string(launch), {m}));
    }
    const auto merged = by_median(runs);
    CHECK(merged.points.at(0).measurement.value_s == 14);
    CHECK(merged.points.at(0).facts.runs == 9);
    CHECK_FALSE(has(merged.points.at(0).measurement.flags, Flag::unreliable)); // four of nine
    runs.erase(runs.begin() + 8);
    CHECK(has(by_median(runs).points.at(0).measurement.flags, Flag::unreliable));
}

TEST_CASE("disturbed, timed-out and unreliable launches weigh nothing while enough others are there") {
    for (const Flag flag : {Flag::disturbed, Flag::timed_out, Flag::unreliable}) {
        CAPTURE(flag_words(static_cast<Flags>(flag)));
        Measurement bad = measured(8, 13);
        bad.flags = static_cast<Flags>(flag);
        bad.standard_error_s = 0.06 * 13;
        bad.time_used_s = 7;
        const std::vector<SuiteCurve> runs{curve("a", {bad}), curve("b", {measured(8, 10)}),
                                           curve("c", {measured(8, 11)}), curve("d", {bad}),
                                           curve("e", {measured(8, 12)})};
        const auto merged = by_median(runs);
        const MergedMeasurement& point = merged.points.at(0);
        CHECK(point.measurement.value_s == 11);
        CHECK(point.measurement.flags == static_cast<Flags>(Flag::scattered)); // 10 to 12
        CHECK(point.measurement.summary.count == 30);
        CHECK(point.measurement.summary.maximum == close_to(12 * 1.2));
        CHECK(point.measurement.time_used_s == 14);
        CHECK(point.facts.runs == 3);
        CHECK(point.facts.measured_runs == 5);
        CHECK(point.facts.flagged == "2 " + flag_words(static_cast<Flags>(flag)));
        CHECK(point.facts.maximum_s == 12);
        CHECK(point.facts.interval_high_s == 12);
        CHECK(point.facts.sources[0].left_out);
        CHECK(point.facts.sources[0].own.flags == static_cast<Flags>(flag));
        CHECK_FALSE(point.facts.sources[1].left_out);

        SUBCASE("without enough others they count, and the value says so") {
            const auto two = by_median({runs[0], runs[1], runs[3]});
            CHECK(two.points.at(0).facts.runs == 3);
            CHECK(two.points.at(0).measurement.value_s == 10); // its error is the smallest
            CHECK(two.points.at(0).measurement.flags == (flag | Flag::scattered));
        }
        SUBCASE("the manual's way leaves none out") {
            CHECK(by_count(runs).points.at(0).facts.runs == 5);
        }
    }
}

TEST_CASE(
    "of an even number of launches the value is the mean of the middle two, of the manual's one of them") {
    const std::vector<SuiteCurve> runs{curve("a", {measured(8, 10)}), curve("b", {measured(8, 14)}),
                                       curve("c", {measured(8, 12)}), curve("d", {measured(8, 40)})};
    const auto merged = by_median(runs);
    const Measurement& m = merged.points.at(0).measurement;
    CHECK(m.value_s == 13);
    CHECK(m.standard_error_s == close_to(std::hypot(0.12, 0.14) / 2));
    CHECK(m.summary.median == 13);
    CHECK(m.node_times.at(1).value_s == close_to(13 * 0.8));
    CHECK(merged.points[0].facts.sources[1].chosen);
    CHECK(merged.points[0].facts.sources[2].chosen);
    CHECK_FALSE(merged.points[0].facts.sources[3].chosen);
    CHECK(by_count(runs).points.at(0).measurement.value_s == 12);
}

TEST_CASE("an overlap is merged over the launches that the value rests on") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 5; ++launch) {
        Measurement m = measured(8, 10 + 0.1 * launch);
        m.alone_s = std::array{9.0, 5.0, 8.0, 1.0, 6.0}.at(static_cast<std::size_t>(launch));
        m.computation_s = std::array{4.0, 5.0, 9.0, 3.0, 2.0}.at(static_cast<std::size_t>(launch));
        runs.push_back(curve(std::to_string(launch), {m}));
    }
    CHECK(by_median(runs).points.at(0).measurement.alone_s == 6);
    CHECK(by_median(runs).points.at(0).measurement.computation_s == 4);
    CHECK(merge_suite(runs, {.value = skalib::MergedValue::mean}).points.at(0).measurement.alone_s ==
          close_to(5.8));
    runs[0].measurements[0].flags = static_cast<Flags>(Flag::disturbed);
    CHECK(by_median(runs).points.at(0).measurement.alone_s == 5.5);
    runs[1].measurements[0].alone_s = 0; // it measured none
    CHECK(by_median(runs).points.at(0).measurement.alone_s == 6);
    CHECK(by_median({curve("a", {measured(8, 10)})}).points.at(0).measurement.alone_s == 0);
}

TEST_CASE("the interval is that of the kind of value") {
    std::vector<SuiteCurve> runs;
    std::vector<double> values;
    for (const int launch : {0, 7, 2, 11, 5, 8, 1, 10, 4, 9, 3, 6}) { // not one like the one before
        values.push_back(10 + launch * launch);
        runs.push_back(curve(std::to_string(launch), {measured(8, values.back())}));
    }
    std::ranges::sort(values); // a sum depends on the order of its terms
    const auto facts = [&](skalib::MergedValue value) {
        return merge_suite(runs, {.value = value, .weights = skalib::Weights::equal}).points.at(0).facts;
    };
    CHECK(facts(skalib::MergedValue::median).interval_low_s ==
          skalib::interpolated_median_interval(values, 0.95).low);
    CHECK(facts(skalib::MergedValue::median).value_kind == "median");
    CHECK(facts(skalib::MergedValue::mean).interval_high_s == skalib::mean_interval(values, 0.95).high);
    CHECK(facts(skalib::MergedValue::mean).value_kind == "mean");
    CHECK(facts(skalib::MergedValue::minimum).interval_confidence == 0);
}

TEST_CASE("the interval of launches in a row has no level, nor have those of their states") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 12; ++launch) {
        Measurement m = measured(8, 10 + launch % 4 + (launch < 5 ? 10 : 0));
        m.probe_s = launch < 5 ? 2 : 1;
        runs.push_back(curve(std::to_string(launch), {std::move(m)}));
    }
    const auto merged = [&](bool in_a_row, skalib::MergedValue value) {
        return merge_suite(runs, {.value = value}, {.in_a_row = in_a_row}).points.at(0);
    };
    const MergedMeasurement spread = merged(false, skalib::MergedValue::median);
    const MergedMeasurement in_a_row = merged(true, skalib::MergedValue::median);
    CHECK(spread.facts.interval_confidence == 0.95);
    CHECK(in_a_row.facts.interval_confidence == 0);
    CHECK(in_a_row.facts.has_interval());
    CHECK(in_a_row.facts.interval_low_s == spread.facts.interval_low_s);
    CHECK(in_a_row.measurement.flags == spread.measurement.flags);
    REQUIRE(in_a_row.measurement.modes.size() == 2);
    for (const ModeValue& mode : in_a_row.measurement.modes)
        CHECK(mode.interval_confidence == 0);
    CHECK_FALSE(merged(true, skalib::MergedValue::minimum).facts.has_interval());
}

TEST_CASE("an interval contains what the clock's step hides, however many launches there are") {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> place(20, 21);
    for (const int launches : {5, 10, 20, 40})
        for (const double deviation : {0.1, 0.5, 2.0}) { // in steps
            constexpr int all_series = 300;
            int covered = 0;
            for (int series = 0; series < all_series; ++series) {
                const double truth = place(random);
                std::vector<SuiteCurve> runs;
                for (int launch = 0; launch < launches; ++launch)
                    runs.push_back(curve(std::to_string(launch),
                                         {measured(8, std::round(truth + deviation * normal(random)))}));
                const MergeFacts facts =
                    merge_suite(runs, {}, {.step_s = [](double) { return 1; }}).points.at(0).facts;
                covered += facts.interval_low_s <= truth && truth <= facts.interval_high_s ? 1 : 0;
            }
            CAPTURE(launches);
            CAPTURE(deviation);
            CHECK(covered >= 0.92 * all_series);
        }
}

TEST_CASE("the step of a call in a block is a part of the clock's") {
    const skalib::ClockFacts clock{10e-9, 30e-9}; // blocks take 4 us
    Suite suite;
    suite.operation.pattern = Pattern::collective;
    CHECK(value_step_s(suite, clock, 0.4e-6) == 10e-9);
    suite.operation.pattern = Pattern::ping_pong;
    CHECK(value_step_s(suite, clock, 0.4e-6) == close_to(1e-9));
    CHECK(value_step_s(suite, clock, 8e-6) == 10e-9);
}

namespace {

Measurement probed(std::int64_t argument, double value_s, double probe_s) {
    Measurement m = measured(argument, value_s);
    m.probe_s = probe_s;
    return m;
}

/// Of each mode its number, value in hundredths, launches and share in %.
using Modes = std::vector<std::array<std::int64_t, 4>>;
Modes modes_of(const MergedMeasurement& point) {
    Modes modes;
    for (const ModeValue& mode : point.measurement.modes)
        modes.push_back(
            {mode.mode, std::lround(100 * mode.value_s), mode.runs, std::lround(100 * mode.share)});
    return modes;
}

} // namespace

TEST_CASE("launches are merged within the mode that holds most of them, and the other modes are kept") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 9; ++launch) {
        const bool slow = launch % 4 == 3; // two of nine
        const double unit = (slow ? 0.55 : 0.13) * (1 + 0.001 * launch);
        runs.push_back(curve(std::to_string(launch), {probed(1, unit, unit), probed(1024, 2 + unit, unit)}));
    }
    const auto merged = by_median(runs);
    const MergedMeasurement& point = merged.points.at(0);
    CHECK(point.measurement.value_s == close_to(0.13 * 1.004));
    CHECK(point.measurement.mode == 0);
    CHECK(point.measurement.mode_share == close_to(7.0 / 9));
    CHECK(point.measurement.flags == static_cast<Flags>(Flag::several_modes));
    CHECK(modes_of(point) == Modes{{0, 13, 7, 78}, {1, 55, 2, 22}});
    CHECK(point.measurement.modes[1].probe_s == close_to(0.55 * 1.003));
    CHECK(point.measurement.modes[1].interval_low_s == close_to(0.55 * 1.003));
    CHECK(point.measurement.modes[1].interval_high_s == close_to(0.55 * 1.007));
    CHECK(point.facts.runs == 7);
    CHECK(point.facts.measured_runs == 9);
    CHECK(point.facts.maximum_s < 0.14);
    CHECK(merged.abstained == 0);
    // At 1,024 bytes the values lie close together: the probes tell all the same.
    CHECK(modes_of(merged.points.at(1)) == Modes{{0, 213, 7, 78}, {1, 255, 2, 22}});
    CHECK(merged.adjustment.reference.probe_s == close_to(0.13 * 1.004));
    const std::vector<MetState> states = states_of_suite(lazy_curves(runs), {}, 1);
    REQUIRE(states.size() == 2);
    CHECK(states[0].launches == 7);
    CHECK(states[1].launches == 2);
    CHECK(states_of_suite(lazy_curves(runs), {}, 0).empty()); // times that follow no probe

    SUBCASE("unless told otherwise") {
        const auto plain = merge_suite(runs, {.modes = false});
        CHECK(plain.points.at(0).facts.runs == 9);
        CHECK(plain.points.at(0).measurement.modes.empty());
        CHECK(has(plain.points.at(0).measurement.flags, Flag::several_modes));
    }
    SUBCASE("a value of a mode may come from a launch that reported the other one") {
        Measurement& m = runs[3].measurements[0];
        m.mode = 1;
        m.modes = {{0, 0.3, 0.2, 0.13, 90}, {1, 0.7, m.value_s, m.probe_s, 210}};
        const auto both = by_median(runs);
        CHECK(both.points.at(0).facts.runs == 8);
        CHECK(both.points.at(0).facts.measured_runs == 9);
        CHECK(both.points.at(0).facts.maximum_s == 0.2);
        CHECK(modes_of(both.points.at(0)) == Modes{{0, 13, 8, 78}, {1, 55, 2, 22}});
        const Source& aside = both.points.at(0).facts.sources.at(4);
        CHECK(aside.other_mode);
        CHECK(aside.own.value_s == 0.2);
        CHECK(aside.run == "3");
        CHECK_FALSE(aside.left_out);
        CHECK(both.points.at(0).facts.sources.at(3).left_out);
        CHECK(both.points.at(0).facts.sources.size() == 10);
    }
    SUBCASE("a mode that a launch did not measure is none of its values") {
        Measurement& m = runs[3].measurements[0];
        m.mode = 1;
        m.modes = {{0, 0, 0.2, 0.13, 0}, {1, 1, m.value_s, m.probe_s, 300}};
        CHECK(by_median(runs).points.at(0).facts.sources.size() == 9);
    }
    SUBCASE("where no launch of that mode has a value, there is none, and the other one's is kept") {
        runs[3].measurements.push_back(probed(4096, 9, 0.55));
        const auto more = by_median(runs);
        CHECK_FALSE(has_value(more.points.at(2).measurement));
        CHECK(more.points.at(2).measurement.mode == 0);
        CHECK(has(more.points.at(2).measurement.flags, Flag::several_modes));
        CHECK(modes_of(more.points.at(2)) == Modes{{1, 900, 1, 100}});
        CHECK(more.points.at(2).facts.runs == 0);
        CHECK(more.points.at(2).facts.measured_runs == 1);
        CHECK(more.points.at(2).facts.sources.at(3).left_out);
        CHECK(more.points.at(2).facts.sources.at(3).own.value_s == 9);
    }
    SUBCASE("also where all of its launches are disturbed and enough of the other mode are not") {
        for (int launch = 9; launch < 13; ++launch)
            runs.push_back(curve(std::to_string(launch), {probed(1, 0.55, 0.55), probed(1024, 2.55, 0.55)}));
        for (SuiteCurve& run : runs)
            if (run.measurements[0].probe_s < 0.3)
                set(run.measurements[0].flags, Flag::disturbed);
        const auto more = by_median(runs);
        CHECK(more.points.at(0).measurement.value_s == close_to(0.13 * 1.004));
        CHECK(has(more.points.at(0).measurement.flags, Flag::disturbed));
        CHECK(more.points.at(1).measurement.mode == more.points.at(0).measurement.mode);
    }
    SUBCASE("a launch is interpolated within its mode only") {
        // It flipped at 1,024: between 1 and 4,096 it saw the fast mode.
        runs[0].measurements[1].probe_s = 0.55;
        runs[0].measurements.push_back(probed(4096, 8, 0.13));
        runs[1].measurements.insert(runs[1].measurements.begin() + 1, probed(512, 1, 0.13));
        const auto between = by_median(runs);
        const Source& source = between.points.at(1).facts.sources.at(0);
        CHECK(source.interpolated);
        CHECK(source.own.value_s == close_to(std::lerp(0.13, 8, 511.0 / 4095)));
    }
}

TEST_CASE("a launch that saw the mode aside has its statistics told by the nearest one that reported it") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 4; ++launch)
        runs.push_back(curve(std::to_string(launch), {probed(8, 1 + 0.1 * launch, 0.13)}));
    for (int launch = 4; launch < 7; ++launch)
        runs.push_back(curve(std::to_string(launch), {probed(8, 5 + 0.1 * launch, 0.55)}));
    // 1, 1.1, 1.16 aside, 1.2, 1.3: the median is the one aside.
    Measurement& flipped = runs[5].measurements[0];
    flipped.mode = 1;
    flipped.modes = {{0, 0.3, 1.16, 0.13, 4}, {1, 0.7, flipped.value_s, 0.55, 10}};
    const MergedMeasurement point = by_median(runs).points.at(0);
    const Measurement& m = point.measurement;
    CHECK(m.value_s == 1.16);
    CHECK(m.summary.quartile25 == close_to(1.2 * 0.95));
    // Count, mean and extremes are those of all four that reported the mode.
    CHECK(m.summary.mean_all == close_to(1.15));
    CHECK(m.summary.cut_count == 20);
    CHECK(m.summary.minimum == close_to(0.9));
    CHECK(m.summary.maximum == close_to(1.3 * 1.2));
    CHECK(m.summary.count == 40);
    REQUIRE(m.node_times.size() == 2);
    CHECK(m.node_times[1].value_s == close_to(1.2 * 0.8));

    SUBCASE("of two chosen the mean of what both know") {
        runs.push_back(curve("7", {probed(8, 1.18, 0.13)}));
        const Measurement two = by_median(runs).points.at(0).measurement;
        CHECK(two.value_s == close_to(1.17));
        CHECK(two.summary.quartile25 == close_to(1.18 * 0.95));
        CHECK(two.node_times.size() == 2);
    }
}

TEST_CASE("an interpolated value that is chosen lies within the extremes") {
    const auto merged = by_median({curve("a", {measured(4, 1), measured(16, 1.2)}),
                                   curve("b", {measured(4, 1.1), measured(16, 1.3)}),
                                   curve("c", {measured(4, 9), measured(8, 9), measured(16, 9)})});
    const Measurement& m = merged.points.at(1).measurement;
    REQUIRE(has(m.flags, Flag::interpolated));
    CHECK(m.summary.minimum <= m.summary.quartile25);
    CHECK(m.summary.quartile75 <= m.summary.maximum);
    CHECK(m.summary.maximum == close_to(9 * 1.2));
}

TEST_CASE("a single measurement counts once, be its launch interpolated elsewhere or not") {
    const auto merged =
        by_median({curve("a", {measured(1, 10, 10), measured(4, 40, 12), measured(16, 80, 14)}),
                   curve("b", {measured(2, 21, 20), measured(8, 55, 22)})});
    REQUIRE(merged.points.size() == 5);
    std::vector<std::int64_t> counts;
    for (const MergedMeasurement& point : merged.points)
        counts.push_back(point.measurement.summary.count);
    CHECK(counts == std::vector<std::int64_t>{10, 20, 12, 22, 14});
    // The count of a value between two arguments is theirs (SKaLib 3.4.2), kept as a whole number.
    CHECK(merged.points[1].facts.sources[0].own.summary.count == 11);
}

TEST_CASE("what a launch saw aside is kept, also where its mode is not told apart") {
    Measurement flipped = probed(8, 1, 0.13);
    flipped.modes = {{0, 0.7, 1, 0.13, 10}, {1, 0.3, 5, 0.55, 4}};
    const auto merged = by_median({curve("a", {flipped}), curve("b", {probed(8, 2, 0.13)})});
    const std::vector<Source>& sources = merged.points.at(0).facts.sources;
    REQUIRE(sources.size() == 3);
    CHECK(sources[1].run == "a");
    CHECK(sources[1].other_mode);
    CHECK(sources[1].left_out);
    CHECK_FALSE(sources[1].chosen);
    CHECK(sources[1].own.value_s == 5);
    CHECK(sources[1].own.probe_s == 0.55);
    CHECK(sources[1].own.summary.count == 4);
    CHECK(merged.points[0].measurement.value_s == close_to(1)); // 1 and 2: no launch took 1.5
    CHECK(merged.points[0].measurement.summary.count == 20);
    CHECK(merged.points[0].facts.measured_runs == 2);
    CHECK(merged.points[0].facts.runs == 2);
}

TEST_CASE("where all launches are disturbed those count whose probes were not") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 8; ++launch) {
        const bool slowed = launch % 2 == 1;
        Measurement m = probed(1, slowed ? 0.98 : 0.48, slowed ? 0.44 : 0.38);
        set(m.flags, Flag::disturbed);
        runs.push_back(curve(std::to_string(launch), {m}));
    }
    const auto merged = by_median(runs);
    CHECK(merged.points.at(0).measurement.value_s == 0.48);
    CHECK(merged.points.at(0).measurement.flags == static_cast<Flags>(Flag::disturbed));
    CHECK(merged.points.at(0).facts.runs == 4);
    CHECK(merged.points.at(0).facts.measured_runs == 8);
    CHECK(merged.points.at(0).facts.sources.at(1).left_out);
    CHECK(by_count(runs).points.at(0).facts.runs == 8); // the manual's way leaves none out
    SUBCASE("not those that nothing is wrong with but a slower probe") {
        for (SuiteCurve& run : runs)
            run.measurements[0].flags = 0;
        CHECK(by_median(runs).points.at(0).facts.runs == 8);
    }
    SUBCASE("unless too few are left") {
        runs.erase(runs.begin() + 4, runs.end()); // two of each: twice as long
        CHECK(by_median(runs).points.at(0).facts.runs == 2);
        runs.erase(runs.begin() + 2, runs.end()); // one of each
        CHECK(by_median(runs).points.at(0).facts.runs == 2);
    }
}

TEST_CASE("two launches that nothing disturbed count alone beside many that take longer") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 9; ++launch) {
        const bool disturbed = launch > 1;
        Measurement m = probed(8, disturbed ? 16 + launch : 10 + 0.1 * launch, 0.13);
        if (disturbed)
            set(m.flags, Flag::disturbed);
        runs.push_back(curve(std::to_string(launch), {m}));
    }
    const MergedMeasurement point = by_median(runs).points.at(0);
    CHECK(point.measurement.value_s == close_to(10.05));
    CHECK(point.facts.runs == 2);
    CHECK(point.facts.measured_runs == 9);
    CHECK(point.measurement.flags == 0);
    CHECK(point.facts.sources.at(5).left_out);
    CHECK(by_count(runs).points.at(0).facts.runs == 9);
    MergeWay together;
    together.modes = false; // then launches of two states are merged, and their distance says nothing
    CHECK(merge_suite(runs, together).points.at(0).facts.runs == 9);
    SUBCASE("not where the rest of the curve has none") {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            Measurement next = runs[i].measurements[0];
            next.argument = next.message_bytes = 16;
            set(next.flags, Flag::disturbed);
            runs[i].measurements.push_back(next);
        }
        CHECK(by_median(runs).points.at(0).facts.runs == 9);
    }
    SUBCASE("not beside such as had too little time, which need not be longer") {
        for (std::size_t i = 2; i < runs.size(); ++i) {
            Measurement& m = runs[i].measurements[0];
            m.flags = static_cast<Flags>(Flag::timed_out);
            m.standard_error_s = 0.06 * m.value_s;
        }
        CHECK(by_median(runs).points.at(0).facts.runs == 9);
    }
    SUBCASE("not where they have only values between arguments") {
        for (SuiteCurve& run : runs) {
            Measurement left = run.measurements[0];
            Measurement right = left;
            left.argument = left.message_bytes = 4;
            right.argument = right.message_bytes = 12;
            if (run.measurements[0].flags == 0)
                run.measurements = {left, right};
        }
        CHECK(by_median(runs).points.at(1).facts.runs == 9);
    }
}

TEST_CASE("a doubtful value beside a probe of no mode counts nowhere while there is another") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 6; ++launch) {
        const double unit = launch < 4 ? 0.13 : 0.55;
        runs.push_back(curve(std::to_string(launch), {probed(1, unit, unit), probed(2, unit, unit)}));
        for (Measurement& m : runs.back().measurements)
            set(m.flags, Flag::timed_out);
    }
    // A rank waited for its core.
    runs[5].measurements[0].value_s = runs[5].measurements[0].probe_s = 8000;
    const MergedMeasurement point = by_median(runs).points.at(0);
    CHECK(modes_of(point) == Modes{{0, 13, 4, 67}, {1, 55, 1, 17}});
    CHECK(point.facts.sources.at(5).left_out);
    CHECK(point.facts.measured_runs == 6);
    runs.erase(runs.begin() + 4);
    CHECK(by_median(runs).points.at(0).facts.runs == 4);
    runs[4].measurements[0].flags = 0; // nothing is known to be wrong with it, but four others agree
    CHECK(by_median(runs).points.at(0).facts.runs == 4);
    runs.erase(runs.begin()); // three do not exclude it as they agree, but no machine is so slow
    CHECK(by_median(runs).points.at(0).facts.runs == 3);
    runs[3].measurements[0].value_s = runs[3].measurements[0].probe_s = 8; // perhaps a state of the machine
    CHECK(by_median(runs).points.at(0).facts.runs == 4);
}

TEST_CASE("a value whose launches lie far apart says so") {
    const auto flags_of_spread = [](double spread) {
        std::vector<SuiteCurve> runs;
        for (int launch = 0; launch < 3; ++launch)
            runs.push_back(curve(std::to_string(launch), {measured(8, 1 + spread * (launch - 1))}));
        return by_median(runs).points.at(0).measurement.flags;
    };
    CHECK(flags_of_spread(0.049) == 0);
    CHECK(flags_of_spread(0.051) == static_cast<Flags>(Flag::scattered));
}

TEST_CASE("of five launches the one in another state is left out, and kept as a mode of its own") {
    const auto runs_with = [](int agreeing) {
        std::vector<SuiteCurve> runs;
        for (int launch = 0; launch < agreeing; ++launch) {
            const double unit = 0.55 * (1 + 0.005 * launch);
            runs.push_back(curve(std::to_string(launch), {probed(1, unit, unit), probed(2, unit, unit)}));
        }
        runs.insert(runs.begin() + 1, curve("alone", {probed(1, 0.13, 0.13), probed(2, 0.13, 0.13)}));
        return runs;
    };
    for (const MergedMeasurement& point : by_median(runs_with(4)).points) {
        CHECK(modes_of(point) == Modes{{0, 13, 1, 20}, {1, 55, 4, 80}});
        CHECK(point.facts.runs == 4);
        CHECK(point.measurement.value_s == close_to(0.55 * 1.0075));
        CHECK(point.facts.interval_low_s == 0.55);
        CHECK(point.facts.interval_high_s == close_to(0.55 * 1.015));
        CHECK(point.facts.sources.at(1).run == "alone");
        CHECK(point.facts.sources.at(1).left_out);
        CHECK(has(point.measurement.flags, Flag::several_modes));
        CHECK_FALSE(has(point.measurement.flags, Flag::scattered));
    }
    // Of four nobody knows whether three agree by chance.
    const auto of_four = by_median(runs_with(3));
    CHECK(of_four.points.at(0).measurement.modes.empty());
    CHECK(of_four.points.at(0).facts.runs == 4);
    CHECK(has(of_four.points.at(0).measurement.flags, Flag::several_modes));
    SUBCASE("also at one argument at which a launch met another state than elsewhere") {
        auto runs = runs_with(5);
        runs.erase(runs.begin() + 1);
        runs[2].measurements[0] = probed(1, 0.13, 0.13);
        const auto merged = by_median(runs);
        CHECK(merged.points.at(0).facts.runs == 4);
        CHECK(merged.points.at(0).facts.interval_low_s == 0.55);
        CHECK(merged.points.at(0).facts.sources.at(2).left_out);
        CHECK(merged.points.at(1).facts.runs == 5);
    }
}

TEST_CASE("a mode that was seen aside without a probe tells no modes apart") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 3; ++launch) {
        Measurement m = probed(1, 0.13, 0.13);
        m.modes = {{0, 0.5, 0.13, 0.13, 10}, {1, 0.5, 0.5, 0, 10}};
        runs.push_back(curve(std::to_string(launch), {m}));
    }
    CHECK(by_median(runs).points.at(0).measurement.mode == 0);
    CHECK(by_median(runs).points.at(0).measurement.modes.empty());
}

TEST_CASE("without probes the values at each argument tell the modes") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 7; ++launch)
        runs.push_back(
            curve(std::to_string(launch),
                  {measured(1, (launch > 4 ? 4.2 : 1) * (1 + 0.01 * launch)), measured(4096, 100 + launch)}));
    const auto merged = by_median(runs);
    CHECK(modes_of(merged.points.at(0)) == Modes{{0, 102, 5, 71}, {1, 443, 2, 29}});
    CHECK(merged.points.at(0).measurement.value_s == close_to(1.02));
    CHECK(merged.points.at(1).measurement.modes.empty());
    CHECK(merged.points.at(1).measurement.value_s == 103);
    const auto together = merge_suite(runs, {.modes = false});
    CHECK(together.points.at(0).measurement.modes.empty());
    CHECK(has(together.points.at(0).measurement.flags, Flag::several_modes));
    CHECK_FALSE(has(together.points.at(1).measurement.flags, Flag::several_modes));
}

TEST_CASE("disturbed launches neither make a mode nor vote for one while enough others are there") {
    for (const double probe_s : {0.0, 0.1}) { // without and with probes
        CAPTURE(probe_s);
        const auto launch = [&](int number, double value_s, bool disturbed) {
            std::vector<Measurement> measurements{probed(1, value_s, probe_s * value_s),
                                                  probed(2, value_s, probe_s * value_s)};
            for (Measurement& m : measurements)
                m.flags = disturbed ? static_cast<Flags>(Flag::disturbed) : Flags{};
            return curve(std::to_string(number), std::move(measurements));
        };
        std::vector<SuiteCurve> runs;
        for (int number = 0; number < 8; ++number)
            runs.push_back(launch(number, number < 5 ? 3 : 1, number < 5));
        for (const MergedMeasurement& point : by_median(runs).points) {
            CHECK(point.measurement.value_s == 1);
            CHECK(point.measurement.modes.empty());
            CHECK(point.facts.runs == 3);
            CHECK(point.facts.sources.at(0).left_out);
        }
        CHECK(by_count(runs).points.at(0).measurement.value_s == 3); // the manual's way leaves none out

        SUBCASE("in a mode that others made they do not vote either") {
            for (int number = 8; number < 10; ++number)
                runs.push_back(launch(number, 3, false));
            const MergedMeasurement point = by_median(runs).points.at(0);
            CHECK(point.measurement.value_s == 1);
            CHECK(modes_of(point) == Modes{{0, 100, 3, 30}, {1, 300, 7, 70}});
        }
        SUBCASE("without enough others they do") {
            runs.resize(7);
            CHECK(by_median(runs).points.at(0).measurement.value_s == 3);
        }
    }
}

namespace {

/// The round trip of a launch whose ranks have cores, and of one of whose ranks one has none.
constexpr double with_cores_s = 1.4e-6;
constexpr double without_core_s = 7e-3;

/// As many launches of each, of which the latter are not even disturbed at each argument.
std::vector<SuiteCurve> launches_beside_busy_loops(int with_cores, int without_core) {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < with_cores + without_core; ++launch) {
        const bool lost = launch >= with_cores;
        const double unit = (lost ? without_core_s : with_cores_s) * (1 + 0.002 * launch);
        std::vector<Measurement> measurements;
        for (const std::int64_t argument : {1, 4096, 8192})
            measurements.push_back(probed(argument, unit + 1e-9 * static_cast<double>(argument), unit));
        runs.push_back(curve(std::to_string(launch), std::move(measurements)));
    }
    return runs;
}

} // namespace

TEST_CASE("a launch whose probe is the scheduler's is of no mode: it is left out, however many there are") {
    for (const int without_core : {1, 4, 12}) {
        CAPTURE(without_core);
        const auto runs = launches_beside_busy_loops(4, without_core);
        const MergedSuite merged = by_median(runs);
        for (const MergedMeasurement& point : merged.points) {
            CHECK(point.measurement.value_s < 20e-6);
            CHECK(point.facts.runs == 4);
            CHECK(point.facts.measured_runs == 4 + without_core);
            CHECK(point.measurement.modes.empty());
            CHECK_FALSE(has(point.measurement.flags, Flag::several_modes));
            CHECK_FALSE(point.facts.sources.at(3).left_out);
            CHECK(point.facts.sources.at(4).left_out);
            CHECK(point.facts.sources.at(4).own.value_s > 6e-3);
        }
        CHECK(merged.adjustment.reference.probe_s == close_to(with_cores_s).epsilon(0.01));
        CHECK(merge_suite(runs, {.modes = false}).points.at(0).facts.runs == 4 + without_core);
    }
    SUBCASE("a value without a probe is judged by the other probes of its launch") {
        auto runs = launches_beside_busy_loops(4, 4);
        for (SuiteCurve& run : runs)
            run.measurements[2].probe_s = 0; // there was no time for one
        runs[2].measurements[1].probe_s = 0;
        for (const MergedMeasurement& point : by_median(runs).points) {
            CHECK(point.measurement.value_s < 20e-6);
            CHECK(point.measurement.modes.empty());
            CHECK(point.facts.runs == 4);
            CHECK(point.facts.sources.at(5).left_out);
            CHECK_FALSE(point.facts.sources.at(2).left_out);
        }
    }
    SUBCASE("a launch that lost its core once lacks that value alone") {
        auto runs = launches_beside_busy_loops(5, 0);
        runs[2].measurements[1] = probed(4096, 12e-3, without_core_s);
        const MergedSuite merged = by_median(runs);
        CHECK(merged.points.at(0).facts.runs == 5);
        CHECK(merged.points.at(1).facts.runs == 4);
        CHECK(merged.points.at(1).facts.maximum_s < 20e-6);
        CHECK(merged.points.at(1).facts.sources.at(2).left_out);
    }
    SUBCASE("where all launches lost one, there is no value") {
        auto runs = launches_beside_busy_loops(5, 0);
        for (SuiteCurve& run : runs)
            run.measurements[1] = probed(4096, 12e-3, without_core_s);
        const MergedSuite merged = by_median(runs);
        CHECK_FALSE(has_value(merged.points.at(1).measurement));
        CHECK(merged.points.at(1).measurement.modes.empty());
        CHECK(merged.points.at(1).facts.sources.at(0).own.value_s == 12e-3);
        CHECK(has_value(merged.points.at(2).measurement));
    }
    SUBCASE("what it saw aside while it had its core counts, what others saw without one does not") {
        auto runs = launches_beside_busy_loops(4, 1);
        Measurement& lost = runs[4].measurements[0];
        lost.modes = {{0, 0.2, 1.41e-6, 1.41e-6, 20}, {1, 0.8, lost.value_s, lost.probe_s, 80}};
        lost.mode = 1;
        Measurement& other = runs[0].measurements[1];
        other.modes = {{0, 0.9, other.value_s, other.probe_s, 90}, {1, 0.1, 13e-3, without_core_s, 10}};
        const MergedSuite merged = by_median(runs);
        CHECK(merged.points.at(0).facts.runs == 5);
        CHECK(merged.points.at(1).facts.runs == 4);
        CHECK(merged.points.at(1).measurement.modes.empty());
    }
}

TEST_CASE("of two modes with as many launches the faster one is shown, at each argument") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 8; ++launch) {
        const double unit = (launch % 2 == 0 ? 5e-6 : 1.4e-6) * (1 + 0.002 * launch);
        runs.push_back(curve(std::to_string(launch), {probed(1, unit, unit), probed(4096, 3 * unit, unit)}));
    }
    // At one argument most of the faster ones are disturbed.
    for (const std::size_t launch : {1U, 3U, 5U})
        set(runs[launch].measurements[1].flags, Flag::disturbed);
    for (const MergedMeasurement& point : by_median(runs).points) {
        CHECK(point.measurement.mode == 0);
        CHECK(point.measurement.value_s < 5e-6);
    }
}

TEST_CASE("a mode that a launch only saw aside is not merged in where launches reported another") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 5; ++launch)
        runs.push_back(curve(std::to_string(launch),
                             {probed(1, 0.13, 0.13), probed(2, 0.13, 0.13), probed(4, 0.55, 0.55)}));
    Measurement& m = runs[0].measurements[2];
    m.mode = 1;
    m.modes = {{0, 0.001, 9, 0.13, 1}, {1, 0.999, 0.55, 0.55, 999}};
    const auto merged = by_median(runs);
    CHECK(merged.points.at(1).measurement.value_s == 0.13);
    CHECK_FALSE(has_value(merged.points.at(2).measurement));
    CHECK(merged.points.at(2).measurement.mode == 0);
    CHECK(modes_of(merged.points.at(2)) == Modes{{0, 900, 1, 0}, {1, 55, 5, 100}});
}

TEST_CASE("without probes a curve stays with its launches where two modes are equally common") {
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 5; ++launch) {
        const double unit = launch < 3 ? 4 : 1;
        runs.push_back(
            curve(std::to_string(launch), {measured(1, unit), measured(2, unit), measured(4, unit)}));
    }
    runs[0].measurements.pop_back(); // from here on two launches are in each
    const auto merged = by_median(runs);
    CHECK(merged.points.at(1).measurement.value_s == 4);
    CHECK(merged.points.at(2).measurement.value_s == 4);
    CHECK(merged.points.at(2).measurement.mode == 1);
}

TEST_CASE("merged values lie within their intervals, and these within what the launches found") {
    std::mt19937_64 random(99);
    std::uniform_int_distribution<int> some(0, 9);
    int without_value = 0;
    for (int series = 0; series < 300; ++series) {
        std::vector<SuiteCurve> runs;
        const int launches = 2 + some(random);
        for (int launch = 0; launch < launches; ++launch) {
            const bool slow = some(random) < 3;
            std::vector<Measurement> measurements;
            for (std::int64_t argument = 1 + some(random) / 4; argument < 40; argument += 1 + some(random)) {
                Measurement m = probed(argument, (slow ? 5 : 1) * (1 + 0.01 * some(random) + 0.01 * argument),
                                       (slow ? 0.55 : 0.13) * (1 + 0.02 * some(random)));
                if (some(random) < (series % 3 == 0 ? 9 : 1))
                    m.flags = static_cast<Flags>(Flag::disturbed);
                measurements.push_back(m);
            }
            runs.push_back(curve(std::to_string(launch), std::move(measurements)));
        }
        for (const MergedMeasurement& point : by_median(runs).points) {
            without_value += has_value(point.measurement) ? 0 : 1;
            if (!has_value(point.measurement))
                continue;
            REQUIRE(point.facts.minimum_s <= point.facts.interval_low_s);
            REQUIRE(point.facts.interval_low_s <= point.measurement.value_s);
            REQUIRE(point.measurement.value_s <= point.facts.interval_high_s);
            REQUIRE(point.facts.interval_high_s <= point.facts.maximum_s);
        }
    }
    CHECK(without_value > 10);
}

TEST_CASE("intervals cover and modes are found where a launch is shifted as a whole, heavy-tailed") {
    std::mt19937_64 random(12);
    std::normal_distribution<double> normal;
    std::student_t_distribution<double> heavy(3);
    std::uniform_int_distribution<int> number_of_launches(5, 30);
    constexpr std::array mode_values_s{1.0e-6, 1.6e-6, 3.0e-6};
    constexpr std::array mode_probes_s{0.13e-6, 0.30e-6, 0.55e-6};
    constexpr std::array<std::int64_t, 2> arguments{8, 64};
    constexpr int all_series = 600;
    int wrong_modes = 0;
    int intervals = 0;
    int at_the_level = 0;
    int covered_at_the_level = 0;
    double covered_as_stated = 0;
    double variance = 0;
    int covered = 0;
    for (int series = 0; series < all_series; ++series) {
        const int launches = number_of_launches(random);
        // At least two launches in each mode, the others in the first of them.
        const int modes = std::min(1 + series % 3, launches / 4);
        std::array<int, 3> launches_in{};
        for (int launch = 0; launch < launches; ++launch)
            ++launches_in[static_cast<std::size_t>(launch < 2 * modes ? launch % modes : 0)];
        std::vector<SuiteCurve> runs;
        for (int launch = 0; launch < launches; ++launch) {
            const auto mode = static_cast<std::size_t>(launch < 2 * modes ? launch % modes : 0);
            const double common = 0.02 * heavy(random);
            std::vector<Measurement> measurements;
            for (const std::int64_t argument : arguments) {
                measurements.push_back(
                    measured(argument, mode_values_s[mode] * std::exp(common + 0.005 * normal(random))));
                measurements.back().probe_s = mode_probes_s[mode] * std::exp(0.01 * heavy(random));
            }
            runs.push_back(curve("run " + std::to_string(launch), std::move(measurements)));
        }
        bool right = true;
        for (const MergedMeasurement& point : by_median(runs).points) {
            const std::vector<ModeValue>& found = point.measurement.modes;
            right = right && static_cast<int>(found.size()) == (modes == 1 ? 0 : modes);
            for (std::size_t mode = 0; right && mode < found.size(); ++mode)
                right = found[mode].share == close_to(launches_in[mode] / static_cast<double>(launches));
            const MergeFacts& facts = point.facts;
            const bool covers =
                facts.interval_low_s <= mode_values_s[0] && mode_values_s[0] <= facts.interval_high_s;
            ++intervals;
            covered += covers ? 1 : 0;
            covered_as_stated += facts.interval_confidence;
            variance += facts.interval_confidence * (1 - facts.interval_confidence);
            if (facts.interval_confidence >= 0.93) {
                ++at_the_level;
                covered_at_the_level += covers ? 1 : 0;
            }
        }
        wrong_modes += right ? 0 : 1;
    }
    CHECK(intervals == 2 * all_series);
    CHECK(at_the_level > intervals / 2);
    CHECK(covered_at_the_level >= 0.93 * at_the_level);
    CHECK(covered_at_the_level <= 0.97 * at_the_level);
    // Of a few launches the interval is their range, with the confidence that it has. Both points of a series
    // are shifted alike: they count as one.
    CHECK(std::abs(covered - covered_as_stated) <= 3.3 * std::sqrt(2 * variance));
    CHECK(wrong_modes <= all_series / 100);
}

TEST_CASE("a merged value is that of windows or of barriers, of which most launches have, never of both") {
    const auto merged = [](int fallen, int runs) {
        std::vector<SuiteCurve> curves;
        for (int run = 0; run < runs; ++run) {
            std::vector<Measurement> measurements;
            for (const std::int64_t argument : {1, 2}) {
                Measurement& m =
                    measurements.emplace_back(measured(argument, (run < fallen ? 1e-6 : 2e-6) + 1e-9 * run));
                if (run < fallen)
                    set(m.flags, Flag::unsynchronised);
            }
            curves.push_back(curve("run" + std::to_string(run), std::move(measurements)));
        }
        return by_median(curves).points;
    };
    for (const MergedMeasurement& point : merged(2, 5)) {
        CHECK_FALSE(has(point.measurement.flags, Flag::unsynchronised));
        CHECK(point.facts.runs == 3);
        CHECK(point.facts.minimum_s > 2e-6);
        CHECK(point.facts.sources.at(0).left_out);
        CHECK(point.facts.flagged == "2 unsynchronised");
        CHECK(point.measurement.modes.empty());
    }
    for (const MergedMeasurement& point : merged(3, 5)) {
        CHECK(has(point.measurement.flags, Flag::unsynchronised));
        CHECK(point.facts.runs == 3);
        CHECK(point.facts.maximum_s < 2e-6);
    }
    CHECK(merged(2, 4).at(0).facts.minimum_s > 2e-6); // windows were asked for
    CHECK(merged(4, 4).at(0).facts.runs == 4);
    SUBCASE("where no launch has the kind of most, the value is of the other") {
        std::vector<SuiteCurve> curves;
        for (int run = 0; run < 3; ++run)
            curves.push_back(curve("run" + std::to_string(run), {measured(1, 1), measured(2, 1)}));
        curves[0].measurements.push_back(measured(3, 2));
        set(curves[0].measurements[2].flags, Flag::unsynchronised);
        CHECK(has(by_median(curves).points.at(2).measurement.flags, Flag::unsynchronised));
    }
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
    CHECK(merged.adjustment.reference.probe_s == close_to(1.05e-6));
    CHECK(merged.adjustment.reference.core_speed == 3.0e9);
    CHECK(merged.points.at(0).measurement.adjusted_s == close_to(6.05e-6));

    SUBCASE("of a collective half of the probe") {
        runs.erase(runs.begin() + 1);
        for (SuiteCurve& run : runs) {
            Measurement& m = run.measurements[0];
            m.core_clock_hz = 3.0e9;
            m.value_s = 5e-6 + m.probe_s / 2;
        }
        const auto halved = merge_suite(runs, {}, {probe_share(Pattern::collective)});
        CHECK(halved.adjustment.reference.probe_s == close_to(1e-6));
        CHECK(halved.points.at(0).measurement.adjusted_s == close_to(5.5e-6));
        CHECK(by_median(runs).points.at(0).measurement.adjusted_s < 5.49e-6); // too much
    }
    SUBCASE("a probe of another mode is not subtracted") {
        runs[2].measurements[0].probe_s = 5e-6;
        runs[2].measurements[0].value_s = 20e-6;
        runs.erase(runs.begin());
        const auto two = by_median(runs);
        CHECK(two.adjustment.reference.probe_s == close_to(1.05e-6));
        CHECK(has(two.points.at(0).measurement.flags, Flag::several_modes));
    }
    SUBCASE("a run without a probe leaves only the core clock to adjust by") {
        runs[0].measurements[0].probe_s = 0;
        const auto without = by_median(runs);
        CHECK(without.adjustment.reference.probe_s == 0);
        CHECK(without.adjustment.reference.core_speed == 3.0e9);
    }
    SUBCASE("a stored reference of the mode takes the place of the runs' medians") {
        const MergedSuite stored = merge_suite(runs, {}, {1, {{0.2e-6, 1e9}, {1.2e-6, 3.1e9}}});
        CHECK(stored.adjustment.reference == MachineState{1.2e-6, 3.1e9});
        CHECK(stored.points.at(0).measurement.adjusted_s == close_to(5e-6 * 3.0 / 3.1 + 1.2e-6));
    }
    SUBCASE("without any there is no adjusted value") {
        for (SuiteCurve& run : runs) {
            run.measurements[0].probe_s = run.measurements[0].core_clock_hz = 0;
            run.measurements[0].adjusted_s = 7;
        }
        CHECK(std::isnan(by_median(runs).points.at(0).measurement.adjusted_s));
    }
}

TEST_CASE(
    "launches that spread without a gap are in one mode, however many there are; one alone behind a gap is seen") {
    const auto merged_flags = [](double last_probe_s) {
        std::vector<SuiteCurve> runs;
        for (int launch = 0; launch < 12; ++launch) {
            Measurement m = measured(8, 1e-6);
            m.probe_s = launch < 11 ? 600e-9 + 27e-9 * launch : last_probe_s;
            runs.push_back(curve("run " + std::to_string(launch), {m}));
        }
        return by_median(runs).points.at(0).measurement.flags;
    };
    CHECK_FALSE(has(merged_flags(900e-9), Flag::several_modes));
    CHECK(has(merged_flags(1500e-9), Flag::several_modes));
}

TEST_CASE("where adjusting drives launches apart there is no adjusted value") {
    // Other work halves what the core adds per cycle. A short message takes longer by as much, a long one
    // not.
    std::vector<SuiteCurve> runs;
    for (int launch = 0; launch < 5; ++launch) {
        const double slower = launch % 2 == 0 ? 1 : 2;
        const double own = 1 + 0.01 * launch;
        std::vector<Measurement> points = {measured(8, (0.5e-6 + 1e-6 * slower) * own),
                                           measured(1 << 20, 90e-6 * own)};
        for (Measurement& m : points) {
            m.probe_s = 0.5e-6;
            m.core_clock_hz = 3e9 / slower;
        }
        runs.push_back(curve(std::string(1, static_cast<char>('a' + launch)), points));
    }
    const auto merged = by_median(runs);
    CHECK(merged.points.at(0).measurement.adjusted_s == close_to(1.5e-6 * 1.02));
    CHECK(std::isnan(merged.points.at(1).measurement.adjusted_s));
    CHECK(merged.points.at(1).facts.adjusted_confidence == 0);
    runs.resize(3); // too few to tell
    CHECK_FALSE(std::isnan(by_median(runs).points.at(1).measurement.adjusted_s));
}

TEST_CASE("the share of the probe and the core clock that launches choose are facts of the merged values") {
    for (const double share : {0.25, 1.0})
        for (const bool by_speed : {true, false}) {
            CAPTURE(share);
            CAPTURE(by_speed);
            std::vector<SuiteCurve> runs;
            for (int launch = 0; launch < 12; ++launch) {
                std::vector<Measurement> points;
                for (const std::int64_t argument : {8, 64, 512}) {
                    const double probe_s = 0.4e-6 + 0.01e-6 * launch;
                    const double clock_hz = 3e9 + 0.1e9 * static_cast<double>(launch * 5 % 3);
                    const double own_s = 1e-12 * static_cast<double>((launch * 7 + argument) % 5);
                    Measurement& m = points.emplace_back(
                        measured(argument, 2e-6 * (by_speed ? 3e9 / clock_hz : 1) + share * probe_s + own_s));
                    m.probe_s = probe_s;
                    m.core_clock_hz = clock_hz;
                }
                runs.push_back(curve("run", points));
            }
            for (const MergedMeasurement& point :
                 merge_suite(runs, {}, {probe_share(Pattern::collective)}).points) {
                CHECK(point.facts.adjusted_share == share);
                CHECK(point.facts.adjusted_by_speed == by_speed);
            }
        }
}

TEST_CASE("wrong results give no time and are not interpolated over") {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    Measurement wrong = measured(4, none);
    wrong.modes = {{0, 1, 4, 1, 10}};
    wrong.flags = static_cast<Flags>(Flag::wrong_result);
    const SuiteCurve bad = curve("a", {measured(1, 10), wrong, measured(8, 80)});
    SUBCASE("another run has the value") {
        const auto merged = by_median({bad, curve("b", {measured(4, 41)})});
        REQUIRE(merged.points.size() == 3);
        CHECK(merged.points[1].measurement.value_s == 41);
        CHECK(merged.points[1].facts.runs == 1);
        CHECK(merged.wrong_results == 1);
        const Source& source = merged.points[1].facts.sources.at(0);
        CHECK(source.abstained());
        CHECK(source.left_out);
        CHECK(source.own.flags == static_cast<Flags>(Flag::wrong_result));
        // Of an argument that it lacks it has nothing to say.
        CHECK_FALSE(merged.points[0].facts.sources.at(1).left_out);
    }
    SUBCASE("no other run has one: the point stays, without a value") {
        const auto merged = by_median({bad, curve("b", {measured(1, 11)})});
        REQUIRE(merged.points.size() == 3);
        CHECK(merged.points[1].measurement.argument == 4);
        CHECK(std::isnan(merged.points[1].measurement.value_s));
        CHECK(has(merged.points[1].measurement.flags, Flag::wrong_result));
        CHECK(merged.points[1].facts.runs == 0);
        CHECK(merged.points[1].measurement.node_times.empty());
        CHECK(merged.points[1].measurement.modes.empty());
        CHECK(std::isnan(merged.points[1].measurement.summary.minimum));
    }
    SUBCASE("a time beside the flag is no value either") {
        Measurement timed = measured(4, 39);
        timed.flags = static_cast<Flags>(Flag::wrong_result);
        const auto merged = by_median({curve("a", {timed}), curve("b", {measured(4, 41)})});
        CHECK(merged.points[0].measurement.value_s == 41);
        CHECK(merged.points[0].facts.runs == 1);
    }
}

TEST_CASE("measurements without any value are points without a value") {
    Measurement timed_out = measured(2, 99, 0);
    timed_out.flags = static_cast<Flags>(Flag::timed_out);
    timed_out.time_used_s = 3;
    const auto merged = by_median({curve("a", {measured(1, 10), timed_out, measured(4, 40)}),
                                   curve("b", {measured(1, 11), timed_out, measured(4, 41)})});
    REQUIRE(merged.points.size() == 3);
    CHECK(merged.points[0].measurement.value_s == 10.5);
    const Measurement& none = merged.points[1].measurement;
    CHECK(none.argument == 2);
    CHECK(none.message_bytes == 2);
    CHECK(none.ranks == 2);
    CHECK(std::isnan(none.value_s));
    CHECK(std::isnan(none.summary.median));
    CHECK(none.summary.count == 0);
    CHECK(none.flags == static_cast<Flags>(Flag::timed_out));
    CHECK(none.time_used_s == 6);
    CHECK(merged.points[1].facts.runs == 0);
    CHECK(merged.points[1].facts.sources.size() == 2);
    CHECK(merged.abstained == 2);
    CHECK(by_median({curve("a", {})}).points.empty());
    CHECK(by_median({}).points.empty());
}

TEST_CASE("what other arguments were like is not told of a point without a value") {
    Measurement timed_out = measured(2, 99, 0);
    timed_out.flags = static_cast<Flags>(Flag::timed_out);
    Measurement other = measured(4, 40);
    other.flags = static_cast<Flags>(Flag::not_repeatable);
    const auto merged =
        by_median({curve("a", {timed_out}), curve("b", {other}), curve("c", {measured(1, 9)})});
    REQUIRE(merged.points.size() == 3);
    CHECK(merged.points[1].measurement.argument == 2);
    CHECK(merged.points[1].measurement.flags == static_cast<Flags>(Flag::timed_out));
}

TEST_CASE("a single run merges to itself, flagged as one run") {
    const auto merged = by_median({curve("a", {measured(1, 10), measured(2, 20)})});
    REQUIRE(merged.points.size() == 2);
    const Measurement& m = merged.points[1].measurement;
    CHECK(m.value_s == 20);
    CHECK(m.standard_error_s == measured(2, 20).standard_error_s);
    CHECK(m.summary.count == 10);
    CHECK(std::isnan(m.adjusted_s)); // nothing is known of the machine
    CHECK(m.flags == static_cast<Flags>(Flag::one_run));

    Measurement first = measured(1, 10);
    Measurement second = measured(2, 20);
    first.probe_s = 3; // what the run itself took for usual is not known here
    second.probe_s = 4;
    second.adjusted_s = 19;
    const auto with_probes = by_median({curve("a", {first, second}), curve("b", {})});
    CHECK(with_probes.points.at(1).measurement.adjusted_s == 20); // the run is its own reference
    CHECK(with_probes.adjustment.reference.probe_s > 0);
}

TEST_CASE("an interpolated launch weighs what its neighbours measured, interpolated, not a whole number") {
    // Between 1 and 3 single measurements lie 1.5 at a quarter of the way: half of all weights, just.
    const std::vector<SuiteCurve> runs{curve("a", {measured(0, 1, 1), measured(4, 1, 3)}),
                                       curve("b", {measured(1, 2, 1)}), curve("c", {measured(1, 3, 1)})};
    const MergedMeasurement point = by_count(runs).points.at(1);
    CHECK(point.measurement.argument == 1);
    CHECK(point.facts.sources.front().own.summary.count == 2);
    CHECK(point.measurement.value_s == 2);
}

TEST_CASE("launches that drift have a wider interval than the same values in no order") {
    const std::vector<int> in_no_order{0, 7, 2, 11, 5, 8, 1, 10, 4, 9, 3, 6};
    std::vector<SuiteCurve> drifting;
    std::vector<SuiteCurve> mixed;
    for (int launch = 0; launch < 12; ++launch) {
        const auto launched = [](int state) {
            return curve("run", {measured(8, 1 + 0.01 * state), measured(64, 2 + 0.02 * state)});
        };
        drifting.push_back(launched(launch));
        mixed.push_back(launched(in_no_order[static_cast<std::size_t>(launch)]));
    }
    const MergedSuite wide = by_median(drifting);
    const MergedSuite narrow = by_median(mixed);
    CHECK(wide.correlation > 0.5);
    CHECK(narrow.correlation == 0);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(wide.points[i].measurement.value_s == narrow.points[i].measurement.value_s);
        CHECK(wide.points[i].facts.interval_low_s < narrow.points[i].facts.interval_low_s);
        CHECK(wide.points[i].facts.interval_high_s > narrow.points[i].facts.interval_high_s);
    }
    // A launch that is left out says nothing of them: here the only ones that break the drift.
    for (std::size_t launch = 1; launch < 12; launch += 4) {
        for (Measurement& m : drifting[launch].measurements) {
            m.value_s *= launch == 5 ? 0.5 : 2;
            m.flags |= static_cast<Flags>(Flag::disturbed);
        }
    }
    CHECK(by_median(drifting).correlation > 0.5);
    CHECK(merge_suite(drifting, {.weights = skalib::Weights::count}).correlation == 0);
}

TEST_CASE("the order of a few runs changes no merged measurement") {
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
        const auto expected = merge_suite(runs, {.value = value});
        std::vector<std::size_t> order(runs.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        while (std::next_permutation(order.begin(), order.end())) {
            std::vector<SuiteCurve> permuted;
            for (const std::size_t index : order)
                permuted.push_back(runs[index]);
            const auto merged = merge_suite(permuted, {.value = value});
            REQUIRE(merged.points.size() == expected.points.size());
            for (std::size_t i = 0; i < merged.points.size(); ++i) {
                const Measurement& a = merged.points[i].measurement;
                const Measurement& b = expected.points[i].measurement;
                REQUIRE(a.argument == b.argument);
                REQUIRE(a.value_s == b.value_s);
                REQUIRE(a.standard_error_s == b.standard_error_s);
                REQUIRE(
                    (a.adjusted_s == b.adjusted_s || (std::isnan(a.adjusted_s) && std::isnan(b.adjusted_s))));
                REQUIRE(a.summary.count == b.summary.count);
                REQUIRE(a.summary.minimum == b.summary.minimum);
            }
        }
    }
}
