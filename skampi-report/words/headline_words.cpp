#include "words/headline_words.hpp"

#include "model/measured_value.hpp"
#include "words/error_statement.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

std::string on_ranks(const Headline& headline) {
    return headline.ranks > 0 ? fmt::format(" on {} ranks", headline.ranks) : "";
}

/// The value with so many significant digits, whatever unit it is shown in.
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

} // namespace skampi
