#pragma once

#include "model/adjusted.hpp"

#include <limits>

namespace skampi {

/// What the probes say of the machine at some time; 0 = unknown. Adjusted values are reduced to such a state,
/// their reference.
struct MachineState {
    double probe_s = 0;
    double core_clock_hz = 0;
    bool operator==(const MachineState&) const = default;
    [[nodiscard]] constexpr bool known() const { return probe_s > 0 || core_clock_hz > 0; }
};

/// How a value depends on the state of the machine.
struct Adjustment {
    double share = 0;          ///< of the probe that is in the time
    bool by_core_clock = true; ///< the rest takes as many clock cycles in every state
    bool operator==(const Adjustment&) const = default;
};

/// The value as it would be in the reference state: (T - s P) G / G0 + s P0. Without a share the probe does
/// not count, without a clock in one of the states the clock does not count.
/// @return not a number where nothing is known to adjust by, where the probes are of different modes, and
/// where nothing would be left of the value
[[nodiscard]] constexpr double adjusted_value(double value_s, const MachineState& own, Adjustment adjustment,
                                              const MachineState& reference) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const bool by_probe = adjustment.share != 0 && reference.probe_s > 0;
    const bool by_clock = adjustment.by_core_clock && own.core_clock_hz > 0 && reference.core_clock_hz > 0;
    if ((!by_probe && !by_clock) || (by_probe && !in_one_mode(own.probe_s, reference.probe_s)))
        return none;
    const double clock = by_clock ? own.core_clock_hz / reference.core_clock_hz : 1;
    const double adjusted_s =
        by_probe ? (value_s - adjustment.share * own.probe_s) * clock + adjustment.share * reference.probe_s
                 : value_s * clock;
    return adjusted_s > 0 ? adjusted_s : none;
}

} // namespace skampi
