// SPDX-License-Identifier: GPL-2.0-or-later
#include "contest/jury.hpp"

#include "close_to.hpp"
#include "contest/contest.hpp"
#include "contest/estimate.hpp"
#include "invented_curve.hpp"
#include "skalib/statistics.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

using Ratio = std::function<double(std::int64_t argument)>;

/// Launches that lie alternately 1 % above and below; those of one side are called otherwise than the
/// other's.
Curve side_of_jury(const std::vector<std::int64_t>& arguments, const Ratio& ratio, const std::string& prefix,
                   int launches = 6, double scatter = 0.01) {
    Curve curve = test::invented_curve(launches, 1, 0, 1, arguments, prefix);
    for (auto& [uuid, launch] : curve.launches)
        for (auto& [argument, value] : launch.values)
            value *= ratio(argument) * std::exp(uuid.back() % 2 == 0 ? scatter : -scatter);
    return curve;
}

double one(std::int64_t) {
    return 1;
}

SuiteContest judged_together(const Curve& reference, const Curve& subject, std::size_t statements = 0) {
    return judge_suites(reference, subject, Pairing::independent, std::nullopt, statements);
}

/// Suites of equals but for factors, judged together.
struct Together {
    Together(const std::vector<double>& factors, const std::vector<std::int64_t>& arguments) {
        for (const double factor : factors) {
            Curve reference = side_of_jury(arguments, one, "a");
            Curve subject = side_of_jury(
                arguments, [&](std::int64_t) { return factor; }, "b");
            for (Subject* side : {&a, &b})
                side->curves.push_back(side == &a ? reference : subject);
            a.curves.back().stored.suite.name = b.curves.back().stored.suite.name =
                "suite " + std::to_string(a.curves.size());
        }
        contest = judge_databases(a, b);
    }
    Subject a;
    Subject b;
    Contest contest;
};

} // namespace

TEST_CASE("the error of wholes goes through the steps of Holm, and intervals err as often as their step") {
    // Standard errors of 0.0063 at 10 degrees of freedom: chances of 2e-14, 0.0009, 0.04 and 1.
    const Together suites({1, 1.5, 1.015, 1.03}, {1, 2, 4});
    const auto whole = [&](std::size_t suite) { return *suites.contest.suites[suite].whole(); };
    const std::array<double, 4> errors{0.025 / 2, 0.025 / 4, 0.025 / 2, 0.025 / 3};
    for (std::size_t i = 0; i < errors.size(); ++i) {
        CAPTURE(i);
        CHECK(whole(i).error == close_to(errors[i])); // the third is no difference: there the steps end
        CHECK(std::log(whole(i).high / whole(i).ratio) ==
              close_to(skalib::student_upper_quantile(10, errors[i] / 2) * 0.01 * std::sqrt(2.0 / 5))
                  .epsilon(1e-6));
        CHECK(whole(i).high / whole(i).ratio == close_to(whole(i).ratio / whole(i).low));
    }
    CHECK(whole(1).verdict == Verdict::slower);
    CHECK(whole(3).verdict == Verdict::slower);
    CHECK(whole(2).verdict == Verdict::open);
    CHECK(whole(0).verdict == Verdict::equal);
}

TEST_CASE("where nothing differs the errors of all statements add up to that of the contest") {
    const Together suites({1, 1}, {8, 512, 4096, 1048576});
    double sum = 0;
    std::array<double, 3> of_kind{};
    for (const SuiteContest& suite : suites.contest.suites) {
        CHECK(suite.of_kind(Place::Kind::size).size() == 3);
        for (const Statement& each : suite.statements) {
            sum += each.error;
            of_kind[each.place.kind == Place::Kind::whole  ? 0
                    : each.place.kind == Place::Kind::size ? 1
                                                           : 2] += each.error;
        }
    }
    CHECK(sum == close_to(0.05));
    CHECK(of_kind[0] == close_to(0.025));
    CHECK(of_kind[1] == close_to(0.0125));
    CHECK(of_kind[2] == close_to(0.0125));
}

TEST_CASE("points share their error with those of other suites") {
    const Curve a = side_of_jury({1, 2, 4, 8}, one, "a");
    const Curve b = side_of_jury(
        {1, 2, 4, 8}, [](std::int64_t) { return 1.01; }, "b");
    CHECK(judged_together(a, b).point(4)->error == close_to(0.0125 / 4));
    CHECK(judged_together(a, b, 100).point(4)->error == close_to(0.0125 / 100));
    CHECK(judged_together(a, b, 100).whole()->error == close_to(0.025));
}

