#include "analysis/change_point.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

using namespace skampi;

namespace {

using Random = std::mt19937_64;
using Series = std::vector<double>;

constexpr std::size_t year = 365;
constexpr double launch_noise = 0.02;

/// Launches whose noise is shared with the launch before (0 = nothing of it).
Series launches(Random& random, std::size_t count, double shared) {
    std::normal_distribution<double> normal;
    Series values(count);
    double noise = normal(random);
    for (double& value : values) {
        noise = shared * noise + std::sqrt(1 - shared * shared) * normal(random);
        value = 1 + launch_noise * noise;
    }
    return values;
}

Series heavy_tails(Random& random) {
    std::student_t_distribution<double> two_degrees(2);
    Series values(year);
    for (double& value : values)
        value = std::exp(launch_noise * two_degrees(random));
    return values;
}

/// A machine that is in another state with every so many launches, on average.
Series two_states(Random& random, double stay, double distance) {
    Series values = launches(random, year, 0);
    std::uniform_real_distribution<double> uniform;
    bool slow = false;
    for (double& value : values) {
        slow = uniform(random) < 1 / stay ? !slow : slow;
        value *= slow ? 1 + distance : 1;
    }
    return values;
}

/// Up and down once a year.
Series drifting(Random& random) {
    Series values = launches(random, year, 0.2);
    constexpr double amplitude = 0.007;
    for (std::size_t i = 0; i < year; ++i)
        values[i] *= 1 + amplitude * std::sin(2 * std::numbers::pi * static_cast<double>(i) / year);
    return values;
}

/// In how many of so many series a step is reported.
int alarms(const std::function<Series(Random&)>& invent, int series) {
    Random random(20261122);
    int found = 0;
    for (int i = 0; i < series; ++i)
        found += find_changes(invent(random)).empty() ? 0 : 1;
    return found;
}

bool found_near(const std::vector<ChangePoint>& changes, std::size_t at, std::size_t reach) {
    return std::ranges::any_of(changes, [&](const ChangePoint& change) {
        return change.at + reach >= at && change.at <= at + reach;
    });
}

/// In which share of cases a step far above the noise in the middle of so few launches is found.
double found_in_the_middle(std::size_t count) {
    Random random(99);
    constexpr int cases = 200;
    int found = 0;
    for (int i = 0; i < cases; ++i) {
        Series values = launches(random, count, 0);
        for (std::size_t at = count / 2; at < count; ++at)
            values[at] *= 1.5;
        found += find_changes(values).empty() ? 0 : 1;
    }
    return static_cast<double>(found) / cases;
}

} // namespace

TEST_CASE("of a year of daily runs without a step at most one series in a hundred has one reported") {
    // The true rates, from 2,000 series each, are 0.1 to 0.6 %: of 200 series four are improbable then.
    constexpr int series = 200;
    constexpr int most = 4;
    CHECK(alarms([](Random& random) { return launches(random, year, 0); }, series) <= most);
    CHECK(alarms([](Random& random) { return launches(random, year, 0.3); }, series) <= most);
    CHECK(alarms([](Random& random) { return launches(random, year, 0.5); }, series) <= most);
    CHECK(alarms(heavy_tails, series) <= most);
    CHECK(alarms(drifting, series) <= most);
}

TEST_CASE("two states of a machine that alternate are no steps") {
    constexpr int series = 100;
    constexpr int most = 3;
    for (const double stay : {2.0, 5.0, 15.0})
        for (const double distance : {0.1, 0.5})
            CHECK_MESSAGE(
                alarms([=](Random& random) { return two_states(random, stay, distance); }, series) <= most,
                "stays for ", stay, " runs, distance ", distance);
}

TEST_CASE("a step that both states of an alternating machine share is found") {
    Random random(1);
    int found = 0;
    constexpr int series = 40;
    for (int i = 0; i < series; ++i) {
        Series values = two_states(random, 5, 0.5);
        for (std::size_t day = 200; day < year; ++day)
            values[day] *= 1.05;
        found += found_near(find_changes(values), 200, 4) ? 1 : 0;
    }
    CHECK(found >= series * 8 / 10);
}

TEST_CASE("a lasting step of 5 % with 2 % of noise is found within 20 runs in nine of ten cases") {
    const auto power = [](std::size_t behind) {
        Random random(2);
        int found = 0;
        for (int i = 0; i < 100; ++i) {
            Series values = launches(random, 60 + behind, 0);
            for (std::size_t day = 60; day < values.size(); ++day)
                values[day] *= 1.05;
            found += found_near(find_changes(values), 60, 5) ? 1 : 0;
        }
        return found;
    };
    CHECK(power(10) >= 50);
    CHECK(power(15) >= 78);
    CHECK(power(20) >= 90);
}

TEST_CASE("of several steps each is found at its place with the levels beside it") {
    Random random(3);
    Series values = launches(random, year, 0.2);
    for (std::size_t day = 100; day < year; ++day)
        values[day] *= day < 130 ? 1.2 : day < 300 ? 1.0 : 0.8;
    const std::vector<ChangePoint> changes = find_changes(values);
    REQUIRE(changes.size() == 3);
    CHECK(changes[0].at == 100);
    CHECK(changes[1].at == 130);
    CHECK(found_near(changes, 300, 1));
    CHECK(changes[0].before == doctest::Approx(1).epsilon(0.01));
    CHECK(changes[0].after == doctest::Approx(1.2).epsilon(0.01));
    CHECK(changes[1].before == doctest::Approx(1.2).epsilon(0.01));
    CHECK(changes[2].after == doctest::Approx(0.8).epsilon(0.01));
}

TEST_CASE("a few bad runs are no lasting step, however bad") {
    Random random(4);
    Series values = launches(random, year, 0);
    for (std::size_t day = 200; day < 204; ++day)
        values[day] *= 100;
    values[364] = 100;
    CHECK(find_changes(values).empty());
}

TEST_CASE("a step does not depend on the unit, nor on which way is up") {
    Random random(5);
    Series values = launches(random, 100, 0);
    for (std::size_t day = 50; day < 100; ++day)
        values[day] *= 1.1;
    Series inverse;
    for (const double value : values)
        inverse.push_back(1e9 / value);
    const std::vector<ChangePoint> changes = find_changes(values);
    const std::vector<ChangePoint> mirrored = find_changes(inverse);
    REQUIRE(changes.size() == 1);
    REQUIRE(mirrored.size() == 1);
    CHECK(changes[0].at == 50);
    CHECK(mirrored[0].at == 50);
    CHECK(mirrored[0].strength == doctest::Approx(changes[0].strength));
}

TEST_CASE("few values, equal ones and none have no step; equal ones of two kinds have one") {
    CHECK(find_changes({}).empty());
    CHECK(find_changes(Series{1, 2, 3}).empty());
    CHECK(find_changes(Series(year, 1.0)).empty());
    Series exact(40, 1.0);
    std::fill(exact.begin() + 17, exact.end(), 2.0);
    const std::vector<ChangePoint> changes = find_changes(exact);
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].at == 17);
    CHECK(changes[0].before == 1);
    CHECK(changes[0].after == 2);
}

TEST_CASE("of fewer launches than are asked for not even a large step is found in most cases") {
    CHECK(found_in_the_middle(least_for_a_step) > 0.75);
    CHECK(found_in_the_middle(least_for_a_step - 4) < 0.5);
}
