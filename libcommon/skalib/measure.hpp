// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "skalib/clock.hpp"
#include "skalib/refinement.hpp"
#include "skalib/repetition.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skalib {

/// The result at one argument.
struct Measured {
    std::int64_t argument = 0;
    Summary summary; ///< seconds per call, overhead subtracted; its standard errors are those of both
    StopReason reason = StopReason::none;
    double overhead_s = 0;       ///< per call: what empty calls took, subtracted
    double overhead_error_s = 0; ///< its standard error
};

/// How to measure.
struct MeasureOptions {
    Clock clock = steady_seconds; ///< the only source of time; may be your own
    /// The wished resolution of the time of a call (R_user of SKaLib eq. 3.1): a block has enough calls for
    /// the clock to resolve it. None = the step of the clock and the cost of reading it are at most the
    /// allowed error.
    std::optional<double> resolution_s = std::nullopt;
    /// measure_suite: time for all arguments together (Time_Suite); none = no limit. Each argument of the
    /// first pass gets at most an equal share of the remaining time, so that the last ones are measured too;
    /// refinement gets the rest. No call is aborted.
    std::optional<double> max_suite_time_s = std::nullopt;
};

/// Measures one callable sequentially: warm-up, block size from the clock, repetition until the error is
/// small. A single measurement is a block of calls, long enough that the clock's step and the cost of reading
/// it stay within the allowed error; the time of a block of empty calls is subtracted.
/// @param call its exceptions are passed on
/// @param clock the only source of time; may be your own
/// @throws std::invalid_argument when a limit is impossible
[[nodiscard]] Measured measure(const std::function<void()>& call, const RepetitionLimits& limits,
                               const Clock& clock = steady_seconds);
[[nodiscard]] Measured measure(const std::function<void()>& call, const RepetitionLimits& limits,
                               const MeasureOptions& options);

/// Measures a callable over an argument with automatic refinement. The clock and the cost of empty calls are
/// measured once; the limits hold for each argument.
/// @returns one result per argument, ascending; fewer when the suite's time was used up
/// @throws std::invalid_argument when a limit is impossible
[[nodiscard]] std::vector<Measured> measure_suite(const std::function<void(std::int64_t)>& call,
                                                  const RefinementLimits& arguments,
                                                  const RepetitionLimits& limits,
                                                  const Clock& clock = steady_seconds);
[[nodiscard]] std::vector<Measured> measure_suite(const std::function<void(std::int64_t)>& call,
                                                  const RefinementLimits& arguments,
                                                  const RepetitionLimits& limits,
                                                  const MeasureOptions& options);

} // namespace skalib
#pragma GCC visibility pop
