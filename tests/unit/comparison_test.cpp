#include "analysis/comparison/database_comparison.hpp"
#include "launches/common_launches.hpp"
#include "launches/common_modes.hpp"
#include "launches/standard_comparisons.hpp"
#include "close_to.hpp"
#include "document/sections/build_document.hpp"
#include "document/sections/comparison_section.hpp"
#include "document/sections/comparison_tables.hpp"
#include "formats/data/json.hpp"
#include "invented_curve.hpp"
#include "model/quantity.hpp"
#include "document/content.hpp"
#include "words/comparison_words.hpp"
#include "words/verdict_words.hpp"

#include "base/utc.hpp"

#include "skalib/statistics.hpp"

#include "../tool/invented_results.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

using namespace skampi;
using test::invented_curve;

namespace {

std::vector<ComparisonDoubtKind> doubts_of(const DatabaseComparison& comparison) {
    std::vector<ComparisonDoubtKind> doubts;
    for (const ComparisonDoubt& each : comparison.doubts)
        doubts.push_back(each.doubt);
    return doubts;
}

using Places = std::vector<std::size_t>; ///< of suites in a comparison

std::size_t warnings_in(const std::vector<Block>& blocks) {
    return static_cast<std::size_t>(std::ranges::count_if(blocks, [](const Block& block) {
        const auto* paragraph = std::get_if<Paragraph>(&block);
        return paragraph != nullptr && paragraph->tone == Tone::warning;
    }));
}

} // namespace

namespace {

/// As if other launches had found the same.
Curve of_other_launches(Curve curve) {
    std::map<std::string, LaunchValues> renamed;
    for (auto& [uuid, values] : curve.launches)
        renamed["other " + uuid] = std::move(values);
    curve.launches = std::move(renamed);
    return curve;
}

} // namespace

TEST_CASE("with fewer than five launches no interval is given and the missing launches are named") {
    for (const int launches : {1, 2, 4}) {
        const CurveComparison comparison =
            compare(invented_curve(launches, 1, 0.001, 1), invented_curve(launches, 3, 0.001, 2),
                    Pairing::independent);
        REQUIRE(comparison.points.size() == 6);
        for (const PointComparison& point : comparison.points) {
            CHECK_FALSE(point.ratio_low.has_value());
            CHECK_FALSE(point.significant());
        }
        CHECK(comparison.launches == static_cast<std::size_t>(launches));
        CHECK(comparison.unjudged() == UnjudgedCounts{{Unjudged::few_launches, 6}});
    }
}

TEST_CASE("one side with too few launches is enough to give no interval") {
    const CurveComparison comparison =
        compare(invented_curve(20, 1, 0.001, 1), invented_curve(4, 3, 0.001, 2), Pairing::independent);
    CHECK(comparison.launches == 4);
    CHECK(comparison.faster() + comparison.slower() == 0);
}

TEST_CASE("of five launches one may be left out, for it was disturbed") {
    Curve a = invented_curve(5, 1, 0.01, 1);
    const Curve b = invented_curve(5, 2, 0.01, 2);
    const auto whole = [&] {
        const CurveComparison points = compare(a, b, Pairing::independent);
        return LaunchScores(a, b, points.points).pooled(1);
    };
    for (int left_out = 0; left_out < 2; ++left_out) {
        const std::string uuid = "run" + std::to_string(left_out);
        for (const StoredMeasurement& point : a.points)
            a.abstentions[uuid].insert(point.measurement.argument);
        a.launches.erase(uuid);
        const bool enough = left_out == 0;
        CHECK(compare(a, b, Pairing::independent).judged() == (enough ? 6 : 0));
        CHECK(whole().slower() == enough);
        CHECK(whole().first_launches == 4 - static_cast<std::size_t>(left_out));
    }
}

TEST_CASE("a difference clear of the noise between launches is significant, with its direction") {
    const Curve slow = invented_curve(6, 1.5, 0.02, 1);
    const Curve fast = invented_curve(6, 1, 0.02, 2);
    const CurveComparison comparison = compare(slow, fast, Pairing::independent);
    CHECK(comparison.faster() == 6);
    CHECK(comparison.slower() == 0);
    CHECK(comparison.mean_ratio == close_to(1 / 1.5).epsilon(0.1));
    CHECK(compare(fast, slow, Pairing::independent).slower() == 6);
    for (const PointComparison& point : comparison.points) {
        CHECK(*point.ratio_low < 1 / 1.5 * 1.05);
        CHECK(*point.ratio_high > 1 / 1.5 * 0.95);
    }
}

TEST_CASE("equal machines differ significantly in at most the share that the level allows") {
    // Each comparison's points share their launches' factors: the family errs or does not, all at once.
    int wrong = 0;
    constexpr int trials = 400;
    for (unsigned trial = 0; trial < trials; ++trial) {
        const CurveComparison comparison =
            compare(invented_curve(6, 1, 0.05, 2 * trial + 1), invented_curve(6, 1, 0.05, 2 * trial + 2),
                    Pairing::independent);
        wrong += comparison.faster() + comparison.slower() > 0 ? 1 : 0;
    }
    CHECK(wrong <= trials * 0.05 * 1.3);
}

TEST_CASE("the interval of a single point covers the true ratio as often as it says") {
    int covered = 0;
    constexpr int trials = 1000;
    for (unsigned trial = 0; trial < trials; ++trial) {
        const CurveComparison comparison =
            compare(invented_curve(6, 1, 0.05, 2 * trial + 1, {1}),
                    invented_curve(8, 1.2, 0.03, 2 * trial + 2, {1}), Pairing::independent);
        REQUIRE(comparison.points.size() == 1);
        covered += *comparison.points[0].ratio_low <= 1.2 && 1.2 <= *comparison.points[0].ratio_high ? 1 : 0;
    }
    CHECK(covered >= 930);
    CHECK(covered <= 970);
}

TEST_CASE("more points compared widen the intervals") {
    const Curve a = invented_curve(6, 1, 0.05, 1);
    const Curve b = invented_curve(6, 1.2, 0.05, 2);
    const CurveComparison alone = compare(a, b, Pairing::independent, 1);
    const CurveComparison family = compare(a, b, Pairing::independent, 1000);
    CHECK(*family.points[0].ratio_high - *family.points[0].ratio_low >
          1.5 * (*alone.points[0].ratio_high - *alone.points[0].ratio_low));
}

TEST_CASE("direction and size of a difference come from the data of its interval") {
    // The values shown say faster, the launches slower: what a report of the newest launch looked like.
    Curve reference = invented_curve(6, 1, 0.02, 1);
    Curve other = invented_curve(6, 1.3, 0.02, 2);
    for (StoredMeasurement& point : other.points)
        point.measurement.value_s *= 0.5;
    const CurveComparison comparison = compare(reference, other, Pairing::independent);
    CHECK(comparison.slower() == 6);
    CHECK(comparison.faster() == 0);
    for (const PointComparison& point : comparison.points) {
        CHECK(point.slower());
        CHECK(point.ratio == close_to(1.3).epsilon(0.05));
        CHECK(point.ratio == close_to(point.second_s / point.first_s));
        CHECK(*point.ratio_low < point.ratio);
        CHECK(point.ratio < *point.ratio_high);
    }
    CHECK(comparison.mean_ratio == close_to(1.3).epsilon(0.05));
}

TEST_CASE("over a thousand comparisons of equals few err, and of unequals none in the direction") {
    // Points of a launch share a factor and have noise of their own; one launch of a few is a bad one.
    constexpr int trials = 1000;
    const std::vector<std::int64_t> arguments{1, 8, 64, 512};
    const auto curve = [&](double factor, unsigned seed) {
        Curve made = invented_curve(6, factor, 0.03, seed, arguments);
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        for (auto& [uuid, values] : made.launches)
            for (auto& [argument, value] : values)
                value *= std::exp(0.02 * normal(random)) * (random() % 40 == 0 ? 3 : 1);
        for (StoredMeasurement& point : made.points)
            point.measurement.value_s = made.launches.begin()->second.at(point.measurement.argument);
        return made;
    };
    int wrong_families = 0;
    std::size_t significant = 0;
    std::size_t wrong_signs = 0;
    for (unsigned trial = 0; trial < trials; ++trial) {
        const CurveComparison equal =
            compare(curve(1, 2 * trial + 1), curve(1, 2 * trial + 2), Pairing::independent);
        wrong_families += equal.faster() + equal.slower() > 0 ? 1 : 0;
        const CurveComparison slower =
            compare(curve(1, 2 * trial + 1), curve(1.1, 2 * trial + 2), Pairing::independent);
        significant += slower.slower();
        wrong_signs += slower.faster();
    }
    CHECK(wrong_families <= trials * 0.05);
    CHECK(wrong_signs == 0);
    CHECK(significant > trials);
}

TEST_CASE("values that agree to the clock's last step are no certainty") {
    // Six launches on each side, all rounded to the same of two neighbouring steps of 10 ns.
    const auto rounded = [](double value_s, double resolution_s, Pattern pattern) {
        Curve curve = invented_curve(6, 1, 0, 1, {8});
        curve.stored.suite.operation.pattern = pattern;
        curve.clock_resolution_s = resolution_s;
        curve.clock_cost_s = 3e-8;
        for (auto& [uuid, values] : curve.launches)
            values[8] = value_s;
        curve.points[0].measurement.value_s = value_s;
        return curve;
    };
    for (const Pairing pairing : {Pairing::independent, Pairing::same_launches}) {
        const auto compared = [&](double a_s, double b_s, double resolution_s,
                                  Pattern pattern = Pattern::collective) {
            return compare(rounded(a_s, resolution_s, pattern), rounded(b_s, resolution_s, pattern), pairing)
                .points.at(0);
        };
        CHECK(compared(1.00e-6, 1.01e-6, 1e-8).judged());
        CHECK_FALSE(compared(1.00e-6, 1.01e-6, 1e-8).significant());
        CHECK(compared(1.00e-6, 1.10e-6, 1e-8).slower());
        // Half a step is the standard deviation of each side.
        const double sd = 1e-8 / 2 * std::sqrt(1 / 1e-12 + 1 / 1.21e-12);
        const double t = pairing == Pairing::independent ? 2.23 : 2.571; // 10 or so, and 5 degrees
        CHECK(std::log(*compared(1.00e-6, 1.10e-6, 1e-8).ratio_high / 1.1) == close_to(t * sd).epsilon(0.01));
        // Short calls are timed in blocks of 4 us, which divide the step.
        CHECK(compared(1.00e-6, 1.01e-6, 1e-8, Pattern::ping_pong).slower());
        CHECK_FALSE(compared(1.000e-6, 1.0025e-6, 1e-8, Pattern::ping_pong).significant());
        // Values printed with few digits are no blocks: no clock is known.
        Curve printed_a = rounded(0.20e-6, 1e-8, Pattern::ping_pong);
        Curve printed_b = rounded(0.21e-6, 1e-8, Pattern::ping_pong);
        CHECK(compare(printed_a, printed_b, pairing).points.at(0).slower());
        printed_a.clock_cost_s = printed_b.clock_cost_s = 0;
        CHECK_FALSE(compare(printed_a, printed_b, pairing).points.at(0).significant());
        // A coarser clock has longer blocks.
        CHECK(compared(3.0e-6, 3.2e-6, 1e-6, Pattern::ping_pong).slower());
        CHECK_FALSE(compared(3.0e-6, 3.2e-6, 1e-6).significant());
        // But not where each call needs a preparation of its own.
        for (const BufferPolicy policy :
             {BufferPolicy::cold, BufferPolicy::cycled, BufferPolicy::rewritten}) {
            Curve a = rounded(1.00e-6, 1e-8, Pattern::ping_pong);
            Curve b = rounded(1.01e-6, 1e-8, Pattern::ping_pong);
            a.stored.suite.buffers = b.stored.suite.buffers = policy;
            CHECK_FALSE(compare(a, b, pairing).points.at(0).slower());
            a.stored.suite.buffers = b.stored.suite.buffers = BufferPolicy::warm_4k;
            CHECK(compare(a, b, pairing).points.at(0).slower());
        }
        // A value of many steps.
        CHECK(compared(1.00e-3, 1.01e-3, 1e-8).slower());
        CHECK(compared(8.00e-6, 8.10e-6, 1e-8, Pattern::ping_pong).slower());
        CHECK_FALSE(compared(8.00e-6, 8.01e-6, 1e-8, Pattern::ping_pong).significant());
        // Neither scatter nor a step is known: nothing can be said.
        CHECK_FALSE(compared(1.00e-6, 1.01e-6, 0).judged());
    }
    // Only one side is coarse.
    CHECK_FALSE(compare(rounded(1.00e-6, 1e-8, Pattern::collective),
                        rounded(1.007e-6, 0, Pattern::collective), Pairing::independent)
                    .points[0]
                    .significant());
}

