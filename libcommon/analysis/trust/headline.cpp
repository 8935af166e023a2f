// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/trust/headline.hpp"

#include "model/machine_state.hpp"
#include "model/machine_states.hpp"
#include "model/measured_value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace skampi {

namespace {

/// Half of a ping-pong's round trip is one message's way.
constexpr double one_way = 0.5;

constexpr Flags doubtful = Flag::not_repeatable | Flag::timed_out | static_cast<Flags>(Flag::unreliable) |
                           static_cast<Flags>(Flag::disturbed) | static_cast<Flags>(Flag::unsynchronised) |
                           static_cast<Flags>(Flag::wrong_result) | static_cast<Flags>(Flag::one_run) |
                           static_cast<Flags>(Flag::interpolated) | static_cast<Flags>(Flag::several_modes) |
                           static_cast<Flags>(Flag::scattered);
/// With these a value is no candidate for the best of a curve while there are others.
constexpr Flags not_the_best = Flag::unreliable | Flag::disturbed | static_cast<Flags>(Flag::wrong_result) |
                               static_cast<Flags>(Flag::scattered) | static_cast<Flags>(Flag::interpolated);

const StoredMeasurement* point_at(const Curve& curve, std::int64_t argument) {
    const auto found = std::ranges::find(
        curve.points, argument, [](const StoredMeasurement& point) { return point.measurement.argument; });
    return found == curve.points.end() ? nullptr : &*found;
}

/// The round trips that give latency and bandwidth: those of MPI_Send to MPI_Recv, else the first.
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

const Curve* by_name(const Subject& subject, const char* operation, Varied varied) {
    for (const Curve& curve : subject.curves)
        if (curve.suite().operation.name == operation && curve.suite().varied == varied &&
            !curve.points.empty())
            return &curve;
    return nullptr;
}

/// The values of a point in other states of the machine than the one shown; without a core it was in none.
/// @param convert from a time to the headline's unit
template <typename Convert>
std::vector<double> in_other_states(const Measurement& measurement, Convert&& convert) {
    std::vector<double> values;
    for (const ModeValue& mode : measurement.modes)
        if (mode.mode != measurement.mode && mode.value_s > 0 &&
            !lost_core(mode.probe_s, measurement.probe_s))
            values.push_back(convert(mode.value_s));
    return values;
}

Headline time_headline(HeadlineKind kind, const Curve& curve, const StoredMeasurement& point, double factor) {
    Headline headline;
    headline.kind = kind;
    headline.curve = &curve;
    headline.point = &point;
    headline.factor = factor;
    headline.value = above_zero(point.measurement) ? factor * point.measurement.value_s
                                                   : std::numeric_limits<double>::quiet_NaN();
    headline.error = value_error(point, factor);
    headline.low = headline.error.low;
    headline.high = headline.error.high;
    headline.flags = point.measurement.flags & doubtful;
    headline.in_other_states =
        in_other_states(point.measurement, [factor](double time_s) { return factor * time_s; });
    headline.probe_s = point.measurement.probe_s;
    return headline;
}

double bandwidth_of(const Curve& curve, const StoredMeasurement& point) {
    const double bandwidth =
        above_zero(point.measurement) ? bytes_moved(curve, point.measurement) / point.measurement.value_s : 0;
    return std::isfinite(bandwidth) ? bandwidth : 0;
}

/// The points that have a bandwidth, and those of them among which the peak is sought.
struct PeakCandidates {
    std::vector<const StoredMeasurement*> all;
    std::vector<const StoredMeasurement*> candidates;
};

PeakCandidates peak_candidates(const Curve& curve) {
    PeakCandidates found;
    for (const StoredMeasurement& point : curve.points) {
        if (!(bandwidth_of(curve, point) > 0))
            continue;
        found.all.push_back(&point);
        if ((point.measurement.flags & not_the_best) == 0)
            found.candidates.push_back(&point);
    }
    // Where most are doubtful the best of the others is the best of what was not measured: better a doubtful
    // peak that says so than a few short messages' as if they were all.
    if (2 * found.candidates.size() < found.all.size())
        found.candidates = found.all;
    return found;
}

/// @pre there are candidates
const StoredMeasurement& best_of(const Curve& curve, const PeakCandidates& points) {
    return **std::ranges::max_element(
        points.candidates, {}, [&](const StoredMeasurement* point) { return bandwidth_of(curve, *point); });
}

Headline bandwidth_headline(HeadlineKind kind, const Curve& curve, const StoredMeasurement& peak) {
    const double bytes = bytes_moved(curve, peak.measurement);
    Headline headline;
    headline.kind = kind;
    headline.curve = &curve;
    headline.point = &peak;
    headline.unit = HeadlineUnit::bytes_per_second;
    headline.value = bandwidth_of(curve, peak);
    headline.error = value_error(peak);
    if (headline.error.low && headline.error.high && *headline.error.low > 0) {
        headline.low = bytes / *headline.error.high;
        headline.high = bytes / *headline.error.low;
    }
    headline.flags = peak.measurement.flags & doubtful;
    headline.in_other_states =
        in_other_states(peak.measurement, [bytes](double time_s) { return bytes / time_s; });
    headline.probe_s = peak.measurement.probe_s;
    return headline;
}

Headline peak_headline(const Curve& curve, const PeakCandidates& points) {
    const StoredMeasurement& peak = best_of(curve, points);
    Headline headline = bandwidth_headline(HeadlineKind::peak_bandwidth, curve, peak);
    // Of a curve that ran out of time before it became flat the best point is no peak.
    headline.among_timed_out = std::ranges::all_of(points.candidates, [](const StoredMeasurement* each) {
        return has(each->measurement.flags, Flag::timed_out);
    });
    headline.may_go_on = &peak == points.all.back() && &peak != &curve.points.back();
    headline.at_longest = &peak == &curve.points.back();
    return headline;
}

/// n1/2: the first length whose bandwidth reaches half of the peak, interpolated between two points; none
/// where a gap in the lengths, or the shortest of them, leaves open where it is.
std::optional<Headline> half_peak_headline(const Headline& peak,
                                           const std::vector<const StoredMeasurement*>& candidates) {
    constexpr double widest_gap = 4;
    const Curve& curve = *peak.curve;
    const auto reaches = std::ranges::find_if(candidates, [&](const StoredMeasurement* point) {
        return bandwidth_of(curve, *point) >= peak.value / 2;
    });
    if (reaches == candidates.end() || reaches == candidates.begin())
        return std::nullopt;
    const StoredMeasurement& point = **reaches;
    const StoredMeasurement& before = **std::prev(reaches);
    const auto bytes = static_cast<double>(point.measurement.argument);
    const auto before_bytes = static_cast<double>(before.measurement.argument);
    if (before_bytes <= 0 || bytes > widest_gap * before_bytes)
        return std::nullopt;
    const double bandwidth = bandwidth_of(curve, point);
    const double before_bandwidth = bandwidth_of(curve, before);
    const double share = bandwidth > before_bandwidth
                             ? (peak.value / 2 - before_bandwidth) / (bandwidth - before_bandwidth)
                             : 1;
    Headline headline;
    headline.kind = HeadlineKind::half_peak_length;
    headline.curve = &curve;
    headline.unit = HeadlineUnit::bytes;
    headline.value = before_bytes + std::clamp(share, 0.0, 1.0) * (bytes - before_bytes);
    headline.low = before_bytes;
    headline.high = bytes;
    headline.between = before.measurement.argument;
    headline.and_argument = point.measurement.argument;
    headline.flags =
        (peak.point->measurement.flags | point.measurement.flags | before.measurement.flags) & doubtful;
    headline.at_longest = peak.at_longest;
    headline.probe_s = peak.probe_s;
    return headline;
}

void add_round_trips(const Curve& curve, std::vector<Headline>& found) {
    for (const std::int64_t bytes : {0, 1})
        if (const StoredMeasurement* point = point_at(curve, bytes)) {
            found.push_back(time_headline(HeadlineKind::latency, curve, *point, curve.halved ? 1 : one_way));
            found.back().message_bytes = bytes;
        }
    const PeakCandidates points = peak_candidates(curve);
    if (points.candidates.empty() || curve.points.size() < 2)
        return;
    Headline peak = peak_headline(curve, points);
    std::optional<Headline> half;
    if (!peak.may_go_on) // a peak that may lie higher has no known half
        half = half_peak_headline(peak, points.candidates);
    const bool elsewhere = peak.point != points.all.back();
    found.push_back(std::move(peak));
    if (elsewhere)
        found.push_back(bandwidth_headline(HeadlineKind::long_bandwidth, curve, *points.all.back()));
    if (half)
        found.push_back(std::move(*half));
}

/// Marks those of another state of the machine than the first.
void compare_states(std::vector<Headline>& found) {
    const auto first = std::ranges::find_if(found, [](const Headline& each) { return each.probe_s > 0; });
    if (first == found.end())
        return;
    for (Headline& headline : found)
        if (headline.probe_s > 0 && !in_one_mode(headline.probe_s, first->probe_s))
            headline.probe_ratio = headline.probe_s / first->probe_s;
}

} // namespace

