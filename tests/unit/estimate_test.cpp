// SPDX-License-Identifier: GPL-2.0-or-later
#include "contest/estimate.hpp"

#include "close_to.hpp"
#include "contest/outliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

const double unknown = std::nan("");

/// So many launches, one after the other above and below the middle.
LaunchScores alternating(std::size_t launches, double middle, double scatter) {
    LaunchScores scores;
    for (std::size_t i = 0; i < launches; ++i)
        scores.push_back({middle + (i % 2 == 0 ? scatter : -scatter), {unknown, unknown}});
    return scores;
}

LaunchScores normal_scores(std::size_t launches, double middle, double deviation, std::mt19937& random) {
    std::normal_distribution<double> normal(middle, deviation);
    LaunchScores scores;
    for (std::size_t i = 0; i < launches; ++i)
        scores.push_back({normal(random), {unknown, unknown}});
    return scores;
}

Estimate sides(const LaunchScores& reference, const LaunchScores& subject, const EstimateRule& rule = {}) {
    return estimate_sides(reference, subject, rule).value();
}

Estimate pairs(const LaunchScores& scores, const EstimateRule& rule = {.by_probe = true}) {
    return estimate_pairs(scores, rule).value();
}

} // namespace

TEST_CASE("an interval is Student's at the degrees of freedom of the launches that scatter") {
    // The deviation is 0.01 sqrt(n / (n - 1)), that of the mean 0.01 / sqrt(n - 1).
    const double of_6 = 0.01 / std::sqrt(5);
    const double of_8 = 0.01 / std::sqrt(7);
    const Estimate first = sides(alternating(6, 0, 0.01), alternating(8, 0.1, 0));
    CHECK(first.centre == close_to(0.1));
    CHECK(first.reach(0.05) == close_to(2.570582 * of_6)); // t of 5 degrees
    CHECK(first.reach(0.005) == close_to(4.773341 * of_6));
    CHECK(sides(alternating(6, 0, 0), alternating(8, 0.1, 0.01)).reach(0.05) == close_to(2.364624 * of_8));
    // Both scatter alike: variances add up, and degrees.
    CHECK(sides(alternating(6, 0, 0.01), alternating(6, 0, 0.01)).reach(0.05) ==
          close_to(2.228139 * std::sqrt(2.0) * of_6));
    const Estimate paired = pairs(alternating(6, 0.1, 0.01));
    CHECK(paired.centre == close_to(0.1));
    CHECK(paired.reach(0.05) == close_to(2.570582 * of_6));
    CHECK(paired.reference == 6);
    CHECK(paired.subject == 6);
    CHECK_FALSE(estimate_sides(alternating(1, 0, 0), alternating(8, 0, 1), {}).has_value());
    CHECK_FALSE(estimate_pairs(alternating(1, 0, 0), {}).has_value());
}

TEST_CASE("the chance of a difference is that at which its interval reaches 0") {
    const Estimate found = sides(alternating(6, 0, 0.01), alternating(7, 0.01, 0.02));
    CHECK(found.reach(found.chance()) == close_to(std::fabs(found.centre)));
}

TEST_CASE("the clock's step is part of the error, also where all launches fell on one") {
    constexpr double variance = 25e-6;
    const EstimateRule rule{.rounding = {variance, variance}};
    CHECK(sides(alternating(6, 0, 0), alternating(6, 0.1, 0), rule).reach(0.05) ==
          close_to(2.228139 * std::sqrt(2 * variance)));
    CHECK(pairs(alternating(6, 0.1, 0), rule).reach(0.05) == close_to(2.570582 * std::sqrt(2 * variance)));
    CHECK(sides(alternating(6, 0, 0), alternating(6, 0.1, 0)).error == 0);
}

TEST_CASE("intervals of sides that scatter differently cover the truth as often as they say") {
    std::mt19937 random(1);
    int covered = 0;
    int covered_by_pairs = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const Estimate two = sides(normal_scores(6, 0, 0.05, random), normal_scores(8, 0.2, 0.03, random));
        covered += std::fabs(two.centre - 0.2) <= two.reach(0.05) ? 1 : 0;
        const Estimate paired = pairs(normal_scores(9, 0.2, 0.05, random));
        covered_by_pairs += std::fabs(paired.centre - 0.2) <= paired.reach(0.05) ? 1 : 0;
    }
    CHECK(covered >= 930);
    CHECK(covered <= 970);
    CHECK(covered_by_pairs >= 930);
    CHECK(covered_by_pairs <= 970);
}