TEST_CASE("a point with a launch less takes nothing from the others") {
    const Curve reference = invented_curve(5, 1, 0.01, 1);
    Curve other = invented_curve(5, 1.5, 0.01, 2, {1, 2, 4, 8, 16, 32}, "other");
    other.launches.at("other3").erase(32); // the last one: nothing to interpolate with
    const CurveComparison comparison = compare(reference, other, Pairing::independent);
    CHECK(comparison.launches == 5);
    CHECK(comparison.judged() == 5);
    CHECK(comparison.slower() == 5);
    CHECK(comparison.points[5].second_launches == 4);
    CHECK(comparison.faster() == 0);
    CHECK(comparison.unjudged() == UnjudgedCounts{{Unjudged::few_launches, 1}});
    Subject a;
    a.label = "a";
    a.curves.push_back(reference);
    Subject b;
    b.label = "b";
    b.curves.push_back(other);
    const DatabaseComparison both = compare_databases(a, b);
    CHECK(both.judged == 5);
    CHECK(both.launches == 5);
    CHECK(both.verdict.kind == VerdictKind::slower);
    CHECK(both.verdict.slower == Places{0});
}

TEST_CASE("where a launch has a value that is not above zero nothing is said of the difference") {
    const Curve reference = invented_curve(6, 1, 0.01, 1);
    Curve other = invented_curve(6, 1.5, 0.01, 2);
    other.launches.at("run2").at(4) = -1e-9;
    const CurveComparison comparison = compare(reference, other, Pairing::independent);
    CHECK(comparison.slower() == 5);
    CHECK_FALSE(comparison.points[2].judged());
    for (auto& [uuid, values] : other.launches)
        values.begin()->second = 0;
    other.launches.at("run2").at(4) = 1e-6;
    CHECK_FALSE(compare(reference, other, Pairing::independent).points[0].judged());
}

TEST_CASE("an interval is that of Student's t at the degrees of freedom of the launches that scatter") {
    // Logarithms at -1, 1, -1, 1, ... times 0.01; the other side's launches agree to the last digit.
    const auto curve = [](int launches, double scatter) {
        Curve made = invented_curve(launches, 1, 0, 1, {8});
        for (auto& [uuid, values] : made.launches)
            values[8] = 1e-6 * std::exp(uuid.back() % 2 == 0 ? scatter : -scatter);
        return made;
    };
    const auto reach = [](const CurveComparison& comparison) {
        CHECK(comparison.points.at(0).ratio == close_to(1));
        CHECK(*comparison.points[0].ratio_low * *comparison.points[0].ratio_high == close_to(1));
        return std::log(*comparison.points[0].ratio_high) * 1e6;
    };
    // sd = 0.01 sqrt(n / (n - 1)), of the mean 0.01 / sqrt(n - 1); t of 5 and of 7 degrees at 2.5 %
    const double of_6 = 1e6 * 2.570582 * 0.01 / std::sqrt(5);
    const double of_8 = 1e6 * 2.364624 * 0.01 / std::sqrt(7);
    CHECK(reach(compare(curve(6, 0.01), curve(8, 0), Pairing::independent)) == close_to(of_6));
    CHECK(reach(compare(curve(6, 0), curve(8, 0.01), Pairing::independent)) == close_to(of_8));
    CHECK(reach(compare(curve(6, 0.01), curve(6, 0), Pairing::same_launches)) == close_to(of_6));
    // Both scatter alike: variances add up, degrees do, too (t of 10).
    CHECK(reach(compare(curve(6, 0.01), curve(6, 0.01), Pairing::independent)) ==
          close_to(1e6 * 2.228139 * 0.01 * std::sqrt(2.0 / 5)));
    // Of ten points each has a tenth of the error allowed: t of 5 degrees at 0.25 %.
    CHECK(reach(compare(curve(6, 0.01), curve(8, 0), Pairing::independent, 10)) ==
          close_to(1e6 * 4.773341 * 0.01 / std::sqrt(5)));
}

TEST_CASE("launches that lack an argument count where they have neighbours of it") {
    Curve a = invented_curve(6, 1, 0.01, 1);
    Curve b = invented_curve(6, 1.5, 0.01, 2);
    a.launches.at("run1").erase(4);
    b.launches.at("run2").erase(8);
    b.launches.at("run3").erase(8);
    b.abstentions["run3"].insert(8);
    for (const Pairing pairing : {Pairing::independent, Pairing::same_launches}) {
        const CurveComparison comparison = compare(a, b, pairing);
        CHECK(comparison.points[2].first_launches == 6);
        CHECK(comparison.points[2].judged());
        CHECK(comparison.points[3].second_launches ==
              5); // what a launch was asked for in vain is not invented
        CHECK(comparison.points[3].judged());
    }
    // Times are linear in the argument: the value between two is the one that was there.
    const Curve whole = invented_curve(6, 1, 0.01, 1);
    CHECK(*compare(a, b, Pairing::independent).points[2].ratio_low ==
          close_to(*compare(whole, b, Pairing::independent).points[2].ratio_low));
    CHECK(compare(whole, invented_curve(6, 1.5, 0.01, 2), Pairing::independent).slower() == 6);
}

TEST_CASE("each point that is not judged says why") {
    const Curve reference = invented_curve(6, 1, 0.01, 1);
    Curve other = invented_curve(6, 1.5, 0.01, 2);
    other.launches.at("run2").at(4) = -1e-9;
    other.launches.at("run3").erase(32);
    other.launches.at("run4").erase(32);
    CurveComparison comparison = compare(reference, other, Pairing::independent);
    CHECK(comparison.unjudged() ==
          UnjudgedCounts{{Unjudged::few_launches, 1}, {Unjudged::not_above_zero, 1}});
    CHECK(comparison.points[2].unjudged == Unjudged::not_above_zero);
    CHECK(comparison.points[5].unjudged == Unjudged::few_launches);
    CHECK_FALSE(comparison.points[0].unjudged.has_value());
    CHECK(comparison.slower() == 4);
    CHECK(comparison.faster() == 0);
    Subject a;
    a.label = "a";
    a.curves.push_back(reference);
    Subject b;
    b.label = "b";
    b.curves.push_back(of_other_launches(other));
    const DatabaseComparison both = compare_databases(a, b);
    CHECK(both.suites[0].whole.arguments == 5); // that with few launches is pooled, that without a value not
    CHECK(both.verdict.kind == VerdictKind::slower);
    CHECK(both.verdict.slower == Places{0});
    // Enough launches, and yet nothing can be said.
    const Curve exact = invented_curve(6, 1, 0, 1);
    comparison = compare(exact, exact, Pairing::independent);
    CHECK(comparison.unjudged() == UnjudgedCounts{{Unjudged::no_scatter, 6}});
    a.curves = {exact};
    b.curves = {of_other_launches(exact)};
    const Verdict open = compare_databases(a, b).verdict;
    CHECK(open.kind == VerdictKind::open);
    CHECK(open.reasons == UnjudgedCounts{{Unjudged::no_scatter, 1}});
    CHECK_FALSE(open.partly_judged);
    CHECK(open.mean_ratio == 1);
    CHECK(open.mean_points == 6);
}

TEST_CASE("values that other work made longer on one side alone are not judged") {
    const Curve reference = invented_curve(6, 1, 0.01, 1);
    Curve other = invented_curve(6, 1.7, 0.01, 2);
    for (std::size_t i = 0; i < 4; ++i)
        set(other.points[i].measurement.flags, Flag::disturbed);
    const CurveComparison comparison = compare(reference, other, Pairing::independent);
    CHECK(comparison.unjudged() == UnjudgedCounts{{Unjudged::disturbed_on_one_side, 4}});
    CHECK(comparison.slower() == 2);
    CHECK_FALSE(comparison.points[0].poolable);
    CHECK(comparison.points[5].poolable);
    CHECK(compare(other, reference, Pairing::independent).unjudged() == comparison.unjudged());
    // Launches that measured both were disturbed alike.
    CHECK(compare(reference, other, Pairing::same_launches).unjudged().empty());
    Curve both = reference;
    for (StoredMeasurement& point : both.points)
        set(point.measurement.flags, Flag::disturbed);
    for (StoredMeasurement& point : other.points)
        set(point.measurement.flags, Flag::disturbed);
    CHECK(compare(both, other, Pairing::independent).slower() == 6);
    // Nor is it asked whether they differ by much.
    Subject quiet;
    quiet.curves = {reference};
    Subject busy;
    busy.curves = {of_other_launches(other)};
    CHECK(compare_databases(quiet, busy).verdict.effects.empty());
    CHECK(compare_databases(quiet, busy).verdict.reasons ==
          UnjudgedCounts{{Unjudged::disturbed_on_one_side, 1}});
}

TEST_CASE("where a side was in several modes a difference between modes is not judged") {
    const Curve reference = invented_curve(6, 1, 0.01, 1);
    Curve other = invented_curve(6, 4, 0.01, 2);
    CHECK(compare(reference, other, Pairing::independent).slower() == 6);
    for (StoredMeasurement& point : other.points)
        point.measurement.modes = {{.mode = 0, .share = 0.4}, {.mode = 1, .share = 0.6}};
    const CurveComparison comparison = compare(reference, other, Pairing::independent);
    CHECK(comparison.judged() == 0);
    CHECK(comparison.unjudged() == UnjudgedCounts{{Unjudged::several_modes, 6}});
    CHECK(comparison.mean_ratio == close_to(4).epsilon(0.1));
    // Nor where the probes say so: messages that the memory bounds differ by less than a mode.
    Curve slower = invented_curve(6, 1.2, 0.01, 3);
    Curve probed = reference;
    for (auto* curve : {&slower, &probed})
        for (StoredMeasurement& point : curve->points) {
            point.measurement.probe_s = curve == &slower ? 4e-6 : 1e-6;
            if (curve == &slower)
                point.measurement.modes = other.points.front().measurement.modes;
        }
    CHECK(compare(probed, slower, Pairing::independent).unjudged() ==
          UnjudgedCounts{{Unjudged::several_modes, 6}});
    // Like with like is judged, however many modes there are.
    Curve near = invented_curve(6, 1.2, 0.01, 3);
    for (StoredMeasurement& point : near.points)
        point.measurement.modes = other.points.front().measurement.modes;
    CHECK(compare(reference, near, Pairing::independent).slower() == 6);
}

TEST_CASE("values of different modes are compared in a mode that launches of both sides saw") {
    Subject a;
    a.label = "a";
    a.curves.push_back(invented_curve(6, 1, 0.01, 1));
    Subject b;
    b.label = "b";
    b.curves.push_back(invented_curve(8, 4.4, 0.01, 2, {1, 2, 4, 8, 16, 32}, "slow"));
    const Curve fast = invented_curve(7, 1.1, 0.01, 3, {1, 2, 4, 8, 16, 32}, "fast");
    for (StoredMeasurement& point : a.curves[0].points)
        point.measurement.probe_s = 1e-6;
    for (StoredMeasurement& point : b.curves[0].points) {
        point.measurement.probe_s = 4e-6;
        point.measurement.mode = 1;
        point.measurement.modes = {{.mode = 0, .share = 0.4}, {.mode = 1, .share = 0.6}};
    }
    CHECK(compare_databases(a, b).judged == 0);
    CHECK(compare_databases(a, b).states.apart() == 6);
    // Most launches were slow, but some saw the mode of the others.
    for (StoredMeasurement& point : b.curves[0].points) {
        point.measurement.modes[0].value_s = point.measurement.value_s / 4;
        point.measurement.modes[0].probe_s = 1.1e-6;
        for (const auto& [uuid, values] : fast.launches) {
            b.curves[0].not_shown[uuid].push_back(
                {point.measurement.argument, 0, values.at(point.measurement.argument)});
            b.curves[0].abstentions[uuid].insert(point.measurement.argument);
        }
    }
    const DatabaseComparison comparison = compare_databases(a, b);
    CHECK(comparison.judged == 6);
    CHECK(comparison.slower == 6);
    CHECK(comparison.suites[0].in_common_mode == 6);
    CHECK(comparison.suites[0].whole.ratio == close_to(1.1).epsilon(0.02));
    CHECK(comparison.suites[0].whole.second_launches == 7);
    CHECK(comparison.states.points == 6);
    CHECK(comparison.states.in_common_mode == 6);
    CHECK(comparison.states.common_states == 1);
    CHECK(comparison.states.apart() == 0);
    CHECK(comparison.doubts.empty());
    for (const PointComparison& point : comparison.suites[0].curves.points) {
        CHECK(point.second_launches == 7);
        CHECK(point.ratio == close_to(1.1).epsilon(0.02));
    }
    // The other way round it is the first side that takes the other mode.
    CHECK(compare_databases(b, a).faster == 6);
    // No mode in common.
    for (StoredMeasurement& point : b.curves[0].points)
        point.measurement.modes[0].probe_s = 2e-6;
    CHECK(compare_databases(a, b).judged == 0);
}

