#include "document/headline.hpp"

#include "model/adjusted.hpp"
#include "model/quantity.hpp"
#include "words/error_statement.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace skampi {

namespace {

/// Half of a ping-pong's round trip is one message's way.
constexpr double one_way = 0.5;

constexpr Flags doubtful = Flag::unsettled | Flag::timed_out | static_cast<Flags>(Flag::unreliable) |
                           static_cast<Flags>(Flag::disturbed) | static_cast<Flags>(Flag::unsynchronised) |
                           static_cast<Flags>(Flag::wrong_result) | static_cast<Flags>(Flag::one_run) |
                           static_cast<Flags>(Flag::interpolated) | static_cast<Flags>(Flag::several_modes) |
                           static_cast<Flags>(Flag::scattered);
/// With these a value is no candidate for the best of a curve while there are others.
constexpr Flags not_the_best = Flag::unreliable | Flag::disturbed | static_cast<Flags>(Flag::wrong_result) |
                               static_cast<Flags>(Flag::scattered) | static_cast<Flags>(Flag::interpolated);

const StoredMeasurement* point_at(const Curve& curve, std::int64_t argument) {
    for (const StoredMeasurement& point : curve.points)
        if (point.measurement.argument == argument)
            return &point;
    return nullptr;
}

/// The round trips that latency and bandwidth are told by: those of MPI_Send to MPI_Recv, else the first.
const Curve* standard_round_trip(const Subject& subject) {
    const Curve* first = nullptr;
    for (const Curve& curve : subject.curves) {
        const Suite& suite = curve.suite();
        if (meaning_of(curve) != Meaning::round_trip || suite.varied != Varied::message_length ||
            curve.points.empty())
            continue;
        if (suite.operation.type == 1)
            return &curve;
        if (!first)
            first = &curve;
    }
    return first;
}

const Curve* by_name(const Subject& subject, const std::string& operation, Varied varied) {
    for (const Curve& curve : subject.curves)
        if (curve.suite().operation.name == operation && curve.suite().varied == varied &&
            !curve.points.empty())
            return &curve;
    return nullptr;
}

/// What is to be said against a value, after the words on its error.
std::string with_doubts(const std::string& error, const StoredMeasurement& point) {
    const std::string words = flag_text(point.measurement.flags & doubtful);
    if (words.empty())
        return error;
    return "flagged " + words + (error.empty() ? "" : "; " + error);
}

/// "; 2.410 µs in another state of the machine", of a value that is so much in the state shown.
/// @param text of a time measured in a state
template <typename Text>
std::string in_other_states(const Measurement& measurement, Text&& text) {
    std::vector<std::string> values;
    for (const ModeValue& mode : measurement.modes)
        if (mode.mode != measurement.mode && mode.value_s > 0)
            values.push_back(text(mode.value_s));
    return values.empty() ? ""
                          : fmt::format("; {} in {} of the machine", enumeration(values),
                                        values.size() == 1 ? "another state" : "other states");
}

/// The same without the words on the error.
std::string doubts_alone(const StoredMeasurement& point, const std::string& in_other_states) {
    const std::string flags = with_doubts("", point);
    return flags.empty() && !in_other_states.empty() ? in_other_states.substr(std::string_view("; ").size())
                                                     : flags + in_other_states;
}

/// Says of what is of another state of the machine than the first that it is.
void tell_states(std::vector<Headline>& found) {
    const Headline* first = nullptr;
    for (Headline& headline : found) {
        if (!(headline.probe_s > 0))
            continue;
        if (!first)
            first = &headline;
        else if (!in_one_mode(headline.probe_s, first->probe_s)) {
            const bool slower = headline.probe_s > first->probe_s;
            headline.error_text += fmt::format(
                "{}of another state of the machine than the first: {} took {} as long",
                headline.error_text.empty() ? "" : "; ", slower ? "its probe" : "the probe of the first",
                format_times(slower ? headline.probe_s / first->probe_s : first->probe_s / headline.probe_s));
        }
    }
}

Headline time_headline(const std::string& name, const Curve& curve, const StoredMeasurement& point,
                       double factor) {
    const ErrorStatement error = error_statement(point, curve.units.time, factor);
    const double value = factor * point.measurement.value_s;
    const bool measured = above_zero(point.measurement);
    const std::string others = in_other_states(
        point.measurement, [&](double time_s) { return format_time(factor * time_s, 4, curve.units.time); });
    return {name,
            "",
            "s",
            measured ? value : std::numeric_limits<double>::quiet_NaN(),
            error.low,
            error.high,
            value_text(point.measurement, curve.units.time, factor),
            with_doubts(error.text(), point) + others,
            curve.suite().name,
            point.measurement.probe_s,
            point.measurement.argument,
            doubts_alone(point, others)};
}

double bandwidth_of(const Curve& curve, const StoredMeasurement& point) {
    const double bandwidth =
        above_zero(point.measurement) ? bytes_moved(curve, point.measurement) / point.measurement.value_s : 0;
    return std::isfinite(bandwidth) ? bandwidth : 0;
}

void add_round_trips(const Curve& curve, std::vector<Headline>& found) {
    for (const std::int64_t bytes : {0, 1})
        if (const StoredMeasurement* point = point_at(curve, bytes))
            found.push_back(time_headline(
                fmt::format("Latency, {} byte{} (half round trip)", bytes, bytes == 1 ? "" : "s"), curve,
                *point, curve.halved ? 1 : one_way));
    std::vector<const StoredMeasurement*> candidates;
    for (const StoredMeasurement& point : curve.points)
        if ((point.measurement.flags & not_the_best) == 0 && bandwidth_of(curve, point) > 0)
            candidates.push_back(&point);
    std::vector<const StoredMeasurement*> all;
    for (const StoredMeasurement& point : curve.points)
        if (bandwidth_of(curve, point) > 0)
            all.push_back(&point);
    // Where most are doubtful the best of the others is the best of what was not measured: better a doubtful
    // peak that says so than a few short messages' as if they were all.
    if (2 * candidates.size() < all.size())
        candidates = all;
    if (candidates.empty() || curve.points.size() < 2)
        return;
    const StoredMeasurement* peak = *std::max_element(
        candidates.begin(), candidates.end(), [&](const StoredMeasurement* a, const StoredMeasurement* b) {
            return bandwidth_of(curve, *a) < bandwidth_of(curve, *b);
        });
    const double peak_bandwidth = bandwidth_of(curve, *peak);
    const ErrorStatement error = error_statement(*peak);
    // Of a curve that ran out of time before it became flat the best point is no peak.
    std::vector<std::string> of_curve;
    if (std::ranges::all_of(candidates, [](const StoredMeasurement* each) {
            return has(each->measurement.flags, Flag::timed_out);
        }))
        of_curve.emplace_back("sought among values that timed out");
    const bool may_go_on = peak == all.back() && peak != &curve.points.back();
    if (may_go_on)
        of_curve.emplace_back("without values of longer messages");
    Headline headline{"Peak bandwidth",
                      argument_text(curve, peak->measurement.argument),
                      "B/s",
                      peak_bandwidth,
                      std::nullopt,
                      std::nullopt,
                      format_bandwidth(peak_bandwidth, 4, curve.units.bandwidth),
                      error.kind,
                      curve.suite().name,
                      peak->measurement.probe_s,
                      peak->measurement.argument};
    if (error.low && error.high && *error.low > 0) {
        const double bytes = bytes_moved(curve, peak->measurement);
        headline.low = bytes / *error.high;
        headline.high = bytes / *error.low;
        headline.error_text =
            fmt::format("{} to {} ({})", format_bandwidth(*headline.low, 4, curve.units.bandwidth),
                        format_bandwidth(*headline.high, 4, curve.units.bandwidth), error.kind);
    }
    const std::string others = in_other_states(peak->measurement, [&](double time_s) {
        return format_bandwidth(bytes_moved(curve, peak->measurement) / time_s, 4, curve.units.bandwidth);
    });
    const auto joined = [](std::vector<std::string> parts) {
        std::erase(parts, "");
        return fmt::format("{}", fmt::join(parts, "; "));
    };
    const std::string doubt = joined(of_curve);
    headline.error_text = joined({doubt, with_doubts(headline.error_text, *peak) + others});
    headline.doubts = joined({doubt, doubts_alone(*peak, others)});
    headline.may_go_on = may_go_on;
    found.push_back(std::move(headline));
    if (may_go_on) // nobody knows the half of a peak that may lie higher
        return;

    // n1/2: the first length whose bandwidth reaches half of the peak, between two points interpolated.
    double before_bytes = 0;
    double before_bandwidth = 0;
    const StoredMeasurement* before = nullptr;
    for (const StoredMeasurement* point : candidates) {
        const double bandwidth = bandwidth_of(curve, *point);
        const auto bytes = static_cast<double>(point->measurement.argument);
        if (bandwidth >= peak_bandwidth / 2) {
            // Over a gap in the lengths, or below the first of them, a line says nothing of where it is.
            constexpr double widest_gap = 4;
            if (before_bytes <= 0 || bytes > widest_gap * before_bytes)
                return;
            const double share = bandwidth > before_bandwidth ? (peak_bandwidth / 2 - before_bandwidth) /
                                                                    (bandwidth - before_bandwidth)
                                                              : 1;
            const double at = before_bytes + std::clamp(share, 0.0, 1.0) * (bytes - before_bytes);
            const std::string words = flag_text(
                (peak->measurement.flags | point->measurement.flags | before->measurement.flags) & doubtful);
            found.push_back({"Half of the peak is reached at (n1/2)", "", "B", at, before_bytes, bytes,
                             format_length(std::llround(at)),
                             fmt::format("{}between {} and {}",
                                         words.empty() ? "" : "from values flagged " + words + "; ",
                                         argument_text(curve, before->measurement.argument),
                                         argument_text(curve, point->measurement.argument)),
                             curve.suite().name, peak->measurement.probe_s, std::nullopt});
            return;
        }
        before_bytes = bytes;
        before_bandwidth = bandwidth;
        before = point;
    }
}

/// Other tools' files do not tell it always.
std::string on_ranks(const StoredMeasurement& point) {
    return point.measurement.ranks > 0 ? fmt::format(" on {} ranks", point.measurement.ranks) : "";
}

} // namespace

std::string Headline::title() const {
    return name + (place.empty() ? "" : " (at " + place + ")");
}

std::string Headline::value_with_place() const {
    return value_text + (place.empty() ? "" : " at " + place);
}

std::vector<Headline> headlines(const Subject& subject) {
    std::vector<Headline> found;
    if (const Curve* curve = standard_round_trip(subject))
        add_round_trips(*curve, found);
    for (const Varied varied : {Varied::nodes, Varied::none})
        if (const Curve* curve = by_name(subject, "MPI_Barrier", varied)) {
            const StoredMeasurement& point = curve->points.back();
            found.push_back(time_headline("MPI_Barrier" + on_ranks(point), *curve, point, 1));
            break;
        }
    if (const Curve* curve = by_name(subject, "MPI_Allreduce", Varied::message_length))
        for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{1} << 20})
            if (const StoredMeasurement* point = point_at(*curve, bytes))
                found.push_back(time_headline("MPI_Allreduce of " + format_bytes(bytes) + on_ranks(*point),
                                              *curve, *point, 1));
    tell_states(found);
    return found;
}

} // namespace skampi
