// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"
#include "skalib/repetition.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skampi {

/// Remarks on a measurement. Stored as comma-separated words (flag_words).
enum class Flag : std::uint32_t {
    not_repeatable = 1u << 0, ///< max_count reached before the error within the run was small enough
    timed_out = 1u << 1,      ///< Time_Measurement or Time_Suite used up first
    unreliable = 1u << 2,     ///< overhead in doubt or too long, or value below what the clock resolves
    disturbed = 1u << 3, ///< ranks lost their core, or something else worked on it, in batches that were kept
    several_modes = 1u << 4,  ///< the machine was in more than one state
    unsynchronised = 1u << 5, ///< window start was not possible; barrier used instead
    wrong_result = 1u << 6,   ///< the operation delivered wrong data: no time is reported
    interpolated = 1u << 7,   ///< merged: the value chosen was interpolated
    one_run = 1u << 8,        ///< merged: only one run contributed
    scattered = 1u << 9,      ///< merged: the runs that it rests on differ widely
};
using Flags = std::uint32_t;
[[nodiscard]] constexpr Flags operator|(Flag a, Flag b) {
    return static_cast<Flags>(a) | static_cast<Flags>(b);
}
[[nodiscard]] constexpr bool has(Flags flags, Flag flag) {
    return (flags & static_cast<Flags>(flag)) != 0;
}
constexpr void set(Flags& flags, Flag flag) {
    flags |= static_cast<Flags>(flag);
}

/// Whether the value is as repeatable within its run as requested: no limit ended the repetitions early.
[[nodiscard]] constexpr bool is_repeatable(Flags flags) {
    return (flags & (Flag::not_repeatable | Flag::timed_out)) == 0;
}

/// "not_repeatable,disturbed"; empty for none.
[[nodiscard]] std::string flag_words(Flags flags);
/// The reverse. @throws InputError naming an unknown word
[[nodiscard]] Flags flags_from_words(const std::string& words);
/// One sentence for a reader of the report.
[[nodiscard]] std::string flag_sentence(Flag flag);
[[nodiscard]] const std::vector<Flag>& all_flags();

/// A stored single measurement, with the precision of a 32-bit float, 6e-8 of its value.
[[nodiscard]] constexpr double as_stored(double duration_s) {
    return static_cast<double>(static_cast<float>(duration_s));
}

/// Short calls are timed as a block of several that takes about this long with a usual clock: its step and
/// the cost of reading it stay below 1 % of it. For the actual clock: skalib::shortest_block_s.
constexpr double usual_block_s = 4e-6;

/// A value keeps the times of so many ranks; single measurements are kept of so many that take part.
inline constexpr std::size_t most_node_times = 256;

/// One rank's times of a batch's single measurements.
struct NodeDurations {
    int rank = 0; ///< as in NodeTime
    std::vector<double> duration_s;
};

/// Some single measurements made back to back between two probes, without any control traffic among them.
struct Batch {
    int pass = 0;           ///< 0, 1, ... over the suite's arguments
    std::int64_t block = 1; ///< calls per single measurement
    /// How its ranks were started together; differs from the suite's after windows were given up.
    Synchronization synchronization = Synchronization::window;
    double start_s = 0;        ///< on the run's time line
    double probe_before_s = 0; ///< 0 = no probe
    double probe_after_s = 0;
    std::int64_t late = 0;                 ///< single measurements discarded: a rank missed the window
    bool dropped = false;                  ///< its probes disagree: not used for the value
    bool dirty = false;                    ///< a rank was disturbed
    std::int64_t involuntary_switches = 0; ///< sum over ranks
    std::int64_t migrations = 0;           ///< sum over ranks
    std::int64_t steal_ticks = 0;          ///< of the machine, sum over hosts
    double core_clock_hz = 0; ///< rank 0's at its fastest, measured with the probes; 0 = not measured
    /// Measured with the probes, the lowest of all ranks (skalib::CoreSpeed); 0 = not measured.
    double core_throughput = 0;
    std::vector<double> duration_s; ///< per single measurement, time per call, overhead still in
    /// Of the ranks that took part, in the order of their numbers; empty without Node_Times.
    std::vector<NodeDurations> node_durations;
};

