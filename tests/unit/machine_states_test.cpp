// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/machine_states.hpp"

#include "close_to.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace skampi;

namespace {

/// One observation of each launch.
std::vector<Observation> of_launches(const std::vector<double>& signals) {
    std::vector<Observation> observations;
    for (std::size_t run = 0; run < signals.size(); ++run)
        observations.push_back({run, signals[run]});
    return observations;
}

std::vector<double> bounds_of(const std::vector<Observation>& observations) {
    return state_bounds(observations, {});
}

std::vector<double> bounds_of(const std::vector<double>& signals) {
    return bounds_of(of_launches(signals));
}

/// Signals of launches around 1.
using Draw = double (*)(std::mt19937_64& random, double deviation);

double normal(std::mt19937_64& random, double deviation) {
    return std::max(0.2, 1 + deviation * std::normal_distribution<double>()(random));
}
double lognormal(std::mt19937_64& random, double deviation) {
    return std::exp(deviation * std::normal_distribution<double>()(random));
}
double heavy_tailed(std::mt19937_64& random, double deviation) {
    return std::exp(deviation / std::sqrt(3) * std::student_t_distribution<double>(3)(random));
}
double gamma(std::mt19937_64& random, double deviation) {
    const double variance = deviation * deviation;
    return std::gamma_distribution<double>(1 / variance, variance)(random);
}

} // namespace

TEST_CASE("two states far apart are found, with the bound between them") {
    const auto bounds = bounds_of({0.13, 0.131, 0.55, 0.132, 0.56, 0.129});
    REQUIRE(bounds.size() == 1);
    CHECK(bounds[0] == close_to(std::sqrt(0.132 * 0.55)));
    CHECK(state_of(0.13, bounds) == 0);
    CHECK(state_of(0.55, bounds) == 1);
    CHECK(state_of(bounds[0], bounds) == 1);
}

TEST_CASE("three states are found, and four") {
    const auto bounds = bounds_of({1, 1.01, 2, 2.01, 4, 4.1});
    REQUIRE(bounds.size() == 2);
    CHECK(state_of(1, bounds) == 0);
    CHECK(state_of(2, bounds) == 1);
    CHECK(state_of(9, bounds) == 2);
    CHECK(bounds_of({1, 1.01, 1.02, 1.4, 1.41, 1.42, 8, 8.1, 8.05, 11, 11.1, 11.2}).size() == 3);
}

TEST_CASE("one launch in another state than four that agree is a state; of fewer, or nearer, it is none") {
    CHECK(bounds_of({1, 1.01, 1.02, 5}).empty());
    CHECK(bounds_of({1, 1.01, 1.02, 1.005, 5}).size() == 1);
    CHECK(bounds_of({1, 1.01, 1.02, 1.005, 1.2}).empty());
    CHECK(bounds_of({1, 1.2, 0.9, 1.1, 1.6}).empty()); // they do not agree
    std::vector<Observation> observations = of_launches({1, 1.01, 1.02});
    for (int batch = 0; batch < 9; ++batch)
        observations.push_back({3, 5 + 0.01 * batch});
    CHECK(bounds_of(observations).empty()); // it is still one launch
    observations.push_back({4, 5.1});
    CHECK(bounds_of(observations).size() == 1);
    SUBCASE("a value is no evidence against itself") {
        CHECK(state_bounds(of_launches({1, 1.01, 1.02, 1.005, 5}), values_alone).empty());
        CHECK(state_bounds(of_launches({1, 1.01, 1.02, 1.005, 5, 5.1}), values_alone).size() == 1);
    }
}