TEST_CASE("equal is what lies within the margin with its interval, which is more than no difference found") {
    const auto judge = [](double factor, double scatter) {
        const Curve a = side_of_jury({1, 2, 4}, one, "a", 6, scatter);
        const Curve b = side_of_jury(
            {1, 2, 4}, [&](std::int64_t) { return factor; }, "b", 6, scatter);
        return *judged_together(a, b).whole();
    };
    CHECK(judge(1, 0.01).verdict == Verdict::equal); // +-1.4 % at an error of 5 %
    CHECK(judge(1, 0.01).why == Why::none);
    CHECK(judge(1.01, 0.01).verdict == Verdict::open);
    CHECK(judge(1.01, 0.01).why == Why::scatter);
    CHECK(judge(1.01, 0.01).none_found());
    CHECK(judge(1.01, 0.01).needed.value() > 6);
    CHECK(judge(1, 0.3).verdict == Verdict::open);
    CHECK_FALSE(judge(1, 0.3).none_found());
    CHECK(judge(1.01, 0.001).verdict == Verdict::slower); // a difference within the margin is one
    CHECK(judge(1 / 1.01, 0.001).verdict == Verdict::faster);
    CHECK(judge(1.5, 0.01).certain_effect() == close_to(std::log(judge(1.5, 0.01).low)));
    CHECK(judge(1 / 1.5, 0.01).certain_effect() == close_to(judge(1.5, 0.01).certain_effect()));
    CHECK(judge(1, 0.01).certain_effect() == 0);
}

TEST_CASE("a suite is judged from the launches' medians over its arguments, by the octaves they stand for") {
    const Curve a = side_of_jury({1, 2, 4, 8, 16, 32}, one, "a");
    Curve b = side_of_jury(
        {1, 2, 4, 8, 16, 32}, [](std::int64_t) { return std::exp(0.1); }, "b");
    for (auto& [uuid, launch] : b.launches)
        launch.values.at(8) *= uuid.back() % 2 == 0 ? 5 : 0.2; // one argument is far off
    CHECK(judged_together(a, b).whole()->ratio == close_to(std::exp(0.1)));
    CHECK(judged_together(a, b).whole()->verdict == Verdict::slower);
    // Of what a launch has less than half of the arguments it says nothing.
    const auto launches = [&] { return judged_together(a, b).whole()->subject; };
    b.launches.at("b1").values.erase(32);
    b.launches.at("b1").values.erase(16);
    CHECK(launches() == 6);
    LaunchValues few;
    for (const std::int64_t argument : {1, 2})
        few[argument] = b.launches.at("b0").values.at(argument);
    b.launches["b1"].values = few;
    CHECK(launches() == 5);
    // Where refinement placed many arguments they do not count more.
    const std::vector<double> weights = argument_weights({1, 16, 17, 18, 19, 20, 256});
    CHECK(weights[0] + weights[1] + weights[6] > 4 * (weights[2] + weights[3] + weights[4]));
}

TEST_CASE("what neither scatters nor has a known step of the clock is not judged") {
    const Curve a = side_of_jury({1, 2, 4}, one, "a", 6, 0);
    Curve b = side_of_jury(
        {1, 2, 4}, [](std::int64_t) { return 1.5; }, "b", 6, 0);
    CHECK(judged_together(a, b).whole()->why == Why::no_scatter);
    CHECK(judged_together(a, b).whole()->ratio == close_to(1.5));
    CHECK_FALSE(judged_together(a, b).whole()->judged());
    b.clock_resolution_s = 1e-9;
    CHECK(judged_together(a, b).whole()->verdict == Verdict::slower);
}

TEST_CASE("values that agree to the clock's last step are no certainty") {
    // Six launches on each side, all rounded to the same of two neighbouring steps of 10 ns.
    const auto rounded = [](double value_s, Pattern pattern, BufferPolicy buffers = BufferPolicy::warm) {
        Curve curve = side_of_jury({8}, one, value_s == 1e-6 ? "a" : "b", 6, 0);
        curve.stored.suite.operation.pattern = pattern;
        curve.stored.suite.buffers = buffers;
        curve.clock_resolution_s = 1e-8;
        curve.clock_cost_s = 3e-8;
        for (auto& [uuid, launch] : curve.launches)
            launch.values[8] = value_s;
        return curve;
    };
    const auto verdict = [&](double value_s, Pattern pattern, BufferPolicy buffers = BufferPolicy::warm) {
        const Curve a = rounded(1e-6, pattern, buffers);
        const Curve b = rounded(value_s, pattern, buffers);
        return judged_together(a, b).whole()->verdict;
    };
    CHECK(verdict(1.01e-6, Pattern::collective) != Verdict::slower);
    CHECK(verdict(1.10e-6, Pattern::collective) == Verdict::slower);
    // Short calls are timed in blocks of 4 us, which divide the step; but not where each needs a preparation.
    CHECK(verdict(1.01e-6, Pattern::ping_pong) == Verdict::slower);
    CHECK(verdict(1.0025e-6, Pattern::ping_pong) != Verdict::slower);
    CHECK(verdict(1.01e-6, Pattern::ping_pong, BufferPolicy::warm_4k) == Verdict::slower);
    for (const BufferPolicy buffers : {BufferPolicy::cold, BufferPolicy::cycled, BufferPolicy::rewritten})
        CHECK(verdict(1.01e-6, Pattern::ping_pong, buffers) != Verdict::slower);
    // Half a step is the standard deviation; of values printed with few digits no clock is known.
    Curve curve = rounded(1e-6, Pattern::collective);
    CHECK(rounding_variance(curve, 1e-6) == close_to(25e-6));
    CHECK(rounding_variance(curve, 1e-3) == close_to(25e-12));
    curve = rounded(1e-6, Pattern::ping_pong);
    CHECK(rounding_variance(curve, 1e-6) < 25e-6 / 10);
    curve.clock_cost_s = 0;
    CHECK(rounding_variance(curve, 1e-6) == close_to(25e-6));
}