/// Stretch::listed_ranks of a batch's node times.
[[nodiscard]] std::string listed_ranks(const std::vector<NodeDurations>& node_durations);
/// The ranks it lists, as many as are expected; nothing where the text lists others.
[[nodiscard]] std::optional<std::vector<int>> ranks_in(std::string_view listed, std::size_t expected);

inline constexpr std::size_t listed_width = 8;

/// What consecutive batches made in the same way between the same two probes have in common: stored once.
struct Stretch {
    int pass = 0;
    std::int64_t block = 1;
    Synchronization synchronization = Synchronization::window;
    double probe_before_s = 0;
    double probe_after_s = 0;
    double core_clock_hz = 0;
    double core_throughput = 0;
    /// Whose times the batches hold, where they hold rank most_node_times or above, but not all before it:
    /// each number with spaces behind it up to listed_width characters; else empty, for as many as the last.
    std::string listed_ranks;
    bool operator==(const Stretch&) const = default;
};
[[nodiscard]] inline Stretch stretch_of(const Batch& batch) {
    return {
        batch.pass,          batch.block,         batch.synchronization, batch.probe_before_s,
        batch.probe_after_s, batch.core_clock_hz, batch.core_throughput, listed_ranks(batch.node_durations)};
}
/// Without its node times.
inline void set_stretch(Batch& batch, const Stretch& stretch) {
    batch.pass = stretch.pass;
    batch.block = stretch.block;
    batch.synchronization = stretch.synchronization;
    batch.probe_before_s = stretch.probe_before_s;
    batch.probe_after_s = stretch.probe_after_s;
    batch.core_clock_hz = stretch.core_clock_hz;
    batch.core_throughput = stretch.core_throughput;
}

/// One of the machine's states as seen by one measurement, or by the launches of a merged one.
struct ModeValue {
    int mode = 0;     ///< 0 = fastest probe (merged without probes: smallest values)
    double share = 0; ///< of the single measurements; merged: of the launches
    double value_s = 0;
    double probe_s = 0; ///< median probe of its batches; merged: the launches' median; 0 = none
    std::int64_t count = 0;
    int runs = 0;              ///< merged: how many launches saw it
    double interval_low_s = 0; ///< merged: as in MergeFacts
    double interval_high_s = 0;
    double interval_confidence = 0;
};

struct NodeTime {
    int rank = 0; ///< number in the run, not among those that took part
    double value_s = 0;
    double standard_error_s = 0;
};

/// The value at one argument and all that is known about it. Times are in seconds per call, overhead
/// subtracted unless the suite says @ABSOLUTE.
struct Measurement {
    std::int64_t argument = 0;
    std::int64_t message_bytes = 0;
    int ranks = 0;
    std::int64_t chunks = 0;
    double value_s = 0;
    double standard_error_s = 0; ///< one run: repeatability within this run; merged: see Source
    skalib::Summary summary;     ///< of the batches kept, of the mode reported
    double overhead_s = 0;       ///< subtracted from value and summary (0 with @ABSOLUTE)
    double overhead_error_s = 0;
    Flags flags = 0;
    int mode = 0;
    double mode_share = 1;
    double probe_s = 0;       ///< P: median probe of the batches used; 0 = none
    double way_there = 0;     ///< share of P that the way from the first rank to the last took; 0 = not known
    double core_clock_hz = 0; ///< G: the mean of the single measurements used; 0 = none
    double core_throughput = 0; ///< of the slowest rank's core, in additions per cycle, likewise
    double adjusted_s =
        0; ///< (T - s P) G / G0 + s P0 (machine_state.hpp); equals value_s where P or G are unknown
    std::int64_t discarded = 0; ///< single measurements thrown away: late, probes disagree
    double time_used_s = 0;     ///< wall time, warm-up included
    double alone_s = 0;       ///< overlap: the operation alone, begun and waited for; 0 = no overlap measured
    double computation_s = 0; ///< overlap: computation between its beginning and the wait
    double messages = 0;      ///< moved by a call, for bandwidth and message rate; 0 = not known
    std::vector<ModeValue> modes;     ///< one per mode seen, fastest first
    std::vector<NodeTime> node_times; ///< empty without Node_Times
};

/// Whether a time was measured. Nothing else is merged, summarised over launches or compared.
[[nodiscard]] inline bool has_value(const Measurement& m) {
    return std::isfinite(m.value_s) && m.summary.count > 0 && !has(m.flags, Flag::wrong_result);
}

