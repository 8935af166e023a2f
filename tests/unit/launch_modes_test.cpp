#include "close_to.hpp"
#include "merge/launch_modes.hpp"

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

} // namespace

TEST_CASE("two modes far apart are told, with the bound between them") {
    const auto bounds = mode_bounds(of_launches({0.13, 0.131, 0.55, 0.132, 0.56, 0.129}));
    REQUIRE(bounds.size() == 1);
    CHECK(bounds[0] == close_to(std::sqrt(0.132 * 0.55)));
    CHECK(mode_of(0.13, bounds) == 0);
    CHECK(mode_of(0.55, bounds) == 1);
    CHECK(mode_of(bounds[0], bounds) == 1);
}

TEST_CASE("three modes are told") {
    const auto bounds = mode_bounds(of_launches({1, 1.01, 2, 2.01, 4, 4.1}));
    REQUIRE(bounds.size() == 2);
    CHECK(mode_of(1, bounds) == 0);
    CHECK(mode_of(2, bounds) == 1);
    CHECK(mode_of(9, bounds) == 2);
}

TEST_CASE("one launch alone never makes a mode, however often it saw it") {
    CHECK(mode_bounds(of_launches({1, 1.01, 1.02, 5})).empty());
    std::vector<Observation> observations = of_launches({1, 1.01, 1.02});
    for (int batch = 0; batch < 9; ++batch)
        observations.push_back({3, 5 + 0.01 * batch});
    CHECK(mode_bounds(observations).empty());
    observations.push_back({4, 5.1});
    CHECK(mode_bounds(observations).size() == 1);
    SUBCASE("two that are alone each are none either, and the others stay together") {
        const auto bounds = mode_bounds(of_launches({0.2, 1, 1.01, 2, 2.01, 9}));
        REQUIRE(bounds.size() == 1);
        CHECK(mode_of(0.2, bounds) == 0);
        CHECK(mode_of(9, bounds) == 1);
    }
}

TEST_CASE(
    "what a few launches saw between two modes, or far beyond them, neither fills the gap nor makes a mode") {
    std::vector<Observation> observations;
    for (std::size_t run = 0; run < 30; ++run)
        for (int i = 0; i < 40; ++i)
            observations.push_back({run, (run % 3 == 0 ? 1.4 : 0.4) * (1 + 0.003 * i)});
    REQUIRE(mode_bounds(observations).size() == 1);
    // Two launches whose measurements saw both, four where a rank waited for its core.
    for (const std::size_t run : {2u, 5u})
        for (int i = 0; i < 16; ++i)
            observations.push_back({run, 0.5 * std::pow(2.6, i / 16.0)});
    for (const std::size_t run : {3u, 5u, 7u, 9u})
        for (int i = 0; i < 3; ++i)
            observations.push_back({run, 8000.0 + 100 * i});
    const auto bounds = mode_bounds(observations);
    REQUIRE(bounds.size() == 1);
    CHECK(bounds[0] > 0.5);
    CHECK(bounds[0] < 1.3);
    SUBCASE("but of few launches two make a mode, though they were in it for a quarter of the time") {
        std::vector<Observation> few;
        for (std::size_t run = 0; run < 5; ++run)
            for (int i = 0; i < 40; ++i)
                few.push_back({run, run < 2 && i % 4 == 0 ? 1.4 : 0.4});
        CHECK(mode_bounds(few).size() == 1);
    }
}

TEST_CASE("a gap is one between modes from a ratio of 1.4 on") {
    CHECK(mode_bounds(of_launches({1, 1, 1.39, 1.39})).empty());
    CHECK(mode_bounds(of_launches({1, 1, 1.4, 1.4})).size() == 1);
}

TEST_CASE("a gap that is no larger than the spread beside it is none between modes") {
    // Every value 1.3 times the former, and once 1.5 times.
    CHECK(mode_bounds(of_launches({1, 1.3, 1.69, 2.2, 3.3, 4.3, 5.6})).empty());
    CHECK(mode_bounds(of_launches({1, 1.01, 1.02, 1.03, 1.55, 1.56, 1.57})).size() == 1);
}

TEST_CASE("nothing, and one launch, have one mode") {
    CHECK(mode_bounds({}).empty());
    CHECK(mode_bounds(of_launches({1})).empty());
    CHECK(mode_of(1, {}) == 0);
}

TEST_CASE("hardly ever is a mode invented in launches of one mode, be they heavy-tailed") {
    std::mt19937_64 random(5);
    std::student_t_distribution<double> heavy(3);
    std::exponential_distribution<double> slow(1 / 0.1);
    std::uniform_int_distribution<int> launches(5, 30);
    int invented = 0;
    for (int series = 0; series < 1000; ++series) {
        std::vector<double> signals;
        for (int launch = launches(random); launch > 0; --launch)
            signals.push_back(std::exp(0.02 * heavy(random) + slow(random)));
        invented += mode_bounds(of_launches(signals)).empty() ? 0 : 1;
    }
    CHECK(invented <= 10);
}

TEST_CASE("modes of launches are found with their shares") {
    std::mt19937_64 random(6);
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<int> launches(2, 15);
    for (int series = 0; series < 1000; ++series) {
        const int fast = launches(random);
        const int slow = launches(random);
        std::vector<double> signals;
        for (int launch = 0; launch < fast + slow; ++launch)
            signals.push_back((launch < fast ? 0.13 : 0.55) * std::exp(0.02 * normal(random)));
        const auto bounds = mode_bounds(of_launches(signals));
        REQUIRE(bounds.size() == 1);
        for (int launch = 0; launch < fast + slow; ++launch)
            REQUIRE(mode_of(signals[static_cast<std::size_t>(launch)], bounds) == (launch < fast ? 0 : 1));
    }
}