TEST_CASE("so many launches as are needed find a difference in 9 of 10 cases") {
    constexpr double spread = 0.03;
    const std::size_t needed = launches_to_decide(0.05, spread, 0.01).value();
    CHECK(needed > launches_needed);
    std::mt19937 random(2);
    int found = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const Estimate two = sides(normal_scores(needed, 0, spread / std::sqrt(2), random),
                                   normal_scores(needed, 0.05, spread / std::sqrt(2), random));
        found += two.centre > two.reach(0.01) ? 1 : 0;
    }
    CHECK(found >= 870);
    CHECK(found <= 950);
    CHECK_FALSE(launches_to_decide(0, spread, 0.05).has_value());
    CHECK_FALSE(launches_to_decide(0.05, 0, 0.05).has_value());
    CHECK_FALSE(launches_to_decide(1e-6, spread, 0.05).has_value());
}

TEST_CASE("one wild launch of nine widens nothing") {
    LaunchScores wild = alternating(9, 0, 0.01);
    const double quiet = pairs(wild).reach(0.05);
    wild[4].y = std::log(35000);
    CHECK(pairs(wild).outliers == 1);
    CHECK(pairs(wild).reference == 8);
    CHECK(pairs(wild).reach(0.05) < 1.2 * quiet);
    const Estimate two = sides(wild, alternating(9, 0.1, 0.01));
    CHECK(two.outliers == 1);
    CHECK(two.reference == 8);
    CHECK(two.subject == 9);
    CHECK(two.centre == doctest::Approx(0.1).epsilon(0.02));
}

TEST_CASE("a mishap lies far from all launches of both sides, a tail that both have does not") {
    const std::vector<double> quiet{-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2};
    const auto with = [](std::vector<double> values, const std::vector<double>& more) {
        values.insert(values.end(), more.begin(), more.end());
        return values;
    };
    const auto left_out = [](const std::vector<double>& first, const std::vector<double>& second) {
        const auto [a, b] = outliers_of_sides(first, second, launches_to_exclude);
        return std::pair(std::ranges::count(a, true), std::ranges::count(b, true));
    };
    using Counts = std::pair<std::ptrdiff_t, std::ptrdiff_t>;
    CHECK(left_out(with(quiet, {40}), quiet) == Counts(1, 0));
    CHECK(left_out(quiet, with(quiet, {40, -40})) == Counts(0, 2));
    CHECK(left_out(with(quiet, {40}), with(quiet, {39})) == Counts(1, 1));
    CHECK(left_out(with(quiet, {6, 11, 17}), quiet) == Counts(0, 0)); // a tail
    CHECK(left_out(with(quiet, {20}), with(quiet, {6, 11, 16})) == Counts(0, 0));
    CHECK(left_out(with(quiet, {60}), with(quiet, {6, 11, 16})) == Counts(1, 0));  // beyond a tail
    CHECK(left_out(with(quiet, {40, 41, 42}), with(quiet, {40})) == Counts(0, 0)); // more than a fifth
    CHECK(left_out({0, 1, 40}, quiet) == Counts(0, 0));                            // of too few
    // A side that scatters more is judged by its own scatter.
    std::vector<double> wide;
    for (const double value : quiet)
        wide.push_back(20 * value);
    CHECK(left_out(wide, quiet) == Counts(0, 0));
    CHECK(left_out(std::vector<double>(9, 1.0), quiet) == Counts(0, 0));
}

TEST_CASE("pairs that lie far on one side, a tenth or more, are told from those on both") {
    const auto with_far = [](std::size_t above, std::size_t below) {
        LaunchScores scores = alternating(40, 0, 0.005);
        for (std::size_t i = 0; i < above + below; ++i)
            scores[5 * i].y = i < above ? 0.3 : -0.3;
        return pairs(scores);
    };
    CHECK(with_far(6, 0).outliers == 6);
    CHECK(with_far(6, 0).one_sided);
    CHECK(with_far(6, 0).outliers_above);
    CHECK(with_far(0, 6).one_sided);
    CHECK_FALSE(with_far(0, 6).outliers_above);
    CHECK_FALSE(with_far(3, 3).one_sided);
    CHECK_FALSE(with_far(3, 0).one_sided); // less than a tenth
}

TEST_CASE("a side of few launches has no more degrees of freedom because the other has many") {
    const double error = 0.01 * std::sqrt(1.0 / 5 + 1.0 / 39);
    CHECK(sides(alternating(6, 0, 0.01), alternating(40, 0, 0.01)).reach(0.05) == close_to(2.570582 * error));
    std::mt19937 random(3);
    std::student_t_distribution<double> heavy(3);
    int wrong = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        LaunchScores few = alternating(5, 0, 0);
        LaunchScores many = alternating(40, 0, 0);
        for (LaunchScores* const side : {&few, &many})
            for (LaunchScore& each : *side)
                each.y = heavy(random);
        wrong += sides(few, many).chance() <= 0.05 ? 1 : 0;
    }
    CHECK(wrong <= 50);
}

