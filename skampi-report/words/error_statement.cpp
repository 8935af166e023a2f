#include "words/error_statement.hpp"

#include "analysis/comparison.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

/// Not so of launches read from a file that holds their merged value only.
bool knows_range(const MergeFacts& merge) {
    return std::isfinite(merge.minimum_s) && std::isfinite(merge.maximum_s);
}

} // namespace

ErrorBar error_bar(const StoredMeasurement& point) {
    const Measurement& measurement = point.measurement;
    if (point.merge && point.merge->runs >= static_cast<int>(launches_needed) &&
        point.merge->interval_confidence > 0)
        return {point.merge->interval_low_s, point.merge->interval_high_s};
    if (point.merge && point.merge->runs > 1)
        return knows_range(*point.merge) ? ErrorBar{point.merge->minimum_s, point.merge->maximum_s}
                                         : ErrorBar{measurement.value_s, measurement.value_s};
    const double error = std::isfinite(measurement.standard_error_s) ? measurement.standard_error_s : 0;
    return {measurement.value_s - error, measurement.value_s + error};
}

std::string flag_text(Flags flags) {
    std::string text;
    for (const char c : flag_words(flags))
        text += c == '_' ? std::string(" ") : c == ',' ? std::string(", ") : std::string(1, c);
    return text;
}

std::string ErrorStatement::text() const {
    return numbers.empty() ? kind : numbers + " (" + kind + ")";
}

ErrorStatement error_statement(const StoredMeasurement& point, TimeUnit unit, double factor) {
    ErrorStatement statement;
    const Measurement& measurement = point.measurement;
    if (std::isnan(measurement.value_s)) {
        statement.kind = "nothing could be measured";
        return statement;
    }
    if (point.merge) {
        const MergeFacts& merge = *point.merge;
        // Of how many, where not all that were there count.
        const std::string launches = merge.measured_runs > merge.runs
                                         ? fmt::format("{} of {} launches", merge.runs, merge.measured_runs)
                                         : count_of(merge.runs, "launch", "launches");
        if (merge.runs < 2) {
            statement.kind = "one launch: nothing is known of the error between launches";
            return statement;
        }
        const bool has_interval =
            merge.runs >= static_cast<int>(launches_needed) && merge.interval_confidence > 0;
        if (!has_interval && !knows_range(merge)) {
            statement.kind = fmt::format("{}: the file tells nothing of the error between them", launches);
            return statement;
        }
        const ErrorBar bar = error_bar(point);
        if (bar.high > 0) {
            statement.low = factor * std::max(0.0, bar.low);
            statement.high = factor * bar.high;
        }
        statement.numbers = format_time_range(factor * bar.low, factor * bar.high, 4, unit);
        if (has_interval)
            statement.kind = fmt::format("{:.3g} % interval of the {} of {}", 100 * merge.interval_confidence,
                                         merge.value_kind.empty() ? "median" : merge.value_kind, launches);
        else if (merge.value_kind == "min")
            statement.kind = fmt::format("range of {}; the smallest has no interval", launches);
        else
            statement.kind = fmt::format("range of {}; {} needed for an interval", launches, launches_needed);
        return statement;
    }
    if (!std::isfinite(measurement.standard_error_s) || measurement.summary.count < 2) {
        statement.kind = measurement.summary.count == 0   ? "no single measurement was left"
                         : measurement.summary.count == 1 ? "error unknown: one single measurement"
                                                          : "error unknown: the file does not tell it";
        return statement;
    }
    const double error = factor * measurement.standard_error_s;
    statement.kind = "repeatability within this run";
    if (!above_zero(measurement)) {
        statement.kind = "the overhead subtracted is as large as the time measured";
        return statement;
    }
    statement.low = std::max(0.0, factor * measurement.value_s - error);
    statement.high = factor * measurement.value_s + error;
    statement.numbers = "± " + format_time(error, 2, unit);
    return statement;
}

} // namespace skampi
