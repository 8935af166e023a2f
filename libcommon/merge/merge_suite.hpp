#pragma once

#include "merge/merge_way.hpp"
#include "model/adjusted.hpp"
#include "model/measurement.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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

/// Of a measurement what merging has to know before it comes to its argument.
struct Glance {
    std::int64_t argument = 0;
    std::int64_t message_bytes = 0;
    std::int64_t chunks = 0;
    double value_s = 0;
    double probe_s = 0;
    double way_there = 0;
    double core_clock_hz = 0;
    int ranks = 0;
    Flags flags = 0;
    bool measured = false; ///< has_value() of the measurement
    bool doubtful = false; ///< left out where there are others enough
};
[[nodiscard]] Glance glance_at(const Measurement& measurement);

/// The fields of Glance: one list (model/fields.hpp), for what waits until it is wanted.
template <MaybeConst<Glance> Row, typename Visitor>
void for_each_field(Row& glance, Visitor&& field) {
    field({"argument", ""}, glance.argument);
    field({"message_bytes", ""}, glance.message_bytes);
    field({"chunks", ""}, glance.chunks);
    field({"value_s", ""}, glance.value_s);
    field({"probe_s", ""}, glance.probe_s);
    field({"way_there", ""}, glance.way_there);
    field({"core_clock_hz", ""}, glance.core_clock_hz);
    field({"ranks", ""}, glance.ranks);
    field({"flags", ""}, FlagWords(glance.flags));
    field({"measured", ""}, glance.measured);
    field({"doubtful", ""}, glance.doubtful);
}

/// A SuiteCurve whose measurements stay elsewhere until they are merged: of many runs they fill the memory.
struct DistantCurve {
    /// The probe of a mode that the run saw at one of its arguments beside the one it reported.
    struct Aside {
        std::size_t place = 0; ///< of the argument among the glances
        double probe_s = 0;
    };
    /// Takes a glance at the next measurement, ascending argument.
    void add(const Measurement& measurement);

    std::string run;
    std::string file;
    std::vector<Glance> glances;
    std::vector<Aside> asides;
    std::function<Measurement(std::size_t)> measurement; ///< by its place among the glances
    /// So many are asked for one after the other, before those of another run.
    static constexpr std::size_t asked_at_once = 4;
};

/// What is at hand, to be merged as if it were not.
/// @param runs outlive it
[[nodiscard]] std::vector<DistantCurve> at_hand(std::span<const SuiteCurve> runs);

struct MergedMeasurement {
    Measurement measurement;
    MergeFacts facts;
};

void leave_out_node_times(MergedMeasurement& point);

/// How values are adjusted at an argument.
struct Adjustment {
    ProbeShares shares;
    bool by_core_clock = true; ///< false = it does not help: G is left out
};

struct MergedSuite {
    std::vector<MergedMeasurement> points; ///< ascending argument
    ReferenceState reference;              ///< P0 and G0 of the adjusted values; 0 = some run has no probe
    std::map<std::int64_t, Adjustment> adjustments; ///< by argument; between them that of the next one
    double correlation = 0;        ///< of launches that followed one another, as the intervals take it to be
    std::size_t abstained = 0;     ///< sum, over the points, of the runs that have no value there
    std::size_t wrong_results = 0; ///< measurements left out because the operation delivered wrong data
};

/// Merges one suite (SKaLib 3.4; skalib::merge_contributions).
///
/// Where the runs' probes tell several modes of the machine (launch_modes.hpp), the value is merged within
/// the one that holds most launches, of equal ones the fastest; where no launch reports it at an argument,
/// within the one that most report there. All are in `modes`, with their share of the launches, probe and
/// interval. A run counts in the mode that it reported, and with the value that it has of another mode in
/// that one, too. Where some values come without probes, the values at each argument tell the modes, and of
/// equally common ones that of the launches is taken whose mode was at the former argument. Doubtful values,
/// and launches most of whose values are doubtful, make no mode and do not count among its launches while
/// enough others are there.
///
/// Of a merged measurement count, mean, its standard error, minimum and maximum are those of all single
/// measurements that the runs made there that it rests on, taken together (where all of them are
/// interpolated, of what is interpolated), and so are what the cuts left and its mean. What a run saw aside
/// is not among them: nothing but its number is known. Node times, quartiles and all that is not said here
/// are those of the run chosen, interpolated where that run lacks the argument, and of two chosen the means.
/// A run that saw the mode aside only has neither quartiles nor node times in it: those of the run take their
/// place that reported the mode with the nearest value. It is unsettled, timed out or unreliable when one of
/// the runs is that it rests on; disturbed, unsynchronised and in several modes when half of them are, in
/// several modes also when there are several or a gap lies between the probes of two launches; scattered when
/// its interval is wider than 5 % of the value to either side. Disturbed, timed-out and unreliable runs are
/// left out while enough others are there; else those of them whose probe took 8 % longer than the lower
/// quartile in their mode, by the same rule; and those whose probe is beyond 1.4 times the upper quartile in
/// their mode always, where there is any other. Not so with Weights::count. discarded and time_used_s are the
/// sums over all that have a value. What was measured of an overlap is merged like the value, over the runs
/// that it rests on. A run that was at an argument and has no value there is among the sources, left out,
/// with its flags.
///
/// The adjusted value is the median of the runs' (T - s P) G / G0 + s P0, with the medians over the runs of
/// probe, its way there and core clock in this suite (and mode) as reference. As in a raw run the probe
/// counts only where it and the reference are of one mode. Where five launches or more were at an argument
/// they tell how much of the probe is in the times (s = 0, 1/4, 1/2, 3/4 or 1) and whether the core clock
/// counts: the way in which they scatter least, on average over the argument and up to four on either side,
/// since short and long messages go by ways of their own. The two ways of the probe count apart only where
/// launches scatter less by a tenth with it: what has more ways to choose from finds one more easily.
///
/// Launches that follow one another meet the machine in like states. How much alike their values are is found
/// from all points together, and the intervals are as much wider (skalib::serial_correlation()). With fewer
/// than eight launches it cannot be found: their intervals hold for launches of the same minutes.
///
/// An argument of the grid at which no run has a value is kept, with the flags of all, without a value.
/// @param runs in canonical order: that in which they were launched (the first one's grid is Grid::first)
/// @param probe_share s where too few launches tell: that of the operation's pattern (model/adjusted.hpp)
[[nodiscard]] MergedSuite merge_suite(std::span<const SuiteCurve> runs, const MergeWay& way = {},
                                      double probe_share = 1);
/// The same, point by point: where there are many runs, their measurements and the sources of all points fill
/// the memory.
/// @param take gets each point, ascending argument  @return all else, without points
[[nodiscard]] MergedSuite merge_suite(std::span<const DistantCurve> runs, const MergeWay& way,
                                      double probe_share,
                                      const std::function<void(MergedMeasurement&&)>& take);

/// What readers must know of a merged suite beside its points, as facts of the suite by name: the state that
/// adjusted values refer to, whether the probe counts in them, how alike launches in a row are and so how
/// much wider intervals, and what was left out. Nothing to say: no fact.
[[nodiscard]] std::map<std::string, std::string> facts_of_merging(const MergedSuite& merged);

/// The middle value, of an even number the smaller: always one of them, never a mixture of two states of the
/// machine. 0 for none.
[[nodiscard]] double lower_median(std::vector<double> values);

/// A sum of numbers of measurements as such a number; the largest where it is beyond.
/// @param count at least 0
[[nodiscard]] std::int64_t whole_count(double count);

} // namespace skampi
