#pragma once

#include "model/measurement.hpp"
#include "model/pattern.hpp"

namespace skampi {

/// Between the probes of two of the machine's modes, at least.
constexpr double mode_ratio = 1.4;

/// Whether two probes were made in the same mode; false where one is missing (0).
[[nodiscard]] constexpr bool in_one_mode(double a_s, double b_s) {
    return a_s > 0 && b_s > 0 && a_s < mode_ratio * b_s && b_s < mode_ratio * a_s;
}

/// PatternRow::probe_share of a pattern.
[[nodiscard]] constexpr double probe_share(Pattern pattern) {
    return row_of(pattern).probe_share;
}

/// How much of the probe's two ways is in the time of an operation. A broadcast from rank 0 holds of the way
/// there, a reduction to it of the way back; two ranks' caches make them differ by tens of percent, launch by
/// launch.
struct ProbeShares {
    double there = 0; ///< of the way from the first rank to the last
    double back = 0;
};

/// The state of the machine that values are reduced to; 0 = not known.
struct ReferenceState {
    double probe_s = 0;       ///< P0, of the probe's mode
    double way_there = 0;     ///< share of it
    double core_clock_hz = 0; ///< G0
};

/// The value as it would be in the reference's state: (T - s P) G / G0 + s P0, where s P is the sum over the
/// two ways of the probe. Without a reference probe only the core clock counts, without core clocks not even
/// that; the value itself where nothing would be left of it. Where one way there is not known it is taken for
/// the other's, of two for half of the round trip.
/// @param m a measurement, or a glance at one
template <typename Point>
[[nodiscard]] double adjusted_value(const Point& m, ProbeShares shares, const ReferenceState& reference) {
    const double clock =
        m.core_clock_hz > 0 && reference.core_clock_hz > 0 ? m.core_clock_hz / reference.core_clock_hz : 1;
    const auto first_known = [](double a, double b) { return a > 0 ? a : b > 0 ? b : 0.5; };
    const auto held_s = [&](double probe_s, double way_there) {
        return probe_s * (shares.there * way_there + shares.back * (1 - way_there));
    };
    const double adjusted_s =
        m.probe_s > 0 && reference.probe_s > 0
            ? (m.value_s - held_s(m.probe_s, first_known(m.way_there, reference.way_there))) * clock +
                  held_s(reference.probe_s, first_known(reference.way_there, m.way_there))
            : m.value_s * clock;
    return adjusted_s > 0 ? adjusted_s : m.value_s;
}

} // namespace skampi
