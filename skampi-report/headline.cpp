#include "headline.hpp"

#include "error_statement.hpp"
#include "quantity.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

/// Half of a ping-pong's round trip is one message's way.
constexpr double one_way = 0.5;

const StoredMeasurement* point_at(const Curve& curve, std::int64_t argument) {
    for (const StoredMeasurement& point : curve.points)
        if (point.measurement.argument == argument && std::isfinite(point.measurement.value_s))
            return &point;
    return nullptr;
}

const Curve* standard_ping_pong(const Subject& subject) {
    const Curve* first = nullptr;
    for (const Curve& curve : subject.curves) {
        const Suite& suite = curve.suite();
        if (suite.operation.pattern != Pattern::ping_pong || suite.varied != Varied::message_length ||
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

Headline time_headline(const std::string& name, const Curve& curve, const StoredMeasurement& point,
                       double factor) {
    const ErrorStatement error = error_statement(point, factor);
    const double value = factor * point.measurement.value_s;
    return {name, "s", value, error.low, error.high, format_time(value), error.text(), curve.suite().name};
}

void add_ping_pong(const Curve& curve, std::vector<Headline>& found) {
    for (const std::int64_t bytes : {0, 1})
        if (const StoredMeasurement* point = point_at(curve, bytes))
            found.push_back(time_headline(
                fmt::format("Latency, {} byte{} (half round trip)", bytes, bytes == 1 ? "" : "s"), curve,
                *point, one_way));
    const StoredMeasurement* peak = nullptr;
    double peak_bandwidth = 0;
    for (const StoredMeasurement& point : curve.points) {
        const double value = point.measurement.value_s;
        const double bandwidth = value > 0 ? bytes_moved(curve, point.measurement) / value : 0;
        if (std::isfinite(bandwidth) && bandwidth > peak_bandwidth) {
            peak_bandwidth = bandwidth;
            peak = &point;
        }
    }
    if (!peak || curve.points.size() < 2)
        return;
    const ErrorStatement error = error_statement(*peak);
    Headline headline{fmt::format("Peak bandwidth (at {})", format_bytes(peak->measurement.argument)),
                      "B/s",
                      peak_bandwidth,
                      std::nullopt,
                      std::nullopt,
                      format_bandwidth(peak_bandwidth),
                      "",
                      curve.suite().name};
    if (error.low && error.high && *error.low > 0) {
        const double bytes = bytes_moved(curve, peak->measurement);
        headline.low = bytes / *error.high;
        headline.high = bytes / *error.low;
        headline.error_text = fmt::format("{} to {} ({})", format_bandwidth(*headline.low),
                                          format_bandwidth(*headline.high), error.kind);
    }
    found.push_back(std::move(headline));

    // n1/2: the first length whose bandwidth reaches half of the peak, between two points interpolated.
    double before_bytes = 0;
    double before_bandwidth = 0;
    for (const StoredMeasurement& point : curve.points) {
        const double value = point.measurement.value_s;
        if (!(value > 0) || !std::isfinite(value))
            continue;
        const double bandwidth = bytes_moved(curve, point.measurement) / value;
        const auto bytes = static_cast<double>(point.measurement.argument);
        if (bandwidth >= peak_bandwidth / 2) {
            const double share = bandwidth > before_bandwidth ? (peak_bandwidth / 2 - before_bandwidth) /
                                                                    (bandwidth - before_bandwidth)
                                                              : 1;
            const double at = before_bytes + std::clamp(share, 0.0, 1.0) * (bytes - before_bytes);
            found.push_back(
                {"Half of the peak is reached at (n1/2)", "B", at, before_bytes, bytes,
                 at >= 10240 ? fmt::format("{:.1f} KiB", at / 1024) : fmt::format("{:.0f} B", at),
                 fmt::format("between {} and {}", format_bytes(static_cast<std::int64_t>(before_bytes)),
                             format_bytes(static_cast<std::int64_t>(bytes))),
                 curve.suite().name});
            return;
        }
        before_bytes = bytes;
        before_bandwidth = bandwidth;
    }
}

} // namespace

std::vector<Headline> headlines(const Subject& subject) {
    std::vector<Headline> found;
    if (const Curve* curve = standard_ping_pong(subject))
        add_ping_pong(*curve, found);
    for (const Varied varied : {Varied::nodes, Varied::none})
        if (const Curve* curve = by_name(subject, "MPI_Barrier", varied)) {
            const StoredMeasurement& point = curve->points.back();
            found.push_back(time_headline(fmt::format("MPI_Barrier on {} ranks", point.measurement.ranks),
                                          *curve, point, 1));
            break;
        }
    if (const Curve* curve = by_name(subject, "MPI_Allreduce", Varied::message_length))
        for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{1} << 20})
            if (const StoredMeasurement* point = point_at(*curve, bytes))
                found.push_back(time_headline(fmt::format("MPI_Allreduce of {} on {} ranks",
                                                          format_bytes(bytes), point->measurement.ranks),
                                              *curve, *point, 1));
    return found;
}

} // namespace skampi