TEST_CASE("halves of round trips are compared as the round trips are") {
    std::vector<Subject> subjects(2);
    subjects[0].label = "a";
    subjects[0].curves.push_back(invented_curve(6, 1, 0.01, 1));
    subjects[1].label = "b";
    subjects[1].curves.push_back(invented_curve(8, 4.4, 0.01, 2, {1, 2, 4, 8, 16, 32}, "slow"));
    const Curve fast = invented_curve(7, 1.1, 0.01, 3, {1, 2, 4, 8, 16, 32}, "fast");
    for (StoredMeasurement& point : subjects[0].curves[0].points)
        point.measurement.probe_s = 1e-6;
    Curve& slow = subjects[1].curves[0];
    for (StoredMeasurement& point : slow.points) {
        Measurement& m = point.measurement;
        m.probe_s = 4e-6;
        m.mode = 1;
        m.modes = {{.mode = 0, .share = 0.4, .value_s = m.value_s / 4, .probe_s = 1.1e-6},
                   {.mode = 1, .share = 0.6}};
        for (const auto& [uuid, values] : fast.launches) {
            slow.not_shown[uuid].push_back({m.argument, 0, values.at(m.argument)});
            slow.abstentions[uuid].insert(m.argument);
        }
    }
    for (Subject& subject : subjects) { // a coarse clock, which is no small part of the intervals
        Curve& curve = subject.curves[0];
        curve.stored.suite.operation.meaning = Meaning::round_trip;
        curve.clock_resolution_s = 0.05 * curve.points.front().measurement.value_s;
    }
    const CurveComparison whole = compare_databases(subjects[0], subjects[1]).suites[0].curves;
    halve_round_trips(subjects);
    const DatabaseComparison halved = compare_databases(subjects[0], subjects[1]);
    CHECK(halved.suites[0].in_common_mode == 6);
    REQUIRE(halved.suites[0].curves.points.size() == whole.points.size());
    for (std::size_t i = 0; i < whole.points.size(); ++i) {
        const PointComparison& half = halved.suites[0].curves.points[i];
        CHECK(half.first_s == close_to(whole.points[i].first_s / 2));
        CHECK(half.second_s == close_to(whole.points[i].second_s / 2));
        CHECK(half.ratio == close_to(whole.points[i].ratio));
        CHECK(*half.ratio_low == close_to(*whole.points[i].ratio_low));
        CHECK(*half.ratio_high == close_to(*whole.points[i].ratio_high));
    }
}

TEST_CASE("times measured in windows and between barriers are set side by side, but not judged") {
    const auto collective = [](double factor, unsigned seed) {
        Curve curve = invented_curve(6, factor, 0.01, seed);
        curve.stored.suite.operation.pattern = Pattern::collective;
        curve.stored.suite.synchronization = Synchronization::window;
        return curve;
    };
    const Curve reference = collective(1, 1);
    Curve other = collective(1.5, 2);
    const auto subject_of = [](const std::string& label, const Curve& curve) {
        Subject subject;
        subject.label = label;
        subject.curves.push_back(curve);
        return subject;
    };
    const auto doubts = [&] {
        const Subject a = subject_of("a", reference);
        const Subject b = subject_of("b", of_other_launches(other));
        return compare_databases(a, b).doubts;
    };
    CHECK(compare(reference, other, Pairing::independent).slower() == 6);
    CHECK(doubts().empty());
    set(other.points[1].measurement.flags, Flag::unsynchronised);
    CurveComparison comparison = compare(reference, other, Pairing::independent);
    CHECK(comparison.slower() == 5);
    CHECK(comparison.points[1].unjudged == Unjudged::started_differently);
    CHECK(comparison.points[1].ratio == close_to(1.5).epsilon(0.1));
    REQUIRE(doubts().size() == 1);
    CHECK(doubts()[0].doubt == ComparisonDoubtKind::windows_given_up);
    CHECK(doubts()[0].points == 1);
    CHECK(doubts()[0].suites == 1);
    CHECK_FALSE(comparison.points[1].comparable);
    // A value between two such ones is neither.
    other.points.erase(other.points.begin() + 2);
    other.points.erase(other.points.begin());
    CHECK(compare(reference, other, Pairing::independent).unjudged() ==
          UnjudgedCounts{{Unjudged::started_differently, 2}});
    // Both fell back.
    other = collective(1.5, 2);
    Curve fallen = reference;
    set(other.points[1].measurement.flags, Flag::unsynchronised);
    set(fallen.points[1].measurement.flags, Flag::unsynchronised);
    CHECK(compare(fallen, other, Pairing::independent).slower() == 6);
    // Asked for differently: another warning, of the suites.
    other = collective(1.5, 2);
    other.stored.suite.synchronization = Synchronization::barrier;
    CHECK(compare(reference, other, Pairing::independent).judged() == 0);
    REQUIRE(doubts().size() == 1);
    CHECK(doubts()[0].doubt == ComparisonDoubtKind::other_quantity);
    const std::vector<FieldDifference> starts{{"synchronization", "window", "barrier"}};
    CHECK(doubts()[0].fields == starts);
    // Two ranks that only answer one another have no common start.
    other.stored.suite.operation.pattern = Pattern::ping_pong;
    Curve ping_pong = reference;
    ping_pong.stored.suite.operation.pattern = Pattern::ping_pong;
    CHECK(compare(ping_pong, other, Pairing::independent).slower() == 6);
}

TEST_CASE("what is no ratio of one quantity is in no range, no mean and no pooled ratio") {
    const auto collective = [](const std::string& label, double factor, int launches) {
        Subject subject;
        subject.label = label;
        subject.curves.push_back(
            invented_curve(launches, factor, 0.01, 1, {1, 2, 4, 8, 16, 32}, label + " launch "));
        subject.curves[0].stored.suite.operation.pattern = Pattern::collective;
        subject.curves[0].stored.suite.synchronization = Synchronization::window;
        return subject;
    };
    for (const int launches : {6, 2}) { // judged, and not
        CAPTURE(launches);
        const Subject a = collective("a", 1, launches);
        Subject b = collective("b", 1.5, launches);
        // At one argument the other fell back to barriers, and is a hundred times as slow.
        set(b.curves[0].points[2].measurement.flags, Flag::unsynchronised);
        b.curves[0].points[2].measurement.value_s *= 100;
        for (auto& [uuid, values] : b.curves[0].launches)
            values[4] *= 100;
        const DatabaseComparison comparison = compare_databases(a, b);
        const CurveComparison& curves = comparison.suites[0].curves;
        CHECK(curves.counting().size() == 5);
        CHECK(curves.mean_ratio == close_to(1.5).epsilon(0.1));
        CHECK(comparison.verdict.mean_ratio.value() == close_to(1.5).epsilon(0.1));
        CHECK(comparison.suites[0].whole.ratio == close_to(1.5).epsilon(0.1));
        CHECK(comparison.verdict.mean_points == 5);
        CHECK(comparison.verdict.mean_suites == 1);
        for (const Block& block : comparison_statement(comparison).blocks)
            if (const auto* table = std::get_if<Table>(&block);
                table != nullptr && table->header[1] == "arguments") {
                CHECK(table->rows[0][1] == "5 of 6");
                CHECK(table->rows[0][5] == "1.50");
            }
    }
}

TEST_CASE("of jobs on different numbers of ranks only what two ranks do is judged, and that is said first") {
    const auto job = [](const std::string& label, int ranks, double factor) {
        Subject subject;
        subject.label = label;
        subject.path = label + ".db";
        subject.run = test::invented_run(label);
        subject.run->ranks = ranks;
        for (const char* name : {"ping-pong", "broadcast", "over ranks"}) {
            Curve curve = invented_curve(6, factor, 0.01, 1, {2, 3, 4}, label + " launch ");
            curve.stored.suite.name = name;
            const bool is_ping_pong = std::string(name) == "ping-pong";
            curve.stored.suite.operation.pattern = is_ping_pong ? Pattern::ping_pong : Pattern::collective;
            curve.stored.suite.varied =
                std::string(name) == "over ranks" ? Varied::nodes : Varied::message_length;
            for (StoredMeasurement& point : curve.points)
                point.measurement.ranks = is_ping_pong ? 2
                                          : curve.stored.suite.varied == Varied::nodes
                                              ? static_cast<int>(point.measurement.argument)
                                              : ranks;
            subject.curves.push_back(std::move(curve));
        }
        return subject;
    };
    const Subject small = job("small", 4, 1);
    Subject large = job("large", 16, 2);
    const DatabaseComparison comparison = compare_databases(small, large);
    CHECK(comparison.suites[0].curves.slower() == 3);
    CHECK(comparison.suites[1].curves.judged() == 0);
    CHECK(comparison.suites[1].curves.unjudged() == UnjudgedCounts{{Unjudged::other_ranks, 3}});
    CHECK_FALSE(comparison.suites[1].whole.judged());
    CHECK(comparison.suites[2].curves.slower() == 3); // at each number of ranks, which both have
    CHECK(comparison.ranks.reference == 4);
    CHECK(comparison.ranks.other == 16);
    CHECK(comparison.ranks.suites == Places{1});
    CHECK(comparison.ranks.of_suites == 3);
    CHECK(comparison.verdict.kind == VerdictKind::slower);
    CHECK(comparison.verdict.slower.size() == 2);
    CHECK(comparison.verdict.open == 1);
    CHECK(comparison.verdict.reasons == UnjudgedCounts{{Unjudged::other_ranks, 1}});
    CHECK(comparison.verdict.mean_points == 6);
    CHECK(comparison.verdict.mean_suites == 2);
    const Table winners = winners_table(comparison);
    REQUIRE(winners.rows.size() == 3);
    CHECK(winners.rows[0][1] == "2");
    CHECK(winners.rows[1][1] == "4, 16");
    CHECK(winners.rows[1][5] == "open");
    CHECK(winners.rows[1][6] == "open");
    const Document document = build_document({small, large}, {});
    CHECK(document.cover.answer.text.starts_with(other_ranks(comparison)));
    const Document brief = build_document({small, large}, {}, Room::pages);
    for (const Document* each : {&document, &brief})
        CHECK(std::ranges::count(each->sections, "Different numbers of ranks", &Section::title) == 1);

    // With nothing else there is no verdict, and no number that could be taken for one.
    Subject only_small = small;
    for (Subject* subject : {&only_small, &large}) {
        subject->curves.erase(subject->curves.begin() + 2);
        subject->curves.erase(subject->curves.begin());
    }
    const Verdict open = compare_databases(only_small, large).verdict;
    CHECK(open.kind == VerdictKind::open);
    CHECK(open.reasons == UnjudgedCounts{{Unjudged::other_ranks, 1}});
    CHECK_FALSE(open.mean_ratio.has_value());
}

TEST_CASE("what suites of one name were asked for differently is told") {
    const Curve reference = invented_curve(6, 1, 0.01, 1);
    const auto differing = [&](Pattern pattern, void (*ask)(Suite&)) {
        std::vector<Subject> subjects(2, Subject{});
        for (Subject& subject : subjects) {
            subject.curves.push_back(reference);
            subject.curves[0].stored.suite.operation.pattern = pattern;
        }
        ask(subjects[1].curves[0].stored.suite);
        const DatabaseComparison comparison = compare_databases(subjects[0], subjects[1]);
        std::vector<std::string> fields;
        for (const FieldDifference& each : comparison.suites.at(0).curves.comparability.other_quantity)
            fields.emplace_back(each.field);
        return fields;
    };
    using Texts = std::vector<std::string>;
    CHECK(differing(Pattern::ping_pong, [](Suite&) {}).empty());
    const Texts partner{"partner"};
    CHECK(differing(Pattern::ping_pong, [](Suite& suite) { suite.partner = "same socket"; }) == partner);
    CHECK(differing(Pattern::ping_pong, [](Suite& suite) { suite.partner = "nearest"; }) == partner);
    CHECK(differing(Pattern::collective, [](Suite& suite) { suite.partner = "same socket"; }).empty());
    CHECK(differing(Pattern::collective, [](Suite& suite) { suite.join = "round-robin"; }) ==
          Texts{"join_order"});
    CHECK(differing(Pattern::collective, [](Suite& suite) { suite.datatype = "MPI_DOUBLE"; }) ==
          Texts{"datatype"});
}

TEST_CASE("one side is called faster as a whole only where most points say so") {
    CHECK(outcome(0, 0, 10) == Outcome::none);
    CHECK(outcome(5, 0, 10) == Outcome::faster);
    CHECK(outcome(4, 0, 10) == Outcome::few_faster);
    CHECK(outcome(0, 5, 10) == Outcome::slower);
    CHECK(outcome(0, 4, 10) == Outcome::few_slower);
    CHECK(outcome(9, 1, 10) == Outcome::both);
    CHECK(outcome(5, 5, 10) == Outcome::both);
    // At one argument half the time; at the others a little more, which the launches' scatter hides.
    Curve reference = invented_curve(6, 1, 0, 1);
    Curve other = reference;
    for (auto* curve : {&reference, &other})
        for (auto& [uuid, values] : curve->launches)
            for (auto& [argument, value] : values)
                value *= std::exp(0.1 * static_cast<double>(uuid.back() - '0')) * (curve == &reference ? 1
                                                                                   : argument == 8     ? 0.5
                                                                                                       : 1.3);
    const auto subject_of = [](const std::string& label, const Curve& curve) {
        Subject subject;
        subject.label = label;
        subject.curves.push_back(curve);
        return subject;
    };
    const Subject old = subject_of("old", reference);
    const Subject fresh = subject_of("new", of_other_launches(other));
    const DatabaseComparison comparison = compare_databases(old, fresh);
    REQUIRE(comparison.faster == 1);
    REQUIRE(comparison.slower == 0);
    REQUIRE(comparison.verdict.mean_ratio.value() > 1);
    REQUIRE_FALSE(comparison.suites[0].whole.faster());
    REQUIRE_FALSE(comparison.suites[0].whole.slower());
    CHECK(comparison.verdict.kind == VerdictKind::faster);
    CHECK(comparison.verdict.few_faster == Places{0});
    FigureNames names;
    const Section section = databases_compared(old, {&fresh}, {comparison}, names);
    const auto* table = std::get_if<Table>(&section.subsections[0].blocks[1]);
    REQUIRE(table != nullptr);
    CHECK(table->rows[0].back() == "new at 8 B");
}

