#include "comparison.hpp"

#include "quantity.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace skampi {

namespace {

constexpr double family_error = 0.05;

/// A block of short calls is at least so long (skampi-run's Tempo::block_s).
constexpr double block_s = 4e-6;

/// Of the logarithm of a ratio.
struct Estimate {
    double centre = 0;
    double low = 0;
    double high = 0;
};

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

/// Variance of the mean.
double mean_variance(const std::vector<double>& values) {
    skalib::RunningStatistics statistics;
    for (const double value : values)
        statistics.add(value);
    return statistics.variance() / static_cast<double>(values.size());
}

/// Variance of the logarithm of a value that was rounded to the clock's step: the greatest that an error of
/// at most half a step can have. That of a uniform error, a third of it, would let two sides whose launches
/// all fell on neighbouring steps differ significantly, though what was rounded may be the same.
double rounding_variance(const Curve& curve, double value_s) {
    // Blocks are of calls that ranks need not begin together, on buffers that need no preparation.
    const Suite& suite = curve.suite();
    const bool blocks =
        (suite.operation.pattern == Pattern::ping_pong || suite.operation.pattern == Pattern::simple) &&
        (suite.buffers == BufferPolicy::warm || suite.buffers == BufferPolicy::warm_4k);
    const double step_s = curve.clock_resolution_s * (blocks ? std::min(1.0, value_s / block_s) : 1);
    return step_s * step_s / 4 / (value_s * value_s);
}

std::optional<Estimate> t_interval(double mean, double variance, double degrees, double error) {
    if (!(variance > 0) || !(degrees > 0))
        return std::nullopt;
    const double reach = skalib::student_upper_quantile(degrees, error / 2) * std::sqrt(variance);
    return Estimate{mean, mean - reach, mean + reach};
}

std::vector<double> logs(const std::vector<double>& values) {
    std::vector<double> result;
    for (const double value : values)
        result.push_back(std::log(value));
    return result;
}

/// The values of the launches of both sides at one argument; paired, in the same order on both.
struct Sides {
    std::vector<double> first;
    std::vector<double> second;
    bool all_above_zero = true;
};

Sides sides_at(const Curve& first, const Curve& second, std::int64_t argument, Pairing pairing) {
    const std::map<std::string, double> first_values = launch_values(first, argument, true);
    const std::map<std::string, double> second_values = launch_values(second, argument, true);
    Sides sides;
    const auto add = [&](double value, std::vector<double>& side) {
        side.push_back(value);
        sides.all_above_zero = sides.all_above_zero && std::isfinite(value) && value > 0;
    };
    for (const auto& [uuid, value] : first_values)
        if (pairing == Pairing::independent || second_values.contains(uuid))
            add(value, sides.first);
    for (const auto& [uuid, value] : second_values)
        if (pairing == Pairing::independent || first_values.contains(uuid))
            add(value, sides.second);
    return sides;
}

/// The interval of log(second / first); none where nothing can be said.
std::optional<Estimate> estimate_ratio(const Curve& first, const Curve& second, const Sides& sides,
                                       Pairing pairing, double error) {
    if (sides.first.size() < launches_needed || sides.second.size() < launches_needed ||
        !sides.all_above_zero)
        return std::nullopt;
    const std::vector<double> a = logs(sides.first);
    const std::vector<double> b = logs(sides.second);
    const double mean_a = mean_of(a);
    const double mean_b = mean_of(b);
    const double rounding_a = rounding_variance(first, std::exp(mean_a));
    const double rounding_b = rounding_variance(second, std::exp(mean_b));
    const auto degrees_a = static_cast<double>(a.size() - 1);
    const auto degrees_b = static_cast<double>(b.size() - 1);
    if (pairing == Pairing::same_launches) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < a.size(); ++i)
            ratios.push_back(b[i] - a[i]);
        return t_interval(mean_b - mean_a, mean_variance(ratios) + rounding_a + rounding_b, degrees_a, error);
    }
    const double variance_a = mean_variance(a) + rounding_a;
    const double variance_b = mean_variance(b) + rounding_b;
    const double variance = variance_a + variance_b;
    // Welch & Satterthwaite
    const double degrees =
        variance * variance / (variance_a * variance_a / degrees_a + variance_b * variance_b / degrees_b);
    return t_interval(mean_b - mean_a, variance, degrees, error);
}

