#include "words/error_statement.hpp"

#include "analysis/comparison/comparison.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

namespace {

/// @param confidence "93.8 to 96.9"
std::string kind_text(ErrorKind kind, std::string value_kind, const std::string& launches,
                      const std::string& confidence) {
    if (value_kind.empty())
        value_kind = "median";
    switch (kind) {
    case ErrorKind::nothing_measured:
        return "no value was measured";
    case ErrorKind::one_launch:
        return "one launch: the error between launches is unknown";
    case ErrorKind::launches_without_range:
        return launches + ": the file does not hold the error between them";
    case ErrorKind::interval:
        return fmt::format("{} % interval of the {} of {}", confidence, value_kind, launches);
    case ErrorKind::interval_in_a_row: // without a level: they share what another hour changes
        return fmt::format("spread of the {} of {} in a row; another hour may differ by more", value_kind,
                           launches);
    case ErrorKind::range:
        return fmt::format("range of {}; an interval needs {}", launches, launches_needed);
    case ErrorKind::range_of_minimum:
        return fmt::format("range of {}; the minimum has no interval", launches);
    case ErrorKind::no_single_measurement:
        return "error unknown: no single measurement was kept";
    case ErrorKind::one_single_measurement:
        return "error unknown: one single measurement";
    case ErrorKind::unknown:
        return "error unknown: the file does not hold it";
    case ErrorKind::below_overhead:
        return "the overhead subtracted is as large as the time measured";
    case ErrorKind::repeatability:
        return "standard error within this run";
    }
    return {};
}

/// "0.3", "2 to 22"
std::string low_to_high(const std::string& low, const std::string& high) {
    return low == high ? high : low + " to " + high;
}

} // namespace

std::string flag_text(Flags flags) {
    std::string text;
    for (const Flag flag : all_flags()) {
        if (!has(flags, flag))
            continue;
        std::string word = flag_words(static_cast<Flags>(flag));
        std::ranges::replace(word, '_', ' ');
        // The files' word for it; settled is said of errors between launches alone.
        text += (text.empty() ? "" : ", ") + (flag == Flag::not_repeatable ? "not repeatable" : word);
    }
    return text;
}

std::string error_numbers(const ValueError& error, TimeUnit unit) {
    if (error.kind == ErrorKind::repeatability)
        return "± " + format_time(error.standard_error_s, 2, unit);
    return error.low && error.high ? format_time_range(*error.low, *error.high, 4, unit) : std::string();
}

std::string error_kind(const ValueError& error) {
    return kind_text(error.kind, error.value_kind, count_of(error.launches, "launch", "launches"),
                     fmt::format("{:.3g}", 100 * error.confidence));
}

std::string error_text(const ValueError& error, TimeUnit unit) {
    const std::string numbers = error_numbers(error, unit);
    return numbers.empty() ? error_kind(error) : numbers + " (" + error_kind(error) + ")";
}

std::string error_kind(const CurveError& error) {
    if (error.uniform)
        return error_kind(*error.uniform);
    const std::string launches = error.most_launches == 1 ? "1 launch"
                                                          : low_to_high(std::to_string(error.fewest_launches),
                                                                        std::to_string(error.most_launches)) +
                                                                " launches";
    return kind_text(error.kind, error.value_kind, launches,
                     low_to_high(fmt::format("{:.3g}", 100 * error.least_confidence),
                                 fmt::format("{:.3g}", 100 * error.most_confidence))) +
           (error.kind == ErrorKind::interval && error.some_without_interval
                ? fmt::format("; below {} launches their range", launches_needed)
                : "");
}

std::string error_column(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::interval:
        return "interval";
    case ErrorKind::interval_in_a_row:
        return "spread of launches";
    case ErrorKind::range:
    case ErrorKind::range_of_minimum:
        return "range of launches";
    default:
        return "standard error";
    }
}

std::string error_bars_text(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::interval:
        return "Error bars: interval between launches.";
    case ErrorKind::interval_in_a_row:
        return "Error bars: spread between launches in a row.";
    case ErrorKind::range:
        return "Error bars: range of the launches.";
    default:
        return "Error bars: standard error within this run.";
    }
}

} // namespace skampi