TEST_CASE("paired launches are those that both suites have") {
    const Curve a = invented_curve(6, 1, 0.3, 1);
    Curve b = a;
    for (auto& [uuid, values] : b.launches)
        for (auto& [argument, value] : values)
            value *= 1.02 + 0.001 * static_cast<double>(uuid.back() - '0');
    b.launches.erase("run0");
    const CurveComparison five = compare(a, b, Pairing::same_launches);
    CHECK(five.slower() == 6);
    CHECK(five.points[0].first_launches == 5);
    CHECK(five.launches == 5);
    CHECK(five.points[0].ratio == close_to(1.023).epsilon(1e-4));
    b.launches.erase("run1");
    const CurveComparison four = compare(a, b, Pairing::same_launches);
    CHECK(four.judged() == 0);
    CHECK(four.launches == 4);
    CHECK(four.unjudged() == UnjudgedCounts{{Unjudged::few_launches, 6}});
}

TEST_CASE("suites of the same launches are compared launch by launch") {
    // What a launch does to both suites cancels out; compared as if independent nothing could be seen.
    const Curve a = invented_curve(6, 1, 0.3, 1);
    Curve b = a;
    for (auto& [uuid, values] : b.launches)
        for (auto& [argument, value] : values)
            value *= 1.02 + 0.001 * static_cast<double>(uuid.back() - '0');
    for (StoredMeasurement& point : b.points)
        point.measurement.value_s *= 1.02;
    CHECK(compare(a, b, Pairing::same_launches).slower() == 6);
    CHECK(compare(a, b, Pairing::independent).slower() == 0);
}

TEST_CASE("arguments only one side has are interpolated, outside of its range left out") {
    const Curve a = invented_curve(1, 1, 0, 1, {1, 2, 3, 8, 64});
    const Curve b = invented_curve(1, 2, 0, 1, {2, 4, 8, 16});
    const CurveComparison comparison = compare(a, b, Pairing::independent);
    REQUIRE(comparison.points.size() == 3);
    CHECK(comparison.points[0].argument == 2);
    CHECK_FALSE(comparison.points[0].interpolated);
    CHECK(comparison.points[1].argument == 3);
    CHECK(comparison.points[1].interpolated);
    CHECK(comparison.points[1].ratio == close_to(2));
    CHECK(comparison.points[2].argument == 8);
}

TEST_CASE("values that are not above zero, not finite or wrong are not compared") {
    Curve a = invented_curve(1, 1, 0, 1);
    Curve b = invented_curve(1, 1, 0, 2);
    a.points[0].measurement.value_s = -1;
    a.points[1].measurement.value_s = std::nan("");
    b.points[2].measurement.value_s = 0;
    set(b.points[3].measurement.flags, Flag::wrong_result);
    const CurveComparison comparison = compare(a, b, Pairing::independent);
    REQUIRE(comparison.points.size() == 2);
    CHECK(comparison.points[0].argument == 16);
    for (StoredMeasurement& point : a.points)
        point.measurement.value_s = 0;
    const CurveComparison none = compare(a, b, Pairing::independent);
    CHECK(none.points.empty());
}

TEST_CASE("the standard list compares what the paper compares, in its order") {
    Subject subject;
    subject.run = test::invented_run("x");
    for (const test::InventedSuite& invented : test::full_plan({})) {
        Curve curve;
        curve.stored.suite = invented.suite;
        StoredMeasurement point;
        point.measurement.value_s = 1e-6;
        curve.points.push_back(point);
        subject.curves.push_back(curve);
    }
    const std::vector<StandardPair> pairs = standard_comparisons(subject);
    REQUIRE(pairs.size() == 16); // Reduce and Scan over lengths and over nodes
    const std::vector<std::pair<int, int>> types{{1, 6},   {1, 5},   {1, 7},   {1, 4},   {1, 3},   {1, 2},
                                                 {1, 8},   {1, 9},   {8, 9},   {10, 11}, {13, 15}, {13, 14},
                                                 {19, 21}, {19, 21}, {17, 17}, {20, 20}};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        CHECK(pairs[i].first->suite().operation.type == types[i].first);
        CHECK(pairs[i].second->suite().operation.type == types[i].second);
    }
    CHECK(pairs[14].first->suite().message_bytes == 256);
    CHECK(pairs[14].second->suite().message_bytes == 65536);

    for (Curve& curve : subject.curves)
        if (curve.suite().operation.type == 1)
            curve.points.clear();
    CHECK(standard_comparisons(subject).size() == 8);
}

TEST_CASE("two databases: the verdict says who is faster, or what is missing to say so") {
    const auto subject_of = [](const std::string& label, Curve curve) {
        Subject subject;
        subject.label = label;
        subject.run = test::invented_run(label);
        subject.curves.push_back(std::move(curve));
        return subject;
    };
    const Subject reference = subject_of("old", invented_curve(6, 1, 0.01, 1));
    const Subject faster = subject_of("new", invented_curve(6, 0.5, 0.01, 2, {1, 2, 4, 8, 16, 32}, "other"));
    const Verdict better = compare_databases(reference, faster).verdict;
    CHECK(better.kind == VerdictKind::faster);
    CHECK(better.faster == Places{0});
    CHECK(compare_databases(faster, reference).verdict.kind == VerdictKind::slower);
    const Subject same = subject_of("same", invented_curve(6, 1, 0.01, 3, {1, 2, 4, 8, 16, 32}, "third"));
    const Verdict equal = compare_databases(reference, same).verdict;
    CHECK(equal.kind == VerdictKind::no_difference);
    CHECK(equal.none == Places{0});
    CHECK(equal.detectable.value() > 1);
    const Subject few = subject_of("few", invented_curve(2, 0.1, 0.01, 4, {1, 2, 4, 8, 16, 32}, "few"));
    const DatabaseComparison open = compare_databases(reference, few);
    CHECK(open.verdict.kind == VerdictKind::open);
    CHECK(open.launches == 2);
    const Subject nothing = subject_of("nothing", Curve{});
    CHECK(compare_databases(reference, nothing).verdict.kind == VerdictKind::nothing_in_common);
}

TEST_CASE("what is measured differently is not compared in silence") {
    Subject a;
    a.label = "a";
    a.run = test::invented_run("a");
    a.curves.push_back(invented_curve(1, 1, 0.01, 1));
    Subject b = a;
    b.label = "b";
    CHECK(compare_databases(a, b).doubts.empty());
    const auto in_state = [](Subject& subject, double probe_s, double core_clock_hz) {
        for (StoredMeasurement& point : subject.curves[0].points) {
            point.measurement.probe_s = probe_s;
            point.measurement.core_clock_hz = core_clock_hz;
        }
    };
    in_state(a, 1e-6, 3e9);
    in_state(b, 1.04e-6, 3.1e9);
    CHECK(compare_databases(a, b).doubts.empty());
    in_state(b, 1.06e-6, 3.2e9);
    b.curves[0].stored.suite.buffers = BufferPolicy::cold;
    b.run->ranks = 4;
    const DatabaseComparison comparison = compare_databases(a, b);
    CHECK(doubts_of(comparison) == std::vector{ComparisonDoubtKind::probes_differ,
                                               ComparisonDoubtKind::clocks_differ,
                                               ComparisonDoubtKind::other_quantity});
    CHECK(comparison.doubts[0].reference == close_to(1e-6));
    CHECK(comparison.doubts[0].other == close_to(1.06e-6));
    CHECK(comparison.ranks.of_runs()); // which is said first
    CHECK(comparison.ranks.suites.empty());

    for (auto [subject, throughput] : {std::pair(&a, 3.0), std::pair(&b, 2.3)})
        for (StoredMeasurement& point : subject->curves[0].points)
            point.measurement.core_throughput = throughput;
    CHECK(doubts_of(compare_databases(a, b)).at(2) == ComparisonDoubtKind::throughputs_differ);
}

TEST_CASE("two suites of the same launches are compared in a state of the machine that both saw") {
    // Most launches were fast in the first suite and slow in the second.
    const auto operation = [](Curve& curve, int type, const std::string& name) {
        curve.stored.suite.operation.type = type;
        curve.stored.suite.operation.name = curve.stored.suite.operation.title = name;
        curve.stored.suite.varied = Varied::message_length;
    };
    Subject subject;
    subject.curves.push_back(invented_curve(7, 1, 0.01, 1));
    subject.curves.push_back(invented_curve(7, 4.4, 0.01, 2));
    Curve& first = subject.curves[0];
    Curve& second = subject.curves[1];
    operation(first, 1, "MPI_Send");
    operation(second, 4, "MPI_Ssend");
    const CurveComparison unknown = compare(first, second, Pairing::same_launches);
    REQUIRE(unknown.slower() == 6);
    for (StoredMeasurement& point : first.points)
        point.measurement.probe_s = 1e-6;
    for (StoredMeasurement& point : second.points)
        point.measurement.probe_s = 4e-6;
    const auto section = [&] {
        FigureNames names;
        return operations_compared(subject, names).subsections.at(0);
    };
    const auto in_two_states = [&] {
        // Nothing is judged, though a launch is paired with itself.
        CHECK(compare(first, second, Pairing::same_launches).unjudged() ==
              UnjudgedCounts{{Unjudged::several_modes, 6}});
        CHECK(warnings_in(section().blocks) == 1);
    };
    in_two_states();
    for (StoredMeasurement& point : second.points) {
        point.measurement.mode = 1;
        point.measurement.modes = {{.mode = 0, .share = 0.5}, {.mode = 1, .share = 0.5}};
    }
    in_two_states();
    // What is of one state is told without the rest.
    Measurement& alike = second.points.front().measurement;
    alike.probe_s = 1e-6;
    CHECK(compare(first, second, Pairing::same_launches).unjudged() ==
          UnjudgedCounts{{Unjudged::several_modes, 5}});
    CHECK(warnings_in(section().blocks) == 1);
    alike.probe_s = 4e-6;
    // As many launches were fast in both.
    for (StoredMeasurement& point : second.points) {
        Measurement& shown = point.measurement;
        point.merge.emplace();
        point.merge->runs = 7;
        point.merge->interval_confidence = 0.95;
        point.merge->interval_high_s = 2 * shown.value_s;
        shown.modes[0].value_s = shown.value_s / 4;
        shown.modes[0].probe_s = 1.1e-6;
        shown.modes[0].interval_low_s = 0.98 * shown.modes[0].value_s;
        shown.modes[0].interval_high_s = 1.03 * shown.modes[0].value_s;
        shown.modes[0].interval_confidence = 0.96;
        for (const auto& [uuid, values] : first.launches)
            second.not_shown[uuid].push_back(
                {shown.argument, 0, 1.1 * values.at(shown.argument) * (uuid == "run1" ? 1.01 : 1)});
    }
    const Section told = section();
    const InCommonModes common = in_common_modes(first, second);
    CHECK(common.points == 6);
    CHECK(common.states == 1);
    CHECK(compare(common.first, common.second, Pairing::same_launches).slower() == 6);
    CHECK(warnings_in(told.blocks) == 0);
    const Panel& ratios = std::get<FigureBlock>(told.blocks.at(2)).figure.panels.at(1);
    CHECK(ratios.layers.at(0).points.at(0).y == close_to(1.1).epsilon(0.05));
    const Panel& times = std::get<FigureBlock>(told.blocks.at(2)).figure.panels.at(0);
    const auto& drawn = times.layers.at(1).points.at(0);
    CHECK(drawn.low == close_to(0.98 * drawn.y)); // that of the state that is shown instead
    CHECK(drawn.high == close_to(1.03 * drawn.y));
    CHECK(std::get<Table>(told.blocks.at(3)).rows.at(0).at(3).rfind("1.1", 0) == 0);
    // So are suites that a content file sets side by side.
    first.stored.suite.name = "send";
    second.stored.suite.name = "ssend";
    FigureNames names;
    const Section own = own_comparisons(parse_content("f", "[comparison x]\nsend\nssend\n"), {subject}, names)
                            .subsections.at(0);
    CHECK(std::get<Table>(own.blocks.back()).rows.at(0).at(3).rfind("1.1", 0) == 0);
}