std::optional<std::int64_t> Headline::argument() const {
    return point ? std::optional(point->measurement.argument) : std::nullopt;
}

const StoredMeasurement* peak_bandwidth(const Curve& curve) {
    const PeakCandidates points = peak_candidates(curve);
    return points.candidates.empty() ? nullptr : &best_of(curve, points);
}

std::optional<std::int64_t> Headline::peak_at() const {
    return kind == HeadlineKind::peak_bandwidth || kind == HeadlineKind::long_bandwidth ? argument()
                                                                                        : std::nullopt;
}

bool Headline::is_answer() const {
    constexpr Flags none_with = Flag::unreliable | Flag::disturbed | static_cast<Flags>(Flag::wrong_result);
    return std::isfinite(value) && (flags & none_with) == 0 && !may_go_on && !among_timed_out &&
           error.kind != ErrorKind::one_single_measurement;
}

std::optional<HeadlineDoubt> Headline::doubt() const {
    const auto flagged = [this](Flag flag) { return has(flags, flag); };
    using enum HeadlineDoubt;
    const std::array<std::pair<HeadlineDoubt, bool>, 10> reasons{{
        {wrong_result, flagged(Flag::wrong_result)},
        {no_time, !std::isfinite(value)},
        {unreliable, flagged(Flag::unreliable)},
        {one_single_measurement, error.kind == ErrorKind::one_single_measurement},
        {several_states, !in_other_states.empty()},
        {peak_elsewhere, may_go_on},
        {disturbed, flagged(Flag::disturbed)},
        {between_barriers, flagged(Flag::unsynchronised)},
        {launches_apart, flagged(Flag::scattered)},
        {peak_timed_out, among_timed_out},
    }};
    const auto first = std::ranges::find_if(reasons, [](const auto& reason) { return reason.second; });
    return first == reasons.end() ? std::nullopt : std::optional(first->first);
}