/// Share of the operation's own time that was hidden behind the computation, 0 to 1:
/// (alone + computation - value) / min(alone, computation), as the usual benchmarks define it.
/// @pre alone_s > 0
[[nodiscard]] inline double overlap(const Measurement& m) {
    return std::clamp((m.alone_s + m.computation_s - m.value_s) / std::min(m.alone_s, m.computation_s), 0.0,
                      1.0);
}

/// The sources of a merged value: one row per run considered, and one more for each other mode of the machine
/// that the run met.
struct Source {
    std::string run;           ///< uuid of the source run
    std::string database;      ///< file it was read from
    bool interpolated = false; ///< between two arguments of the run
    bool chosen = false;       ///< the merged value is this one, or the mean of this and another chosen one
    bool left_out =
        false; ///< it weighs nothing: of another mode, disturbed, ..., or measured without a value
    bool other_mode = false; ///< a mode that the run met but did not report
    /// The run's measurement; its mode is one of the merged measurement's. Without a value (not a number) the
    /// run abstained: its range does not cover the argument.
    Measurement own = {};
    [[nodiscard]] bool abstained() const { return std::isnan(own.value_s); }
};

/// Statistics of a merged value that one run does not have.
struct MergeFacts {
    int runs = 0;         ///< that the value rests on
    double minimum_s = 0; ///< of their values
    double maximum_s = 0;
    double mad_s = 0;
    double between_runs_error_s = 0; ///< sd / sqrt(runs)
    double interval_low_s = 0;       ///< of the kind of value below, from the values of the runs
    double interval_high_s = 0;
    double interval_confidence = 0;
    bool in_a_row = false;     ///< its runs are of one session (LaunchesInTime): the interval has no level
    int measured_runs = 0;     ///< with a value at this argument, also in other modes or left out
    std::string flagged;       ///< the flags of those with their numbers: "2 not_repeatable, 1 disturbed"
    std::string value_kind;    ///< "median", "mean", "min"; empty = not known
    double adjusted_share = 0; ///< s of the adjusted value: how much of the probe is in the time
    bool adjusted_by_speed = false; ///< whether the core speed counts
    double adjusted_low_s = 0;      ///< interval of the adjusted value
    double adjusted_high_s = 0;
    double adjusted_confidence = 0; ///< its level; 0 = none
    std::vector<Source> sources;

    /// Further runs can only lower a minimum, by an unknown amount.
    [[nodiscard]] bool has_interval() const {
        return interval_confidence > 0 || (in_a_row && runs > 1 && value_kind != "min");
    }
};

// --- fields