namespace {

/// What launches found at a point in another mode: their values are so many times those shown.
void add_other_mode(Curve& curve, std::size_t place, int mode, double probe_s, double times, int launches) {
    Measurement& shown = curve.points[place].measurement;
    ModeValue& other = shown.modes.emplace_back();
    other.mode = mode;
    other.value_s = times * shown.value_s;
    other.probe_s = probe_s;
    for (int launch = 0; launch < launches; ++launch)
        curve.not_shown["other" + std::to_string(mode) + std::to_string(launch)].push_back(
            {shown.argument, mode, other.value_s * (1 + 0.01 * (launch % 3)), {1.1 * probe_s, 0.5, 1e9}});
}

} // namespace

TEST_CASE("two suites are compared in one state at all arguments rather than in the best known at each") {
    Curve fast = invented_curve(6, 1, 0.01, 1, {8, 64, 512});
    Curve slow = invented_curve(6, 4, 0.01, 2, {8, 64, 512}, "slow");
    for (std::size_t i = 0; i < 3; ++i) {
        fast.points[i].measurement.probe_s = 1e-6;
        slow.points[i].measurement.probe_s = 4e-6;
        slow.points[i].measurement.mode = 1;
        add_other_mode(slow, i, 0, 1e-6, 0.25, 5);
        add_other_mode(fast, i, 1, 4e-6, 4, i == 0 ? 6 : 1); // at one argument more launches were slow
    }
    const InCommonModes common = in_common_modes(fast, slow);
    CHECK(common.points == 3);
    CHECK(common.states == 1);
    for (const StoredMeasurement& point : common.second.points)
        CHECK(point.measurement.probe_s == 1e-6);
    CHECK(common.second.launch_states.at("other00").probe_s == 1.1e-6); // as it met that state
    CHECK_FALSE(common.first.launch_states.contains("other10"));
    // Where one side does not know that state they are compared in another one, which is said.
    Curve& first = slow;
    first.points[0].measurement.modes.clear();
    for (auto& [uuid, values] : first.not_shown)
        values.erase(values.begin());
    const InCommonModes two = in_common_modes(fast, slow);
    CHECK(two.points == 3);
    CHECK(two.states == 2);
    CHECK(two.first.points[0].measurement.probe_s == 4e-6);
    CHECK(two.first.points[0].measurement.value_s == close_to(4 * fast.points[0].measurement.value_s));
    CHECK(two.first.points[1].measurement.probe_s == 1e-6);
    Subject a;
    a.label = "a";
    a.curves.push_back(fast);
    Subject b;
    b.label = "b";
    b.curves.push_back(slow);
    CHECK(compare_databases(a, b).states.common_states > 1);
}

TEST_CASE("a state that both saw is found between arguments, too, but not at the cost of others") {
    Curve fast = invented_curve(6, 1, 0.01, 1, {16, 128});
    Curve slow = invented_curve(6, 4, 0.01, 2, {8, 64, 512}, "slow");
    for (StoredMeasurement& point : fast.points)
        point.measurement.probe_s = 1e-6;
    for (std::size_t i = 0; i < 3; ++i) {
        slow.points[i].measurement.probe_s = 4e-6;
        slow.points[i].measurement.mode = 1;
        add_other_mode(slow, i, 0, 1e-6, 0.25, 5);
    }
    const InCommonModes common = in_common_modes(fast, slow);
    CHECK(common.points == 2);
    const CurveComparison compared = compare(common.first, common.second, Pairing::independent);
    REQUIRE(compared.points.size() == 2);
    for (const PointComparison& point : compared.points) {
        CHECK(point.interpolated);
        CHECK(point.judged());
        CHECK_FALSE(point.in_other_state());
        CHECK(point.ratio == close_to(1).epsilon(0.05));
    }
    // A third argument of the first side is of the slow state, as its neighbours on the other are shown.
    StoredMeasurement& third = fast.points.emplace_back(fast.points.back());
    third.measurement.argument = 300;
    third.measurement.probe_s = 4e-6;
    const InCommonModes kept = in_common_modes(fast, slow);
    CHECK(kept.points == 0); // 64 and 512 stay, and 16 lies between 8 and 64
}

namespace {

/// A launch of an invented curve: its probe, and whether the value shown rests on it.
struct InventedLaunch {
    double probe_s = 1e-6;
    bool shown = true;
    bool doubtful = false;
    double factor = 1; ///< of its times, beside the probe that they follow
};

Curve side_of_launches(const std::vector<InventedLaunch>& launches, const std::string& prefix,
                       double shown_probe_s, int shown_mode) {
    Curve curve = invented_curve(static_cast<int>(launches.size()), 1, 0, 1, {8, 64, 512}, prefix);
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const InventedLaunch& launch = launches[i];
        const std::string uuid = prefix + std::to_string(i);
        const ValueDoubts doubts{launch.doubtful, launch.doubtful, launch.doubtful};
        LaunchValues& values = curve.launches.at(uuid);
        for (auto& [argument, value_s] : values) {
            value_s *= launch.probe_s / 1e-6 * launch.factor;
            if (launch.shown) {
                curve.met[uuid][argument] = {static_cast<float>(launch.probe_s), doubts};
                continue;
            }
            curve.not_shown[uuid].push_back(
                {argument, shown_mode - 1, value_s, {launch.probe_s, 0.5, 1e9}, false, doubts});
            curve.abstentions[uuid].insert(argument);
        }
        if (launch.shown)
            curve.launch_states[uuid] = {launch.probe_s, 0.5, 1e9};
        else
            curve.launches.erase(uuid);
    }
    for (StoredMeasurement& point : curve.points) {
        point.measurement.probe_s = shown_probe_s;
        point.measurement.mode = shown_mode;
    }
    return curve;
}

Subject with_one_curve(Curve curve, const std::string& label) {
    Subject subject;
    subject.label = label;
    subject.curves.push_back(std::move(curve));
    return subject;
}

} // namespace

TEST_CASE("states that two files split in unlike ways are split in one way for both") {
    // The probes lie evenly between 0.9 and 1.1 us: one state, which the first file took for two.
    std::vector<InventedLaunch> split;
    std::vector<InventedLaunch> whole;
    for (int i = 0; i < 20; ++i) {
        const double probe_s = 1e-6 * (0.9 + 0.01 * i);
        split.push_back({probe_s, i >= 10});
        whole.push_back({probe_s + 0.002e-6});
    }
    const Curve first = side_of_launches(split, "a", 1.05e-6, 1);
    const Curve second = side_of_launches(whole, "b", 1e-6, 0);
    const InCommonModes common = in_common_launches(first, second);
    CHECK(common.points == 3);
    CHECK(common.apart == 0);
    for (const StoredMeasurement& point : common.first.points) {
        CHECK(launch_values(common.first, point.measurement.argument).size() == 20);
        CHECK(point.measurement.probe_s == close_to(0.995e-6).epsilon(1e-6));
    }
    CHECK(common.first.launch_states.at("a0").probe_s ==
          close_to(0.9e-6).epsilon(1e-6)); // which was not shown
    const DatabaseComparison comparison =
        compare_databases(with_one_curve(first, "a"), with_one_curve(second, "b"));
    CHECK(comparison.states.by_one_rule == 3);
    CHECK(comparison.suites[0].whole.first_launches == 20);
    CHECK(comparison.verdict.kind == VerdictKind::no_difference);
    CHECK(comparison.doubts.empty()); // of probes that differ by 5 %: those compared do not
    // What is of one rule already stays as it is shown.
    CHECK(in_common_launches(second, second).points == 0);
    // Of two libraries the probes say nothing of each other.
    Subject other = with_one_curve(second, "b");
    Subject reference = with_one_curve(first, "a");
    reference.run = test::invented_run("a");
    other.run = test::invented_run("b");
    other.run->mpi_library = "another library";
    CHECK(compare_databases(reference, other).states.by_one_rule == 0);
}

TEST_CASE("disturbed launches are left out on both sides or on neither") {
    // Disturbed ones take 1.5 times as long. One file has enough others to leave them out.
    const auto launches = [](int sound, int doubtful, bool leaves_out) {
        std::vector<InventedLaunch> all;
        for (int i = 0; i < sound + doubtful; ++i)
            all.push_back({1e-6 * (1 + 0.001 * (i % 7)), i < sound || !leaves_out, i >= sound,
                           i < sound ? 1 : 1.5 + 0.01 * (i % 5)});
        return all;
    };
    const Curve few = side_of_launches(launches(4, 16, true), "a", 1e-6, 0);
    const Curve none = side_of_launches(launches(1, 19, false), "b", 1e-6, 0);
    const InCommonModes with = in_common_launches(few, none);
    REQUIRE(with.points == 3);
    CHECK(launch_values(with.first, 8).size() == 20);
    CHECK(launch_values(with.second, 8).size() == 20);
    CHECK(has(with.first.points[0].measurement.flags, Flag::disturbed));
    CHECK(has(with.second.points[0].measurement.flags, Flag::disturbed));
    CHECK(compare_databases(with_one_curve(few, "a"), with_one_curve(none, "b")).verdict.kind ==
          VerdictKind::no_difference);
    // Both have enough.
    const Curve all = side_of_launches(launches(4, 16, false), "b", 1e-6, 0);
    const InCommonModes without = in_common_launches(few, all);
    REQUIRE(without.points == 3);
    CHECK(launch_values(without.first, 8).size() == 4);
    CHECK(launch_values(without.second, 8).size() == 4);
    CHECK_FALSE(has(without.second.points[0].measurement.flags, Flag::disturbed));
    // A side that is disturbed as the other is not is no equal.
    const Curve sound = side_of_launches(launches(20, 0, false), "b", 1e-6, 0);
    const Curve disturbed = side_of_launches(launches(0, 20, false), "a", 1e-6, 0);
    Curve left_out = disturbed;
    left_out.not_shown["a0"] = {
        {8, -1, 9e-6, {1e-6, 0.5, 1e9}, true, {true, true, true}}}; // so that it is asked at all
    left_out.launches.at("a0").erase(8);
    const DatabaseComparison unlike =
        compare_databases(with_one_curve(left_out, "a"), with_one_curve(sound, "b"));
    CHECK(unlike.suites[0].curves.points[0].unjudged == Unjudged::disturbed_on_one_side);
}

TEST_CASE("an argument between others is not compared in another state than these") {
    // The second side lacks 64. There the first met the slow state alone, elsewhere both states.
    std::vector<InventedLaunch> launches;
    for (int i = 0; i < 12; ++i)
        launches.push_back({1e-6 * (i < 8 ? 1 : 3) * (1 + 0.002 * i), i < 8});
    Curve first = side_of_launches(launches, "a", 1e-6, 1);
    Curve second = side_of_launches(launches, "b", 1e-6, 1);
    for (int i = 0; i < 8; ++i) {
        first.launches.at("a" + std::to_string(i)).erase(64);
        second.launches.at("b" + std::to_string(i)).erase(64);
    }
    std::erase_if(second.points,
                  [](const StoredMeasurement& point) { return point.measurement.argument == 64; });
    for (auto& [uuid, values] : second.not_shown)
        std::erase_if(values, [](const NotShown& each) { return each.argument == 64; });
    first.points[1].measurement.probe_s = 3e-6;
    const InCommonModes common = in_common_launches(first, second);
    const Curve& of_second = common.second_or(second);
    CHECK(launch_values(of_second, 8).size() == 8);
    CHECK(launch_values(of_second, 512).size() == 8);
    const DatabaseComparison comparison =
        compare_databases(with_one_curve(first, "a"), with_one_curve(second, "b"));
    CHECK(comparison.faster + comparison.slower == 0);
    // Where a side met the common state once, and both met another one often, that is compared.
    Curve few = side_of_launches(launches, "c", 1e-6, 1);
    for (int i = 1; i < 8; ++i)
        few.launches.at("c" + std::to_string(i)).erase(64);
    const InCommonModes enough = in_common_launches(few, side_of_launches(launches, "d", 1e-6, 1));
    REQUIRE(enough.points == 1);
    CHECK(launch_values(enough.first, 64).size() == 4);
    CHECK(enough.first.points[1].measurement.probe_s > 2e-6);
}

