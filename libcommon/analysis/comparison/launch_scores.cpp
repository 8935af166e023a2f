#include "analysis/comparison/launch_scores.hpp"

#include "analysis/inference/enough_launches.hpp"
#include "analysis/inference/weighted_median.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace skampi {

std::vector<double> argument_weights(const std::vector<std::int64_t>& arguments) {
    const auto place = [](std::int64_t argument) {
        return argument > 0 ? std::log2(static_cast<double>(argument)) : -1.0; // 0 stands a step before 1
    };
    std::vector<double> weights(arguments.size(), 1.0);
    if (arguments.size() < 2)
        return weights;
    std::vector<double> gaps;
    for (std::size_t i = 1; i < arguments.size(); ++i)
        gaps.push_back(place(arguments[i]) - place(arguments[i - 1]));
    for (std::size_t i = 0; i < arguments.size(); ++i)
        weights[i] = (gaps[i == 0 ? 0 : i - 1] + gaps[i == gaps.size() ? i - 1 : i]) / 2;
    const double mean = mean_of(weights);
    for (double& weight : weights)
        weight = mean > 0 ? weight / mean : 1;
    return weights;
}

namespace {

double spread_of(const std::vector<LaunchScore>& launches) {
    skalib::RunningStatistics statistics;
    for (const LaunchScore& each : launches)
        statistics.add(each.log_time);
    return std::sqrt(statistics.variance());
}

} // namespace

