// SPDX-License-Identifier: GPL-2.0-or-later
#include "skalib/modes.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <random>
#include <stdexcept>
#include <vector>

using namespace skalib;

namespace {

/// Probes around given levels with 3 % noise, shuffled.
std::vector<double> probes(const std::vector<std::pair<double, int>>& levels, unsigned seed = 7) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(1, 0.03);
    std::vector<double> values;
    for (const auto& [level_s, count] : levels)
        for (int i = 0; i < count; ++i)
            values.push_back(level_s * noise(random));
    std::shuffle(values.begin(), values.end(), random);
    return values;
}

} // namespace

TEST_CASE("near and far placement are two modes") {
    const ModeSplit split(probes({{0.3e-6, 70}, {1.4e-6, 30}}));
    REQUIRE(split.count() == 2);
    CHECK(split.mode(0.3e-6) == 0);
    CHECK(split.mode(1.4e-6) == 1);
    CHECK(split.mode(0.1e-6) == 0);
    CHECK(split.mode(9e-6) == 1);
}

TEST_CASE("noise around one level is one mode") {
    CHECK(ModeSplit(probes({{0.3e-6, 500}})).count() == 1);
    CHECK(ModeSplit(std::vector<double>(100, 0.3e-6)).count() == 1);
}

TEST_CASE("a single slow or fast probe is not a mode") {
    CHECK(ModeSplit(probes({{0.3e-6, 200}, {30e-6, 1}})).count() == 1);
    CHECK(ModeSplit(probes({{0.3e-6, 200}, {0.01e-6, 1}})).count() == 1);
    SUBCASE("in a small sample neither") {
        CHECK(ModeSplit(std::vector<double>{1, 1, 1, 5}).count() == 1);
        CHECK(ModeSplit(std::vector<double>{1, 5}).count() == 1);
    }
    SUBCASE("and does not hide the modes beside it") {
        const ModeSplit split(probes({{0.3e-6, 100}, {1.4e-6, 100}, {30e-6, 1}}));
        REQUIRE(split.count() == 2);
        CHECK(split.mode(30e-6) == 1);
    }
    SUBCASE("even between them") {
        CHECK(ModeSplit(probes({{0.3e-6, 100}, {0.65e-6, 1}, {1.4e-6, 100}})).count() == 2);
    }
}

TEST_CASE("three states are three modes, numbered from the fastest") {
    const ModeSplit split(probes({{4e-6, 50}, {0.3e-6, 50}, {1.4e-6, 50}}));
    REQUIRE(split.count() == 3);
    CHECK(split.mode(0.3e-6) == 0);
    CHECK(split.mode(1.4e-6) == 1);
    CHECK(split.mode(4e-6) == 2);
}

TEST_CASE("beyond the largest number of modes the largest gaps count") {
    const auto values = probes({{1, 50}, {1.7, 50}, {20, 50}});
    const ModeSplit split(values, 1.4, 0.02, 2);
    REQUIRE(split.count() == 2);
    CHECK(split.mode(1) == split.mode(1.7));
    CHECK(split.mode(1) != split.mode(20));
    CHECK(ModeSplit(values, 1.4, 0.02, 1).count() == 1);
}

TEST_CASE("levels closer than the ratio are one mode") {
    CHECK(ModeSplit(std::vector<double>{1, 1, 1, 1.3, 1.3, 1.3}).count() == 1);
    CHECK(ModeSplit(std::vector<double>{1, 1, 1, 1.5, 1.5, 1.5}).count() == 2);
    CHECK(ModeSplit(std::vector<double>{1, 1, 1, 1.5, 1.5, 1.5}, 1.6).count() == 1);
}

TEST_CASE("the order of the probes makes no difference") {
    auto values = probes({{0.3e-6, 40}, {1.4e-6, 40}});
    const ModeSplit shuffled(values);
    std::sort(values.begin(), values.end());
    const ModeSplit sorted(values);
    for (const double probe : values)
        CHECK(shuffled.mode(probe) == sorted.mode(probe));
}

TEST_CASE("a batch belongs to a mode only when its two probes agree") {
    const ModeSplit split(probes({{0.3e-6, 70}, {1.4e-6, 30}}));
    CHECK(split.mode(0.3e-6, 0.31e-6) == 0u);
    CHECK(split.mode(1.4e-6, 1.35e-6) == 1u);
    CHECK_FALSE(split.mode(0.3e-6, 1.4e-6).has_value());
    CHECK_FALSE(split.mode(1.4e-6, 0.3e-6).has_value());
    // Both slow, but far apart: something happened in between.
    CHECK_FALSE(split.mode(1.4e-6, 30e-6).has_value());
}

TEST_CASE("without probes there is one mode, and impossible ones are refused") {
    const ModeSplit none({});
    CHECK(none.count() == 1);
    CHECK(none.mode(5) == 0);
    CHECK_THROWS_AS(ModeSplit(std::vector<double>{1, 0}), std::invalid_argument);
    CHECK_THROWS_AS(ModeSplit(std::vector<double>{1}, 1.0), std::invalid_argument);
    CHECK_THROWS_AS(ModeSplit(std::vector<double>{1}, 1.4, 0.02, 0), std::invalid_argument);
}

TEST_CASE("a history of probes splits like all its values at once, whenever it is asked") {
    std::vector<double> values = probes({{1.4e-6, 30}, {0.3e-6, 70}, {6e-6, 40}});
    ProbeHistory history;
    CHECK(history.split().count() == 1);
    for (std::size_t i = 0; i < values.size(); i += 7) {
        const std::span<const double> some(values.data() + i, std::min<std::size_t>(7, values.size() - i));
        history.add(some);
        const ModeSplit at_once(std::span<const double>(values.data(), i + some.size()));
        CHECK(history.split().count() == at_once.count());
        for (const double probe : {0.3e-6, 1.4e-6, 6e-6})
            CHECK(history.split().mode(probe) == at_once.mode(probe));
    }
    CHECK(history.split().count() == 3);
}

TEST_CASE("two values on each side are enough for a mode") {
    CHECK(ModeSplit(std::vector<double>{1, 1, 5, 5}).count() == 2);
    // As many as the share asks for are enough, too.
    CHECK(ModeSplit(probes({{1, 96}, {5, 4}}), 1.4, 0.04).count() == 2);
    CHECK(ModeSplit(probes({{1, 97}, {5, 3}}), 1.4, 0.04).count() == 1);
}

TEST_CASE("only neighbours are compared") {
    // No step is as large as the ratio, though they add up to more.
    CHECK(ModeSplit(std::vector<double>{1, 1, 1.3, 1.6, 1.6}).count() == 1);
    // The larger of two gaps is the one between 2 and 3.6, not the one from 1.35 to 2.
    const ModeSplit split(std::vector<double>{1, 1, 1.35, 2, 2, 3.6, 3.6}, 1.4, 0.02, 2);
    REQUIRE(split.count() == 2);
    CHECK(split.mode(1) == split.mode(2));
    CHECK(split.mode(2) != split.mode(3.6));
}

TEST_CASE("probes that differ by exactly the ratio disagree") {
    const ModeSplit split(std::vector<double>{1, 1}, 2);
    CHECK_FALSE(split.mode(1, 2).has_value());
    CHECK(split.mode(1, 1.999) == 0u);
}