TEST_CASE("launches on both sides are compared with themselves: nothing is judged, and that is said first") {
    const auto subject_of = [](const std::string& label, Curve curve) {
        Subject subject;
        subject.label = label;
        subject.path = label + ".db";
        subject.run = test::invented_run(label);
        subject.curves.push_back(std::move(curve));
        return subject;
    };
    const Subject whole = subject_of("whole", invented_curve(12, 1, 0.01, 1));
    Subject part = subject_of("part", invented_curve(6, 2, 0.01, 2));
    using Sides = std::pair<const Subject*, const Subject*>;
    for (const auto& [first, second] : {Sides(&whole, &part), Sides(&part, &whole)}) {
        const DatabaseComparison comparison = compare_databases(*first, *second);
        CHECK(comparison.judged == 0);
        CHECK(comparison.unjudged == UnjudgedCounts{{Unjudged::shared_launches, 6}});
        CHECK_FALSE(comparison.suites[0].whole.judged());
        CHECK(comparison.suites[0].whole.unjudged == Unjudged::shared_launches);
        CHECK(comparison.launches_of_both.shared == 6);
        CHECK_FALSE(comparison.launches_of_both.same());
    }
    const std::string answer = build_document({whole, part}, {}).cover.answer.text;
    CHECK(answer.starts_with(launches_in_common(compare_databases(whole, part))));
    CHECK(compare_databases(whole, part).verdict.reasons == UnjudgedCounts{{Unjudged::shared_launches, 1}});
    Subject copy = whole;
    copy.label = "copy";
    CHECK(compare_databases(whole, copy).launches_of_both.same());
    // One of many is enough, also where it is known of another mode only.
    part.curves[0] = invented_curve(6, 2, 0.01, 2, {1, 2, 4, 8, 16, 32}, "other");
    CHECK(compare_databases(whole, part).slower == 6);
    CHECK(compare_databases(whole, part).launches_of_both.shared == 0);
    part.curves[0].not_shown["run3"].push_back({8, 1, 1e-6});
    CHECK(compare_databases(whole, part).judged == 0);
    const SharedLaunches shared = compare_databases(whole, part).launches_of_both;
    CHECK(shared.shared == 1);
    CHECK(shared.of_first == 12);
    CHECK(shared.of_second == 7);
    // So is what a content file sets side by side.
    FigureNames names;
    std::vector<Subject> two{whole, part};
    two[0].curves[0].stored.suite.name = "one";
    two[1].curves[0].stored.suite.name = "two";
    const Content content = parse_content("f", "[comparison x]\nwhole.db : one\npart.db : two\n");
    const Section own = own_comparisons(content, two, names).subsections.at(0);
    for (const std::vector<std::string>& row : std::get<Table>(own.blocks.back()).rows)
        CHECK(row.back() == "not known");
}

TEST_CASE("another state of the machine is said beside the verdict") {
    Subject a;
    a.label = "a";
    a.curves.push_back(invented_curve(6, 1, 0.01, 1));
    Subject b;
    b.curves.push_back(invented_curve(6, 1, 0.01, 1, {1, 2, 4, 8, 16, 32}, "other"));
    b.label = "b";
    const auto probes = [](Subject& subject, double probe_s) {
        for (StoredMeasurement& point : subject.curves[0].points)
            point.measurement.probe_s = probe_s;
    };
    CHECK(compare_databases(a, b).states.apart() == 0);
    probes(a, 1e-6);
    CHECK_MESSAGE(compare_databases(a, b).states.apart() == 0, "of one nothing is known");
    probes(b, 1.3e-6);
    CHECK(compare_databases(a, b).states.apart() == 0);
    probes(b, 2e-6);
    const DatabaseComparison comparison = compare_databases(a, b);
    CHECK(comparison.states.other_slower == 6);
    CHECK(comparison.states.other_slower_ratio == close_to(2));
    CHECK_FALSE(comparison.states.other_machine);
    CHECK_FALSE(comparison.states.other_software);
    CHECK(build_document({a, b}, {}).cover.answer.text.find(other_state(comparison)) != std::string::npos);
}

TEST_CASE("where only some points were measured in another state their number is said") {
    Subject a;
    a.label = "a";
    a.curves.push_back(invented_curve(6, 1, 0.01, 1));
    for (StoredMeasurement& point : a.curves[0].points)
        point.measurement.probe_s = 1e-6;
    Subject b = a;
    b.label = "b";
    b.curves[0].points[1].measurement.probe_s = 4e-6;
    b.curves[0].points[2].measurement.probe_s = 4e-6;
    b.curves[0].points[3].measurement.probe_s = 0.5e-6;
    const MachineStates states = compare_databases(a, b).states;
    CHECK(states.points == 6);
    CHECK(states.other_slower == 2);
    CHECK(states.other_slower_ratio == close_to(4));
    CHECK(states.reference_slower == 1);
    CHECK(states.reference_slower_ratio == close_to(2));
    const MachineStates swapped = compare_databases(b, a).states;
    CHECK(swapped.reference_slower == 2);
    CHECK(swapped.other_slower == 1);
    // Two machines are no two states of one.
    a.run = test::invented_run("a");
    b.run = test::invented_run("b");
    a.run->machine = "one";
    b.run->machine = "another";
    CHECK(compare_databases(a, b).states.other_machine);
}

namespace {

/// How launches scatter in a simulation.
struct Scatter {
    std::size_t launches = 10;
    double launch = 0.02; ///< of a launch as a whole
    double point = 0.01;  ///< of each of its points beside that
    enum class Tail { normal, heavy, bad_launches } tail = Tail::normal;
    double lacking = 0; ///< share of the arguments that a launch lacks
    double alike = 0;   ///< correlation of a launch as a whole with the one before
    std::vector<std::int64_t> arguments = {64, 1024, 16384};
};

/// A database of several suites; what shifts a launch shifts all of them.
Subject simulated(const std::string& label, std::size_t suites, const Scatter& scatter, double factor,
                  unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::student_t_distribution<double> heavy(3);
    std::uniform_real_distribution<double> uniform;
    const auto deviation = [&] {
        return scatter.tail == Scatter::Tail::heavy ? heavy(random) / std::sqrt(3.0) : normal(random);
    };
    Subject subject;
    subject.label = label;
    double before = scatter.alike > 0 ? deviation() : 0;
    std::vector<std::map<std::int64_t, std::vector<double>>> in_a_row(suites); // launches in their order
    for (std::size_t i = 0; i < suites; ++i) {
        subject.curves.push_back(invented_curve(0, factor, 0, 0, scatter.arguments));
        subject.curves.back().stored.suite.name = "suite " + std::to_string(i);
    }
    for (std::size_t launch = 0; launch < scatter.launches; ++launch) {
        before = scatter.alike * before + std::sqrt(1 - scatter.alike * scatter.alike) * deviation();
        double common = scatter.launch * before;
        if (scatter.tail == Scatter::Tail::bad_launches && uniform(random) < 0.1)
            common += 0.3;
        for (std::size_t i = 0; i < suites; ++i) {
            Curve& curve = subject.curves[i];
            auto& values = curve.launches[label + std::to_string(launch)];
            for (const StoredMeasurement& point : curve.points)
                if (uniform(random) >= scatter.lacking) {
                    const double value_s =
                        point.measurement.value_s * std::exp(common + scatter.point * deviation());
                    values[point.measurement.argument] = value_s;
                    in_a_row[i][point.measurement.argument].push_back(value_s);
                }
        }
    }
    for (std::size_t i = 0; i < suites; ++i) { // as their merging finds it
        std::vector<std::vector<double>> series;
        for (const auto& [argument, values] : in_a_row[i])
            series.push_back(values);
        subject.curves[i].correlation = skalib::serial_correlation(series);
    }
    return subject;
}

} // namespace

TEST_CASE("of a thousand comparisons of equals at most 5 % find any difference, at points or of suites") {
    using Tail = Scatter::Tail;
    struct Scene {
        std::string name;
        Scatter first;
        Scatter second;
    };
    const Scene scenes[] = {
        {"5 and 5, points alone", {.launches = 5, .launch = 0}, {.launches = 5, .launch = 0}},
        {"unequal noise", {.launches = 5, .launch = 0.04}, {.launches = 10, .launch = 0.01}},
        {"heavy tails", {.launches = 6, .tail = Tail::heavy}, {.launches = 9, .tail = Tail::heavy}},
        {"bad launches",
         {.launches = 6, .tail = Tail::bad_launches},
         {.launches = 10, .tail = Tail::bad_launches}},
        {"lacking", {.launches = 10, .lacking = 0.3}, {.launches = 7, .lacking = 0.1}},
        {"launches in a row alike", {.launches = 20, .alike = 0.5}, {.launches = 26, .alike = 0.5}},
    };
    for (const Scene& scene : scenes) {
        constexpr unsigned trials = 1000;
        int wrong = 0;
        int wrong_cells = 0;
        std::size_t judged = 0;
        for (unsigned trial = 0; trial < trials; ++trial) {
            // Of pairs, each with its own two suites.
            const Subject a = simulated("a", 2, scene.first, 1, 2 * trial + 1);
            const Subject b = simulated("b", 2, scene.second, 1, 2 * trial + 2);
            const DatabaseComparison comparison = compare_databases(a, b);
            bool found = comparison.faster + comparison.slower > 0;
            bool found_in_cell = false;
            for (const DatabaseComparison::Suite& suite : comparison.suites) {
                found = found || suite.whole.faster() || suite.whole.slower();
                judged += suite.whole.judged() ? 1 : 0;
                for (const auto& [size, cell] : suite.by_size)
                    found_in_cell = found_in_cell || cell.faster() || cell.slower();
            }
            wrong += found ? 1 : 0;
            wrong_cells += found_in_cell ? 1 : 0;
        }
        CAPTURE(scene.name);
        CHECK(wrong <= trials * 5 / 100);
        CHECK(wrong_cells <= trials * 5 / 100);
        CHECK(judged > trials * 9 / 5); // of two suites
    }
}

TEST_CASE("how often equals differ when few launches in a row are alike is as it is told") {
    // Of 15 on likeness counts. All suites of a launch share what it has in common with the one before.
    struct Scene {
        int launches;
        double alike;
        unsigned least_percent;
        unsigned most_percent;
    };
    constexpr unsigned trials = 200;
    for (const Scene& scene : {Scene{10, 0, 0, 5}, Scene{10, 0.3, 4, 21}, Scene{15, 0.3, 0, 6}}) {
        const Scatter scatter{.launches = static_cast<std::size_t>(scene.launches), .alike = scene.alike};
        unsigned wrong = 0;
        for (unsigned trial = 0; trial < trials; ++trial) {
            const DatabaseComparison comparison = compare_databases(
                simulated("a", 2, scatter, 1, 2 * trial + 1), simulated("b", 2, scatter, 1, 2 * trial + 2));
            wrong += comparison.faster + comparison.slower > 0 ||
                             std::ranges::any_of(comparison.suites,
                                                 [](const auto& suite) {
                                                     return suite.whole.faster() || suite.whole.slower();
                                                 })
                         ? 1
                         : 0;
        }
        CAPTURE(scene.launches);
        CAPTURE(scene.alike);
        CHECK(wrong >= trials * scene.least_percent / 100);
        CHECK(wrong <= trials * scene.most_percent / 100);
    }
}

TEST_CASE("launches that were made in turns do not make equals differ because they are alike") {
    constexpr unsigned trials = 200;
    unsigned wrong = 0;
    for (unsigned trial = 0; trial < trials; ++trial) {
        Subject a = simulated("x", 1, {.launches = 20, .alike = 0.6}, 1, trial + 1);
        Subject b = a;
        for (int launch = 0; launch < 20; ++launch)
            (launch % 2 == 0 ? b : a).curves[0].launches.erase("x" + std::to_string(launch));
        const PooledComparison whole = compare_databases(a, b).suites[0].whole;
        REQUIRE(whole.judged());
        wrong += whole.faster() || whole.slower() ? 1 : 0;
    }
    CHECK(wrong <= trials * 5 / 100);
}

TEST_CASE("two simulated runs differ where they do so by more than the clock's steps, be it but one launch") {
    const auto subject_of = [](const std::string& label, double factor) {
        Subject subject;
        subject.label = label;
        subject.run = test::invented_run(label);
        subject.run->facts[fact_simulation] = "a cluster";
        Curve curve = invented_curve(1, factor, 0, 1, {1, 2, 4, 8, 16, 32}, label);
        curve.simulated = true;
        curve.clock_resolution_s = 1e-8; // a hundredth of the shortest time
        subject.curves.push_back(std::move(curve));
        return subject;
    };
    const Subject star = subject_of("star", 1);
    Subject tree = subject_of("tree", 1.1);
    const DatabaseComparison differs = compare_databases(star, tree);
    CHECK(differs.slower == 6);
    CHECK(differs.suites[0].whole.slower());
    CHECK(differs.suites[0].curves.simulated);
    CHECK(differs.suites[0].whole.simulated);
    CHECK(both_simulated(differs));
    CHECK(differs.verdict.kind == VerdictKind::slower);
    const DatabaseComparison alike = compare_databases(star, subject_of("tree", 1.005));
    CHECK(alike.judged == 6);
    CHECK(alike.slower == 0);
    CHECK_FALSE(alike.suites[0].whole.slower());
    CHECK(alike.suites[0].whole.arguments == 6);
    CHECK(alike.suites[0].whole.simulated);
    tree.curves[0].simulated = false; // against a real machine one launch says nothing
    CHECK(compare_databases(star, tree).judged == 0);
}