LaunchScores::LaunchScores(const Curve& first, const Curve& second,
                           const std::vector<PointComparison>& points, const LaunchRule& rule)
    : first_correlation_(first.correlation)
    , second_correlation_(second.correlation)
    , rule_(rule)
    , simulated_(both_simulated(first, second)) {
    std::map<std::string, std::size_t> first_places;
    std::map<std::string, std::size_t> second_places;
    const auto logs_of = [](const Curve& curve, std::int64_t argument,
                            std::map<std::string, std::size_t>& places, std::vector<LaunchScore>& launches) {
        Side logs;
        for (const auto& [uuid, value] : launch_values(curve, argument, true)) {
            const auto [place, is_new] = places.try_emplace(uuid, launches.size());
            if (is_new)
                launches.push_back(launch_score(curve, uuid, 0));
            logs.emplace_back(place->second, std::log(value));
        }
        return logs;
    };
    const auto median_of = [](const Side& logs) {
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
        here.first = logs_of(first, point.argument, first_places, first_launches_);
        here.second = logs_of(second, point.argument, second_places, second_launches_);
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
    // They were made, though they say nothing: enough_launches() counts them.
    const auto add_left_out = [](const Curve& curve, std::map<std::string, std::size_t>& places,
                                 std::vector<LaunchScore>& launches) {
        for (const auto& [uuid, arguments] : curve.abstentions)
            if (places.try_emplace(uuid, launches.size()).second)
                launches.push_back(launch_score(curve, uuid, 0));
    };
    add_left_out(first, first_places, first_launches_);
    add_left_out(second, second_places, second_launches_);
}

LaunchScores::Pool LaunchScores::pool(std::int64_t least, std::int64_t most) const {
    std::vector<std::int64_t> within;
    for (const Argument& each : arguments_)
        if (each.argument >= least && each.argument <= most)
            within.push_back(each.argument);
    const std::vector<double> weights = argument_weights(within);
    Pool pool;
    std::size_t place = 0;
    for (const Argument& each : arguments_) {
        if (each.argument < least || each.argument > most)
            continue;
        const double weight = weights[place++];
        if (each.comparable) {
            pool.shown.push_back(each.log_ratio);
            pool.shown_weights.push_back(weight);
        }
        if (!each.left_out) {
            pool.arguments.push_back(&each);
            pool.weights.push_back(weight);
            pool.rounding.push_back(each.rounding_variance);
        } else if (!pool.left_out) {
            pool.left_out = each.left_out;
        }
    }
    return pool;
}

std::vector<LaunchScore> LaunchScores::scores(const Pool& pool, Side Argument::*side,
                                              const std::vector<LaunchScore>& launches) {
    struct Own {
        std::vector<double> logs;
        std::vector<double> weights;
    };
    std::vector<Own> of_launches(launches.size());
    for (std::size_t i = 0; i < pool.arguments.size(); ++i)
        for (const auto& [launch, value] : pool.arguments[i]->*side) {
            of_launches[launch].logs.push_back(value);
            of_launches[launch].weights.push_back(pool.weights[i]);
        }
    std::vector<LaunchScore> found;
    for (std::size_t i = 0; i < launches.size(); ++i)
        if (const Own& own = of_launches[i];
            !own.logs.empty() && 2 * own.logs.size() >= pool.arguments.size()) {
            found.push_back(launches[i]);
            found.back().log_time = weighted_median(own.logs, own.weights);
        }
    return found;
}

std::optional<StatePriors> LaunchScores::slopes() const {
    const Pool all = pool(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    if (all.arguments.empty() || simulated_ || rule_.state == StateUse::nothing)
        return std::nullopt;
    return slopes_shown(scores(all, &Argument::first, first_launches_),
                        scores(all, &Argument::second, second_launches_), rule_.state);
}

std::vector<double> LaunchScores::own_errors() const {
    Pool all = pool(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    std::vector<double> errors;
    const auto variance = [](const Side& side, const std::vector<double>& shifts) {
        skalib::RunningStatistics rest;
        for (const auto& [launch, value] : side)
            rest.add(value - shifts[launch]);
        return side.empty() ? 0 : rest.variance() / static_cast<double>(side.size());
    };
    const auto shifts_of = [&](Side Argument::*side, const std::vector<LaunchScore>& launches) {
        std::vector<std::vector<double>> logs(launches.size());
        for (const Argument* each : all.arguments)
            for (const auto& [launch, value] : each->*side)
                logs[launch].push_back(value);
        std::vector<double> shifts;
        for (std::vector<double>& own : logs)
            shifts.push_back(skalib::median(std::move(own)));
        return shifts;
    };
    const std::vector<double> first = shifts_of(&Argument::first, first_launches_);
    const std::vector<double> second = shifts_of(&Argument::second, second_launches_);
    for (const Argument& each : arguments_)
        errors.push_back(
            std::sqrt(variance(each.first, first) + variance(each.second, second) + each.rounding_variance));
    return errors;
}

void LaunchScores::judge(PooledComparison& result, const std::vector<LaunchScore>& first,
                         const std::vector<LaunchScore>& second, double rounding) const {
    std::optional<LaunchDifference> found;
    double detectable = 0; // beyond the interval's half width
    if (simulated_) {
        const double apart = second.front().log_time - first.front().log_time;
        if (const auto step = step_interval(apart, rounding / 2, rounding / 2))
            found = LaunchDifference{.as_measured = *step, .at_equal_state = *step};
    } else {
        found = launch_difference(first, second,
                                  {.state = rule_.state,
                                   .priors = rule_.priors,
                                   .error = result.error,
                                   .first_rounding = rounding / 2,
                                   .second_rounding = rounding / 2,
                                   .first_correlation = first_correlation_,
                                   .second_correlation = second_correlation_});
        constexpr double missed = 0.1;
        if (found)
            detectable = skalib::student_upper_quantile(found->degrees, missed) * found->standard_error;
    }
    if (!found) {
        result.unjudged = Unjudged::no_scatter;
        return;
    }
    const Estimate& estimate = found->at_equal_state;
    result.ratio = std::exp(estimate.centre);
    result.ratio_low = std::exp(estimate.low);
    result.ratio_high = std::exp(estimate.high);
    result.as_measured = as_measured(*found);
    result.first_excluded = found->first_excluded;
    result.second_excluded = found->second_excluded;
    result.detectable =
        std::exp(std::max(estimate.high - estimate.centre, estimate.centre - estimate.low) + detectable);
}

PooledComparison LaunchScores::pooled(std::size_t statements_in_family, std::int64_t least,
                                      std::int64_t most) const {
    assert(statements_in_family > 0);
    PooledComparison result;
    result.simulated = simulated_;
    result.error = family_error / static_cast<double>(statements_in_family);
    Pool pool = this->pool(least, most);
    result.arguments = pool.arguments.size();
    if (!pool.shown.empty())
        result.ratio = std::exp(weighted_median(pool.shown, pool.shown_weights));
    if (pool.arguments.empty()) {
        result.unjudged = pool.left_out;
        return result;
    }
    const std::vector<LaunchScore> first = scores(pool, &Argument::first, first_launches_);
    const std::vector<LaunchScore> second = scores(pool, &Argument::second, second_launches_);
    result.first_launches = first.size();
    result.second_launches = second.size();
    result.first_spread = spread_of(first);
    result.second_spread = spread_of(second);
    if (!first.empty() && !second.empty()) {
        const auto of_first = std::ranges::minmax(first, {}, &LaunchScore::log_time);
        const auto of_second = std::ranges::minmax(second, {}, &LaunchScore::log_time);
        result.least = std::exp(of_second.min.log_time - of_first.max.log_time);
        result.greatest = std::exp(of_second.max.log_time - of_first.min.log_time);
    }
    const auto state_known = [](const LaunchScore& launch) { return launch.probe_s > 0; };
    const bool enough = simulated_ ? !first.empty() && !second.empty()
                                   : enough_launches(first.size(), first_launches_.size()) &&
                                         enough_launches(second.size(), second_launches_.size());
    if (!enough)
        result.unjudged = Unjudged::few_launches;
    else if (rule_.in_a_row &&
             !(std::ranges::all_of(first, state_known) && std::ranges::all_of(second, state_known)))
        result.unjudged = Unjudged::launches_in_a_row;
    else
        judge(result, first, second, skalib::median(std::move(pool.rounding)));
    return result;
}

} // namespace skampi
