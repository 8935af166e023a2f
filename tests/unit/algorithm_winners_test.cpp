// SPDX-License-Identifier: GPL-2.0-or-later
#include "contest/algorithm_winners.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <random>

using namespace skampi;

namespace {

using TimeOf = std::function<double(double bytes)>; // seconds

struct InventedAlgorithm {
    std::string word;
    TimeOf time;
};

/// Launches that measure all algorithms at powers of two and between them.
struct StudyDesign {
    std::size_t launches = 8;
    double noise = 0.01;        ///< of a value
    double launch_effect = 0.2; ///< of all values of a launch
    std::int64_t longest = 1 << 20;
    double step = 2; ///< factor between lengths
    bool simulated = false;
    std::vector<std::size_t> slow_launches = {}; ///< in which everything takes three times as long
};

AlgorithmGroup invented_group(const std::vector<InventedAlgorithm>& algorithms, const StudyDesign& design,
                              unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    AlgorithmGroup group;
    group.operation = "MPI_Bcast";
    group.ranks = 16;
    group.simulated = design.simulated;
    group.launches = design.launches;
    int number = 0;
    for (const InventedAlgorithm& each : algorithms)
        group.members.push_back(
            {each.word, number++, "open mpi tuned", std::vector<LaunchValues>(design.launches)});
    for (std::size_t launch = 0; launch < design.launches; ++launch) {
        double factor = std::exp(design.launch_effect * normal(random));
        if (std::ranges::find(design.slow_launches, launch) != design.slow_launches.end())
            factor *= 3;
        for (double length = 1; length <= static_cast<double>(design.longest); length *= design.step)
            for (std::size_t m = 0; m < algorithms.size(); ++m) {
                const auto bytes = static_cast<std::int64_t>(std::llround(length));
                group.members[m].launches[launch][bytes] = algorithms[m].time(static_cast<double>(bytes)) *
                                                           factor * std::exp(design.noise * normal(random));
            }
    }
    return group;
}

TimeOf latency_and_rate(double latency_us, double ns_per_byte) {
    return [=](double bytes) { return latency_us * 1e-6 + ns_per_byte * 1e-9 * bytes; };
}

std::vector<const WinnerRegion*> regions_with_rule(const AlgorithmWinners& winners) {
    std::vector<const WinnerRegion*> rules;
    for (const WinnerRegion& region : winners.regions)
        if (region.why_not == WhyNot::none)
            rules.push_back(&region);
    return rules;
}

} // namespace

TEST_CASE("algorithms that take the time of the fastest one are named with it") {
    const TimeOf usual = latency_and_rate(4, 1);
    const TimeOf fast = latency_and_rate(2, 0.5);
    for (const bool simulated : {false, true}) {
        CAPTURE(simulated);
        const AlgorithmGroup group = invented_group(
            {{"", usual}, {"a", fast}, {"slower", latency_and_rate(2.2, 0.56)}, {"b", fast}},
            {.launches = simulated ? 1U : 8U, .noise = simulated ? 0 : 0.01, .simulated = simulated});
        const AlgorithmWinners winners = judge_algorithms(group);
        const auto rules = regions_with_rule(winners);
        REQUIRE(rules.size() == 1);
        const std::size_t other = rules.front()->candidate == 1 ? 3 : 1;
        CHECK(rules.front()->as_fast == std::vector<std::size_t>{other});
    }
}

