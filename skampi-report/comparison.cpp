#include "comparison.hpp"

#include "model/quantity.hpp"

#include "model/adjusted.hpp"
#include "skalib/clock.hpp"
#include "skalib/curve.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace skampi {

namespace {

constexpr double family_error = 0.05;

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

/// What forbids an interval of the two sides' ratio, but for a lack of scatter.
std::optional<Unjudged> obstacle(const Sides& sides, bool started_differently) {
    if (started_differently)
        return Unjudged::started_differently;
    if (sides.first.size() < launches_needed || sides.second.size() < launches_needed)
        return Unjudged::few_launches;
    if (!sides.all_above_zero)
        return Unjudged::not_above_zero;
    return std::nullopt;
}

/// The interval of log(second / first); none where neither scatter nor the clock's step is known.
/// @pre nothing is an obstacle
std::optional<Estimate> estimate_ratio(const Curve& first, const Curve& second, const Sides& sides,
                                       Pairing pairing, double error) {
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

using Points = std::vector<const Measurement*>;

/// Another curve's measurements, to look arguments up.
class Twin {
public:
    explicit Twin(const Curve& curve) {
        for (const StoredMeasurement& point : curve.points) {
            if (above_zero(point.measurement))
                points_.push_back(&point.measurement);
            else
                without_time_.insert(point.measurement.argument);
        }
    }

    /// At the argument, or between its neighbours; none where the curve was asked and has no time, or does
    /// not reach: nothing is invented.
    [[nodiscard]] std::optional<skalib::CurvePlace<Points::const_iterator>>
    place(std::int64_t argument) const {
        if (without_time_.contains(argument))
            return std::nullopt;
        return skalib::place_on_curve(points_.begin(), points_.end(), argument,
                                      [](const Measurement* point) { return point->argument; });
    }

private:
    Points points_;
    std::set<std::int64_t> without_time_;
};

std::string significance_text(const CurveComparison& comparison) {
    if (comparison.points.empty())
        return "no common arguments";
    const std::size_t judged = comparison.judged();
    const UnjudgedCounts unjudged = comparison.unjudged();
    if (judged == 0 && comparison.launches < launches_needed)
        return fmt::format("{}; {} needed for a statement about significance",
                           count_of(static_cast<std::int64_t>(comparison.launches), "launch", "launches"),
                           launches_needed);
    if (judged == 0)
        return fmt::format("nothing is said of significance, {}", unjudged_text(unjudged));
    const std::size_t rest = comparison.points.size() - judged;
    return fmt::format(
        "over {} launches the difference is clear of the launch-to-launch noise at {} of {} "
        "(faster at {}, slower at {}{})",
        comparison.launches, comparison.faster() + comparison.slower(),
        count_of(static_cast<std::int64_t>(judged), "argument"), comparison.faster(), comparison.slower(),
        rest > 0 ? fmt::format("; {} more not judged, {}", rest, unjudged_text(unjudged)) : "");
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

Outcome outcome(std::size_t faster, std::size_t slower, std::size_t judged) {
    if (faster + slower == 0)
        return Outcome::none;
    if (faster > 0 && slower > 0)
        return Outcome::both;
    if (slower == 0)
        return 2 * faster >= judged ? Outcome::faster : Outcome::few_faster;
    return 2 * slower >= judged ? Outcome::slower : Outcome::few_slower;
}

UnjudgedCounts CurveComparison::unjudged() const {
    UnjudgedCounts counts;
    for (const PointComparison& point : points)
        if (point.unjudged)
            ++counts[*point.unjudged];
    return counts;
}

std::string unjudged_text(Unjudged reason) {
    switch (reason) {
    case Unjudged::started_differently:
        return "because the ranks were started differently";
    case Unjudged::few_launches:
        return "for want of launches";
    case Unjudged::not_above_zero:
        return "because a launch has no value above zero";
    case Unjudged::several_modes:
        return "because the machine was in several modes";
    case Unjudged::no_scatter:
        return "because neither scatter nor the clock's step is known";
    }
    return {};
}

std::string unjudged_text(const UnjudgedCounts& counts) {
    std::vector<std::string> reasons;
    for (const auto& [reason, count] : counts)
        reasons.push_back(counts.size() == 1 ? unjudged_text(reason)
                                             : fmt::format("{} {}", count, unjudged_text(reason)));
    return enumeration(reasons);
}

double rounding_variance(const Curve& curve, double value_s) {
    // Blocks are of calls that ranks need not begin together, on buffers that need no preparation. Where no
    // clock is known to have been read, the step is that of the printed values.
    const Suite& suite = curve.suite();
    const bool blocks =
        curve.clock_cost_s > 0 &&
        (suite.operation.pattern == Pattern::ping_pong || suite.operation.pattern == Pattern::simple) &&
        (suite.buffers == BufferPolicy::warm || suite.buffers == BufferPolicy::warm_4k);
    const double block_s = skalib::shortest_block_s({curve.clock_resolution_s, curve.clock_cost_s});
    const double step_s = curve.clock_resolution_s * (blocks ? std::min(1.0, value_s / block_s) : 1);
    return step_s * step_s / 4 / (value_s * value_s);
}

std::optional<bool> in_windows(const Suite& suite, const Measurement& measurement) {
    if (suite.operation.pattern != Pattern::collective)
        return std::nullopt;
    return suite.synchronization == Synchronization::window && !has(measurement.flags, Flag::unsynchronised);
}

CurveComparison compare(const Curve& first, const Curve& second, Pairing pairing,
                        std::size_t points_in_family) {
    CurveComparison comparison;
    std::set<std::int64_t> started_differently;
    std::set<std::int64_t> in_several_modes;
    const Twin twin(second);
    for (const StoredMeasurement& point : first.points) {
        const Measurement& own = point.measurement;
        if (!above_zero(own))
            continue;
        const auto place = twin.place(own.argument);
        if (!place)
            continue;
        const Measurement& left = **place->left;
        const Measurement& right = **place->right;
        PointComparison compared;
        compared.argument = own.argument;
        compared.interpolated = !place->at_point();
        compared.first_s = own.value_s;
        compared.second_s = std::lerp(left.value_s, right.value_s, place->share);
        comparison.points.push_back(compared);
        const std::optional<bool> start = in_windows(first.suite(), own);
        if (in_windows(second.suite(), left) != start || in_windows(second.suite(), right) != start)
            started_differently.insert(own.argument);
        const bool several = own.modes.size() > 1 || left.modes.size() > 1 || right.modes.size() > 1;
        if (several && !in_one_mode(compared.first_s, compared.second_s))
            in_several_modes.insert(own.argument);
    }
    if (points_in_family == 0)
        points_in_family = comparison.points.size();
    double log_sum = 0;
    for (PointComparison& point : comparison.points) {
        const Sides sides = sides_at(first, second, point.argument, pairing);
        point.first_launches = sides.first.size();
        point.second_launches = sides.second.size();
        point.unjudged = obstacle(sides, started_differently.contains(point.argument));
        if (!point.unjudged && pairing == Pairing::independent && in_several_modes.contains(point.argument))
            point.unjudged = Unjudged::several_modes;
        std::optional<Estimate> estimate;
        if (!point.unjudged) {
            estimate = estimate_ratio(first, second, sides, pairing,
                                      family_error / static_cast<double>(points_in_family));
            if (!estimate)
                point.unjudged = Unjudged::no_scatter;
        }
        if (estimate) {
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
