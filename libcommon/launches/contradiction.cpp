#include "launches/contradiction.hpp"

#include "model/measured_value.hpp"
#include "model/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skampi {

namespace {

/// Below it a library's choice of another protocol or algorithm may be the cause.
constexpr double gross = 10;

bool is_bound(const StoredMeasurement& point) {
    return above_zero(point.measurement) && !has(point.measurement.flags, Flag::unreliable) &&
           !has(point.measurement.flags, Flag::interpolated);
}

bool sends_messages(const Curve& curve) {
    const Pattern pattern = curve.suite().operation.pattern;
    return pattern == Pattern::ping_pong || pattern == Pattern::collective;
}

void consider(const Contradiction& found, std::optional<Contradiction>& worst) {
    if (found.excess >= gross && (!worst || found.excess > worst->excess))
        worst = found;
}

/// Against the other messages of its suite.
void hold_against_suite(const Curve& curve, const StoredMeasurement& point,
                        std::optional<Contradiction>& worst) {
    const double value_s = point.measurement.value_s;
    const auto length = static_cast<double>(point.measurement.argument);
    for (const StoredMeasurement& other : curve.points) {
        if (&other == &point || !is_bound(other))
            continue;
        const auto other_length = static_cast<double>(other.measurement.argument);
        if (other_length == 0 && length > 0)
            continue; // no number of empty messages carries it
        const double messages = other_length >= length ? 1 : std::ceil(length / other_length);
        consider({&curve, &point, &other, messages * other.measurement.value_s,
                  static_cast<std::int64_t>(messages), value_s / (messages * other.measurement.value_s)},
                 worst);
    }
}

double fastest_probe_s(const Subject& subject) {
    double fastest_s = std::numeric_limits<double>::infinity();
    for (const Curve& curve : subject.curves)
        for (const StoredMeasurement& point : curve.points)
            if (point.measurement.probe_s > 0)
                fastest_s = std::min(fastest_s, point.measurement.probe_s);
    return fastest_s;
}

/// Against the fastest probe, whatever disturbed the whole suite.
void hold_against_probe(const Curve& curve, const StoredMeasurement& point, double probe_s,
                        std::optional<Contradiction>& worst) {
    constexpr std::int64_t short_bytes = 64;
    constexpr double round_trips = 10;
    const Measurement& measurement = point.measurement;
    if (!std::isfinite(probe_s) || measurement.message_bytes > short_bytes)
        return;
    const double others = std::max(1, measurement.ranks - 1);
    consider({&curve, &point, nullptr, probe_s, 1, measurement.value_s / (round_trips * others * probe_s)},
             worst);
}

} // namespace

std::optional<Contradiction> largest_contradiction(const Subject& subject, Flags flags) {
    std::optional<Contradiction> worst;
    const double probe_s = fastest_probe_s(subject);
    for (const Curve& curve : subject.curves) {
        if (!sends_messages(curve))
            continue;
        for (const StoredMeasurement& point : curve.points) {
            if ((point.measurement.flags & flags) == 0 || !above_zero(point.measurement))
                continue;
            if (curve.suite().varied == Varied::message_length)
                hold_against_suite(curve, point, worst);
            hold_against_probe(curve, point, probe_s, worst);
        }
    }
    return worst;
}

} // namespace skampi
