#include "comparison.hpp"

#include "quantity.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

constexpr double family_error = 0.05;

struct LogInterval {
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

LogInterval t_interval(double mean, double variance, double degrees, double error) {
    if (!(variance > 0) || !(degrees > 0))
        return {mean, mean};
    const double reach = skalib::student_upper_quantile(degrees, error / 2) * std::sqrt(variance);
    return {mean - reach, mean + reach};
}

std::vector<double> logs(const std::map<std::string, double>& values) {
    std::vector<double> result;
    for (const auto& [uuid, value] : values)
        if (std::isfinite(value) && value > 0)
            result.push_back(std::log(value));
    return result;
}

/// The interval of log(second / first); none with too few launches.
std::optional<LogInterval> ratio_interval(const std::map<std::string, double>& first,
                                          const std::map<std::string, double>& second, Pairing pairing,
                                          double error) {
    if (pairing == Pairing::same_launches) {
        std::vector<double> ratios;
        for (const auto& [uuid, value] : first) {
            const auto twin = second.find(uuid);
            if (twin != second.end() && value > 0 && twin->second > 0)
                ratios.push_back(std::log(twin->second / value));
        }
        if (ratios.size() < launches_needed)
            return std::nullopt;
        return t_interval(mean_of(ratios), mean_variance(ratios), static_cast<double>(ratios.size() - 1),
                          error);
    }
    const std::vector<double> a = logs(first);
    const std::vector<double> b = logs(second);
    if (a.size() < launches_needed || b.size() < launches_needed)
        return std::nullopt;
    const double variance_a = mean_variance(a);
    const double variance_b = mean_variance(b);
    const double variance = variance_a + variance_b;
    // Welch & Satterthwaite
    const double degrees = variance * variance /
                           (variance_a * variance_a / static_cast<double>(a.size() - 1) +
                            variance_b * variance_b / static_cast<double>(b.size() - 1));
    return t_interval(mean_of(b) - mean_of(a), variance, degrees, error);
}

const Measurement* measured_at(const Curve& curve, std::int64_t argument) {
    const auto found = std::lower_bound(curve.points.begin(), curve.points.end(), argument,
                                        [](const StoredMeasurement& point, std::int64_t wanted) {
                                            return point.measurement.argument < wanted;
                                        });
    return found != curve.points.end() && found->measurement.argument == argument ? &found->measurement
                                                                                  : nullptr;
}

bool comparable(const Measurement& measurement) {
    return std::isfinite(measurement.value_s) && measurement.value_s > 0 &&
           !has(measurement.flags, Flag::wrong_result);
}

/// The curve's value at an argument, interpolated linearly between its neighbours where it has none.
std::optional<double> value_at(const Curve& curve, std::int64_t argument, bool& interpolated) {
    if (const Measurement* exact = measured_at(curve, argument))
        return comparable(*exact) ? std::optional(exact->value_s) : std::nullopt;
    const Measurement* before = nullptr;
    const Measurement* behind = nullptr;
    for (const StoredMeasurement& point : curve.points) {
        if (!comparable(point.measurement))
            continue;
        if (point.measurement.argument < argument)
            before = &point.measurement;
        else if (!behind)
            behind = &point.measurement;
    }
    if (!before || !behind)
        return std::nullopt;
    interpolated = true;
    const double share = static_cast<double>(argument - before->argument) /
                         static_cast<double>(behind->argument - before->argument);
    return before->value_s + share * (behind->value_s - before->value_s);
}

std::string significance_text(const CurveComparison& comparison) {
    if (comparison.points.empty())
        return "no common arguments";
    if (comparison.launches < launches_needed)
        return fmt::format("{}; {} needed for a statement about significance",
                           count_of(static_cast<std::int64_t>(comparison.launches), "launch", "launches"),
                           launches_needed);
    return fmt::format("over {} launches the difference is clear of the launch-to-launch noise at {} of {} "
                       "(faster at {}, slower at {})",
                       comparison.launches, comparison.faster() + comparison.slower(),
                       count_of(static_cast<std::int64_t>(comparison.points.size()), "argument"),
                       comparison.faster(), comparison.slower());
}

} // namespace

std::size_t CurveComparison::faster() const {
    return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [](const PointComparison& p) {
        return p.significant() && p.ratio < 1;
    }));
}

std::size_t CurveComparison::slower() const {
    return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [](const PointComparison& p) {
        return p.significant() && p.ratio > 1;
    }));
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
        compared.ratio = *value / compared.first_s;
        comparison.points.push_back(compared);
    }
    if (points_in_family == 0)
        points_in_family = comparison.points.size();
    double log_sum = 0;
    bool any = false;
    for (PointComparison& point : comparison.points) {
        const auto first_values = launch_values(first, point.argument, true);
        const auto second_values = launch_values(second, point.argument, true);
        point.first_launches = first_values.size();
        point.second_launches = second_values.size();
        if (const auto interval = ratio_interval(first_values, second_values, pairing,
                                                 family_error / static_cast<double>(points_in_family))) {
            point.ratio_low = std::exp(interval->low);
            point.ratio_high = std::exp(interval->high);
        }
        const std::size_t launches = std::min(point.first_launches, point.second_launches);
        comparison.launches = any ? std::min(comparison.launches, launches) : launches;
        any = true;
        log_sum += std::log(point.ratio);
    }
    if (any)
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
