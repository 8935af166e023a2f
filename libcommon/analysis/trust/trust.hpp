// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

#include <cstdint>
#include <optional>

namespace skampi {

/// How far the values of a subject can be trusted, counted over all its points.
struct Trust {
    std::int64_t points = 0;
    std::int64_t single_measurements = 0;
    std::int64_t discarded = 0;    ///< single measurements, of all launches
    std::int64_t discarded_of = 0; ///< single measurements that all launches made
    // Within a run: repeatability.
    std::int64_t repeatable = 0; ///< as was asked for, value usable
    std::int64_t repeatability_unknown =
        0; ///< value usable, but of one single measurement or without an error
    std::int64_t not_repeatable = 0;
    std::int64_t timed_out = 0;
    std::int64_t stopped_by_limit = 0;        ///< one of these two, or both, as a merged value may be
    std::int64_t values_stopped_by_limit = 0; ///< of these those with a value
    // Between launches, of values above zero (settled()).
    std::int64_t settled = 0;
    std::int64_t unsettled = 0;
    std::int64_t settled_unknown = 0;
    std::optional<double> error_asked_for; ///< standard error as a share, where all suites ask for the same
    std::optional<double> half_width_asked_for; ///< likewise (half_width_asked_for())
    /// Median over the points of error_between_launches(); none where no point has one.
    std::optional<double> error_between_launches;
    /// So many launches would settle 9 of 10 points if the error falls with their square root; none where no
    /// point is unsettled.
    std::optional<double> launches_to_settle;
    // Other doubts.
    std::int64_t unreliable = 0;
    std::int64_t overhead_in_doubt = 0; ///< of these: they are long enough (is_short_for_measuring())
    std::int64_t disturbed = 0;
    std::int64_t launch_values = 0;           ///< of single launches, whether values rest on them or not
    std::int64_t launch_values_disturbed = 0; ///< of them
    std::int64_t several_modes = 0;
    std::int64_t within_one_state = 0; ///< of these merged values of launches that were in one state
    std::int64_t unsynchronised = 0;   ///< windows given up: measured between barriers
    std::int64_t wrong_result = 0;
    std::int64_t no_value = 0;       ///< measured to the end, nothing left to form a value from
    std::int64_t not_in_state = 0;   ///< merged, with values of launches in another machine state alone
    std::int64_t not_above_zero = 0; ///< below what can be measured
    std::int64_t one_launch = 0;     ///< of several launches only one has a value there
    std::int64_t few_launches = 0;   ///< of five launches or more two to four count there: no interval
    std::int64_t unfinished = 0;     ///< begun, without a value
    std::int64_t suites_open = 0;
    std::int64_t suites_failed = 0;  ///< or put off
    std::int64_t scattered = 0;      ///< the launches behind them lie far apart
    std::size_t launches = 0;        ///< that values rest on
    std::size_t launches_merged = 0; ///< as many were given; at least 1
    /// From the begin of the first launch to the end of the last; none with one launch, or where not all are
    /// known. What changes more slowly is not in the error between launches.
    std::optional<double> span_s;
    bool of_other_states = false; ///< launches found the machine in another state than the one shown
    /// Median over the points of the relative standard deviation between
    /// launches; none with one launch.
    std::optional<double> noise_between_launches;

    /// Whether other work disturbed most of what the launches measured, and the values shown rest on the
    /// rest.
    [[nodiscard]] bool rests_on_undisturbed() const;
};

[[nodiscard]] Trust assess(const Subject& subject);

/// What is known of how much launches differ.
enum class NoiseState {
    known,        ///< the median over the points
    few_launches, ///< several, and too few for it to say how others would differ
    not_in_file,  ///< several launches, of which the file holds only the merged
                  ///< values
    simulated,    ///< simulated launches do not differ
    one_launch,
    no_launch,
};
[[nodiscard]] NoiseState noise_state(const Subject& subject, const Trust& trust);

/// The largest error of a rank's clock; 0 where all ranks read one clock, or no clock was needed.
[[nodiscard]] double largest_clock_bound_s(const Run& run);

} // namespace skampi