TEST_CASE("launches in a row count as fewer: as many as their likeness says, or as is assumed of few") {
    const EstimateRule in_a_row{.in_a_row = {true, true}};
    // Of six nothing is known: at a correlation of 0.5 they are two, with one degree of freedom.
    const Estimate few = pairs(alternating(6, 0, 0.01), in_a_row);
    CHECK(few.in_a_row);
    CHECK(few.reach(0.05) == close_to(12.7062 * 0.01 * std::sqrt(6.0 / 5 / 2)).epsilon(1e-4));
    CHECK_FALSE(pairs(alternating(6, 0, 0.01)).in_a_row);
    // Sixteen that alternate are not alike, sixteen of which the second half is slower are.
    const LaunchScores unlike = alternating(16, 0, 0.01);
    LaunchScores halves = unlike;
    std::ranges::sort(halves, {}, &LaunchScore::y);
    CHECK(pairs(unlike, in_a_row).reach(0.05) == close_to(pairs(unlike).reach(0.05)));
    CHECK(pairs(halves, in_a_row).error == close_to(3 * pairs(halves).error)); // at most 0.8
    // The side alone that is.
    const double one = sides(halves, halves, {.in_a_row = {true, false}}).error;
    CHECK(one < sides(halves, halves, in_a_row).error);
    CHECK(one > sides(halves, halves).error);
}

namespace {

/// Launches whose times follow their probes, which drift by 0.1 about a middle; half a percent does not
/// follow.
LaunchScores following(std::size_t launches, double log_probe, double slope) {
    constexpr std::array scatter{0.005, 0.003, -0.005, -0.003};
    LaunchScores scores;
    for (std::size_t i = 0; i < launches; ++i) {
        const double x = log_probe + (i % 2 == 0 ? 0.1 : -0.1);
        scores.push_back({slope * x + scatter[i % scatter.size()], {x, unknown}});
    }
    return scores;
}

constexpr EstimateRule by_probe{.by_probe = true};

} // namespace

TEST_CASE("what the state of the machine explains, as the launches show, is no difference") {
    for (const double slope : {0.3, 0.5, 0.8}) {
        CAPTURE(slope);
        const Estimate found = sides(following(10, 0, slope), following(10, 0.3, slope), by_probe);
        CHECK(found.by_probe);
        CHECK(std::fabs(found.centre) < found.reach(0.05));
        CHECK(found.reach(0.05) < 0.04);
        CHECK(found.as_measured == close_to(0.3 * slope).epsilon(1e-6));
        // The uncertainty of the slope counts as far as the sides met other states.
        CHECK(found.error > sides(following(10, 0, slope), following(10, 0, slope), by_probe).error);
    }
    const Estimate unknown_probes = sides(following(10, 0, 0.5), following(10, 0.3, 0.5));
    CHECK_FALSE(unknown_probes.by_probe);
    CHECK(unknown_probes.centre == close_to(0.15).epsilon(1e-6));
}

TEST_CASE("no slope is steeper than a machine can be") {
    for (const auto& [slope, allowed] : {std::pair(3.0, 1.5), std::pair(-1.0, 0.0)}) {
        const Estimate found = sides(following(40, 0, slope), following(40, 0.3, slope), by_probe);
        CHECK(found.centre == doctest::Approx(0.3 * (slope - allowed)));
    }
}

TEST_CASE("a launch whose probe is unknown does not make those of all others unknown") {
    LaunchScores some = following(6, 0.3, 0.5);
    some[2].x[0] = unknown;
    const Estimate found = sides(following(6, 0, 0.5), some, by_probe);
    CHECK(found.by_probe);
    CHECK(found.subject == 5);
    CHECK(found.outliers == 0);
    some[3].x[0] = unknown; // more than a fifth
    CHECK_FALSE(sides(following(6, 0, 0.5), some, by_probe).by_probe);
    CHECK(sides(following(6, 0, 0.5), some, by_probe).subject == 6);
}

