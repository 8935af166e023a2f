// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"
#include "model/quantity.hpp"
#include "skalib/clock.hpp"

#include <string>

namespace skampi {

/// Whether it has a value that can be a time. Others are below what can be measured: values not above zero,
/// and unreliable ones that cannot be distinguished from zero, given their error and the overhead subtracted.
[[nodiscard]] bool above_zero(const Measurement& measurement);

/// For an unreliable value: whether it is too short for the clock or for the cost of measuring. Otherwise its
/// overhead is in doubt: something else disturbed the empty calls.
[[nodiscard]] bool is_short_for_measuring(const Measurement& measurement);

/// For an unreliable value: whether the only problem may be a long overhead. Its error says how well it is
/// known. As many such values are too short as too long; leaving them out would keep the longer ones of all.
[[nodiscard]] bool is_less_than_its_overhead(const Measurement& measurement);

/// Whether its value is so far above that of another of its states (lost_core_ratio) that a rank had no core
/// in the state shown.
[[nodiscard]] bool shows_lost_core(const Measurement& measurement);

/// The step of the clock in a value, which is wrong by at most half of it: the step of a call in a block is a
/// fraction of the clock's. If the clock is not known, the step is that of the printed values.
[[nodiscard]] double value_step_s(const Suite& suite, const skalib::ClockFacts& clock, double value_s);

/// The value as a result: "1.234 µs", "no value", "below what can be measured" (above_zero()).
/// @param factor by which it is multiplied   @param digits significant ones
[[nodiscard]] std::string value_text(const Measurement& measurement, TimeUnit unit = TimeUnit::automatic,
                                     double factor = 1, int digits = 4);

} // namespace skampi