TEST_CASE("an algorithm that crosses the default gets the lengths above the crossing") {
    // equal at 4,000 bytes
    const AlgorithmGroup group =
        invented_group({{"", latency_and_rate(2, 1)}, {"ring", latency_and_rate(4, 0.5)}}, {});
    const AlgorithmWinners winners = judge_algorithms(group);
    const auto rules = regions_with_rule(winners);
    REQUIRE(rules.size() == 1);
    CHECK(rules.front()->bytes_low >= 4097);
    CHECK(rules.front()->bytes_low <= 8192);
    CHECK(rules.front()->bytes_high == 1 << 20);
    CHECK(rules.front()->from_low >= 4096);
    CHECK(rules.front()->statement.subject == 8);
    CHECK(rules.front()->statement.high > rules.front()->statement.ratio);
    CHECK(1 / rules.front()->statement.high - 1 > 0.3);
    CHECK_FALSE(winners.keeps_default());
    SUBCASE("and the border is looked for between two measured lengths") {
        REQUIRE(winners.open_borders.size() == 1);
        const OpenBorder& border = winners.open_borders.front();
        CHECK(border.bytes > rules.front()->from_low);
        CHECK(border.bytes < winners.points[rules.front()->first].bytes);
        CHECK(border.below == 0);
        CHECK(border.above == 1);
        CHECK(border.members == std::vector<std::size_t>{1});
    }
    SUBCASE("but it is none for all lengths") {
        CHECK(winners.for_all.member == 0);
        CHECK(winners.for_all.why_not == WhyNot::default_is_best);
    }
}

TEST_CASE("algorithms that take the default's time give no rule in any of 40 studies") {
    for (unsigned seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        const AlgorithmGroup group = invented_group({{"", latency_and_rate(2, 1)},
                                                     {"a", latency_and_rate(2, 1)},
                                                     {"b", latency_and_rate(2, 1)},
                                                     {"c", latency_and_rate(2.2, 1.1)}},
                                                    {.launches = 5, .noise = 0.05}, seed);
        const AlgorithmWinners winners = judge_algorithms(group);
        CHECK(winners.keeps_default());
        CHECK(winners.for_all.why_not != WhyNot::none);
    }
}

TEST_CASE("what the default does is found by its times, range by range") {
    const TimeOf usual = [](double bytes) {
        return bytes < 2000 ? 2e-6 + bytes * 1e-9 : 3e-6 + bytes * 0.4e-9;
    };
    const AlgorithmGroup group = invented_group(
        {{"", usual}, {"binomial", latency_and_rate(2, 1)}, {"ring", latency_and_rate(3, 0.4)}},
        {.noise = 0.002});
    const AlgorithmWinners winners = judge_algorithms(group);
    REQUIRE(winners.default_is.size() == 2);
    CHECK(winners.default_is.front() == DefaultIs{1, 1024, {"binomial"}});
    CHECK(winners.default_is.back() == DefaultIs{2048, 1 << 20, {"ring"}});
    CHECK(winners.effects[0] == AlgorithmEffect{0, 21});
    CHECK(winners.effects[1].different == 10);
    CHECK(winners.effects[2].lengths == 21);
}

TEST_CASE("lengths that are alike or unlike the default by chance make no ranges") {
    // ring is the default from 64 B on; chance makes it unlike at some lengths, and others alike at some.
    AlgorithmRatios ring{"ring", {}};
    AlgorithmRatios binomial{"binomial", {}};
    int number = 0;
    for (std::int64_t bytes = 1; bytes <= 1 << 20; bytes *= 2, ++number) {
        const bool is_default = bytes >= 64 && number % 6 != 3;
        ring.at[bytes] = {is_default ? 0.002 : 0.06, 0.004};
        binomial.at[bytes] = {number % 7 == 2 ? 0.001 : 0.2, 0.004};
    }
    CHECK(default_is({ring, binomial}) == std::vector<DefaultIs>{{64, 1 << 20, {"ring"}}});
    // Of a single length it is all that there is.
    CHECK(default_is({{"ring", {{8192, {0.002, 0.004}}}}, {"binomial", {{8192, {0.3, 0.004}}}}}) ==
          std::vector<DefaultIs>{{8192, 8192, {"ring"}}});
    // Simulated times do not scatter: each length counts.
    for (auto* const algorithm : {&ring, &binomial})
        for (auto& [bytes, ratio] : algorithm->at)
            ratio.standard_error = 0;
    CHECK(default_is({ring, binomial}).size() > 4);
}