/// The fields of Measurement: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<Measurement> Row, typename Visitor>
void for_each_field(Row& measurement, Visitor&& field) {
    auto& summary = measurement.summary;
    field({"ranks", "number of ranks that took part", in_result | of_point}, measurement.ranks);
    field({"message_bytes", "message length, in bytes; 0 = the operation has no messages",
           in_result | of_point},
          measurement.message_bytes);
    field({"chunks", "number of chunks (master-worker)", in_result | of_point}, measurement.chunks);
    field({"argument", "value of the varied parameter; unique in its suite", in_result | of_point},
          measurement.argument);
    field({"value_s", "reported value: time per call, overhead subtracted unless absolute", in_result},
          measurement.value_s);
    field(
        {"standard_error_s",
         "repeatability: standard error of the value within one run, not the error between launches; merged: of the runs that the value comes from",
         in_result},
        measurement.standard_error_s);
    field({"count", "number of single measurements", in_result}, summary.count);
    field({"mean_all_s", "mean of all single measurements"}, summary.mean_all);
    field({"standard_error_all_s", "standard error of that mean (SKaLib eq. 3.4)"},
          summary.standard_error_all);
    field({"cut_count", "number of single measurements left after the cut"}, summary.cut_count);
    field({"cut_mean_s", "mean of those left after the cut"}, summary.cut_mean);
    field({"cut_standard_error_s", "standard error of that mean, from the winsorised variance"},
          summary.cut_standard_error);
    field({"lower_s", "mean of the single measurements between the 5 % and 50 % quantiles"}, summary.lower);
    field({"minimum_s", "of the single measurements", in_result}, summary.minimum);
    field({"quartile25_s", "of the single measurements", in_result}, summary.quartile25);
    field({"median_s", "of the single measurements", in_result}, summary.median);
    field({"quartile75_s", "of the single measurements", in_result}, summary.quartile75);
    field({"maximum_s", "of the single measurements", in_result}, summary.maximum);
    field({"overhead_s", "overhead subtracted from the value"}, measurement.overhead_s);
    field({"overhead_error_s", "standard error of the overhead"}, measurement.overhead_error_s);
    field(
        {"flags",
         "separated by commas: not_repeatable, timed_out, unreliable, disturbed, several_modes, unsynchronised, wrong_result, interpolated, one_run, scattered; merged: not_repeatable if one of the runs used is, unreliable, timed_out, disturbed, unsynchronised or several_modes if half of them are; not_repeatable and timed_out are dropped where six or more runs give an interval and are not scattered",
         in_result},
        FlagWords(measurement.flags));
    field({"mode", "machine mode of the value, 0 = fastest", in_result}, measurement.mode);
    field({"mode_share", "share of the single measurements in this mode", in_result | of_point},
          measurement.mode_share);
    field({"probe_s", "median probe time of the batches used; 0 = none"}, measurement.probe_s);
    field({"core_clock_hz", "mean core clock of the single measurements used; 0 = not measured"},
          measurement.core_clock_hz);
    field(
        {"core_throughput",
         "mean throughput of the slowest rank's core with them, in additions per cycle; lower where other work shares the core; 0 = not measured"},
        measurement.core_throughput);
    field({"adjusted_s", "value adjusted to the reference mode; equals value_s where that is unknown",
           in_result},
          measurement.adjusted_s);
    field({"discarded", "number of single measurements discarded"}, measurement.discarded);
    field({"time_used_s", "wall time, warm-up included"}, measurement.time_used_s);
    field({"alone_s", "overlap: time of the operation without computation; 0 = overlap not measured"},
          measurement.alone_s);
    field({"computation_s", "overlap: time of the computation between start and wait"},
          measurement.computation_s);
    field(
        {"messages",
         "messages that a call moves: bandwidth = messages * message_bytes / value_s, message rate = messages / value_s; 0 = unknown",
         of_point},
        measurement.messages);
    field({"outbound_share",
           "share of the probe's round trip spent on the way from the first rank to the last; 0 = unknown"},
          measurement.way_there);
}

/// The fields of ModeValue: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<ModeValue> Row, typename Visitor>
void for_each_field(Row& mode, Visitor&& field) {
    field({"mode", "0 = fastest probe"}, mode.mode);
    field({"share", "share of the single measurements; merged: share of the launches"}, mode.share);
    field({"value_s", "value in this mode"}, mode.value_s);
    field({"probe_s", "median probe time of its batches; 0 = none"}, mode.probe_s);
    field({"count", "number of single measurements"}, mode.count);
    field({"runs", "merged: number of launches with this mode"}, mode.runs);
    field({"interval_low_s", "merged: confidence interval of the value, between runs"}, mode.interval_low_s);
    field({"interval_high_s", "merged: upper end of the interval"}, mode.interval_high_s);
    field({"interval_confidence", "merged: confidence level of the interval; 0 = none, as in merge_fact"},
          mode.interval_confidence);
}

/// The fields of NodeTime: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<NodeTime> Row, typename Visitor>
void for_each_field(Row& time, Visitor&& field) {
    field({"rank", "number of the rank in the run"}, time.rank);
    field({"value_s", "time that this rank measured"}, time.value_s);
    field({"standard_error_s", "repeatability: standard error of this time within one run"},
          time.standard_error_s);
}

/// The fields of Batch but those of its stretch: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<Batch> Row, typename Visitor>
void for_each_field(Row& batch, Visitor&& field) {
    field({"start_s", "start of the batch, on the run's time line"}, batch.start_s);
    field({"late", "single measurements discarded because a rank missed the window"}, batch.late);
    field({"dropped", "1 = not used: the probes before and after it disagree"}, batch.dropped);
    field({"disturbed", "1 = a rank lost its core"}, batch.dirty);
    field({"involuntary_switches", "involuntary context switches, sum over ranks"},
          batch.involuntary_switches);
    field({"migrations", "moves to another core, sum over ranks"}, batch.migrations);
    field({"steal_ticks", "time that other virtual machines took, in ticks, sum over hosts"},
          batch.steal_ticks);
}

