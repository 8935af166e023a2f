// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/value_words.hpp"

#include "analysis/trust/headline.hpp"
#include "analysis/trust/value_error.hpp"
#include "contest/estimate.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "words/suite_words.hpp"
#include "words/text_and_command.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <vector>

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

namespace {

std::string on_ranks(const Headline& headline) {
    return headline.ranks > 0 ? fmt::format(" on {} ranks", headline.ranks) : "";
}

/// The value with so many significant digits, in any unit.
double rounded(double value, int digits) {
    if (!std::isfinite(value) || value == 0)
        return value;
    const double unit = std::pow(10, std::floor(std::log10(std::fabs(value))) - digits + 1);
    return std::round(value / unit) * unit;
}

constexpr int digits_of_doubtful = 2;

/// What a few launches measured, or the minima of many: no error.
bool is_range(const Headline& headline) {
    return headline.error.kind == ErrorKind::range || headline.error.kind == ErrorKind::range_of_minimum;
}

/// Of a doubtful headline's value. Where its error between launches is small, rounding would leave its
/// interval.
int digits_of(const Headline& headline) {
    constexpr double small = 0.05;
    const bool between_launches =
        headline.error.kind == ErrorKind::interval || headline.error.kind == ErrorKind::interval_in_a_row;
    return headline.doubt() && !(between_launches && headline.relative_error().value_or(1) <= small)
               ? digits_of_doubtful
               : 3;
}

/// "110 KiB": rounded in its unit, where bytes would be rounded to an odd number of KiB.
std::string rough_length(double bytes) {
    constexpr double kibi = 1024;
    return bytes < kibi          ? fmt::format("{:.0f} B", rounded(bytes, digits_of_doubtful))
           : bytes < kibi * kibi ? fmt::format("{:g} KiB", rounded(bytes / kibi, digits_of_doubtful))
                                 : fmt::format("{:g} MiB", rounded(bytes / kibi / kibi, digits_of_doubtful));
}

} // namespace

std::string headline_number(const Headline& headline, double value, int digits) {
    const Units& units = headline.curve->units;
    if (headline.unit != HeadlineUnit::bytes)
        value = rounded(value, digits);
    switch (headline.unit) {
    case HeadlineUnit::seconds:
        return format_time(value, digits, units.time);
    case HeadlineUnit::bytes_per_second:
        return format_bandwidth(value, digits, units.bandwidth);
    case HeadlineUnit::bytes:
        break;
    }
    return digits == digits_of_doubtful ? rough_length(value) : format_length(std::llround(value));
}

namespace {

/// "334 to 569 ns"; of two that look alike one.
std::string headline_range(const Headline& headline, double lowest, double highest, int digits) {
    const std::string high = headline_number(headline, highest, digits);
    std::string low = headline_number(headline, lowest, digits);
    if (low == high)
        return high;
    if (const std::size_t unit = low.rfind(' ');
        unit != std::string::npos && high.ends_with(low.substr(unit)))
        low.erase(unit);
    return low + " to " + high;
}

} // namespace

std::string headline_name(const Headline& headline) {
    switch (headline.kind) {
    case HeadlineKind::latency:
        return "Ping-pong latency, " + count_of(headline.message_bytes, "byte");
    case HeadlineKind::peak_bandwidth:
        return headline.may_be_exceeded() ? "Ping-pong bandwidth" : "Ping-pong peak bandwidth";
    case HeadlineKind::long_bandwidth:
        return "Ping-pong bandwidth, longest message";
    case HeadlineKind::half_peak_length:
        return headline.at_longest ? "Length with half of that bandwidth (n1/2)"
                                   : "Length with half of the peak (n1/2)";
    case HeadlineKind::barrier:
        return "MPI_Barrier" + on_ranks(headline);
    case HeadlineKind::allreduce:
        return "MPI_Allreduce of " + format_bytes(headline.message_bytes) + on_ranks(headline);
    }
    return {};
}

std::string headline_title(const Headline& headline) {
    const auto place = headline.peak_at();
    return headline_name(headline) + (place
                                          ? fmt::format(" (at {}{})", argument_text(*headline.curve, *place),
                                                        headline.at_longest  ? ", the longest"
                                                        : headline.may_go_on ? ", the longest with a value"
                                                                             : "")
                                          : "");
}

std::string headline_value(const Headline& headline) {
    if (!std::isfinite(headline.value))
        return headline.point
                   ? value_text(headline.point->measurement, headline.curve->units.time, headline.factor)
                   : "none";
    if (!headline.in_other_states.empty()) {
        const auto [low, high] = std::ranges::minmax(headline.in_other_states);
        return headline_range(headline, std::min(low, headline.value), std::max(high, headline.value),
                              digits_of_doubtful);
    }
    return headline.doubt() ? "about " + headline_number(headline, headline.value, digits_of(headline))
                            : headline_number(headline, headline.value);
}