TEST_CASE("an algorithm is not the fastest at a length where others were measured and it was not") {
    // Steps: between 1,024 and 2,048 bytes the line of "steps" runs below "steady", its times do not.
    AlgorithmGroup group = invented_group({{"", latency_and_rate(4, 1)},
                                           {"steady", latency_and_rate(1, 1)},
                                           {"steps", latency_and_rate(1.2, 0.9)}},
                                          {.launches = 1, .noise = 0, .launch_effect = 0, .simulated = true});
    for (const std::int64_t bytes : {1200, 1400, 1600})
        for (const std::size_t member : {0, 1})
            group.members[member].launches.front()[bytes] =
                (member == 0 ? 4e-6 : 1e-6) + 0.5e-9 * static_cast<double>(bytes);
    const AlgorithmWinners winners = judge_algorithms(group);
    for (const WinnerPoint& point : winners.points)
        if (point.bytes == 1200 || point.bytes == 1400 || point.bytes == 1600) {
            CAPTURE(point.bytes);
            CHECK(point.best == 1);
            REQUIRE(point.members[2]);
            CHECK(point.members[2]->log_ratio >= point.members[1]->log_ratio);
        }
}

TEST_CASE("of times that scatter much nobody says what the default does, and no border is looked for") {
    const AlgorithmGroup group = invented_group(
        {{"", latency_and_rate(2, 1)}, {"a", latency_and_rate(2, 1)}, {"b", latency_and_rate(2, 1)}},
        {.noise = 0.5});
    const AlgorithmWinners winners = judge_algorithms(group);
    CHECK(winners.default_is.empty());
    CHECK(winners.open_borders.empty());
    CHECK(winners.keeps_default());
}

TEST_CASE("a launch in another state of the machine changes no ratio") {
    const std::vector<InventedAlgorithm> algorithms{{"", latency_and_rate(2, 1)},
                                                    {"ring", latency_and_rate(4, 0.5)}};
    const AlgorithmGroup all = invented_group(algorithms, {});
    const AlgorithmGroup some = invented_group(algorithms, {.slow_launches = {2, 5}});
    const AlgorithmWinners undisturbed = judge_algorithms(all);
    const AlgorithmWinners disturbed = judge_algorithms(some);
    REQUIRE(regions_with_rule(undisturbed).size() == 1);
    REQUIRE(regions_with_rule(disturbed).size() == 1);
    CHECK(regions_with_rule(disturbed).front()->bytes_low ==
          regions_with_rule(undisturbed).front()->bytes_low);
    CHECK(regions_with_rule(disturbed).front()->gain() ==
          doctest::Approx(regions_with_rule(undisturbed).front()->gain()));
}

TEST_CASE("fewer than five launches give no rule, and say so") {
    const AlgorithmGroup group =
        invented_group({{"", latency_and_rate(2, 1)}, {"ring", latency_and_rate(1, 0.5)}}, {.launches = 3});
    const AlgorithmWinners winners = judge_algorithms(group);
    REQUIRE(winners.regions.size() == 1);
    CHECK(winners.regions.front().why_not == WhyNot::few_launches);
    CHECK(winners.regions.front().gain() == doctest::Approx(1).epsilon(0.05));
    CHECK(winners.keeps_default());
    SUBCASE("simulations need one") {
        const AlgorithmGroup simulated =
            invented_group({{"", latency_and_rate(2, 1)}, {"ring", latency_and_rate(1, 0.5)}},
                           {.launches = 1, .noise = 0, .simulated = true});
        CHECK(regions_with_rule(judge_algorithms(simulated)).size() == 1);
    }
}

TEST_CASE("a region shorter than an octave needs a large gain") {
    const auto bump = [](double factor) {
        return
            [=](double bytes) { return (2e-6 + bytes * 1e-9) * (bytes > 3000 && bytes < 5000 ? factor : 1); };
    };
    const AlgorithmGroup small = invented_group({{"", bump(1.15)}, {"ring", latency_and_rate(2, 1)}}, {});
    CHECK(judge_algorithms(small).keeps_default());
    const AlgorithmGroup large = invented_group({{"", bump(1.5)}, {"ring", latency_and_rate(2, 1)}}, {});
    const AlgorithmWinners winners = judge_algorithms(large);
    REQUIRE(regions_with_rule(winners).size() == 1);
    CHECK(regions_with_rule(winners).front()->bytes_low == 4096);
    CHECK(regions_with_rule(winners).front()->bytes_high == 4096);
}