std::optional<double> Headline::relative_error() const {
    if (!low || !high || !(value > 0) || kind == HeadlineKind::half_peak_length)
        return std::nullopt;
    const double below = value - *low;
    const double above = *high - value;
    constexpr double lopsided = 3; // of one side by the other
    constexpr double small = 0.01; // both sides are so near that it does not matter
    const double most = std::max(below, above);
    if (!(most >= 0) || (most > small * value && most > lopsided * std::min(below, above)))
        return std::nullopt;
    return most / value;
}

bool Headline::is_same_quantity(const Headline& other) const {
    return kind == other.kind && message_bytes == other.message_bytes && ranks == other.ranks;
}

std::vector<Headline> headlines(const Subject& subject) {
    std::vector<Headline> found;
    if (const Curve* curve = standard_round_trip(subject))
        add_round_trips(*curve, found);
    const auto add = [&](HeadlineKind kind, const Curve& curve, const StoredMeasurement& point) {
        found.push_back(time_headline(kind, curve, point, 1));
        found.back().ranks = std::max(0, point.measurement.ranks);
    };
    for (const Varied varied : {Varied::nodes, Varied::none})
        if (const Curve* curve = by_name(subject, "MPI_Barrier", varied)) {
            add(HeadlineKind::barrier, *curve, curve->points.back());
            break;
        }
    if (const Curve* curve = by_name(subject, "MPI_Allreduce", Varied::message_length))
        for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{1} << 20})
            if (const StoredMeasurement* point = point_at(*curve, bytes)) {
                add(HeadlineKind::allreduce, *curve, *point);
                found.back().message_bytes = bytes;
            }
    compare_states(found);
    return found;
}

} // namespace skampi