TEST_CASE(
    "what a few launches saw between two states, or far beyond them, neither fills the gap nor is a state") {
    std::vector<Observation> observations;
    for (std::size_t run = 0; run < 30; ++run)
        for (int i = 0; i < 40; ++i)
            observations.push_back({run, (run % 3 == 0 ? 1.4 : 0.4) * (1 + 0.003 * i)});
    REQUIRE(bounds_of(observations).size() == 1);
    // Two launches whose measurements saw both, four where a rank waited for its core.
    for (const std::size_t run : {2u, 5u})
        for (int i = 0; i < 16; ++i)
            observations.push_back({run, 0.5 * std::pow(2.6, i / 16.0)});
    for (const std::size_t run : {3u, 5u, 7u, 9u})
        for (int i = 0; i < 3; ++i)
            observations.push_back({run, 8000.0 + 100 * i});
    const auto bounds = bounds_of(observations);
    REQUIRE(bounds.size() == 1);
    CHECK(bounds[0] > 0.5);
    CHECK(bounds[0] < 1.3);
    SUBCASE("but of few launches two make a state, though they were in it for a quarter of the time") {
        std::vector<Observation> few;
        for (std::size_t run = 0; run < 5; ++run)
            for (int i = 0; i < 40; ++i)
                few.push_back({run, run < 2 && i % 4 == 0 ? 1.4 : 0.4});
        CHECK(bounds_of(few).size() == 1);
    }
}

TEST_CASE("nothing, one launch and equal launches have one state") {
    CHECK(bounds_of(std::vector<double>{}).empty());
    CHECK(bounds_of(std::vector<double>{1}).empty());
    CHECK(bounds_of({1.0, 1.0, 1.0, 1.0, 1.0}).empty());
    CHECK(state_of(1, {}) == 0);
}

TEST_CASE("bounds do not depend on the order of the launches") {
    std::mt19937_64 random(8);
    for (int series = 0; series < 50; ++series) {
        std::vector<double> signals;
        for (int launch = 0; launch < 25; ++launch)
            signals.push_back((launch % 3 == 0 ? 1.5 : 1) * lognormal(random, 0.06));
        const auto bounds = bounds_of(signals);
        std::ranges::shuffle(signals, random);
        CHECK(bounds_of(signals) == bounds);
    }
}

TEST_CASE("hardly ever is a state invented in launches of one state, however they are distributed") {
    std::mt19937_64 random(5);
    for (const Draw draw : {normal, lognormal, heavy_tailed, gamma})
        for (const double deviation : {0.02, 0.1})
            for (const int launches : {5, 10, 40, 60}) {
                CAPTURE(deviation);
                CAPTURE(launches);
                int invented = 0;
                for (int series = 0; series < 200; ++series) {
                    std::vector<double> signals;
                    for (int launch = 0; launch < launches; ++launch)
                        signals.push_back(draw(random, deviation));
                    invented += bounds_of(signals).empty() ? 0 : 1;
                }
                CHECK(invented <= 5); // of 200 with a probability of 1 %: more in 2 of 100 cases
            }
}

/// As where other work delays some launches.
TEST_CASE("hardly ever is a state invented where launches are skewed and heavy-tailed") {
    std::mt19937_64 random(5);
    std::student_t_distribution<double> heavy(3);
    std::exponential_distribution<double> slow(1 / 0.05);
    std::uniform_int_distribution<int> launches(5, 30);
    int invented = 0;
    for (int series = 0; series < 1000; ++series) {
        std::vector<double> signals;
        for (int launch = launches(random); launch > 0; --launch)
            signals.push_back(std::exp(0.02 * heavy(random) + slow(random)));
        invented += bounds_of(signals).empty() ? 0 : 1;
    }
    CHECK(invented <= 10);
}

TEST_CASE("states are found with their launches, and more launches find them better") {
    struct States {
        int fast;
        int slow;
        double ratio;
        double deviation;
    };
    for (const States& each :
         {States{2, 2, 4, 0.02}, States{5, 1, 4, 0.02}, States{3, 3, 2, 0.05}, States{20, 20, 1.6, 0.08},
          States{6, 4, 1.25, 0.02}, States{30, 3, 1.4, 0.04}, States{900, 100, 1.4, 0.03}}) {
        CAPTURE(each.fast);
        CAPTURE(each.ratio);
        std::mt19937_64 random(6);
        int found = 0;
        constexpr int all_series = 100;
        for (int series = 0; series < all_series; ++series) {
            std::vector<double> signals;
            for (int launch = 0; launch < each.fast + each.slow; ++launch)
                signals.push_back((launch < each.fast ? 1 : each.ratio) * lognormal(random, each.deviation));
            const auto bounds = bounds_of(signals);
            found += bounds.size() == 1 && bounds[0] > 1 && bounds[0] < each.ratio ? 1 : 0;
        }
        CHECK(found >= 0.95 * all_series);
    }
}
