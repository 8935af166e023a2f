#pragma once

#include "job/known_modes.hpp"
#include "model/measurement.hpp"
#include "model/suite.hpp"
#include "skalib/modes.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skampi {

/// The time of an empty operation in the same loop, subtracted from every value (paper 3.1).
struct Overhead {
    double value_s = 0; ///< per call
    double error_s = 0; ///< its standard error
};

/// Which of a measurement's values count: those of one mode, without what was dropped, and without what was
/// disturbed as long as enough is left.
struct ChosenValues {
    struct Mode {
        std::vector<const Batch*> batches;
        std::int64_t count = 0;       ///< single measurements in them
        std::int64_t undisturbed = 0; ///< of these
    };
    std::vector<Mode> modes; ///< all there are
    std::size_t chosen = 0;
    bool disturbed = false;           ///< too few undisturbed values: all of the mode count
    std::vector<const Batch*> used;   ///< batches whose values count
    std::vector<double> values_s;     ///< in the order measured
    std::vector<std::int64_t> blocks; ///< calls behind each
    std::int64_t discarded = 0;       ///< late, dropped or disturbed

    [[nodiscard]] const Mode& mode() const { return modes[chosen]; }
};

/// Pure.
/// @param batches must stay as they are while the result is used   @param split of all probes of the run
/// @param known what the run knows of them   @param preferred_mode the suite's majority mode; chosen when the
/// point has min_count values of it, else the point's own majority
[[nodiscard]] ChosenValues choose_values(const Suite& suite, const std::vector<Batch>& batches,
                                         const skalib::ModeSplit& split, const KnownModes& known,
                                         int preferred_mode);

/// The value of a measurement from the values chosen: summarises, subtracts the overhead, adjusts. Pure.
/// @param summary of the values chosen   @param known the modes that the suite's probes tell
/// @param reference_clock_hz G0; 0 = none   @param measurement argument, ranks, time_used_s and node_times
/// are kept, everything else is filled in
void evaluate(const Suite& suite, const ChosenValues& chosen, const skalib::Summary& summary,
              const Overhead& overhead, const KnownModes& known, double reference_clock_hz,
              double clock_resolution_s, Measurement& measurement);

/// What each rank saw of the values chosen, the overhead subtracted as from the value; empty unless they were
/// kept.
[[nodiscard]] std::vector<NodeTime> node_times_of(const Suite& suite, const ChosenValues& chosen,
                                                  double overhead_s);

} // namespace skampi
