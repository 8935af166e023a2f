#pragma once

#include "model/measurement.hpp"
#include "skalib/merge.hpp"

#include <cstddef>
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

struct MergedMeasurement {
    Measurement measurement;
    MergeFacts facts;
};

struct MergedSuite {
    std::vector<MergedMeasurement> points; ///< ascending argument
    double reference_probe_s = 0;          ///< P0 of the adjusted values; 0 = some run has no probe
    double reference_clock_hz = 0;         ///< G0; likewise
    std::size_t abstained = 0;             ///< sum, over the points, of the runs that have no value there
    std::size_t wrong_results = 0; ///< measurements left out because the operation delivered wrong data
};

/// Merges one suite (SKaLib 3.4; skalib::merge_curves). Of a merged measurement, value, standard error, node
/// times, flags, quartiles and all that is not said here are those of the run chosen (interpolated where that
/// run lacks the argument), and the flags disturbed and unsynchronised where half of the runs have them;
/// count is the sum over the runs, minimum and maximum their extremes, discarded and time_used_s their sums.
/// It has the flag several_modes also when the runs' probes tell different modes.
///
/// The adjusted value is the weighted median of the runs' (T - P) G / G0 + P0, with the medians over the runs
/// of probe and core clock in this suite as reference. As in a raw run the probe counts only where it and the
/// reference are of one mode.
///
/// An argument at which some run delivered wrong data and none has a value is kept, flagged, without a value.
/// @param runs in canonical order (its first one's grid is Grid::first); the order changes no result
/// otherwise
[[nodiscard]] MergedSuite merge_suite(std::span<const SuiteCurve> runs, skalib::Grid grid,
                                      skalib::MergedValue value,
                                      skalib::Weights weights = skalib::Weights::equal);

/// The middle value, of an even number the smaller: always one of them, never a mixture of two states of the
/// machine. 0 for none.
[[nodiscard]] double lower_median(std::vector<double> values);

} // namespace skampi
