#include "analysis/launch_scores.hpp"

#include "skalib/statistics.hpp"

#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace skampi {

LaunchScores::LaunchScores(const Curve& first, const Curve& second,
                           const std::vector<PointComparison>& points) {
    std::map<std::string, std::size_t> first_places;
    std::map<std::string, std::size_t> second_places;
    const auto logs_of = [](const Curve& curve, std::int64_t argument,
                            std::map<std::string, std::size_t>& places) {
        std::vector<std::pair<std::size_t, double>> logs;
        for (const auto& [uuid, value] : launch_values(curve, argument, true))
            logs.emplace_back(places.try_emplace(uuid, places.size()).first->second, std::log(value));
        return logs;
    };
    const auto median_of = [](const std::vector<std::pair<std::size_t, double>>& logs) {
        std::vector<double> values;
        for (const auto& [launch, value] : logs)
            values.push_back(value);
        return skalib::median(std::move(values));
    };
    for (const PointComparison& point : points) {
        Argument& here = arguments_.emplace_back();
        here.argument = point.argument;
        here.log_ratio = std::log(point.ratio);
        here.comparable = point.comparable;
        if (!point.poolable) {
            here.left_out = point.unjudged;
            continue;
        }
        here.first = logs_of(first, point.argument, first_places);
        here.second = logs_of(second, point.argument, second_places);
        if (here.first.empty() || here.second.empty()) {
            here.left_out = Unjudged::few_launches;
            continue;
        }
        const double first_median = median_of(here.first);
        const double second_median = median_of(here.second);
        here.rounding_variance = rounding_variance(first, std::exp(first_median)) +
                                 rounding_variance(second, std::exp(second_median));
        // The middle of both sides, of which neither is closer to it because it has more launches.
        const double middle = std::midpoint(first_median, second_median);
        for (auto* side : {&here.first, &here.second})
            for (auto& [launch, value] : *side)
                value -= middle;
    }
    simulated_ = both_simulated(first, second);
    first_correlation_ = first.correlation;
    second_correlation_ = second.correlation;
    first_launches_ = first_places.size();
    second_launches_ = second_places.size();
}

LaunchScores::Pool LaunchScores::pool(std::int64_t least, std::int64_t most) const {
    Pool pool;
    for (const Argument& each : arguments_) {
        if (each.argument < least || each.argument > most)
            continue;
        if (each.comparable)
            pool.shown.push_back(each.log_ratio);
        if (!each.left_out) {
            pool.arguments.push_back(&each);
            pool.rounding.push_back(each.rounding_variance);
        } else if (!pool.left_out) {
            pool.left_out = each.left_out;
        }
    }
    return pool;
}

std::vector<double> LaunchScores::scores(const std::vector<const Argument*>& arguments, Side Argument::*side,
                                         std::size_t launches) {
    std::vector<std::vector<double>> logs(launches);
    for (const Argument* each : arguments)
        for (const auto& [launch, value] : each->*side)
            logs[launch].push_back(value);
    std::vector<double> found;
    for (std::vector<double>& own : logs)
        if (!own.empty() && 2 * own.size() >= arguments.size())
            found.push_back(skalib::median(std::move(own)));
    return found;
}

PooledComparison LaunchScores::pooled(std::size_t statements_in_family, std::int64_t least,
                                      std::int64_t most) const {
    assert(statements_in_family > 0);
    PooledComparison result;
    result.simulated = simulated_;
    Pool pool = this->pool(least, most);
    result.arguments = pool.arguments.size();
    if (!pool.shown.empty())
        result.ratio = std::exp(skalib::median(std::move(pool.shown)));
    if (pool.arguments.empty()) {
        result.unjudged = pool.left_out;
        return result;
    }
    const std::vector<double> first = scores(pool.arguments, &Argument::first, first_launches_);
    const std::vector<double> second = scores(pool.arguments, &Argument::second, second_launches_);
    result.first_launches = first.size();
    result.second_launches = second.size();
    const std::size_t needed = simulated_ ? 1 : launches_needed;
    if (first.size() < needed || second.size() < needed) {
        result.unjudged = Unjudged::few_launches;
        return result;
    }
    const double rounding_each_side = skalib::median(std::move(pool.rounding)) / 2;
    std::optional<Estimate> estimate;
    double detectable = 0; // beyond the interval's half width
    if (simulated_) {
        estimate = step_interval(mean_of(second) - mean_of(first), rounding_each_side, rounding_each_side);
    } else {
        const MeanDifference of_sides =
            difference(side_mean(first, first_correlation_, rounding_each_side),
                       side_mean(second, second_correlation_, rounding_each_side));
        estimate = t_interval(of_sides.centre, of_sides.variance, of_sides.degrees,
                              family_error / static_cast<double>(statements_in_family));
        constexpr double missed = 0.1;
        if (estimate)
            detectable =
                skalib::student_upper_quantile(of_sides.degrees, missed) * std::sqrt(of_sides.variance);
    }
    if (!estimate) {
        result.unjudged = Unjudged::no_scatter;
        return result;
    }
    result.ratio = std::exp(estimate->centre);
    result.ratio_low = std::exp(estimate->low);
    result.ratio_high = std::exp(estimate->high);
    result.detectable = std::exp(estimate->high - estimate->centre + detectable);
    return result;
}

} // namespace skampi
