// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/pattern.hpp"

#include <limits>

namespace skampi {

/// The least ratio of the probes of two modes of the machine.
constexpr double mode_ratio = 1.4;

/// Whether two probes were made in the same mode; false where one is missing (0).
[[nodiscard]] constexpr bool in_one_mode(double a_s, double b_s) {
    return a_s > 0 && b_s > 0 && a_s < mode_ratio * b_s && b_s < mode_ratio * a_s;
}

/// PatternRow::probe_share of a pattern.
[[nodiscard]] constexpr double probe_share(Pattern pattern) {
    return row_of(pattern).probe_share;
}

/// Additions that the slowest rank's core makes in a second: its clock, times its throughput per cycle, which
/// is lower where other work shares the core. Where the throughput is not known, the clock alone; 0 =
/// unknown.
/// @param measured a measurement or a launch's part in one
template <typename Measured>
[[nodiscard]] constexpr double core_speed(const Measured& measured) {
    return measured.core_throughput > 0 ? measured.core_clock_hz * measured.core_throughput
                                        : measured.core_clock_hz;
}

/// What the probes say of the machine at some time; 0 = unknown. Adjusted values are reduced to such a state,
/// their reference.
struct MachineState {
    double probe_s = 0;
    double core_speed = 0; ///< of core_speed()
    bool operator==(const MachineState&) const = default;
    [[nodiscard]] constexpr bool known() const { return probe_s > 0 || core_speed > 0; }
};

/// How a value depends on the state of the machine.
struct Adjustment {
    double share = 0;          ///< of the probe that is in the time
    bool by_core_speed = true; ///< the rest takes as many additions in every state
    bool operator==(const Adjustment&) const = default;
};

/// The value as it would be in the reference state: (T - s P) G / G0 + s P0. Without a share the probe does
/// not count, without a clock in one of the states the clock does not count.
/// @return not a number if there is nothing known to adjust by, if the probes are of different modes, and if
/// nothing would remain of the value
[[nodiscard]] constexpr double adjusted_value(double value_s, const MachineState& own, Adjustment adjustment,
                                              const MachineState& reference) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const bool by_probe = adjustment.share != 0 && reference.probe_s > 0;
    const bool by_speed = adjustment.by_core_speed && own.core_speed > 0 && reference.core_speed > 0;
    if ((!by_probe && !by_speed) || (by_probe && !in_one_mode(own.probe_s, reference.probe_s)))
        return none;
    const double speed = by_speed ? own.core_speed / reference.core_speed : 1;
    const double adjusted_s =
        by_probe ? (value_s - adjustment.share * own.probe_s) * speed + adjustment.share * reference.probe_s
                 : value_s * speed;
    return adjusted_s > 0 ? adjusted_s : none;
}

} // namespace skampi
