#include "analysis/inference/launch_difference.hpp"

#include "analysis/inference/covariates.hpp"
#include "analysis/inference/outliers.hpp"
#include "model/machine_state.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace skampi {

namespace {

/// The mean of a side's launches, but for outliers.
struct SideRest {
    double mean = 0;
    double spread = 0;  ///< variance of a value
    double degrees = 0; ///< of freedom
    double weight = 0;  ///< as how many independent values those kept count
    CovariateRows kept;
};

/// What slopes leave of the rows.
std::vector<double> rests_of(const CovariateRows& rows, const Slopes& slopes) {
    std::vector<double> rest;
    for (const CovariateRow& row : rows)
        rest.push_back(row.y - slopes.of(row));
    return rest;
}

/// @param rest of the rows   @param out which of them are left out   @param correlation of launches in a row
SideRest side_rest(const CovariateRows& rows, const std::vector<double>& rest, const std::vector<bool>& out,
                   double correlation) {
    skalib::RunningStatistics left;
    SideRest result;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!out[i]) {
            left.add(rest[i]);
            result.kept.push_back(rows[i]);
        }
    const auto all = static_cast<double>(rows.size());
    const auto kept = static_cast<double>(result.kept.size());
    const double share = independent_launches(rows.size(), correlation) / all;
    result.mean = left.mean();
    result.spread = left.variance();
    result.degrees = std::max(1.0, share * kept - 1);
    result.weight = share * kept;
    return result;
}

std::pair<SideRest, SideRest> side_rests(const CovariateRows& first, const CovariateRows& second,
                                         const Slopes& slopes, double first_correlation,
                                         double second_correlation) {
    const std::vector<double> a = rests_of(first, slopes);
    const std::vector<double> b = rests_of(second, slopes);
    const auto [a_out, b_out] = outliers_of_sides(a, b, launches_to_exclude);
    return {side_rest(first, a, a_out, first_correlation), side_rest(second, b, b_out, second_correlation)};
}

/// Estimate with what its intervals are made of.
struct Judged {
    Estimate estimate;
    double standard_error = 0;
    double degrees = 0;
    double first_mean = 0;
    double second_mean = 0;
    std::size_t first_excluded = 0;
    std::size_t second_excluded = 0;
    CovariateRows first_kept;
    CovariateRows second_kept;
};

/// Variance of what slopes leave of the rows, within the sides.
double rest_variance(const CovariateRows& first, const CovariateRows& second, const Slopes& slopes) {
    double squares = 0;
    for (const CovariateRows* side : {&first, &second}) {
        skalib::RunningStatistics rest;
        for (const CovariateRow& row : *side)
            rest.add(row.y - slopes.of(row));
        squares += rest.variance() * (static_cast<double>(side->size()) - 1);
    }
    return squares / std::max(1.0, static_cast<double>(first.size() + second.size()) - 2 - slopes.degrees);
}

/// How far apart the sides' covariates lie.
std::array<double, 2> distance(const CovariateRows& first, const CovariateRows& second) {
    const std::array<double, 2> a = mean_covariates(first);
    const std::array<double, 2> b = mean_covariates(second);
    return {b[0] - a[0], b[1] - a[1]};
}

