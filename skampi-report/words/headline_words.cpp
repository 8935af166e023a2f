#include "words/headline_words.hpp"

#include "model/measured_value.hpp"
#include "words/error_statement.hpp"
#include "words/suite_words.hpp"

#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace skampi {

namespace {

std::string on_ranks(const Headline& headline) {
    return headline.ranks > 0 ? fmt::format(" on {} ranks", headline.ranks) : "";
}

/// A number in the headline's unit.
std::string in_unit(const Headline& headline, double value) {
    const Units& units = headline.curve->units;
    switch (headline.unit) {
    case HeadlineUnit::seconds:
        return format_time(value, 4, units.time);
    case HeadlineUnit::bytes_per_second:
        return format_bandwidth(value, 4, units.bandwidth);
    case HeadlineUnit::bytes:
        break;
    }
    return format_length(std::llround(value));
}

/// What makes it doubtful, but for other states of the machine.
std::vector<std::string> own_doubts(const Headline& headline) {
    std::vector<std::string> parts;
    if (headline.among_timed_out)
        parts.emplace_back("found among values that timed out");
    if (headline.may_go_on)
        parts.emplace_back("longer messages have no value");
    if (const std::string flags = flag_text(headline.flags); !flags.empty())
        parts.push_back(
            (headline.kind == HeadlineKind::half_peak_length ? "from values flagged " : "flagged ") + flags);
    return parts;
}

std::string in_other_states(const Headline& headline) {
    std::vector<std::string> values;
    for (const double value : headline.in_other_states)
        values.push_back(in_unit(headline, value));
    return values.empty() ? ""
                          : fmt::format("{} in {} of the machine", enumeration(values),
                                        values.size() == 1 ? "another state" : "other states");
}

std::string probe_text(double ratio) {
    return fmt::format("measured in another state of the machine than the first headline: {} took {} as long",
                       ratio > 1 ? "its probe" : "the probe of the first",
                       format_times(ratio > 1 ? ratio : 1 / ratio));
}

std::string joined(const std::vector<std::string>& parts) {
    return fmt::format("{}", fmt::join(parts, "; "));
}

void add(std::vector<std::string>& parts, std::string text) {
    if (!text.empty())
        parts.push_back(std::move(text));
}

} // namespace

std::string headline_name(const Headline& headline) {
    switch (headline.kind) {
    case HeadlineKind::latency:
        return fmt::format("Latency, {} (half round trip)", count_of(headline.message_bytes, "byte"));
    case HeadlineKind::peak_bandwidth:
        return "Peak bandwidth";
    case HeadlineKind::half_peak_length:
        return "Length with half of the peak bandwidth (n1/2)";
    case HeadlineKind::barrier:
        return "MPI_Barrier" + on_ranks(headline);
    case HeadlineKind::allreduce:
        return "MPI_Allreduce of " + format_bytes(headline.message_bytes) + on_ranks(headline);
    }
    return {};
}

std::string headline_title(const Headline& headline) {
    const auto place = headline.peak_at();
    return headline_name(headline) + (place ? " (at " + argument_text(*headline.curve, *place) + ")" : "");
}

std::string headline_value(const Headline& headline) {
    return headline.unit == HeadlineUnit::seconds
               ? value_text(headline.point->measurement, headline.curve->units.time, headline.factor)
               : in_unit(headline, headline.value);
}

std::string headline_value_at(const Headline& headline) {
    const auto place = headline.peak_at();
    return headline_value(headline) + (place ? " at " + argument_text(*headline.curve, *place) : "");
}

std::string headline_error_numbers(const Headline& headline) {
    if (headline.kind == HeadlineKind::half_peak_length)
        return fmt::format("between {} and {}", argument_text(*headline.curve, headline.between),
                           argument_text(*headline.curve, headline.and_argument));
    if (headline.unit == HeadlineUnit::seconds)
        return error_numbers(headline.error, headline.curve->units.time);
    if (headline.low && headline.high && headline.error.kind == ErrorKind::repeatability)
        return "± " + in_unit(headline, (*headline.high - *headline.low) / 2);
    return headline.low && headline.high
               ? in_unit(headline, *headline.low) + " to " + in_unit(headline, *headline.high)
               : std::string();
}

std::string headline_error_in_short(const Headline& headline) {
    if (!headline.low)
        return headline_doubts(headline);
    std::vector<std::string> parts = own_doubts(headline);
    parts.push_back(headline_error_numbers(headline));
    return joined(parts);
}

std::string headline_error(const Headline& headline) {
    std::vector<std::string> parts = own_doubts(headline);
    std::string numbers = headline_error_numbers(headline);
    if (headline.kind != HeadlineKind::half_peak_length)
        numbers =
            numbers.empty() ? error_kind(headline.error) : numbers + " (" + error_kind(headline.error) + ")";
    parts.push_back(std::move(numbers));
    add(parts, in_other_states(headline));
    if (headline.probe_ratio)
        parts.push_back(probe_text(*headline.probe_ratio));
    return joined(parts);
}

std::string headline_doubts(const Headline& headline) {
    if (headline.kind == HeadlineKind::half_peak_length)
        return {}; // they are those of the peak
    std::vector<std::string> parts = own_doubts(headline);
    add(parts, in_other_states(headline));
    return joined(parts);
}

} // namespace skampi
