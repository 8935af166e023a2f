// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/stored.hpp"

#include <optional>
#include <string>

namespace skampi {

struct Curve;

/// Error bar of a point: the interval between launches where the merge gives one, else value +- standard
/// error.
struct ErrorBar {
    double low = 0;
    double high = 0;
};
[[nodiscard]] ErrorBar error_bar(const StoredMeasurement& point);

/// What the error of a value is.
enum class ErrorKind {
    nothing_measured,       ///< there is no value
    one_launch,             ///< merged from one launch: the error between launches is not known
    launches_without_range, ///< merged from several, and the file does not hold their range
    interval,               ///< confidence interval between launches
    interval_in_a_row,      ///< the same, of launches of one session: it has no level
    range,                  ///< smallest to largest launch: too few for an interval
    range_of_minimum,       ///< the same; the value is the smallest, which has no interval
    no_single_measurement,
    one_single_measurement,
    unknown,        ///< the file does not hold it
    below_overhead, ///< the overhead subtracted is as large as the time measured
    repeatability,  ///< standard error within one run
};

/// Whether it is an interval or a range of launches.
[[nodiscard]] constexpr bool is_between_launches(ErrorKind kind) {
    return kind == ErrorKind::interval || kind == ErrorKind::interval_in_a_row || kind == ErrorKind::range ||
           kind == ErrorKind::range_of_minimum;
}

struct ValueError {
    ErrorKind kind = ErrorKind::unknown;
    std::optional<double> low; ///< in seconds, times the factor asked for; none = not known
    std::optional<double> high;
    double standard_error_s = 0; ///< of repeatability, times the factor
    int launches = 0;            ///< the value rests on; 0 = it is not merged
    int measured_launches = 0;   ///< launches there were; more than `launches` where not all count
    double confidence = 0;       ///< of an interval
    std::string value_kind = {}; ///< of a merged value: "median", "mean", "min"
};
/// @param factor the value shown is this times the measured time (half of a round trip: 0.5)
[[nodiscard]] ValueError value_error(const StoredMeasurement& point, double factor = 1);

/// Whether several launches have an adjusted value as well as a raw one: with one launch there is no
/// error to compare.
[[nodiscard]] bool has_adjusted(const StoredMeasurement& point);

/// The error between launches of a merged value as a relative standard error: half of its interval, in
/// standard errors of the normal distribution at the interval's level (1.96 at 95 %). None where the launches
/// give no interval.
[[nodiscard]] std::optional<double> error_between_launches(const StoredMeasurement& point);

/// The half width of intervals that a curve's launches were repeated for (skampi-run --until), by the value;
/// none = they were not.
[[nodiscard]] std::optional<double> half_width_asked_for(const Curve& curve);
/// The standard error between launches that was asked for, by the value: that of the half width above, else
/// the parameter file's; none = not known.
[[nodiscard]] std::optional<double> error_asked_for(const Curve& curve);

/// Whether the error between launches of a value is at most what was asked for. Repeatability within a run
/// says nothing of it.
enum class Settled {
    settled,
    unsettled,
    unknown, ///< one launch, too few for an interval, or it is not known what was asked for
};
/// @pre the point is of the curve and has a value
[[nodiscard]] Settled settled(const Curve& curve, const StoredMeasurement& point);

/// What the errors of a curve's values are, all of them together.
struct CurveError {
    ErrorKind kind = ErrorKind::unknown;
    std::optional<ValueError> uniform; ///< of every point, where all rest on equally many launches
    int fewest_launches = 0;
    int most_launches = 0;
    double least_confidence = 0;
    double most_confidence = 0;
    bool some_without_interval = false; ///< of several points with intervals some rest on too few launches
    std::string value_kind = {};
};
/// @pre the curve has points
[[nodiscard]] CurveError curve_error(const Curve& curve);

/// What the error bars of a curve show: the best that any of its points has.
/// @return interval, range or repeatability
[[nodiscard]] ErrorKind error_bars_of(const Curve& curve);

} // namespace skampi
