#pragma once

#include "model/measurement.hpp"

namespace skampi {

/// Between the probes of two of the machine's modes, at least.
constexpr double mode_ratio = 1.4;

/// Whether two probes were made in the same mode; false where one is missing (0).
[[nodiscard]] constexpr bool in_one_mode(double a_s, double b_s) {
    return a_s > 0 && b_s > 0 && a_s < mode_ratio * b_s && b_s < mode_ratio * a_s;
}

/// s: how much of the probe, a round trip, is in the time of an operation where launches don't tell. The
/// messages of a collective go one way between two ranks, also where both send at once; how many such steps
/// follow each other with more ranks depends on the algorithm, so that it is taken for one: too little is
/// corrected then, never too much. A local operation sends none.
[[nodiscard]] constexpr double probe_share(Pattern pattern) {
    switch (pattern) {
    case Pattern::simple:
        return 0;
    case Pattern::collective:
        return 0.5;
    case Pattern::ping_pong:
    case Pattern::master_worker:
        break;
    }
    return 1;
}

/// The value as it would be in the reference's state: (T - s P) G / G0 + s P0. Without a reference probe only
/// the core clock counts, without core clocks not even that; the value itself where nothing would be left of
/// it.
/// @param m a measurement, or a glance at one   @param share s   @param reference_probe_s P0 of the probe's
/// mode; 0 = none
/// @param reference_clock_hz G0; 0 = none
template <typename Point>
[[nodiscard]] double adjusted_value(const Point& m, double share, double reference_probe_s,
                                    double reference_clock_hz) {
    const double clock =
        m.core_clock_hz > 0 && reference_clock_hz > 0 ? m.core_clock_hz / reference_clock_hz : 1;
    const double adjusted_s = m.probe_s > 0 && reference_probe_s > 0
                                  ? (m.value_s - share * m.probe_s) * clock + share * reference_probe_s
                                  : m.value_s * clock;
    return adjusted_s > 0 ? adjusted_s : m.value_s;
}

} // namespace skampi