/// The fields of Stretch: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<Stretch> Row, typename Visitor>
void for_each_field(Row& stretch, Visitor&& field) {
    field({"pass", "pass over the arguments of the suite, from 0"}, stretch.pass);
    field({"block", "calls per single measurement"}, stretch.block);
    field(
        {"synchronization", "how the ranks started together: window, barrier, dissemination, barrier-before"},
        stretch.synchronization);
    field({"probe_before_s", "probe time before it; 0 = none"}, stretch.probe_before_s);
    field({"probe_after_s", "probe time after it; 0 = none"}, stretch.probe_after_s);
    field({"core_clock_hz", "core clock of rank 0 at the probes; 0 = not measured"}, stretch.core_clock_hz);
    field(
        {"core_throughput",
         "in additions per cycle at the probes, lowest of all ranks; 0 = not measured; below 97 % of the usual throughput of the mode another process used a core: these values are replaced while the limits allow"},
        stretch.core_throughput);
    field(
        {"listed_ranks",
         "ranks whose node times the batches hold, each padded with spaces to 8 characters; empty = rank 0, 1, ..."},
        stretch.listed_ranks);
}

/// The fields of MergeFacts: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<MergeFacts> Row, typename Visitor>
void for_each_field(Row& facts, Visitor&& field) {
    field({"runs", "number of runs that the value uses"}, facts.runs);
    field({"minimum_s", "smallest of their values"}, facts.minimum_s);
    field({"maximum_s", "largest of their values"}, facts.maximum_s);
    field({"mad_s", "median absolute deviation between the runs"}, facts.mad_s);
    field({"between_runs_error_s",
           "standard error of the mean between the runs: standard deviation / sqrt(runs)"},
          facts.between_runs_error_s);
    field({"interval_low_s", "confidence interval of the value, between runs"}, facts.interval_low_s);
    field({"interval_high_s", "upper end of the interval"}, facts.interval_high_s);
    field({"interval_confidence",
           "confidence level of the interval; 0 = none: there is no interval, or in_a_row is 1"},
          facts.interval_confidence);
    field(
        {"in_a_row",
         "1 = the runs were made in a row within a day: their spread does not show how far the next hour is away"},
        facts.in_a_row);
    field({"measured_runs",
           "number of runs with a value at this argument, excluded ones and other modes included"},
          facts.measured_runs);
    field({"flagged", "number of these runs with each flag: 2 not_repeatable, 1 disturbed"}, facts.flagged);
    field({"value_kind", "how the value is formed from the runs: median, mean, min; empty = unknown"},
          facts.value_kind);
    field({"adjusted_share", "adjusted value: share of the probe that is removed"}, facts.adjusted_share);
    field({"adjusted_by_speed", "1 = values are adjusted to the reference core speed, too"},
          facts.adjusted_by_speed);
    field({"adjusted_low_s",
           "confidence interval of the adjusted value, for every adjustment that its launches may choose"},
          facts.adjusted_low_s);
    field({"adjusted_high_s", "upper end of the interval"}, facts.adjusted_high_s);
    field({"adjusted_confidence", "confidence level of the interval; 0 = none, as for the value"},
          facts.adjusted_confidence);
}

/// The fields of Source but its node times: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<Source> Row, typename Visitor>
void for_each_field(Row& source, Visitor&& field) {
    field({"run", "uuid of the run"}, source.run);
    field({"database", "file that the run was read from"}, source.database);
    field({"interpolated", "1 = between two arguments of the run"}, source.interpolated);
    field({"chosen", "1 = the merged value is this one, or the mean of two chosen ones"}, source.chosen);
    field({"left_out", "1 = excluded: of another mode, or flagged while there are enough unflagged values"},
          source.left_out);
    field({"other_mode", "1 = value in a mode that the run met but did not report"}, source.other_mode);
    for_each_field(source.own, [&](const Field& of_own, auto&& value) {
        if (!of_own.is(of_point))
            field(of_own, std::forward<decltype(value)>(value));
    });
}

} // namespace skampi