TEST_CASE("launches that their state does not explain are outliers at an equal state, too") {
    // Logarithms of times and probes: five launches of a machine against twenty of it, of which four met two
    // states.
    const LaunchScores quiet{{0.0003, {-14.7558, unknown}},
                             {0.0004, {-14.7460, unknown}},
                             {0.0057, {-14.7425, unknown}},
                             {-0.0030, {-14.7431, unknown}},
                             {0.0001, {-14.7428, unknown}}};
    constexpr std::array<std::pair<double, double>, 20> other{
        {{0.2802, -14.6436},  {0.0013, -14.7746},  {-0.0058, -14.7687}, {-0.0044, -14.8081},
         {0.1110, -14.6873},  {-0.0099, -14.8427}, {-0.0057, -14.7488}, {-0.0027, -14.7687},
         {-0.0033, -14.7818}, {0.0136, -14.7495},  {0.2567, -14.6812},  {0.0095, -14.7752},
         {0.1117, -14.6724},  {0.0029, -14.7523},  {0.0086, -14.7425},  {-0.0022, -14.7558},
         {-0.0179, -14.7442}, {0.0014, -14.7877},  {-0.0005, -14.7684}, {-0.0049, -14.7947}}};
    LaunchScores busy;
    for (const auto& [log_time, log_probe] : other)
        busy.push_back({log_time, {log_probe, unknown}});
    const Estimate found = sides(quiet, busy, by_probe);
    CHECK(found.outliers == 4);
    CHECK(std::fabs(found.centre) < 0.01);
    CHECK(std::fabs(found.centre) < found.reach(0.05));
}

namespace {

/// Pairs with a ratio, whose covariate lies above 0 and below it, and times follow it.
LaunchScores pairs_following(std::size_t covariate, double distance, double slope, double log_ratio) {
    LaunchScores scores = alternating(12, log_ratio, 0.01);
    constexpr std::array along{1.0, 0.8, -1.0, -0.9, 0.1, -0.1};
    for (std::size_t i = 0; i < scores.size(); ++i) {
        scores[i].x[covariate] = distance * along[(i + i / 6) % along.size()];
        scores[i].y += slope * scores[i].x[covariate];
    }
    return scores;
}

} // namespace

TEST_CASE("of pairs that is taken out which the probes or the speeds of the cores show") {
    for (const std::size_t covariate : {0U, 1U}) {
        CAPTURE(covariate);
        const LaunchScores scores = pairs_following(covariate, 0.3, covariate == 0 ? 0.8 : -1, 0.05);
        const Estimate found = pairs(scores);
        CHECK(found.by_probe);
        CHECK(found.centre == doctest::Approx(0.05).epsilon(0.1));
        CHECK(found.reach(0.05) < 0.01);
        CHECK(pairs(scores, {}).reach(0.05) > 0.1);
        // Where the times do not show it, it costs nothing.
        const Estimate unmoved = pairs(pairs_following(covariate, 0.3, 0, 0.05));
        CHECK_FALSE(unmoved.by_probe);
        CHECK(unmoved.centre == close_to(0.05).epsilon(1e-6));
        CHECK(unmoved.error == close_to(pairs(alternating(12, 0.05, 0.01)).error));
    }
}

TEST_CASE("what few pairs follow by chance is not taken out") {
    std::mt19937 random(4);
    std::normal_distribution<double> normal(0, 0.01);
    int followed = 0;
    int wrong = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        LaunchScores scores = normal_scores(5, 0, 0.05, random);
        for (LaunchScore& each : scores)
            each.x = {normal(random), normal(random)};
        const Estimate found = pairs(scores);
        followed += found.by_probe ? 1 : 0;
        wrong += found.chance() <= 0.025 ? 1 : 0;
    }
    CHECK(followed <= 15);
    CHECK(wrong <= 35);
}

TEST_CASE("what a side does to its own probe is part of the difference") {
    LaunchScores scores = pairs_following(0, 0.3, 0.8, std::log(2.2));
    for (LaunchScore& each : scores)
        each.x[0] += std::log(2.2);
    const Estimate found = pairs(scores);
    CHECK_FALSE(found.by_probe);
    CHECK(found.centre == doctest::Approx(std::log(2.2)).epsilon(0.1));
    scores = pairs_following(0, 0.3, 0.8, 0.05);
    scores[3].x[0] = unknown; // nor is taken out what is not known of all
    CHECK_FALSE(pairs(scores).by_probe);
}

TEST_CASE("pairs of one state alone count where those of two scatter much more") {
    LaunchScores scores = alternating(16, 0.05, 0.01);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const bool apart = i >= 10;
        scores[i].x[0] = (i % 2 == 0 ? 1 : -1) * (apart ? 1.4 : 0.02);
        scores[i].y += apart ? (i % 2 == 0 ? 0.3 : -0.4) * static_cast<double>(i - 9) : 0;
    }
    const Estimate found = pairs(scores);
    CHECK(found.reference == 10);
    CHECK(found.centre == doctest::Approx(0.05).epsilon(0.1));
}