bool comparable(const Measurement& measurement) {
    return has_value(measurement) && measurement.value_s > 0; // ratios are made of it
}

/// The curve's value at an argument, interpolated linearly between its neighbours where it has none.
std::optional<double> value_at(const Curve& curve, std::int64_t argument, bool& interpolated) {
    const auto place = std::lower_bound(curve.points.begin(), curve.points.end(), argument,
                                        [](const StoredMeasurement& point, std::int64_t wanted) {
                                            return point.measurement.argument < wanted;
                                        });
    if (place != curve.points.end() && place->measurement.argument == argument)
        return comparable(place->measurement) ? std::optional(place->measurement.value_s) : std::nullopt;
    const auto usable = [](const StoredMeasurement& point) { return comparable(point.measurement); };
    const auto behind = std::find_if(place, curve.points.end(), usable);
    const auto before = std::find_if(std::make_reverse_iterator(place), curve.points.rend(), usable);
    if (before == curve.points.rend() || behind == curve.points.end())
        return std::nullopt;
    interpolated = true;
    const Measurement& left = before->measurement;
    const Measurement& right = behind->measurement;
    const double share =
        static_cast<double>(argument - left.argument) / static_cast<double>(right.argument - left.argument);
    return left.value_s + share * (right.value_s - left.value_s);
}

std::string significance_text(const CurveComparison& comparison) {
    if (comparison.points.empty())
        return "no common arguments";
    const std::size_t judged = comparison.judged();
    if (judged == 0 && comparison.launches < launches_needed)
        return fmt::format("{}; {} needed for a statement about significance",
                           count_of(static_cast<std::int64_t>(comparison.launches), "launch", "launches"),
                           launches_needed);
    if (judged == 0)
        return "at no argument have enough launches values above zero";
    const std::size_t rest = comparison.points.size() - judged;
    return fmt::format("over {} launches the difference is clear of the launch-to-launch noise at {} of {} "
                       "(faster at {}, slower at {}{})",
                       comparison.launches, comparison.faster() + comparison.slower(),
                       count_of(static_cast<std::int64_t>(judged), "argument"), comparison.faster(),
                       comparison.slower(),
                       rest > 0 ? fmt::format("; {} more not judged, for want of launches", rest) : "");
}

std::size_t count(const std::vector<PointComparison>& points, bool (PointComparison::*is)() const) {
    return static_cast<std::size_t>(std::count_if(
        points.begin(), points.end(), [is](const PointComparison& point) { return (point.*is)(); }));
}

} // namespace

std::size_t CurveComparison::judged() const {
    return count(points, &PointComparison::judged);
}

std::size_t CurveComparison::faster() const {
    return count(points, &PointComparison::faster);
}

std::size_t CurveComparison::slower() const {
    return count(points, &PointComparison::slower);
}

