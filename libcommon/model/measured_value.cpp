// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/measured_value.hpp"

#include "model/machine_states.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

bool above_zero(const Measurement& measurement) {
    if (!has_value(measurement) || !(measurement.value_s > 0))
        return false;
    if (!has(measurement.flags, Flag::unreliable))
        return true;
    // The remainder of a hundred times as much shows how the overhead varies, not how long the call takes.
    constexpr double least_share_of_overhead = 0.01;
    const double error =
        std::max(std::isfinite(measurement.standard_error_s) ? measurement.standard_error_s : 0,
                 measurement.overhead_error_s);
    return measurement.value_s > 2 * error &&
           measurement.value_s > least_share_of_overhead * measurement.overhead_s;
}

bool is_short_for_measuring(const Measurement& measurement) {
    constexpr double resolved_s = 1e-6; // by any clock, and longer than what measuring mostly costs
    return !above_zero(measurement) || measurement.value_s < resolved_s ||
           measurement.overhead_s > measurement.value_s;
}

bool is_less_than_its_overhead(const Measurement& measurement) {
    return above_zero(measurement) && measurement.overhead_s > measurement.value_s;
}

bool shows_lost_core(const Measurement& measurement) {
    const auto is_slice = [&](const ModeValue& mode) { return lost_core(measurement.value_s, mode.value_s); };
    return std::ranges::any_of(measurement.modes, is_slice);
}

double value_step_s(const Suite& suite, const skalib::ClockFacts& clock, double value_s) {
    // Blocks hold calls that ranks need not begin together, on buffers that need no preparation.
    const bool blocks =
        clock.cost_s > 0 &&
        (suite.operation.pattern == Pattern::ping_pong || suite.operation.pattern == Pattern::simple) &&
        (suite.buffers == BufferPolicy::warm || suite.buffers == BufferPolicy::warm_4k);
    return clock.resolution_s * (blocks ? std::min(1.0, value_s / skalib::shortest_block_s(clock)) : 1);
}

std::string value_text(const Measurement& measurement, TimeUnit unit, double factor, int digits) {
    if (above_zero(measurement))
        return format_time(factor * measurement.value_s, digits, unit);
    return format_measured(has_value(measurement) ? 0 : std::nan(""));
}

} // namespace skampi
