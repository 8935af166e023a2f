// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "skalib/statistics.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skalib {

/// When a measurement has been repeated often enough (SKaLib 3.2.1).
struct RepetitionLimits {
    std::int64_t min_count = 16;                     ///< Min_Repetition, >= 1
    std::optional<std::int64_t> max_count = 1000;    ///< Max_Repetition; none = no limit
    double max_relative_error = 0.01;                ///< Standard_error as a share, > 0
    double cut_quantile = 0.25;                      ///< Cut_Quantile, 0 <= q < 0.5
    std::optional<double> max_time_s = std::nullopt; ///< Time_Measurement; none = no limit
    ErrorEstimator estimator = ErrorEstimator::trimmed;

    bool operator==(const RepetitionLimits&) const = default;
};

enum class StopReason {
    none,       ///< not stopped: more values are wanted
    repeatable, ///< the error is small enough
    max_count,  ///< flag *not_repeatable*
    time_limit, ///< flag *timed out*; may have fewer than min_count values
};

/// Decides when one measurement has been repeated often enough: at least min_count values, at most
/// max_count, and in between until the standard error is at most max_relative_error times the mean and the
/// total time is at least clock_resolution / max_relative_error (paper 3.1). Pure: no clock, no MPI.
class RepetitionControl {
public:
    /// @param clock_resolution_s the measured step of the clock, >= 0
    /// @param value whose error it is (with ErrorEstimator::trimmed)
    /// @throws std::invalid_argument when a limit is impossible; the message names it
    explicit RepetitionControl(const RepetitionLimits& limits, double clock_resolution_s = 0,
                               ValueKind value = ValueKind::cut_mean);

    /// One single measurement. A block of k calls counts as one value: its time per call.
    /// @param calls k, so that the total time is value * calls
    /// @throws std::invalid_argument for a value that is not finite
    void add(double value_s, std::int64_t calls = 1);
    /// The same with an origin. Either all values have one or none.
    void add(double value_s, std::int64_t calls, const Origin& origin);
    /// Time spent on this measurement so far, by the caller's clock (counts against max_time_s).
    void set_time_used(double time_s);

    /// How many more single measurements are wanted now; 0 = done. min_count first, then as many as the
    /// current error predicts, n = (s / (eps * mean))^2, at most as many again and never beyond max_count. It
    /// is at least an eighth of the current count, so that there are O(log n) rounds, but fewer if max_time_s
    /// would not suffice. A mean that is not clearly above zero (relative error above 4, impossible for
    /// times) never settles: without max_count it stops, as max_count, at 16 times min_count. Values that are
    /// all zero settle at min_count.
    [[nodiscard]] std::int64_t wanted() const;
    /// The number of single measurements expected at the end, by the current error: at least the current
    /// number, at most what the limits allow.
    [[nodiscard]] std::int64_t expected() const;
    [[nodiscard]] StopReason reason() const;
    /// Relative standard error by the chosen estimator; infinity with fewer than two values.
    [[nodiscard]] double relative_error() const;
    [[nodiscard]] Summary summary() const;
    [[nodiscard]] const std::vector<double>& values() const { return values_; }

private:
    [[nodiscard]] double mean() const;           ///< by the estimator chosen
    [[nodiscard]] double standard_error() const; ///< likewise
    [[nodiscard]] bool is_around_zero() const;
    [[nodiscard]] double total_needed_s() const;
    [[nodiscard]] double predicted() const; ///< how many values the error needs; infinite = nothing is known
    /// How many values are missing to so many; fewer where a limit is nearer.
    [[nodiscard]] std::int64_t missing_to(std::int64_t target) const;

    RepetitionLimits limits_;
    double clock_resolution_s_;
    ValueKind value_;
    double total_s_ = 0;
    double time_used_s_ = 0;
    RunningStatistics all_;
    std::vector<double> values_;
    std::vector<Origin> origins_; ///< of the values, or empty
    mutable std::optional<Summary>
        summary_; ///< of values_, computed on demand: sorting in each add() would be O(n^2 log n)
};

/// Calls per timed block with which the clock's step and the cost of reading it stay below the wanted error:
/// ceil(target / duration), at least 1 (SKaLib eq. 3.1 with a measured resolution).
/// @param duration_s of one call; 0 (below the clock's resolution) gives the largest block, 10^6
/// @param target_s 4 us on a machine whose clock costs 30 ns and steps by 10 ns
[[nodiscard]] std::int64_t block_size(double duration_s, double target_s);

} // namespace skalib
#pragma GCC visibility pop
