// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"
#include "model/suite.hpp"
#include "skalib/modes.hpp"
#include "skalib/statistics.hpp"
#include "suite/known_modes.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skampi {

/// The time of an empty operation in the same loop, subtracted from every value (paper 3.1).
struct Overhead {
    double value_s = 0; ///< per call
    double error_s = 0; ///< its standard error
    double probe_s = 0; ///< typical probe of its batches; 0 = none
    /// Unknown, disturbed, measured in another mode, or unlike the others of its run: only useful for values
    /// that are much longer.
    bool doubtful = false;
};

/// Which values a point's value is made of when it has enough of them.
struct Preference {
    int mode = 0;
    Synchronization synchronization = Synchronization::window;
};

/// Which of a measurement's values count: those of one mode and one start of the ranks, without dropped ones,
/// and without disturbed ones or those near to them if enough remain.
struct ChosenValues {
    struct Mode {
        std::vector<const Batch*> batches;
        std::int64_t count = 0;       ///< single measurements in them
        std::int64_t undisturbed = 0; ///< of these
        /// Of these, those far from batches on shared cores: neighbours also come and go between two looks at
        /// the cores, mostly near to where they were seen.
        std::int64_t far = 0;
    };
    Synchronization synchronization = Synchronization::window; ///< of all of them
    std::vector<Mode> modes;                                   ///< all there are
    std::size_t chosen = 0;
    bool disturbed = false; ///< too few undisturbed values: all of the mode count
    /// Enough undisturbed values, but too few of them far, or among so many disturbed ones that some only
    /// look undisturbed: they count, and more are wanted.
    bool doubtful = false;
    /// Every batch lies between two modes: all form the value, each in the mode of its first probe.
    bool between_modes = false;
    std::vector<const Batch*> used;      ///< batches whose values count
    std::vector<double> values_s;        ///< in the order measured
    std::vector<std::int64_t> blocks;    ///< calls behind each
    std::vector<skalib::Origin> origins; ///< of each
    std::int64_t discarded = 0;          ///< late, dropped, disturbed or started in another way

    [[nodiscard]] const Mode& mode() const { return modes[chosen]; }
    /// How many more undisturbed single measurements are needed until they are neither too few nor in doubt.
    /// @param enough min_count
    [[nodiscard]] std::int64_t undisturbed_missing(std::int64_t enough) const;
};

/// The median of the probes of the batches that have some (the lower of two in the middle, as they may be of
/// two modes): an interrupted one takes a thousand times as long as the others. 0 = none has.
[[nodiscard]] double typical_probe_s(const std::vector<const Batch*>& batches);

/// Pure.
/// @param batches must stay as they are while the result is used   @param split of all probes of the run
/// @param known the modes that the run knows   @param preference the suite's majority; chosen when the point
/// has min_count values of it, else the point's own majority
[[nodiscard]] ChosenValues choose_values(const skalib::RepetitionLimits& limits,
                                         const std::vector<Batch>& batches, const skalib::ModeSplit& split,
                                         const KnownModes& known, const Preference& preference);

/// The references of values.
struct Yardstick {
    const KnownModes& known;         ///< the modes that the suite's probes belong to
    double reference_core_speed = 0; ///< G0; 0 = none
    double clock_resolution_s = 0;
};

/// The value of a measurement from the values chosen: subtracts the overhead, adjusts, flags. Pure.
/// An overhead several times as long as the calls that include it was interrupted: it is not subtracted. A
/// value below zero is none (NaN), also in each mode; the summary keeps it. The rest after a doubtful
/// overhead is none either if it is less than overhead and scatter. No other time is below zero.
/// Flagged unreliable: no time left by the overhead or resolved by the clock; an overhead longer than the
/// value; a doubtful one that is not small against it.
/// @param summary of the values chosen
/// @param measurement argument, ranks, time_used_s and node_times are kept, everything else is filled in
void evaluate(const Suite& suite, const ChosenValues& chosen, const skalib::Summary& summary,
              const Overhead& overhead, const Yardstick& yardstick, Measurement& measurement);

/// All times up to most_node_times; from more, those of rank 0 and of the ranks at equally spaced quantiles
/// of the times, including fastest and slowest, by rank.
[[nodiscard]] std::vector<NodeTime> bounded_node_times(std::vector<NodeTime> times);
/// Each rank's times of the values chosen (bounded_node_times), without the overhead as the value; empty
/// unless they were kept.
[[nodiscard]] std::vector<NodeTime> node_times_of(const Suite& suite, const ChosenValues& chosen,
                                                  double overhead_s);

} // namespace skampi
