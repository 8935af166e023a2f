#include "analysis/launch_difference.hpp"

#include <array>
#include <cmath>
#include <doctest/doctest.h>
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