std::string headline_value_at(const Headline& headline) {
    const auto place = headline.peak_at();
    return headline_value(headline) + (place ? " at " + argument_text(*headline.curve, *place) : "");
}

std::string headline_in_short(const Headline& headline) {
    const std::string name = headline.kind == HeadlineKind::latency ? "latency"
                             : headline.kind == HeadlineKind::peak_bandwidth
                                 ? (headline.may_be_exceeded() ? "bandwidth" : "peak")
                             : headline.kind == HeadlineKind::long_bandwidth ? "bandwidth"
                                                                             : headline_name(headline);
    const bool of_launches =
        is_between_launches(headline.error.kind) && headline.error.kind != ErrorKind::range;
    const std::string error =
        of_launches && !headline.doubt() ? headline_error_numbers(headline) : std::string();
    return name + " " + headline_value_at(headline) + (error.empty() ? "" : " (" + error + ")");
}

std::string headline_error_numbers(const Headline& headline) {
    if (headline.kind == HeadlineKind::half_peak_length)
        return fmt::format("between {} and {}", argument_text(*headline.curve, headline.between),
                           argument_text(*headline.curve, headline.and_argument));
    if (const std::optional<double> error = headline.relative_error();
        error && headline.error.kind == ErrorKind::repeatability)
        return format_percent(*error).starts_with("<") ? "below ±0.01 %" : "±" + format_percent(*error);
    if (!headline.low || !headline.high)
        return {};
    // A range with more digits than the value would leave it out: "about 330 ns (334 to 569 ns)".
    const int digits = digits_of(headline);
    const std::string range = headline_range(headline, *headline.low, *headline.high, digits);
    if (range.find(" to ") == std::string::npos)
        return is_range(headline) ? "all " + range : "known to all digits shown";
    return *headline.low > 0 ? range : "up to " + headline_number(headline, *headline.high, digits);
}

std::string headline_error(const Headline& headline) {
    const std::string numbers = headline_error_numbers(headline);
    if (headline.kind == HeadlineKind::half_peak_length)
        return numbers;
    if (!headline.in_other_states.empty())
        return "several machine states";
    if (numbers.empty())
        return "unknown";
    switch (headline.error.kind) {
    case ErrorKind::repeatability:
        return numbers + " within the launch";
    case ErrorKind::range:
        return fmt::format("unknown ({})", numbers);
    default:
        return numbers;
    }
}

std::string headline_doubt(const Headline& headline) {
    const std::optional<HeadlineDoubt> doubt = headline.doubt();
    if (!doubt)
        return {};
    using enum HeadlineDoubt;
    switch (*doubt) {
    case wrong_result:
        return "the operation delivered wrong data";
    case no_time:
        return "no time above zero";
    case unreliable:
        return headline.point && !is_short_for_measuring(headline.point->measurement)
                   ? "its overhead is in doubt: other work used the cores"
                   : "the time is too close to the cost of measuring it";
    case one_single_measurement:
        return "one single measurement";
    case several_states:
        return "the machine was in several states";
    case peak_elsewhere:
        return "longer messages have no value, so the peak may be higher";
    case peak_timed_out:
        return "the time limit came before the error asked for, at every length";
    case disturbed:
        return "disturbed by other work on the cores";
    case between_barriers:
        return "ranks missed their common start";
    case launches_apart:
        return "results differ widely between launches";
    }
    return {};
}

namespace {

constexpr int short_digits = 3;

struct FlagRow {
    Flag flag;
    const char* letter;
    const char* meaning;
};
constexpr FlagRow flag_rows[] = {{Flag::wrong_result, "W", "wrong data"},
                                 {Flag::disturbed, "D", "disturbed by other work on the cores"},
                                 {Flag::unreliable, "R", "unreliable: close to the cost of measuring"},
                                 {Flag::not_repeatable, "N", "not repeatable: too few repetitions"},
                                 {Flag::timed_out, "T", "timed out"},
                                 {Flag::several_modes, "M", "several machine states"},
                                 {Flag::unsynchronised, "B", "ranks missed their common start"},
                                 {Flag::interpolated, "I", "interpolated between arguments"},
                                 {Flag::one_run, "1", "one launch only"},
                                 {Flag::scattered, "S", "scattered: launches far apart"}};

constexpr Flags doubtful_in_table = doubtful_alone | static_cast<Flags>(Flag::scattered);

const char* doubt_mark(const Measurement& measurement) {
    const bool doubtful = (measurement.flags & doubtful_in_table) != 0 || shows_lost_core(measurement);
    return doubtful && above_zero(measurement) ? "?" : "";
}

} // namespace

std::string flag_letters(Flags flags) {
    std::string text;
    for (const FlagRow& row : flag_rows)
        if (has(flags, row.flag))
            text += (text.empty() ? "" : " ") + std::string(row.letter);
    return text;
}

