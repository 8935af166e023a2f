// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "merge/adjustment.hpp"
#include "merge/merge_way.hpp"
#include "merge/point_merger.hpp"
#include "merge/run_modes.hpp"
#include "merge/suite_curve.hpp"
#include "model/stored.hpp"

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// What is known about the machine and the launches beyond the runs of one suite.
struct MachineKnowledge {
    double probe_share = 1; ///< of the suite's pattern (model/machine_state.hpp)
    /// Stored ones, in the order of preference: of a file that was named, then of the runs, oldest first.
    std::vector<MachineState> references = {};
    bool in_a_row = false; ///< MergeFacts::in_a_row
    /// Probe of the state that other suites of the runs are merged in (common_state_s()); 0 = none.
    double state_probe_s = 0;
    /// The clock's step in a value (value_step_s()); empty = not known.
    std::function<double(double value_s)> step_s = {};
};

struct MergedSuite {
    std::vector<MergedMeasurement> points; ///< ascending argument
    SuiteAdjustment adjustment;
    std::vector<MetState> states; ///< by mode; empty where probes show none, or times follow none
    std::size_t most_common = 0;  ///< of the states
    double correlation = 0;       ///< serial correlation of the launches, which widens the intervals
    std::size_t abstained = 0;    ///< sum, over the points, of the runs that have no value there
    std::set<std::string> without_core = {}; ///< runs with values left out because a rank had no core
    std::size_t wrong_results = 0; ///< measurements excluded because the operation delivered wrong data
};
/// Takes over the results of merging that a suite keeps besides the points; keeps its facts about launches.
void keep_findings(const MergedSuite& merged, SuiteMerge& kept);

/// Merges one suite (SKaLib 3.4; skalib::merge_contributions).
///
/// Modes. The runs' probes show in which states the machine was (model/machine_states.hpp). Each run is in
/// the mode of the median of its probes; a value whose own probe is mode_ratio away is in the mode of that
/// probe. The value and its interval are those of the mode with most launches; of equally common ones, of the
/// fastest; where the other suites of the runs are of another state, of that, if enough launches met it here
/// (shown_mode()). A curve is of one mode: where no launch reports it at an argument, the point has no value,
/// and `modes` has those of the others. It has all modes, with their share of the launches, probe and
/// interval; also the mode of a lone launch that others exclude. A run counts in the mode that it reported;
/// where it also saw another mode, it counts there as well. Where some values have no probe, the values at
/// each argument show the modes; of equally common ones the mode is taken whose launches were in the chosen
/// mode at the former argument. Disturbed values, and launches whose values are mostly disturbed, neither
/// make a mode nor count among its launches while enough others exist; nor do values that timed out at a
/// large error, or, where values alone show the modes, unreliable ones.
///
/// Lost cores. A value whose probe is 100 times that of the fastest mode (lost_core()) is of no mode: a rank
/// waited for a core. It is always left out, and kept as a source. A value without a probe
/// is judged by the probes of its launch, if that made any in the suite.
///
/// Start. Values measured between barriers, because windows could not be kept, are another quantity than
/// those in windows. A suite's values are of the kind that most launches are of; of as many, in windows. The
/// others are left out, except at arguments at which there is nothing else.
///
/// Statistics. Count, mean, its standard error, minimum and maximum of a merged measurement are those of all
/// single measurements that its runs made at the argument, pooled (pooling.hpp); of an interpolated value
/// that is chosen the extremes count, too, so that its quartiles lie within. Where all of the runs are
/// interpolated, their interpolated statistics are pooled. Secondary modes do not contribute: only their
/// counts are known. Node times, quartiles and all else are those of the run chosen, interpolated where that
/// run lacks the argument; of two chosen runs, the mean. A chosen secondary mode has neither quartiles nor
/// node times: the run with the nearest value that reported the mode supplies them.
///
/// Flags. A merged value is not repeatable when one of its runs is; unsynchronised when all are; disturbed,
/// unreliable, timed out and in several modes when half of them are. It is in several modes also when
/// several modes contribute or a gap lies between the probes of two launches. It is scattered when its
/// interval is wider than 5 % of the value to either side. Six launches or more with a narrower interval make
/// up for what one of them lacks.
///
/// Exclusion. Doubtful values (is_doubtful()) are left out while enough others exist, or a few others that
/// are shorter than most of them by a tenth, as disturbances make them longer
/// (PointMerger::leaves_doubtful_out()). Where there are not enough, those are left out whose probe took 8 %
/// longer than the lower quartile of their mode, by the same rule. A value whose probe is 1.4 times beyond
/// the quartiles of its mode is left out wherever four others of the mode have one within; a doubtful or
/// timed-out one wherever the mode has another value. None of this applies to Weights::count, nor does the
/// rule of lost cores. discarded and time_used_s are sums over all runs with a value. Overlap is merged like
/// the value, over the same runs. A run that measured an argument without a value is a source that is left
/// out, with its flags.
///
/// Adjusted values. The adjusted value is formed like the value, of the runs' (T - s P) G / G0 + s P0, where
/// P and G are the medians of a run over the suite. The reference P0 and G0 is the first known one near
/// them, without any the medians over the runs (reference_of()). From ten launches on they may choose s and
/// whether the core clock counts (choose_adjustment()). Where it increases the scatter of four launches or
/// more, there is none.
///
/// Correlation. Launches that follow one another meet similar states of the machine. The serial correlation
/// is estimated from all points together and widens the intervals (skalib::serial_correlation()). With fewer
/// than eight launches it cannot be estimated. Launches in a row within a day, however many, do not show how
/// much the next hour differs: their intervals have no level (MergeFacts::in_a_row).
///
/// Rounding. All values may be wrong by half a step of the clock in the same direction: the ends of an
/// interval are that much farther from the value, in quadrature, however many launches there are.
///
/// An argument of the grid at which no run has a value is kept without a value, with the flags of all runs.
/// @param runs in canonical order: in_canonical_order() (the first one's grid is Grid::first)
[[nodiscard]] MergedSuite merge_suite(std::span<const SuiteCurve> runs, const MergeWay& way = {},
                                      const MachineKnowledge& machine = {});
/// The same, one point at a time: with many runs, the measurements and sources of all points do not fit in
/// memory.
/// @param take gets each point, ascending argument
/// @return all else, without points
[[nodiscard]] MergedSuite merge_suite(std::span<const LazyCurve> runs, const MergeWay& way,
                                      const MachineKnowledge& machine,
                                      const std::function<void(MergedMeasurement&&)>& take);

/// MergedSuite::states of runs before they are merged: without loading measurements.
/// @param probe_share of the suite's pattern
[[nodiscard]] std::vector<MetState> states_of_suite(std::span<const LazyCurve> runs, const MergeWay& way,
                                                    double probe_share);

} // namespace skampi
