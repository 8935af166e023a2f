// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "model/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// The quantity of an axis; decides how its ticks are labelled.
enum class AxisQuantity {
    bytes,           ///< "1 Ki": the unit stands in the axis' title
    bytes_with_unit, ///< "1 KiB"
    count,
    time,
    bandwidth,
    ratio,
    date, ///< days since 1970, in UTC
};

struct Tick {
    double at = 0;
    std::string label;
};

/// One axis of a plot, ready to draw: range, ticks with their labels, title.
struct Axis {
    std::string title;
    bool log = false;
    double low = 0;
    double high = 1;
    std::vector<Tick> ticks;
    std::vector<double> minor_ticks; ///< without labels
    /// Where an argument 0 is drawn on a log axis: left of a gap in the axis.
    std::optional<double> zero_at;
    double gap_at = 0;                           ///< where the sign of the gap stands; only with zero_at
    AxisQuantity quantity = AxisQuantity::count; ///< for labels of further ticks
    Units units = {};                            ///< of its labels and of values in texts
};

/// The axis of arguments.
/// @param arguments any order, may hold 0 (which a log axis shows left of a gap) @param max_ticks at least 2
[[nodiscard]] Axis argument_axis(const std::vector<std::int64_t>& arguments, AxisQuantity quantity, bool log,
                                 const std::string& title, int max_ticks = 6);

/// Whether a plot can show a number: those near the ends of double overflow when drawn.
[[nodiscard]] bool can_be_drawn(double value);

/// The axis of values. Values that a log axis (zero, negative) or no drawing can show do not influence its
/// range; linear axes begin at 0 unless there are negative values.
[[nodiscard]] Axis value_axis(const std::vector<double>& values, AxisQuantity quantity, bool log,
                              const std::string& title, int max_ticks = 6, const Units& units = {});

/// The axis of ratios: logarithmic, with 1 in its middle, and at least from 0.8 to 1.25, so that noise does
/// not look like a difference; ratios beyond a thousand do not widen it.
[[nodiscard]] Axis ratio_axis(const std::vector<double>& ratios, const std::string& title, int max_ticks = 6);

/// The axis of moments, in days since 1970 (UTC); labels are years, months
/// ("2026-04"), days ("04-23") or times ("21:10", "21:10:30"), as long as the axis is; there is at least one.
/// @param first,last in any order @param max_ticks at least 2
[[nodiscard]] Axis date_axis(double first, double last, int max_ticks);

/// A linear axis that shows changes of values: it begins near the smallest, not at 0.
/// @param values finite, not empty
[[nodiscard]] Axis close_axis(const std::vector<double>& values, AxisQuantity quantity, int max_ticks);

/// Where an argument stands on its axis.
[[nodiscard]] double position(const Axis& axis, std::int64_t argument);

} // namespace skampi
