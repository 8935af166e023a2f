#pragma once

#include "model/suite.hpp"
#include "skalib/repetition.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What is to be said of a measurement beside its value. Stored as comma-separated words (flag_words).
enum class Flag : std::uint32_t {
    unsettled = 1u << 0,  ///< max_count reached before the error was small enough
    timed_out = 1u << 1,  ///< Time_Measurement or Time_Suite used up first
    unreliable = 1u << 2, ///< value below zero or below what the clock resolves
    disturbed = 1u << 3, ///< ranks lost their core, or something else worked on it, in batches that were kept
    several_modes = 1u << 4,  ///< the machine was in more than one state
    unsynchronised = 1u << 5, ///< window start was not possible; barrier used instead
    wrong_result = 1u << 6,   ///< the operation delivered wrong data: no time is reported
    interpolated = 1u << 7,   ///< merged: the value chosen was interpolated
    one_run = 1u << 8,        ///< merged: only one run contributed
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

/// "unsettled,disturbed"; empty for none.
[[nodiscard]] std::string flag_words(Flags flags);
/// The reverse. @throws InputError naming an unknown word
[[nodiscard]] Flags flags_from_words(const std::string& words);
/// One sentence for a reader of the report.
[[nodiscard]] std::string flag_sentence(Flag flag);
[[nodiscard]] const std::vector<Flag>& all_flags();

/// Some single measurements made back to back between two probes, without any control traffic among them.
struct Batch {
    int pass = 0;           ///< 0, 1, ... over the suite's arguments
    std::int64_t block = 1; ///< calls per single measurement
    /// How its ranks were started together; another one than the suite's after windows were given up.
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
    double core_clock_hz = 0;              ///< rank 0's at its fastest beside the probes; 0 = not measured
    /// Beside the probes, the lowest of all ranks (skalib::CoreSpeed); 0 = not measured.
    double core_throughput = 0;
    std::vector<double> duration_s; ///< per single measurement, time per call, overhead still in
    /// [rank][single measurement]; empty without Node_Times.
    std::vector<std::vector<double>> node_duration_s;
};

/// One of the machine's states as seen by one measurement.
struct ModeValue {
    int mode = 0;     ///< 0 = fastest probe
    double share = 0; ///< of the single measurements
    double value_s = 0;
    double probe_s = 0; ///< mean probe of its batches
    std::int64_t count = 0;
};

struct NodeTime {
    int rank = 0;
    double value_s = 0;
    double standard_error_s = 0;
};

/// The value at one argument and all that is known of it. Times are in seconds per call, overhead subtracted
/// unless the suite says @ABSOLUTE.
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
    double probe_s = 0;         ///< P: mean probe of the batches used; 0 = none
    double core_clock_hz = 0;   ///< G: the highest of the batches used; 0 = none
    double adjusted_s = 0;      ///< (T - P) G / G0 + P0; equals value_s where P or G are unknown
    std::int64_t discarded = 0; ///< single measurements thrown away: late, probes disagree
    double time_used_s = 0;     ///< wall time, warm-up included
    double alone_s = 0;       ///< overlap: the operation alone, begun and waited for; 0 = no overlap measured
    double computation_s = 0; ///< overlap: computation between its beginning and the wait
    double messages = 0;      ///< moved by a call, for bandwidth and message rate; 0 = not known
    std::vector<ModeValue> modes;     ///< one per mode seen, fastest first
    std::vector<NodeTime> node_times; ///< empty without Node_Times
};

/// Share of the operation's own time that was hidden behind the computation, 0 to 1:
/// (alone + computation - value) / min(alone, computation), as the usual benchmarks define it.
/// @pre alone_s > 0
[[nodiscard]] inline double overlap(const Measurement& m) {
    return std::clamp((m.alone_s + m.computation_s - m.value_s) / std::min(m.alone_s, m.computation_s), 0.0,
                      1.0);
}

/// Where a merged value comes from: one row per run that was looked at.
struct Source {
    std::string run;               ///< uuid of the source run
    std::string database;          ///< file it was read from
    std::optional<double> value_s; ///< none = the run abstained: its range does not cover the argument
    double standard_error_s = 0;
    double count = 0;
    bool interpolated = false;
    bool chosen = false;
};

/// Statistics of a merged value that one run does not have.
struct MergeFacts {
    int runs = 0;
    double minimum_s = 0; ///< of the runs' values
    double maximum_s = 0;
    double mad_s = 0;
    double between_runs_error_s = 0; ///< sd / sqrt(runs)
    double interval_low_s = 0;       ///< distribution-free interval of the median
    double interval_high_s = 0;
    double interval_confidence = 0;
    std::vector<Source> sources;
};

} // namespace skampi