CurveComparison compare(const Curve& first, const Curve& second, Pairing pairing,
                        std::size_t points_in_family) {
    CurveComparison comparison;
    for (const StoredMeasurement& point : first.points) {
        if (!comparable(point.measurement))
            continue;
        PointComparison compared;
        compared.argument = point.measurement.argument;
        const std::optional<double> value = value_at(second, compared.argument, compared.interpolated);
        if (!value)
            continue;
        compared.first_s = point.measurement.value_s;
        compared.second_s = *value;
        comparison.points.push_back(compared);
    }
    if (points_in_family == 0)
        points_in_family = comparison.points.size();
    double log_sum = 0;
    for (PointComparison& point : comparison.points) {
        const Sides sides = sides_at(first, second, point.argument, pairing);
        point.first_launches = sides.first.size();
        point.second_launches = sides.second.size();
        if (const auto estimate = estimate_ratio(first, second, sides, pairing,
                                                 family_error / static_cast<double>(points_in_family))) {
            point.first_s = std::exp(mean_of(logs(sides.first)));
            point.second_s = std::exp(mean_of(logs(sides.second)));
            point.ratio = std::exp(estimate->centre);
            point.ratio_low = std::exp(estimate->low);
            point.ratio_high = std::exp(estimate->high);
        } else {
            point.ratio = point.second_s / point.first_s;
        }
        comparison.launches =
            std::max(comparison.launches, std::min(point.first_launches, point.second_launches));
        log_sum += std::log(point.ratio);
    }
    if (!comparison.points.empty())
        comparison.mean_ratio = std::exp(log_sum / static_cast<double>(comparison.points.size()));
    comparison.significance = significance_text(comparison);
    return comparison;
}

namespace {

/// One row of the standard list. Types are the seeds' numbers; fixed_bytes picks among several suites of one
/// operation over the nodes.
struct StandardRow {
    int first;
    int second;
    Varied varied;
    std::int64_t first_bytes; ///< 0 = any
    std::int64_t second_bytes;
};

constexpr std::int64_t small_message = 256;
constexpr std::int64_t large_message = 65536;

constexpr std::array<StandardRow, 16> standard_rows{{
    {1, 6, Varied::message_length, 0, 0},
    {1, 5, Varied::message_length, 0, 0},
    {1, 7, Varied::message_length, 0, 0},
    {1, 4, Varied::message_length, 0, 0},
    {1, 3, Varied::message_length, 0, 0},
    {1, 2, Varied::message_length, 0, 0},
    {1, 8, Varied::message_length, 0, 0},
    {1, 9, Varied::message_length, 0, 0},
    {8, 9, Varied::message_length, 0, 0},
    {10, 11, Varied::message_length, 0, 0},
    {13, 15, Varied::message_length, 0, 0},
    {13, 14, Varied::message_length, 0, 0},
    {19, 21, Varied::message_length, 0, 0},
    {19, 21, Varied::nodes, 0, 0},
    {17, 17, Varied::nodes, small_message, large_message},
    {20, 20, Varied::nodes, small_message, large_message},
}};

/// The first suite that fits: a block multiplied by a list has several.
const Curve* find_curve(const Subject& subject, int type, Varied varied, std::int64_t bytes) {
    for (const Curve& curve : subject.curves) {
        const Suite& suite = curve.suite();
        if (suite.operation.type == type && suite.varied == varied && !curve.points.empty() &&
            (bytes == 0 || suite.message_bytes == bytes))
            return &curve;
    }
    return nullptr;
}

} // namespace

std::vector<StandardPair> standard_comparisons(const Subject& subject) {
    std::vector<StandardPair> pairs;
    for (const StandardRow& row : standard_rows) {
        const Curve* first = find_curve(subject, row.first, row.varied, row.first_bytes);
        const Curve* second = find_curve(subject, row.second, row.varied, row.second_bytes);
        if (!first || !second)
            continue;
        const auto name = [](const Curve& curve) {
            const OperationInfo& operation = curve.suite().operation;
            return operation.title.empty() ? operation.name : operation.title;
        };
        std::string title;
        if (first->suite().operation == second->suite().operation)
            title = fmt::format("{} with {} and with {}", name(*first),
                                format_bytes(first->suite().message_bytes),
                                format_bytes(second->suite().message_bytes));
        else
            title = fmt::format("{} and {}", name(*first), name(*second));
        if (row.varied == Varied::nodes)
            title += " (over the number of nodes)";
        pairs.push_back({title, first, second});
    }
    return pairs;
}

} // namespace skampi