TEST_CASE("two algorithms that take turns within their noise are one region") {
    const AlgorithmGroup group = invented_group(
        {{"", latency_and_rate(4, 2)}, {"a", latency_and_rate(2, 1)}, {"b", latency_and_rate(2.001, 1.001)}},
        {.noise = 0.02}, 3);
    const AlgorithmWinners winners = judge_algorithms(group);
    CHECK(winners.regions.size() <= 2);
    CHECK(winners.for_all.why_not == WhyNot::none);
    CHECK(winners.for_all.gain() == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("the choice loses at most 1 % against the best at unseen lengths") {
    const std::vector<InventedAlgorithm> algorithms{
        {"", latency_and_rate(3, 1.5)},
        {"a", latency_and_rate(1, 3)},
        {"b", latency_and_rate(4, 0.6)},
        {"c", [](double bytes) { return 2e-6 + 3e-8 * std::sqrt(bytes) + 1e-9 * bytes; }}};
    AlgorithmGroup group = invented_group(algorithms, {.launches = 1, .noise = 0, .simulated = true});
    // As a study does: the lengths that are asked for are measured.
    for (int round = 0; round < 8; ++round) {
        const AlgorithmWinners winners = judge_algorithms(group);
        for (const OpenBorder& border : winners.open_borders)
            for (std::size_t m = 0; m < algorithms.size(); ++m)
                group.members[m].launches.front()[border.bytes] =
                    algorithms[m].time(static_cast<double>(border.bytes));
    }
    const AlgorithmWinners winners = judge_algorithms(group);
    CHECK(winners.open_borders.empty());
    std::mt19937 random(5);
    std::uniform_real_distribution<double> octave(0, 20);
    int good = 0;
    for (int i = 0; i < 200; ++i) {
        const double bytes = std::floor(std::exp2(octave(random)));
        std::size_t chosen = 0;
        for (const WinnerRegion& region : winners.regions)
            if (region.why_not == WhyNot::none && bytes >= static_cast<double>(region.bytes_low) &&
                bytes <= static_cast<double>(region.bytes_high))
                chosen = region.member;
        double best = 1;
        for (const InventedAlgorithm& each : algorithms)
            best = std::min(best, each.time(bytes));
        // A gain below the smallest that is asked for is none.
        if (algorithms[0].time(bytes) < 1.05 * best)
            best = algorithms[0].time(bytes);
        good += algorithms[chosen].time(bytes) <= 1.01 * best ? 1 : 0;
    }
    CHECK(good >= 198);
}

TEST_CASE("a rule holds between two numbers of ranks that have the same winner, and nowhere else") {
    const auto group_of = [](int ranks, const TimeOf& ring) {
        AlgorithmGroup group =
            invented_group({{"", latency_and_rate(4, 2)}, {"ring", ring}}, {}, static_cast<unsigned>(ranks));
        group.ranks = ranks;
        return group;
    };
    const AlgorithmGroup four = group_of(4, latency_and_rate(2, 1));
    const AlgorithmGroup sixteen = group_of(16, latency_and_rate(8, 1));
    const AlgorithmGroup many = group_of(64, latency_and_rate(8, 4));
    const std::vector<TuningRule> rules =
        tuning_rules({judge_algorithms(four), judge_algorithms(sixteen), judge_algorithms(many)});
    const auto written_for = [&](std::int64_t ranks, std::int64_t bytes) {
        return std::ranges::any_of(rules, [&](const TuningRule& rule) {
            return rule.written && rule.ranks_low <= ranks && ranks <= rule.ranks_high &&
                   rule.bytes_low <= bytes && bytes <= rule.bytes_high;
        });
    };
    CHECK(written_for(4, 16));
    CHECK(written_for(8, 65536));
    CHECK_FALSE(written_for(8, 16)); // at 16 ranks the default is better there
    CHECK(written_for(16, 65536));
    CHECK_FALSE(written_for(32, 65536));
    CHECK_FALSE(written_for(64, 65536));
    CHECK_FALSE(written_for(2, 65536));
}