TEST_CASE("few launches made in a row, and not in turns, are told where anything is judged") {
    const auto subject_of = [](const std::string& label, int launches, unsigned seed, const char* begin,
                               const char* end) {
        Subject subject;
        subject.label = label;
        subject.run = test::invented_run(label);
        subject.run->started_utc = std::string("2026-11-21T") + begin + "Z";
        subject.run->ended_utc = std::string("2026-11-21T") + end + "Z";
        subject.curves.push_back(invented_curve(launches, 1, 0.01, seed, {1, 2, 4, 8, 16, 32}, label));
        // Each ends as the next begins.
        const auto begin_s = utc_seconds(subject.run->started_utc);
        const auto end_s = utc_seconds(subject.run->ended_utc);
        for (int launch = 0; begin_s && end_s && launch < launches; ++launch) {
            const double length_s = (*end_s - *begin_s) / launches;
            subject.launch_times[std::to_string(launch)] = {*begin_s + launch * length_s,
                                                            *begin_s + (launch + 1) * length_s};
        }
        return subject;
    };
    const Subject morning = subject_of("a", 10, 1, "10:00:00", "10:04:00");
    const Subject later = subject_of("b", 10, 2, "10:06:00", "10:11:00");
    struct Side {
        bool of_other;
        std::size_t launches;
        bool all;
        double minutes;
        bool operator==(const Side&) const = default;
    };
    using Rows = std::vector<Side>;
    const auto rows = [&](const Subject& other) {
        Rows found;
        for (const ComparisonDoubt& doubt : compare_databases(morning, other).doubts)
            for (const LaunchesInARow& side : doubt.in_a_row)
                found.push_back({side.of_other, side.launches, side.all, std::round(side.length_s / 60)});
        return found;
    };
    CHECK(rows(later) == Rows{{false, 10, true, 4}, {true, 10, true, 5}});
    // Of the side that was, if only one was: ten launches a day long that begin 78 min apart are not, unless
    // each goes on until the next.
    Subject long_ones = subject_of("b", 10, 2, "10:30:00", "23:30:00");
    CHECK(rows(long_ones) == Rows{{false, 10, true, 4}, {true, 10, true, 780}});
    for (auto& [uuid, time] : long_ones.launch_times)
        time.end_s = time.begin_s;
    CHECK(rows(long_ones) == Rows{{false, 10, true, 4}});
    // A night between two sessions leaves the launches of each in a row.
    Subject two_days = subject_of("b", 10, 2, "10:30:00", "10:40:00");
    two_days.run->ended_utc = "2026-11-22T10:40:00Z";
    for (std::size_t launch = 5; launch < 10; ++launch) {
        constexpr double day_s = 86400;
        LaunchTime& time = two_days.launch_times.at(std::to_string(launch));
        time.begin_s += day_s;
        time.end_s += day_s;
    }
    CHECK(rows(two_days) == Rows{{false, 10, true, 4}, {true, 10, false, 1450}});
    CHECK(rows(subject_of("b", 15, 2, "10:30:00", "10:40:00")) == Rows{{false, 10, true, 4}});
    CHECK_MESSAGE(rows(subject_of("b", 10, 2, "10:00:20", "10:04:20")).empty(), "in turns");
    CHECK_MESSAGE(rows(subject_of("b", 4, 2, "10:06:00", "10:07:00")).empty(), "nothing is judged");
    CHECK_MESSAGE(rows(subject_of("b", 10, 2, "10:06:00", "")).empty(), "it does not tell");
    Subject simulated_one = later;
    simulated_one.run->facts[fact_simulation] = "a cluster";
    CHECK(rows(simulated_one).empty());
}

TEST_CASE("a first look at a comparison has the decision and what differs most, a file has all") {
    Subject a = simulated("a", 1, {}, 1, 1);
    Subject b = simulated("b", 1, {}, 1, 2);
    a.run = b.run = test::invented_run("a");
    const Curve some_a = a.curves[0];
    const Curve some_b = b.curves[0];
    a.curves.clear();
    b.curves.clear();
    for (int i = 0; i < 12; ++i) {
        const auto add = [&](Subject& to, Curve curve, double factor) {
            curve.stored.suite.name = fmt::format("suite {}", i);
            for (StoredMeasurement& point : curve.points)
                point.measurement.value_s *= factor;
            for (auto& [uuid, values] : curve.launches)
                for (auto& [argument, value] : values)
                    value *= factor;
            to.curves.push_back(std::move(curve));
        };
        add(a, some_a, 1);
        add(b, some_b, i % 2 == 0 ? 1 + 0.5 * (i + 1) : 1);
    }
    const auto databases = [&](Room room) {
        const Document document = build_document({a, b}, {}, room);
        CHECK(document.cover.winners.size() == 1);
        return document.sections.front();
    };
    CHECK(databases(Room::everything).subsections.size() == 13); // the statement and each suite
    const Section pages = databases(Room::pages);
    REQUIRE(pages.subsections.size() == 5);
    for (std::size_t i = 1; i < 5; ++i) // of 1.5, 2.5, ... 6.5 times as long the last
        CHECK(pages.subsections[i].title == fmt::format("suite {}", 2 * i + 2));
}

TEST_CASE(
    "a ratio beside headlines is that of the two values beside it, with its interval where it is judged") {
    for (const std::size_t launches : {10, 2}) {
        Subject a = simulated("a", 1, {.launches = launches, .arguments = {1, 64, 1024, 16384}}, 1, 1);
        Subject b = simulated("b", 1, {.launches = launches, .arguments = {1, 64, 1024, 16384}}, 1, 2);
        a.run = b.run = test::invented_run("a");
        const PointComparison point = compare_databases(a, b).suites.at(0).curves.points.at(0);
        const std::vector<std::string> row = build_document({a, b}, {}).cover.headlines.rows.at(0);
        constexpr double one_way = 0.5;
        REQUIRE(point.judged() == (launches == 10));
        const std::string interval =
            point.judged() ? " (" + interval_text(point.ratio_low, point.ratio_high) + ")" : "";
        CHECK(row.at(3) == format_ratio(point.second_s / point.first_s) + interval);
        if (point.judged()) {
            CHECK(row.at(1) == format_time(one_way * point.first_s, 3));
            CHECK(row.at(2) == format_time(one_way * point.second_s, 3));
        }
    }
}

TEST_CASE(
    "what is faster at some lengths and slower at others is said by ranges, and the table shows these") {
    std::vector<std::int64_t> arguments;
    for (std::int64_t bytes = 1; bytes <= std::int64_t{1} << 20; bytes *= 2)
        arguments.push_back(bytes);
    const Scatter scatter{.launches = 10, .arguments = arguments};
    Subject a = simulated("a", 1, scatter, 1, 1);
    Subject b = simulated("b", 1, scatter, 1, 2);
    for (auto& [uuid, values] : b.curves[0].launches)
        for (auto& [argument, value] : values)
            value *= argument < 8192 || argument > 262144 ? 1 : argument < 32768 ? 0.3 : 1.9;
    const DatabaseComparison comparison = compare_databases(a, b);
    const DatabaseComparison::Suite& suite = comparison.suites.at(0);
    const auto bounds = [&](double least, double most) {
        for (const Effect& effect : comparison.verdict.effects)
            if (effect.sure && effect.ratio > least && effect.ratio < most)
                return effect.where == Effect::Where::range
                           ? std::pair(suite.ranges[effect.range].from, suite.ranges[effect.range].to)
                           : std::pair(effect.from, effect.to);
        return std::pair<std::int64_t, std::int64_t>();
    };
    CHECK(bounds(0.2, 0.4) == std::pair<std::int64_t, std::int64_t>(8192, 16384));
    CHECK(bounds(1.7, 2.1) == std::pair<std::int64_t, std::int64_t>(32768, 262144));
    const Table table = points_table(*suite.reference, suite.curves, "a", "b");
    REQUIRE(table.rows.size() == 8);
    CHECK(std::ranges::count(table.rows, "significant", [](const auto& row) { return row.back(); }) == 6);
    CHECK(std::ranges::count(winners_table(comparison).rows, "varies",
                             [](const auto& row) { return row.at(5); }) == 1);
}

TEST_CASE("what messages of one size alone show is in the verdict, too") {
    const Scatter scatter{
        .launch = 0.005, .point = 0.03, .arguments = {8, 16, 32, 64, 128, 256, 512, 1024, 4096, 8192, 16384}};
    Subject a;
    Subject b;
    DatabaseComparison comparison;
    for (unsigned seed = 1; seed < 100; seed += 2) { // which points by themselves show it, too, is chance
        a = simulated("a", 2, scatter, 1, seed);
        b = simulated("b", 2, scatter, 1, seed + 1);
        for (auto& [uuid, values] : b.curves[1].launches)
            for (const std::int64_t argument : {4096, 8192, 16384})
                values.at(argument) *= 1.04;
        comparison = compare_databases(a, b);
        if (comparison.suites[1].by_size.at(MessageSize::medium).slower() &&
            comparison.suites[1].outcome() == Outcome::none && comparison.suites[1].ranges.size() == 1 &&
            comparison.suites[0].outcome() == Outcome::none)
            break;
    }
    const DatabaseComparison::Suite& suite = comparison.suites[1];
    REQUIRE(suite.outcome() == Outcome::none);
    CHECK(suite.sizes_alone() == std::vector{MessageSize::medium});
    CHECK(comparison.suites[0].sizes_alone().empty());
    CHECK(suite.differs());
    CHECK(comparison.verdict.at_sizes == Places{1});
    const Table table = winners_table(comparison, 10);
    CHECK(table.rows[0].back() == "no difference found");
    CHECK(table.rows[1].back() == "a 1 to 64 KiB");
}

TEST_CASE("beside suites of many launches, what one or two say of another suite is chance") {
    Subject a = simulated("a", 2, {}, 1, 1);
    Subject b = simulated("b", 2, {}, 1, 2);
    Curve& few = b.curves[1];
    while (few.launches.size() > 2)
        few.launches.erase(few.launches.begin());
    for (auto& [uuid, values] : few.launches)
        for (auto& [argument, value] : values)
            value *= 2;
    for (StoredMeasurement& point : few.points)
        point.measurement.value_s *= 2;
    CHECK(compare_databases(a, b).verdict.effects.empty());
    // Where no suite has more it is all there is.
    a.curves.erase(a.curves.begin());
    b.curves.erase(b.curves.begin());
    const std::vector<Effect> effects = compare_databases(a, b).verdict.effects;
    REQUIRE(effects.size() == 1);
    CHECK_FALSE(effects[0].sure);
    CHECK(compare_databases(a, b).verdict.launches_to_decide == launches_needed);
}

TEST_CASE("a typical ratio lies within the range of the ratios that it is told with") {
    // Of two arguments five launches are known, of the others too few to judge.
    Subject a = simulated("a", 1, {.launches = 5, .arguments = {8, 64, 512, 1024, 16384}}, 1, 1);
    Subject b = simulated("b", 1, {.launches = 5, .arguments = {8, 64, 512, 1024, 16384}}, 1, 2);
    a.run = b.run = test::invented_run("a");
    int launch = 0;
    for (auto& [uuid, values] : b.curves[0].launches)
        if (++launch > 2)
            for (const std::int64_t argument : {512, 1024, 16384})
                values.erase(argument);
    for (StoredMeasurement& point : b.curves[0].points)
        if (point.measurement.argument >= 512)
            point.measurement.value_s *= 2;
    const DatabaseComparison comparison = compare_databases(a, b);
    REQUIRE(comparison.judged == 2);
    REQUIRE_FALSE(comparison.suites[0].whole.judged());
    CHECK(comparison.verdict.kind == VerdictKind::open);
    CHECK(comparison.verdict.partly_judged);
    CHECK(comparison.verdict.reasons == UnjudgedCounts{{Unjudged::few_launches, 1}});
    for (const Block& block : comparison_statement(comparison).blocks)
        if (const auto* table = std::get_if<Table>(&block); table && table->header.at(2) == "typical ratio") {
            const std::vector<std::string>& row = table->rows.at(0);
            CHECK(row[1] == "2 of 5");
            CHECK(std::stod(row[2]) >= std::stod(row[4]));
            CHECK(std::stod(row[2]) <= std::stod(row[5]));
            return;
        }
    FAIL("no such table");
}

TEST_CASE("a shift of 5 % that no point shows is found in at least 9 of 10 cases at 10 launches") {
    constexpr unsigned trials = 200;
    int found = 0;
    int at_points = 0;
    int covered = 0;
    double detectable = 0;
    for (unsigned trial = 0; trial < trials; ++trial) {
        // 2 % noise of the launches, more of the points; ten suites of 20 arguments such as this one.
        Scatter scatter{.point = 0.03};
        scatter.arguments.clear();
        for (std::int64_t argument = 1; scatter.arguments.size() < 20; argument *= 2)
            scatter.arguments.push_back(argument);
        const Subject a = simulated("a", 1, scatter, 1, 2 * trial + 1);
        const Subject b = simulated("b", 1, scatter, 1.05, 2 * trial + 2);
        const Curve& first = a.curves[0];
        const Curve& second = b.curves[0];
        const CurveComparison points = compare(first, second, Pairing::independent, 2 * 10 * 20);
        at_points += static_cast<int>(points.slower());
        const PooledComparison whole = LaunchScores(first, second, points.points).pooled(2 * 10);
        CHECK(whole.arguments == 20);
        CHECK_FALSE(whole.faster());
        found += whole.slower() ? 1 : 0;
        covered += *whole.ratio_low < 1.05 && 1.05 < *whole.ratio_high ? 1 : 0;
        detectable += *whole.detectable / trials;
    }
    CHECK(found >= trials * 9 / 10);
    CHECK(at_points <= trials * 20 / 10); // a tenth of them
    CHECK(covered >= trials * 98 / 100);
    CHECK(detectable < 1.06);
}