/// @param priors of the covariates that count; none = as measured
std::optional<Judged> judge(const CovariateRows& first, const CovariateRows& second,
                            std::span<const SlopePrior> priors, const DifferenceRule& rule) {
    const bool excludes = std::max(first.size(), second.size()) >= launches_to_exclude;
    Slopes slopes = priors.empty() ? Slopes()
                    : excludes     ? least_deviations({&first, &second}, priors)
                                   : least_squares({&first, &second}, priors);
    const auto rests = [&] {
        return side_rests(first, second, slopes, rule.first_correlation, rule.second_correlation);
    };
    auto [a, b] = rests();
    if (!priors.empty()) { // the slopes of those kept
        const Slopes free = least_squares({&a.kept, &b.kept}, priors);
        slopes = least_squares({&a.kept, &b.kept}, priors, rest_variance(a.kept, b.kept, free));
        std::tie(a, b) = rests();
    }
    const auto kept = static_cast<double>(a.kept.size() + b.kept.size());
    const double charged = (kept - 2 - slopes.degrees) / (kept - 2);
    const double spread = (a.spread * a.degrees + b.spread * b.degrees) / (a.degrees + b.degrees) / charged;
    const SideMean of_a{a.mean, a.spread / a.weight / charged + rule.first_rounding, a.degrees};
    const SideMean of_b{b.mean, b.spread / b.weight / charged + rule.second_rounding, b.degrees};
    const MeanDifference found = difference(of_a, of_b);
    const double variance = found.variance + spread * slopes.leverage(distance(a.kept, b.kept));
    const double degrees = found.degrees * charged;
    const auto estimate = t_interval(found.centre, variance, degrees, rule.error);
    if (!estimate)
        return std::nullopt;
    return Judged{*estimate,
                  std::sqrt(variance),
                  degrees,
                  a.mean,
                  b.mean,
                  first.size() - a.kept.size(),
                  second.size() - b.kept.size(),
                  std::move(a.kept),
                  std::move(b.kept)};
}

/// The estimate at an equal state. Launches that lie apart as measured, and that their state does not
/// explain, pull the slopes after them until none is an outlier: then it is that of the others.
std::optional<Judged> judge_at_equal_state(const CovariateRows& first, const CovariateRows& second,
                                           std::span<const SlopePrior> priors, const DifferenceRule& rule,
                                           const Judged& as_measured) {
    constexpr double worse = 2; // the error with them by that without
    std::optional<Judged> equal = judge(first, second, priors, rule);
    if (as_measured.first_excluded + as_measured.second_excluded == 0)
        return equal;
    std::optional<Judged> rest = judge(as_measured.first_kept, as_measured.second_kept, priors, rule);
    if (!rest || (equal && equal->standard_error <= worse * rest->standard_error))
        return equal;
    rest->first_excluded += as_measured.first_excluded;
    rest->second_excluded += as_measured.second_excluded;
    return rest;
}

struct Covariates {
    CovariateRows first;
    CovariateRows second;
    std::vector<SlopePrior> priors; ///< of those that count
    double probe_apart = 0;         ///< logarithm of second / first; 0 = not known on both sides
    bool probe_counts = false;
};

/// Logarithms of what all launches know of their state; empty where one does not.
std::vector<double> logs_of(const std::vector<LaunchScore>& launches, double LaunchScore::*state) {
    std::vector<double> found;
    for (const LaunchScore& each : launches) {
        if (!(each.*state > 0))
            return {};
        found.push_back(std::log(each.*state));
    }
    return found;
}

/// Core speeds that are farther apart are those of other machines: work on the other hardware thread of a
/// core halves its throughput at most, and clocks differ by less.
constexpr double speed_ratio = 2.5;

Covariates covariates_of(const std::vector<LaunchScore>& first, const std::vector<LaunchScore>& second,
                         StateUse use, const StatePriors& priors) {
    Covariates found;
    for (const auto& [launches, rows] : {std::pair(&first, &found.first), std::pair(&second, &found.second)})
        for (const LaunchScore& each : *launches)
            rows->push_back({each.log_time, {}, 1});
    if (use == StateUse::nothing)
        return found;
    // A slope needs a degree of freedom, and two must be left.
    const std::size_t most = std::min<std::size_t>(2, first.size() + second.size() - 4);
    for (double LaunchScore::*state : {&LaunchScore::probe_s, &LaunchScore::core_speed}) {
        const std::vector<double> a = logs_of(first, state);
        const std::vector<double> b = logs_of(second, state);
        if (a.empty() || b.empty())
            continue;
        const double apart = skalib::median(b) - skalib::median(a);
        const bool is_probe = state == &LaunchScore::probe_s;
        if (is_probe)
            found.probe_apart = apart;
        if (found.priors.size() == most ||
            std::fabs(apart) >= std::log(is_probe ? mode_ratio : speed_ratio) ||
            (is_probe && use != StateUse::covariates))
            continue;
        const std::size_t place = found.priors.size();
        for (std::size_t i = 0; i < a.size(); ++i)
            found.first[i].x[place] = a[i];
        for (std::size_t i = 0; i < b.size(); ++i)
            found.second[i].x[place] = b[i];
        found.probe_counts = found.probe_counts || is_probe;
        found.priors.push_back(is_probe ? priors.probe : priors.core_speed);
    }
    return found;
}

