// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// The measurements of one suite in one run.
struct SuiteCurve {
    std::string run;                       ///< uuid
    std::string file;                      ///< it was read from
    std::vector<Measurement> measurements; ///< finished ones, ascending argument
};

/// Whether a probe may be of a state that other work made: its value is doubtful, and not because it is too
/// short for what measuring it costs. Otherwise the fast state of a machine would lose launches with short
/// times.
[[nodiscard]] constexpr bool probe_in_doubt(Flags flags, bool doubtful) {
    return doubtful && (flags & (Flag::disturbed | Flag::timed_out)) != 0;
}

/// The fields of a measurement that merging needs of all arguments at once.
struct PointHeader {
    std::int64_t argument = 0;
    std::int64_t message_bytes = 0;
    std::int64_t chunks = 0;
    double value_s = 0;
    double probe_s = 0;
    double way_there = 0;
    double core_speed = 0; ///< core_speed()
    int ranks = 0;
    Flags flags = 0;
    bool measured = false; ///< has_value() of the measurement
    bool doubtful = false; ///< is_doubtful() of the measurement
    [[nodiscard]] bool probe_in_doubt() const { return skampi::probe_in_doubt(flags, doubtful); }
    /// It has a value, but a rank had no core: not `measured`. Found by judged_by_probes(), never stored.
    bool lost_core = false;
};
[[nodiscard]] PointHeader header_of(const Measurement& measurement);

/// A SuiteCurve whose measurements are loaded when they are merged: those of many runs do not fit in memory.
struct LazyCurve {
    /// The probe of a secondary mode: one that the run saw at an argument, but did not report.
    struct SecondaryProbe {
        std::size_t place = 0; ///< index of the argument's header
        double probe_s = 0;
    };
    /// Adds the header and the secondary probes of the next measurement. Arguments ascend.
    void add(const Measurement& measurement);

    std::string run;
    std::string file;
    std::vector<PointHeader> headers;
    std::vector<SecondaryProbe> secondary_probes;
    double fastest_probe_s = 0;                   ///< of judged_by_probes(); 0 = no rank was without a core
    std::function<Measurement(std::size_t)> load; ///< the measurement of a header, by index
    /// Merging loads this many measurements of a run in a row before it turns to the next run.
    static constexpr std::size_t loaded_in_a_row = 4;
};

/// Curves that load from memory.
/// @param runs outlive the result
[[nodiscard]] std::vector<LazyCurve> lazy_curves(std::span<const SuiteCurve> runs);

/// The curves as their probes judge them. A value without a probe, for which there was no time, has the
/// median of those that its launch made in the suite. Values measured while a rank had no core (lost_core())
/// are no longer `measured`: they take no part in anything but being kept.
/// @param runs outlive the result
/// @return empty = nothing is different
[[nodiscard]] std::vector<LazyCurve> judged_by_probes(std::span<const LazyCurve> runs);

/// Whether a value is left out where enough others exist: it is disturbed, unreliable for more than an
/// overhead that is longer (is_less_than_its_overhead()), or timed out with an error above 5 %.
[[nodiscard]] bool is_doubtful(const Measurement& measurement);
/// Whether most probes of a run are in doubt.
[[nodiscard]] bool probes_in_doubt(const LazyCurve& run);

/// Whether a mode of a measurement has a value and is not the mode that the run reported.
[[nodiscard]] bool is_secondary(const Measurement& measurement, const ModeValue& mode);

} // namespace skampi
