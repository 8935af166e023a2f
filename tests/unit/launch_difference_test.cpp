#include "analysis/inference/covariates.hpp"
#include "analysis/inference/launch_difference.hpp"
#include "contest/outliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

/// Six launches that scatter by half a percent, and not with their states.
std::vector<LaunchScore> launches(double log_time, double core_speed) {
    constexpr std::array scatter{0.004, -0.003, 0.001, -0.005, 0.002, 0.001};
    constexpr std::array probes{0.0, 0.0, 0.005, 0.001, 0.0, 0.0};
    constexpr std::array speeds{0.003, 0.004, 0.0, 0.0, 0.0, 0.0};
    std::vector<LaunchScore> made;
    for (std::size_t i = 0; i < scatter.size(); ++i)
        made.push_back({log_time + scatter[i], 1e-6 * (1 + probes[i]), core_speed * (1 + speeds[i])});
    return made;
}

} // namespace

TEST_CASE("cores that other work slows explain a difference, also of more than a state of the probe") {
    const double slower = std::log(1.45);
    const auto difference = [&](double other_speed, StateUse state) {
        return launch_difference(launches(0, 12e9), launches(slower, other_speed), {.state = state}).value();
    };
    CHECK(difference(8e9, StateUse::covariates).explained());
    CHECK(difference(8e9, StateUse::clock_alone).explained());
    CHECK_FALSE(difference(12e9, StateUse::covariates).explained());
    CHECK(difference(12e9, StateUse::covariates).at_equal_state.low > 0);
    // Both sides of launches in turns met the same machine.
    CHECK_FALSE(difference(8e9, StateUse::nothing).explained());
    // No work on the other hardware thread takes so much: these are other cores.
    CHECK_FALSE(difference(4e9, StateUse::covariates).explained());
}