TEST_CASE("two simulated suites differ by more than the clock's steps, be it but one launch") {
    const auto simulated = [](double factor, const std::string& prefix) {
        Curve curve = side_of_jury(
            {1, 2, 4}, [&](std::int64_t) { return factor; }, prefix, 1, 0);
        curve.simulated = true;
        return curve;
    };
    Curve star = simulated(1, "a");
    Curve tree = simulated(1.003, "b");
    CHECK(judged_together(star, tree).whole()->verdict == Verdict::slower);
    CHECK(judged_together(star, simulated(1.00001, "b")).whole()->verdict == Verdict::equal);
    star.clock_resolution_s = tree.clock_resolution_s = 1e-8; // a hundredth of the time
    CHECK(judged_together(star, tree).whole()->verdict == Verdict::open);
    tree.simulated = false; // against a real machine one launch says nothing
    CHECK(judged_together(star, tree).whole()->why == Why::few_launches);
}

TEST_CASE("far pairs on one side contradict what the others say, and more pairs do not decide it") {
    const auto judge = [](double usual, double far, int other_side) {
        const Curve a = side_of_jury({1, 2, 4}, one, "run", 40, 0);
        Curve b = a;
        for (int launch = 0; launch < 40; ++launch)
            for (auto& [argument, value] : b.launches.at("run" + std::to_string(launch)).values)
                value *= usual * std::exp(launch % 2 == 0 ? 0.005 : -0.005) *
                         (launch % 5 != 0 || launch >= 30 ? 1
                          : launch < 5 * other_side       ? 1 / far
                                                          : far);
        const Statement whole = *judge_suites(a, b, Pairing::same_launches, std::nullopt).whole();
        CHECK(whole.outliers == 6);
        CHECK(whole.reference == 34);
        return whole;
    };
    const Statement open = judge(1, 1.3, 0);
    CHECK(open.verdict == Verdict::open);
    CHECK(open.why == Why::outliers);
    CHECK_FALSE(open.needed.has_value());
    CHECK(judge(1, 1.3, 3).verdict == Verdict::equal);    // mishaps of the machine
    CHECK(judge(1.1, 1.3, 0).verdict == Verdict::slower); // and sometimes much slower
    CHECK(judge(1.1, 0.7, 0).verdict == Verdict::open);
}

namespace {

/// Pairs of eight launches, whose ratios scatter by half a percent.
std::vector<Statement> ranges_where(const std::vector<std::int64_t>& arguments, const Ratio& ratio,
                                    const std::function<void(Curve&)>& change = {}) {
    const Curve a = side_of_jury(arguments, one, "run", 8, 0);
    Curve b = side_of_jury(arguments, ratio, "run", 8, 0.005);
    if (change)
        change(b);
    const SuiteContest contest = judge_suites(a, b, Pairing::same_launches, std::nullopt);
    std::vector<Statement> found;
    for (const Statement* each : contest.of_kind(Place::Kind::range))
        found.push_back(*each);
    return found;
}

} // namespace

TEST_CASE("lengths that differ alone are a range, though their class is equal") {
    const auto ranges =
        ranges_where({8, 64, 512, 2048, 4096, 8192, 16384, 32768, 65536, 262144, 1048576},
                     [](std::int64_t length) { return length == 4096 || length == 8192 ? 1.5 : 1; });
    REQUIRE(ranges.size() == 1);
    CHECK(ranges[0].place == Place{Place::Kind::range, 4096, 8192});
    CHECK(ranges[0].verdict == Verdict::slower);
    CHECK(ranges[0].low < 1.5);
    CHECK(ranges[0].high > 1.5);
    CHECK(ranges[0].ratio == close_to(1.5));
    CHECK(ranges_where({8, 64, 512, 4096}, [](std::int64_t) { return 1.3; }).empty()); // what all share
}