struct Sides {
    std::vector<LaunchScore> first;
    std::vector<LaunchScore> second;
};

/// Without launches of which a state is unknown that nearly all others know: one of them must not make that
/// of all unknown. With them where too few would be left.
Sides with_known_state(const std::vector<LaunchScore>& first, const std::vector<LaunchScore>& second,
                       StateUse use) {
    constexpr std::size_t of_five_know = 4;
    constexpr std::size_t least = launches_needed - 1;
    Sides sides{first, second};
    if (use == StateUse::nothing)
        return sides;
    for (double LaunchScore::*state : {&LaunchScore::probe_s, &LaunchScore::core_speed}) {
        const auto is_unknown = [&](const LaunchScore& launch) { return !(launch.*state > 0); };
        const auto may_lack = [&](const std::vector<LaunchScore>& side) {
            const auto known =
                side.size() - static_cast<std::size_t>(std::ranges::count_if(side, is_unknown));
            return known >= least && 5 * known >= of_five_know * side.size();
        };
        if (may_lack(sides.first) && may_lack(sides.second)) {
            std::erase_if(sides.first, is_unknown);
            std::erase_if(sides.second, is_unknown);
        }
    }
    return sides;
}

bool excludes_zero(const Estimate& estimate) {
    return estimate.low > 0 || estimate.high < 0;
}

} // namespace

bool LaunchDifference::explained() const {
    return state_counts && excludes_zero(as_measured) && !excludes_zero(at_equal_state);
}

std::optional<LaunchDifference> launch_difference(const std::vector<LaunchScore>& first,
                                                  const std::vector<LaunchScore>& second,
                                                  const DifferenceRule& rule) {
    const Sides known = with_known_state(first, second, rule.state);
    const Covariates covariates = covariates_of(known.first, known.second, rule.state, rule.priors);
    const std::optional<Judged> raw = judge(covariates.first, covariates.second, {}, rule);
    if (!raw)
        return std::nullopt;
    LaunchDifference result{.as_measured = raw->estimate,
                            .at_equal_state = raw->estimate,
                            .standard_error = raw->standard_error,
                            .degrees = raw->degrees,
                            .first_mean = raw->first_mean,
                            .second_mean = raw->second_mean,
                            .first_excluded = raw->first_excluded,
                            .second_excluded = raw->second_excluded};
    if (!covariates.priors.empty())
        if (const auto equal =
                judge_at_equal_state(covariates.first, covariates.second, covariates.priors, rule, *raw)) {
            result.at_equal_state = equal->estimate;
            result.standard_error = equal->standard_error;
            result.degrees = equal->degrees;
            result.state_counts = true;
            result.first_excluded = equal->first_excluded;
            result.second_excluded = equal->second_excluded;
        }
    if (const double apart = covariates.probe_apart; !covariates.probe_counts && apart != 0) {
        // Times may grow faster than the probe: of a ping-pong of 2 KiB they were seen to grow as its
        // power 1.35.
        constexpr double steepest = 1.5;
        result.at_equal_state.low -= std::max(0.0, steepest * apart);
        result.at_equal_state.high -= std::min(0.0, steepest * apart);
        result.state_counts = true;
        result.state_bounded = true;
    }
    result.first_excluded += first.size() - known.first.size();
    result.second_excluded += second.size() - known.second.size();
    return result;
}