std::string flag_legend(Flags flags) {
    std::vector<std::string> letters;
    for (const FlagRow& row : flag_rows)
        if (has(flags, row.flag))
            letters.push_back(fmt::format("{} {}", row.letter, row.meaning));
    if ((flags & doubtful_in_table) != 0 || has(flags, Flag::several_modes))
        letters.emplace_back("? doubtful value");
    return letters.empty() ? "" : fmt::format("Flags: {}.", fmt::join(letters, ", "));
}

std::string value_in_table(const Curve& curve, const Measurement& measurement, int digits) {
    return value_text(measurement, curve.units.time, 1, digits) + doubt_mark(measurement);
}

std::vector<std::string> values_notes(const std::vector<const Curve*>& curves,
                                      const std::vector<std::string>& columns) {
    const auto shows = [&](const char* column) {
        return std::ranges::find(columns, column) != columns.end();
    };
    std::vector<std::pair<std::string, std::vector<std::string>>> errors; // each once, with its suites
    bool some_empty = false;
    std::vector<double> references_s;
    for (const Curve* curve : curves) {
        const std::string kind = error_kind(curve_error(*curve));
        const std::string suite = title_of(*curve);
        auto error = std::ranges::find(errors, kind, [](const auto& each) { return each.first; });
        if (error == errors.end())
            error = errors.insert(error, {kind, {}});
        if (std::ranges::find(error->second, suite) == error->second.end())
            error->second.push_back(suite);
        if (const double probe_s = curve->stored.merge.reference.probe_s; probe_s > 0)
            references_s.push_back(probe_s);
        some_empty = some_empty || std::ranges::any_of(curve->points, std::not_fn(has_adjusted));
    }
    std::vector<std::string> notes;
    for (const auto& [kind, suites] : errors)
        if (!kind.empty())
            notes.push_back((errors.size() > 1 ? enumeration(suites) + ": " : "") + as_sentence(kind));
    if (shows("other state"))
        notes.emplace_back("Other state: the time in the state of the machine XX.");
    if (shows("adjusted"))
        notes.push_back(
            (references_s.empty()
                 ? std::string("Adjusted: the time at the core speed of one machine state")
                 : fmt::format("Adjusted: the time in one machine state, in which a round trip of "
                               "one byte takes {}",
                               low_to_high(format_time(std::ranges::min(references_s), 3),
                                           format_time(std::ranges::max(references_s), 3)))) +
            (some_empty ? "; empty where the state does not explain how launches differ." : "."));
    const Flags flags = flags_of(curves);
    if (const std::string legend = flag_legend(flags); shows("flags") && !legend.empty())
        notes.push_back(legend);
    else if ((flags & doubtful_alone) != 0)
        notes.emplace_back("? doubtful value.");
    return notes;
}

Flags flags_of(const std::vector<const Curve*>& curves) {
    Flags all = 0;
    for (const Curve* curve : curves)
        for (const StoredMeasurement& point : curve->points)
            all |= point.measurement.flags;
    return all;
}

std::string flagged_text(const Curve& curve) {
    const auto flagged = std::ranges::count_if(
        curve.points, [](const StoredMeasurement& point) { return point.measurement.flags != 0; });
    return flagged == 0 ? std::string() : fmt::format("{} ({})", flagged, flag_letters(flags_of({&curve})));
}

std::string ends_text(const Curve& curve) {
    const auto value_at = [&](const StoredMeasurement& point) {
        const std::string value = value_in_table(curve, point.measurement, short_digits);
        return curve.suite().varied == Varied::none
                   ? value
                   : fmt::format("{} at {}", value, argument_text(curve, point.measurement.argument));
    };
    return value_at(curve.points.front()) +
           (curve.points.size() > 1 ? ", " + value_at(curve.points.back()) : "");
}

std::string time_at(const Curve& curve, const StoredMeasurement& point) {
    const std::string time = value_in_table(curve, point.measurement, short_digits);
    return curve.suite().varied == Varied::none
               ? time
               : fmt::format("{}: {}", argument_text(curve, point.measurement.argument), time);
}

std::string time_at_last(const Curve& curve, const StoredMeasurement& point) {
    return curve.suite().varied == Varied::nodes || curve.suite().varied == Varied::chunks
               ? fmt::format("{}: {}", point.measurement.argument,
                             value_in_table(curve, point.measurement, short_digits))
               : time_at(curve, point);
}

std::string bandwidth_at(const Curve& curve, const StoredMeasurement& point) {
    const double bytes = bytes_moved(curve, point.measurement);
    return bytes > 0 && above_zero(point.measurement) && curve.suite().varied == Varied::message_length
               ? format_bandwidth(bytes / point.measurement.value_s, short_digits, curve.units.bandwidth) +
                     doubt_mark(point.measurement)
               : "";
}

} // namespace skampi