TEST_CASE("neighbours of several differences are several ranges") {
    const auto both_sides = ranges_where({8, 16, 32, 64, 128, 256, 512, 2048}, [](std::int64_t length) {
        return length == 64 ? 1.9 : length == 128 ? 1.4 : 1.6; // of their class
    });
    REQUIRE(both_sides.size() == 2);
    CHECK(both_sides[0].place == Place{Place::Kind::range, 64, 64});
    CHECK(both_sides[1].place == Place{Place::Kind::range, 128, 128});
    const auto one_side = ranges_where({8, 64, 262144, 1048576}, [](std::int64_t length) {
        return length == 262144 ? 2.7 : length == 1048576 ? 2.3 : 1;
    });
    REQUIRE(one_side.size() == 2);
    CHECK(one_side[0].place == Place{Place::Kind::range, 262144, 262144});
}

TEST_CASE("a length that does not share what its class shows is news, one that is not known well is none") {
    const std::vector<std::int64_t> lengths{8, 64, 131072, 262144, 524288, 1048576};
    const auto ratio = [](std::int64_t length) { return length >= 131072 && length < 1048576 ? 0.75 : 1; };
    const auto ranges = ranges_where(lengths, ratio);
    REQUIRE(ranges.size() == 1);
    CHECK(ranges[0].place == Place{Place::Kind::range, 1048576, 1048576});
    CHECK_FALSE(ranges[0].different());
    const auto scatter = [](Curve& curve) {
        for (auto& [uuid, launch] : curve.launches)
            launch.values.at(1048576) *= uuid.back() % 2 == 0 ? 0.55 : 0.88;
    };
    CHECK(ranges_where(lengths, ratio, scatter).empty());
}

TEST_CASE("a length that few launches have does not part its neighbours") {
    const auto at_some_more = [](Curve& curve) { curve.launches.at("run1").values[100] = 1e-6; };
    Curve a = side_of_jury({8, 16, 32, 64, 128, 256, 512}, one, "run", 8, 0);
    a.launches.at("run1").values[100] = 2e-6;
    Curve b = side_of_jury(
        {8, 16, 32, 64, 128, 256, 512},
        [](std::int64_t length) { return length == 64 || length == 128 ? 0.5 : 1; }, "run", 8, 0.005);
    at_some_more(b);
    const SuiteContest contest = judge_suites(a, b, Pairing::same_launches, std::nullopt);
    CHECK(contest.point(100)->why == Why::few_launches);
    const auto ranges = contest.of_kind(Place::Kind::range);
    REQUIRE(ranges.size() == 1);
    CHECK(ranges[0]->place == Place{Place::Kind::range, 64, 128});
    CHECK(contest.verdict() == Verdict::faster);
    CHECK(contest.largest() == ranges[0]);
}

TEST_CASE("what is faster at some lengths and slower at others is open as a whole, and both are said") {
    std::vector<std::int64_t> lengths;
    for (std::int64_t length = 1; length <= 1048576; length *= 2)
        lengths.push_back(length);
    const Curve a = side_of_jury(lengths, one, "a", 10);
    const Curve b = side_of_jury(
        lengths,
        [](std::int64_t length) { return length < 8192 || length > 262144 ? 1
                                         : length < 32768                 ? 0.3
                                                                          : 1.9; },
        "b", 10);
    const SuiteContest contest = judged_together(a, b);
    const auto ranges = contest.of_kind(Place::Kind::range);
    REQUIRE(!ranges.empty());
    CHECK(ranges[0]->place == Place{Place::Kind::range, 8192, 16384});
    CHECK(ranges[0]->verdict == Verdict::faster);
    CHECK(contest.verdict() == Verdict::open);
    CHECK(contest.largest()->verdict == Verdict::faster);
    CHECK(contest.point(65536)->verdict == Verdict::slower);
    CHECK(contest.point(1048576)->verdict != Verdict::slower);
}

TEST_CASE("a single argument is a suite, without classes of lengths") {
    const Curve a = side_of_jury({1024}, one, "a");
    const Curve b = side_of_jury(
        {1024}, [](std::int64_t) { return 2.0; }, "b");
    const SuiteContest contest = judged_together(a, b);
    REQUIRE(contest.statements.size() == 2); // the whole, and the same as a point
    CHECK(contest.statements[0].ratio == contest.statements[1].ratio);
    CHECK(contest.statements[1].place.kind == Place::Kind::point);
    CHECK(contest.statements[0].error == close_to(0.025));
}
