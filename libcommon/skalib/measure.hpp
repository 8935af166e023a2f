#pragma once

#include "skalib/clock.hpp"
#include "skalib/refinement.hpp"
#include "skalib/repetition.hpp"

#include <cstdint>
#include <functional>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skalib {

/// The result at one argument.
struct Measured {
    std::int64_t argument = 0;
    Summary summary; ///< seconds per call, overhead subtracted
    StopReason reason = StopReason::none;
};

/// Measures one callable sequentially: warm-up, block size from the clock, repetition until the error is
/// small. A single measurement is a block of calls so long that reading and resolving the clock cost no more
/// than the error allowed; the time of a block of empty calls is subtracted.
/// @param call its exceptions are passed on
/// @param clock may be one's own: nothing else is asked for the time
/// @throws std::invalid_argument when a limit is impossible
[[nodiscard]] Measured measure(const std::function<void()>& call, const RepetitionLimits& limits,
                               const Clock& clock = steady_seconds);

/// Measures a callable over an argument with automatic refinement. The clock and the cost of empty calls are
/// measured once, limits hold for each argument.
/// @returns one per argument, ascending
/// @throws std::invalid_argument when a limit is impossible
[[nodiscard]] std::vector<Measured> measure_suite(const std::function<void(std::int64_t)>& call,
                                                  const RefinementLimits& arguments,
                                                  const RepetitionLimits& limits,
                                                  const Clock& clock = steady_seconds);

} // namespace skalib
#pragma GCC visibility pop
