// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/history/drift.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <vector>

using namespace skampi;

namespace {

std::vector<double> with_drift(std::mt19937_64& random, double per_100, double shared) {
    std::normal_distribution<double> normal;
    std::vector<double> values;
    double noise = normal(random);
    for (int run = 0; run < 200; ++run) {
        noise = shared * noise + std::sqrt(1 - shared * shared) * normal(random);
        values.push_back(1e-6 * std::exp(0.02 * noise) * std::pow(1 + per_100, run / 100.0));
    }
    return values;
}

} // namespace

TEST_CASE("a drift is stated with an interval that covers it, and none where there is none") {
    std::mt19937_64 random(5);
    constexpr int series = 100;
    for (const double shared : {0.0, 0.5}) {
        int covered = 0;
        int stated = 0;
        int false_ones = 0;
        for (int i = 0; i < series; ++i) {
            if (const auto drift = find_drift(with_drift(random, 0.1, shared), 0, 1)) {
                ++stated;
                covered += drift->low <= 0.1 && 0.1 <= drift->high ? 1 : 0;
            }
            false_ones += find_drift(with_drift(random, 0, shared), 0, 1) ? 1 : 0;
        }
        CAPTURE(shared);
        CHECK(stated >= 95);
        CHECK(covered >= stated * 90 / 100);
        CHECK(false_ones <= 4);
    }
}

TEST_CASE("a drift begins behind the last step, and few values have none") {
    std::mt19937_64 random(6);
    std::vector<double> values = with_drift(random, 0.1, 0);
    for (std::size_t i = 0; i < 100; ++i)
        values[i] *= 2;
    const auto drift = find_drift(values, 100, 1);
    REQUIRE(drift.has_value());
    CHECK(drift->from == 100);
    CHECK(drift->per_100_runs == doctest::Approx(0.1).epsilon(0.2));
    CHECK_FALSE(find_drift(values, 150, 1).has_value());
    CHECK_FALSE(find_drift({}, 0, 1).has_value());
    CHECK_FALSE(find_drift(std::vector<double>(200, 3e-6), 0, 1).has_value());
}