std::optional<StatePriors> slopes_shown(const std::vector<LaunchScore>& first,
                                        const std::vector<LaunchScore>& second, StateUse state) {
    constexpr std::size_t least = 6; // two means, two slopes, two degrees of freedom
    if (first.size() < 2 || second.size() < 2 || first.size() + second.size() < least)
        return std::nullopt;
    const Sides known = with_known_state(first, second, state);
    const Covariates all = covariates_of(known.first, known.second, state, {});
    const Slopes robust = least_deviations({&all.first, &all.second}, all.priors);
    const auto [first_rest, second_rest] = side_rests(all.first, all.second, robust, 0, 0);
    const CovariateRows& a = first_rest.kept;
    const CovariateRows& b = second_rest.kept;
    const Slopes free = least_squares({&a, &b}, all.priors);
    if (free.count == 0 || free.count < all.priors.size())
        return std::nullopt;
    const double spread = rest_variance(a, b, free);
    StatePriors shown{{0, 0}, {0, 0}};
    std::size_t place = 0;
    for (SlopePrior* which : {&shown.probe, &shown.core_speed}) {
        if ((which == &shown.probe && !all.probe_counts) || place == free.count)
            continue;
        *which = {free.slope[place], std::sqrt(spread * free.inverse[place][place])};
        ++place;
    }
    return shown;
}

namespace {

/// What is known, and what others show. @param shown of each its deviation above 0
SlopePrior with_others(const SlopePrior& known, const std::vector<SlopePrior>& shown) {
    constexpr double least_between = 0.15;
    const auto mean_of_slopes = [&](double between) {
        double sum = 0;
        double weights = 0;
        for (const SlopePrior& each : shown) {
            const double weight = 1 / (each.deviation * each.deviation + between);
            sum += weight * each.slope;
            weights += weight;
        }
        return sum / weights;
    };
    double weights = 0;
    double squares = 0;
    for (const SlopePrior& each : shown) {
        const double weight = 1 / (each.deviation * each.deviation);
        weights += weight;
        squares += weight * weight;
    }
    const double alike = mean_of_slopes(0);
    double apart = 0; // squares of the slopes' distances by their errors
    for (const SlopePrior& each : shown)
        apart += std::pow((each.slope - alike) / each.deviation, 2);
    const auto count = static_cast<double>(shown.size());
    const double between =
        std::max(least_between * least_between, (apart - (count - 1)) / (weights - squares / weights));
    const double mean = mean_of_slopes(between);
    const double weight = 1 / (count / weights + between);
    const double before = 1 / (known.deviation * known.deviation);
    return {(before * known.slope + weight * mean) / (before + weight), 1 / std::sqrt(before + weight)};
}

} // namespace

StatePriors priors_from(const std::vector<StatePriors>& others) {
    StatePriors priors;
    for (SlopePrior StatePriors::*which : {&StatePriors::probe, &StatePriors::core_speed}) {
        std::vector<SlopePrior> shown;
        for (const StatePriors& each : others)
            if ((each.*which).deviation > 0)
                shown.push_back(each.*which);
        if (shown.size() >= 2)
            priors.*which = with_others(priors.*which, shown);
    }
    return priors;
}

std::optional<std::size_t> launches_to_decide(double distance, double spread_a, double spread_b,
                                              double error) {
    constexpr std::size_t most = 1000;
    constexpr double missed = 0.1;
    const double spread = std::hypot(spread_a, spread_b);
    if (!(spread > 0) || !(distance > 0))
        return std::nullopt;
    for (std::size_t n = launches_needed; n <= most; n += 1 + n / 20) {
        const double degrees = 2 * static_cast<double>(n) - 2;
        const double reach = skalib::student_upper_quantile(degrees, error / 2) +
                             skalib::student_upper_quantile(degrees, missed);
        if (reach * spread / std::sqrt(static_cast<double>(n)) <= distance)
            return n;
    }
    return std::nullopt;
}

} // namespace skampi