TEST_CASE("a launch whose state is unknown does not make that of all others unknown") {
    std::vector<LaunchScore> slow = launches(std::log(3), 12e9);
    for (LaunchScore& launch : slow)
        launch.probe_s *= 2.9; // another state of the machine, in which times may be longer as the probe is
    slow[2].probe_s = 0;
    const auto difference = [&] {
        return launch_difference(launches(0, 12e9), slow, {.state = StateUse::covariates}).value();
    };
    CHECK(difference().state_bounded);
    CHECK(difference().at_equal_state.low < 0.1);
    CHECK(difference().second_excluded == 1);
    // Of as many nothing is known.
    slow[0].probe_s = slow[1].probe_s = 0;
    CHECK_FALSE(difference().state_bounded);
    CHECK(difference().second_excluded == 0);
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

TEST_CASE("launches that their state does not explain are outliers at an equal state, too") {
    // Logarithms of times, probes and core speeds: five launches of a machine against twenty of it, of which
    // four met two states.
    constexpr std::array<std::array<double, 3>, 5> quiet{{{0.0003, -14.7558, 23.2458},
                                                          {0.0004, -14.7460, 23.1105},
                                                          {0.0057, -14.7425, 23.2462},
                                                          {-0.0030, -14.7431, 23.2457},
                                                          {0.0001, -14.7428, 23.2456}}};
    constexpr std::array<std::array<double, 3>, 20> other{
        {{0.2802, -14.6436, 23.2461},  {0.0013, -14.7746, 23.2458},  {-0.0058, -14.7687, 23.2464},
         {-0.0044, -14.8081, 23.2462}, {0.1110, -14.6873, 23.2459},  {-0.0099, -14.8427, 23.2457},
         {-0.0057, -14.7488, 23.2454}, {-0.0027, -14.7687, 23.2455}, {-0.0033, -14.7818, 23.2461},
         {0.0136, -14.7495, 23.2453},  {0.2567, -14.6812, 23.2457},  {0.0095, -14.7752, 23.2460},
         {0.1117, -14.6724, 23.2458},  {0.0029, -14.7523, 23.2452},  {0.0086, -14.7425, 23.2458},
         {-0.0022, -14.7558, 23.2461}, {-0.0179, -14.7442, 23.2457}, {0.0014, -14.7877, 23.2445},
         {-0.0005, -14.7684, 23.2459}, {-0.0049, -14.7947, 23.2457}}};
    const auto side = [](const auto& launches) {
        std::vector<LaunchScore> made;
        for (const auto& [log_time, log_probe, log_speed] : launches)
            made.push_back({log_time, std::exp(log_probe), std::exp(log_speed)});
        return made;
    };
    const LaunchDifference found =
        launch_difference(side(quiet), side(other), {.state = StateUse::covariates}).value();
    CHECK(found.second_excluded == 4);
    CHECK(std::fabs(found.at_equal_state.centre) < 0.01);
    CHECK(found.at_equal_state.low < 0);
    CHECK(found.at_equal_state.high > 0);
}

TEST_CASE("no slope is steeper than a machine can be") {
    constexpr std::array priors{SlopePrior{-0.5, 0.5}};
    const CovariateRows rows{{0, {0, 0}, 1}, {0.01, {0.01, 0}, 1}, {-0.01, {0, 0}, 1}, {0.5, {-0.1, 0}, 1}};
    CHECK(least_squares({&rows}, priors).slope[0] == -1.5);
    constexpr std::array two{SlopePrior{0.5, 0.5}, SlopePrior{-0.5, 0.5}};
    CovariateRows both = rows; // the first covariate says all that the second leaves
    for (std::size_t i = 0; i < both.size(); ++i) {
        both[i].x = {i % 2 == 0 ? 0.1 : 0, both[i].x[0]};
        both[i].y += i % 2 == 0 ? 0.05 : 0;
    }
    const Slopes slopes = least_squares({&both}, two);
    CHECK(slopes.slope[1] == -1.5);
    CHECK(slopes.slope[0] >= -0.5);
    CHECK(slopes.slope[0] <= 1.5);
}

TEST_CASE("other suites of the same launches say how far times follow the state") {
    // Times follow the probe with 0.8; what shifts a launch beside that does not go with it.
    const auto side = [](double from, double step = 0.01) {
        constexpr std::array shifts{0.002, -0.004, 0.002, 0.002, -0.004, 0.002};
        std::vector<LaunchScore> made;
        for (std::size_t i = 0; i < shifts.size(); ++i) {
            const double log_probe = from + step * static_cast<double>(i);
            made.push_back({0.8 * log_probe + shifts[i], std::exp(log_probe), 0});
        }
        return made;
    };
    const StatePriors shown = slopes_shown(side(-14), side(-13.98), StateUse::covariates).value();
    CHECK(shown.probe.slope == doctest::Approx(0.8).epsilon(0.1));
    CHECK(shown.probe.deviation > 0.02);
    CHECK(shown.probe.deviation < 0.2);
    CHECK(shown.core_speed.deviation == 0);
    CHECK_FALSE(slopes_shown(side(-14), side(-13.98), StateUse::nothing).has_value());
    CHECK_FALSE(slopes_shown(side(-14), {side(-14).front()}, StateUse::covariates).has_value());

    const StatePriors of_theory;
    const StatePriors of_one = priors_from({shown});
    CHECK(of_one.probe.slope == of_theory.probe.slope);
    CHECK(of_one.probe.deviation == of_theory.probe.deviation);
    const StatePriors of_two = priors_from({shown, shown});
    CHECK(of_two.probe.slope > 0.7);
    CHECK(of_two.probe.deviation < 0.25);
    CHECK(of_two.core_speed.deviation == of_theory.core_speed.deviation);
    // As uncertain together as one: what shifts a launch may shift all of its suites.
    CHECK(priors_from(std::vector(20, shown)).probe.deviation == doctest::Approx(of_two.probe.deviation));
    // Suites that follow the state differently say little of a further one.
    const StatePriors unlike = priors_from({{{0, 0.02}, {0, 0}}, {{1, 0.02}, {0, 0}}});
    CHECK(unlike.probe.slope == doctest::Approx(0.5));
    CHECK(unlike.probe.deviation > 0.35);

    // The slope counts where the states of the sides differ, and those within a side do not.
    const auto width = [&](const StatePriors& priors) {
        const LaunchDifference found = launch_difference(side(-14, 1e-4), side(-13.9, 1e-4),
                                                         {.state = StateUse::covariates, .priors = priors})
                                           .value();
        CHECK(found.at_equal_state.low < 0);
        CHECK(found.at_equal_state.high > 0);
        return found.at_equal_state.high - found.at_equal_state.low;
    };
    CHECK(width(of_two) < 0.9 * width(of_theory));
}
