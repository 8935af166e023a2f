#include "analysis/inference/mean_difference.hpp"

#include "model/measured_value.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

/// Variance of the mean.
double mean_variance(const std::vector<double>& values) {
    skalib::RunningStatistics statistics;
    for (const double value : values)
        statistics.add(value);
    return statistics.variance() / static_cast<double>(values.size());
}

} // namespace

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

std::vector<double> logs(const std::vector<double>& values) {
    std::vector<double> result;
    for (const double value : values)
        result.push_back(std::log(value));
    return result;
}

bool both_simulated(const Curve& first, const Curve& second) {
    return first.simulated && second.simulated;
}

double independent_launches(std::size_t launches, double correlation) {
    const auto all = static_cast<double>(launches);
    return launches < launches_to_tell_likeness ? all : all * skalib::independent_share(correlation);
}

double rounding_variance(const Curve& curve, double value_s) {
    const double half_step =
        value_step_s(curve.suite(), {curve.clock_resolution_s, curve.clock_cost_s}, value_s) / (2 * value_s);
    return half_step * half_step;
}

std::optional<Estimate> t_interval(double mean, double variance, double degrees, double error) {
    if (!(variance > 0) || !(degrees > 0))
        return std::nullopt;
    const double reach = skalib::student_upper_quantile(degrees, error / 2) * std::sqrt(variance);
    return Estimate{mean, mean - reach, mean + reach};
}

std::optional<Estimate> step_interval(double centre, double rounding_variance_a, double rounding_variance_b) {
    const double reach = 2 * (std::sqrt(rounding_variance_a) + std::sqrt(rounding_variance_b));
    return reach > 0 ? std::optional(Estimate{centre, centre - reach, centre + reach}) : std::nullopt;
}

SideMean side_mean(const std::vector<double>& values, double correlation, double rounding) {
    const double independent = independent_launches(values.size(), correlation);
    return {mean_of(values),
            mean_variance(values) * static_cast<double>(values.size()) / independent + rounding,
            std::max(1.0, independent - 1)};
}

MeanDifference difference(const SideMean& a, const SideMean& b) {
    const double variance = a.variance + b.variance;
    return {b.mean - a.mean, variance,
            variance * variance /
                (a.variance * a.variance / a.degrees + b.variance * b.variance / b.degrees)};
}

} // namespace skampi
