#pragma once

#include "model/measurement.hpp"
#include "model/quantity.hpp"
#include "skalib/clock.hpp"

#include <string>

namespace skampi {

/// Whether it has a value that can be a time; others lie below what can be measured: values that are not
/// above zero, and unreliable ones that neither their error nor the overhead subtracted tells from zero.
[[nodiscard]] bool above_zero(const Measurement& measurement);

/// Of an unreliable value: whether it is too short for the clock or for what measuring it costs. Otherwise it
/// is long enough, and its overhead is in doubt: something else disturbed the empty calls.
[[nodiscard]] bool is_short_for_measuring(const Measurement& measurement);

/// Of an unreliable value: whether the only thing wrong may be that the overhead subtracted is longer. Its
/// error says how well it is known. Of several such values as many are too short as too long; to leave them
/// out would keep the longer ones of all.
[[nodiscard]] bool is_less_than_its_overhead(const Measurement& measurement);

/// The step of the clock in a value, which is wrong by at most half of it: that of a call in a block is a
/// part of the clock's. Where no clock is known to have been read, the step is that of the printed values.
[[nodiscard]] double value_step_s(const Suite& suite, const skalib::ClockFacts& clock, double value_s);

/// The value as a result: "1.234 µs", "no value", "below what can be measured" (above_zero()).
/// @param factor by which it is multiplied   @param digits significant ones
[[nodiscard]] std::string value_text(const Measurement& measurement, TimeUnit unit = TimeUnit::automatic,
                                     double factor = 1, int digits = 4);

} // namespace skampi