TEST_CASE("what would have been found is found in 9 of 10 cases") {
    // Eight launches scatter by 2 %: the statement names a ratio, and this is what the other side then takes.
    const Scatter scatter{.launches = 8, .point = 0.001};
    constexpr unsigned trials = 300;
    double detectable = 0;
    const auto pooled = [&](double factor, unsigned trial) {
        const Subject a = simulated("a", 1, scatter, 1, 2 * trial + 1);
        const Subject b = simulated("b", 1, scatter, factor, 2 * trial + 2);
        const CurveComparison points = compare(a.curves[0], b.curves[0], Pairing::independent);
        return LaunchScores(a.curves[0], b.curves[0], points.points).pooled(5);
    };
    for (unsigned trial = 0; trial < trials; ++trial)
        detectable += *pooled(1, trial).detectable / trials;
    unsigned found = 0;
    for (unsigned trial = 0; trial < trials; ++trial)
        found += pooled(detectable, trial + trials).slower() ? 1 : 0;
    CHECK(found >= trials * 85 / 100);
    CHECK(found <= trials * 95 / 100);
}

TEST_CASE("a suite as a whole is judged from the launches' medians over its arguments") {
    // Logarithms of the launches of the other side lie 0.1 higher, with +-0.01; one argument is far off.
    Curve a = invented_curve(6, 1, 0, 1);
    Curve b = a;
    for (auto* curve : {&a, &b})
        for (auto& [uuid, values] : curve->launches)
            for (auto& [argument, value] : values)
                value *= std::exp((uuid.back() % 2 == 0 ? 0.01 : -0.01) + (curve == &b ? 0.1 : 0));
    for (auto& [uuid, values] : b.launches)
        values.at(8) *= uuid.back() % 2 == 0 ? 5 : 0.2;
    const auto pooled = [&](const Curve& first, const Curve& second, std::size_t statements = 1) {
        const CurveComparison points = compare(first, second, Pairing::independent);
        return LaunchScores(first, second, points.points).pooled(statements);
    };
    PooledComparison whole = pooled(a, b);
    CHECK(whole.arguments == 6);
    CHECK(whole.ratio == close_to(std::exp(0.1)));
    CHECK(whole.slower());
    // Variances of the means 0.01^2 / 5 on both sides, t of 10 degrees.
    const double se = 0.01 * std::sqrt(2.0 / 5);
    CHECK(std::log(*whole.ratio_high) == close_to(0.1 + 2.228139 * se));
    CHECK(std::log(*whole.ratio_low) == close_to(0.1 - 2.228139 * se));
    CHECK(std::log(*whole.detectable) == close_to((2.228139 + 1.372184) * se));
    CHECK(std::log(*pooled(a, b, 10).ratio_high) == close_to(0.1 + 3.581406 * se));
    CHECK(pooled(b, a).faster());
    // What one launch lacks takes nothing from it, but of less than half it says nothing.
    b.launches.at("run1").erase(32);
    b.launches.at("run1").erase(1);
    CHECK(pooled(a, b).second_launches == 6);
    CHECK(pooled(a, b).ratio == close_to(std::exp(0.1)).epsilon(0.002));
    b.launches["run1"] = {{1, b.launches.at("run0").at(1)}, {2, b.launches.at("run0").at(2)}};
    CHECK(pooled(a, b).second_launches == 5);
    b.launches.erase("run0");
    CHECK_MESSAGE(pooled(a, b).judged(), "one of five may be left out");
    b.launches.erase("run2");
    whole = pooled(a, b);
    CHECK(whole.second_launches == 3);
    CHECK_FALSE(whole.judged());
    CHECK(whole.unjudged == Unjudged::few_launches);
    CHECK_FALSE(whole.detectable.has_value());
    CHECK(whole.ratio == close_to(1)); // of the values shown
}

TEST_CASE("three launches against ten say nothing of a suite as a whole either") {
    const Subject a = simulated("a", 2, {.launches = 3}, 1, 1);
    const Subject b = simulated("b", 2, {.launches = 10}, 2, 2);
    const DatabaseComparison comparison = compare_databases(a, b);
    CHECK(comparison.suites[0].whole.unjudged == Unjudged::few_launches);
    CHECK(comparison.verdict.kind == VerdictKind::open);
    CHECK(comparison.verdict.reasons == UnjudgedCounts{{Unjudged::few_launches, 2}});
    CHECK(comparison.launches == 3);
    CHECK(comparison.verdict.mean_ratio.value() == close_to(2).epsilon(0.01));
    CHECK(comparison.verdict.mean_points == 6);
    CHECK(comparison.verdict.mean_suites == 2);
    const Table winners = winners_table(comparison);
    for (const std::vector<std::string>& row : winners.rows)
        for (const std::size_t column : {2, 5, 6})
            CHECK(row[column] == "open");
}

TEST_CASE("one argument of many that can be judged is no verdict of its suite") {
    Subject a = simulated("a", 1, {.launches = 6}, 1, 1);
    Subject b = simulated("b", 1, {.launches = 6}, 1, 2);
    for (auto& [uuid, values] : b.curves[0].launches)
        if (uuid != "b0") // one launch has all arguments, the others have the first one alone
            values.erase(std::next(values.begin()), values.end());
    DatabaseComparison comparison = compare_databases(a, b);
    REQUIRE(comparison.judged == 1);
    REQUIRE(comparison.faster + comparison.slower == 0);
    CHECK_FALSE(comparison.suites[0].whole.judged());
    CHECK(comparison.verdict.kind == VerdictKind::open);
    CHECK(comparison.verdict.partly_judged);
    CHECK(comparison.verdict.reasons == UnjudgedCounts{{Unjudged::few_launches, 1}});
    CHECK(comparison.verdict.mean_points == 3);
    CHECK(winners_table(comparison).rows[0].back() == "open");
    // A difference there is one.
    for (auto& [uuid, values] : b.curves[0].launches)
        values.begin()->second *= 2;
    comparison = compare_databases(a, b);
    REQUIRE(comparison.slower == 1);
    CHECK(winners_table(comparison).rows[0].back() == "a at 64 B");
}

TEST_CASE("the table that decides says of each size of message who is faster, or what would have been seen") {
    const Scatter scatter{.launches = 8, .arguments = {1, 64, 1024, 16384, 1048576}};
    Subject a = simulated("a", 4, scatter, 1, 1);
    Subject b = simulated("b", 4, scatter, 1, 2);
    const auto times = [&](std::size_t suite, auto&& factor) {
        for (auto& [uuid, values] : b.curves[suite].launches)
            for (auto& [argument, value] : values)
                value *= factor(argument);
    };
    times(1, [](std::int64_t) { return 1.2; });
    times(2, [](std::int64_t argument) { return argument > 65536 ? 0.4 : 1; });
    for (Subject* subject : {&a, &b}) {
        Curve& copy = subject->curves[3];
        copy.stored.suite.operation =
            test::operation(23, "memcpy", "", Pattern::simple, Varied::message_length);
        for (Curve& curve : subject->curves)
            curve.stored.suite.ranks = 4;
    }
    times(3, [](std::int64_t) { return 3; });
    const DatabaseComparison comparison = compare_databases(a, b);
    const Table table = winners_table(comparison);
    REQUIRE(table.rows.size() == 3); // memcpy says nothing of message passing
    const auto is_none = [](const std::string& text) {
        return text.rfind("none (", 0) == 0 && text.find(" %)") != std::string::npos;
    };
    const auto is_change = [](const std::string& text, const std::string& begin) {
        return text.rfind(begin, 0) == 0 && text.find(" %") != std::string::npos;
    };
    CHECK(table.rows[0][0] == "suite 0");
    CHECK(table.rows[0][1] == "4");
    for (const std::size_t column : {2, 3, 4, 5})
        CHECK(is_none(table.rows[0][column]));
    CHECK(table.rows[0][6] == "no difference found");
    for (const std::size_t column : {2, 3, 4, 5})
        CHECK(is_change(table.rows[1][column], "+"));
    CHECK(table.rows[1][6] == "a");
    CHECK(is_none(table.rows[2][2]));
    CHECK(is_none(table.rows[2][3]));
    CHECK(table.rows[2][4].ends_with(" times as fast"));
    CHECK(table.rows[2][5] == "varies"); // no row says "none" beside a difference
    CHECK(table.rows[2][6] == "b at 1 MiB");
    CHECK(comparison.verdict.kind == VerdictKind::mixed);
    CHECK(comparison.verdict.slower == Places{1});
    CHECK(comparison.verdict.few_faster == Places{2});
    CHECK(comparison.verdict.none == Places{0});
    CHECK(comparison.verdict.detectable.has_value());
    CHECK(comparison.verdict.mean_suites == 3);
    // The data are those of the suites that decide: without the copying.
    CHECK(comparison.verdict.mean_points == 15);
    const nlohmann::json data = nlohmann::json::parse(json_report({a, b}, false)).at("comparisons").at(0);
    CHECK(data.at("mean_ratio").get<double>() == close_to(*comparison.verdict.mean_ratio));
    CHECK(*comparison.verdict.mean_ratio < 1.1);
    // Those with differences stay.
    const Table two = winners_table(comparison, 2);
    REQUIRE(two.rows.size() == 2);
    CHECK(two.rows[0][0] == "suite 1");
    CHECK(two.rows[1][0] == "suite 2");
    // Where there is nothing else local operations are what is compared.
    a.curves.erase(a.curves.begin(), a.curves.begin() + 3);
    CHECK(winners_table(compare_databases(a, b)).rows.size() == 1);
    CHECK(compare_databases(a, b).verdict.slower == Places{0});
}

TEST_CASE("what differs between two databases stands side by side, counters of launches do not") {
    Subject a = simulated("a", 1, {}, 1, 1);
    Subject b = simulated("b", 1, {}, 1, 2);
    CHECK(differences_table(compare_databases(a, b)).rows.empty()); // nothing is known
    a.run = b.run = test::invented_run("a");
    CHECK(differences_table(compare_databases(a, b)).rows.empty());
    b.run->mpi_library = "another library";
    b.run->settings["MPIR_CVAR_BCAST_INTRA_ALGORITHM"] = "binomial";
    a.run->facts["kernel"] = "Linux 6.1";
    b.run->facts["kernel"] = "Linux 6.2";
    a.run->facts["load before"] = "0.1";
    b.run->facts["load before"] = "0.2";
    a.run->facts["ledger: batches"] = "1";
    b.run->facts["ledger: batches"] = "2";
    b.run->facts["governor"] = "performance"; // of the other it is not known
    for (StoredMeasurement& point : a.curves[0].points)
        point.measurement.probe_s = 1e-6;
    for (StoredMeasurement& point : b.curves[0].points)
        point.measurement.probe_s = 3e-6;
    const Table table = differences_table(compare_databases(a, b));
    CHECK(table.rows == std::vector<std::vector<std::string>>{
                            {"MPI library", shortened(a.run->mpi_library, 80), "another library"},
                            {"setting MPIR_CVAR_BCAST_INTRA_ALGORITHM", "none", "binomial"},
                            {"kernel", "Linux 6.1", "Linux 6.2"},
                            {"probe of the machine's state", "1.000 µs", "3.000 µs"}});
    b.curves[0].stored.suite.name = "renamed";
    b.curves[0].stored.suite.operation.name = "MPI_Bcast";
    const DatabaseComparison comparison = compare_databases(a, b);
    CHECK(doubts_of(comparison) ==
          std::vector{ComparisonDoubtKind::only_in_reference, ComparisonDoubtKind::only_in_other});
    using Names = std::vector<std::string>;
    CHECK(comparison.doubts.at(0).names == Names{"suite 0"});
    CHECK(comparison.doubts.at(1).names == Names{"renamed"});
}

TEST_CASE("suites of two databases match by name, else by what they measure") {
    Subject other;
    other.curves.push_back(invented_curve(1, 1, 0, 1));
    other.curves.push_back(invented_curve(1, 1, 0, 2));
    other.curves[1].stored.suite.name = "renamed";
    other.curves[1].stored.suite.operation.name = "MPI_Bcast";
    Curve wanted = invented_curve(1, 1, 0, 3);
    CHECK(matching_curve(other, wanted) == &other.curves[0]);
    wanted.stored.suite.name = "unknown name";
    CHECK(matching_curve(other, wanted) == &other.curves[0]);
    wanted.stored.suite.operation.name = "MPI_Bcast";
    CHECK(matching_curve(other, wanted) == &other.curves[1]);
    wanted.stored.suite.operation.name = "MPI_Reduce";
    CHECK(matching_curve(other, wanted) == nullptr);
    other.curves.push_back(other.curves[0]);
    other.curves[2].stored.suite.name = "a twin";
    wanted.stored.suite.operation.name = "MPI_Send-MPI_Recv";
    CHECK_MESSAGE(matching_curve(other, wanted) == nullptr, "two candidates: none is guessed");
}
