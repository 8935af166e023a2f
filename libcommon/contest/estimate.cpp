// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/estimate.hpp"

#include "contest/outliers.hpp"
#include "model/machine_state.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

constexpr std::size_t probe = 0; ///< place among covariates

template <typename Of>
double mean(const LaunchScores& values, Of of) {
    double sum = 0;
    for (const LaunchScore& each : values)
        sum += of(each);
    return sum / static_cast<double>(values.size());
}

double mean_y(const LaunchScores& values) {
    return mean(values, [](const LaunchScore& each) { return each.y; });
}

double mean_x(const LaunchScores& values, std::size_t covariate) {
    return mean(values, [covariate](const LaunchScore& each) { return each.x[covariate]; });
}

LaunchScores without(const LaunchScores& values, const std::vector<bool>& out) {
    LaunchScores kept;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!out[i])
            kept.push_back(values[i]);
    return kept;
}

std::vector<double> rests(const LaunchScores& values, double slope) {
    std::vector<double> found;
    for (const LaunchScore& each : values)
        found.push_back(each.y - (slope == 0 ? 0 : slope * each.x[probe]));
    return found;
}

/// Sums of squares about the means of the sides.
struct Moments {
    double xx = 0;
    double xy = 0;
    double yy = 0;
    void add(const LaunchScores& side, std::size_t covariate) {
        const double x = mean_x(side, covariate);
        const double y = mean_y(side);
        for (const LaunchScore& each : side) {
            xx += (each.x[covariate] - x) * (each.x[covariate] - x);
            xy += (each.x[covariate] - x) * (each.y - y);
            yy += (each.y - y) * (each.y - y);
        }
    }
    [[nodiscard]] double rest(double slope) const {
        return std::max(0.0, yy - 2 * slope * xy + slope * slope * xx);
    }
};

/// The slope of times over probes, logarithms.
struct Slope {
    double slope = 0;
    double variance = 0;
    double degrees = 0; ///< of freedom that it costs
};

/// For both sides, with the prior knowledge.
Slope slope_of(const LaunchScores& a, const LaunchScores& b) {
    constexpr double usual = 0.5;
    constexpr double deviation = 0.5;
    constexpr double steepest = 1.5;
    Moments moments;
    moments.add(a, probe);
    moments.add(b, probe);
    const double degrees = std::max(1.0, static_cast<double>(a.size() + b.size()) - 3);
    Slope found{usual, deviation * deviation, 0};
    for (int step = 0; step < 4; ++step) { // the spread and the slope depend on one another
        const double variance = moments.rest(found.slope) / degrees;
        const double known = variance / (deviation * deviation);
        if (!(moments.xx + known > 0))
            break;
        found = {std::clamp((moments.xy + known * usual) / (moments.xx + known), 0.0, steepest),
                 variance / (moments.xx + known), moments.xx / (moments.xx + known)};
    }
    return found;
}

/// The number of independent launches that the launches are worth.
double independent(const std::vector<double>& values, bool in_a_row) {
    constexpr double assumed = 0.5;
    constexpr double most = 0.8;
    const auto all = static_cast<double>(values.size());
    if (!in_a_row)
        return all;
    double correlation = assumed;
    if (values.size() >= launches_to_tell_likeness) {
        skalib::RunningStatistics about;
        for (const double each : values)
            about.add(each);
        double neighbours = 0;
        for (std::size_t i = 1; i < values.size(); ++i)
            neighbours += (values[i] - about.mean()) * (values[i - 1] - about.mean());
        const double squares = about.variance() * (all - 1);
        correlation = std::clamp((squares > 0 ? neighbours / squares : 0) + 1 / std::sqrt(all), 0.0, most);
    }
    return all * (1 - correlation) / (1 + correlation);
}

struct Side {
    double mean = 0;
    double variance = 0; ///< of the mean
    double degrees = 0;
    double spread = 0; ///< variance of a launch
};

Side side_of(const std::vector<double>& values, bool in_a_row, double rounding, double slope_degrees) {
    skalib::RunningStatistics statistics;
    for (const double each : values)
        statistics.add(each);
    const double count = independent(values, in_a_row);
    const double all = static_cast<double>(values.size()) - 1;
    const double spread = statistics.variance() * all / std::max(1.0, all - slope_degrees);
    return {statistics.mean(), spread / count + rounding, std::max(0.5, count - 1 - slope_degrees), spread};
}

/// Launches with a probe, if at least four fifths have one.
LaunchScores with_probe(const LaunchScores& values) {
    LaunchScores known = values;
    std::erase_if(known, [](const LaunchScore& each) { return std::isnan(each.x[probe]); });
    return 5 * known.size() >= 4 * values.size() ? known : LaunchScores();
}

void note_sides(const std::vector<bool>& out, const std::vector<double>& values, Estimate& found) {
    constexpr double chance = 1.0 / 16; // five of five, eight of nine on one side
    std::size_t above = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
        above += out[i] && values[i] > found.centre ? 1 : 0;
    const std::size_t below = found.outliers - above;
    found.outliers_above = above > below;
    found.one_sided = found.outliers > 0 && 10 * found.outliers >= out.size() &&
                      skalib::sign_test(std::min(above, below), found.outliers) <= chance;
}

} // namespace

double Estimate::reach(double probability) const {
    return error > 0 ? skalib::student_upper_quantile(degrees, probability / 2) * error : 0;
}

double Estimate::chance() const {
    return error > 0 ? skalib::student_two_sided(degrees, centre / error) : centre == 0 ? 1 : 0;
}

std::optional<Estimate> estimate_sides(const LaunchScores& reference, const LaunchScores& subject,
                                       const EstimateRule& rule) {
    Estimate found;
    LaunchScores a = reference;
    LaunchScores b = subject;
    if (rule.by_probe) {
        a = with_probe(a);
        b = with_probe(b);
        found.by_probe = a.size() >= 2 && b.size() >= 2;
        if (!found.by_probe) {
            a = reference;
            b = subject;
        }
    }
    if (a.size() < 2 || b.size() < 2)
        return std::nullopt;
    const std::size_t all = a.size() + b.size();
    const auto leave_out_far = [](LaunchScores& one, LaunchScores& other, double along) {
        const auto [far_one, far_other] =
            outliers_of_sides(rests(one, along), rests(other, along), launches_to_exclude);
        one = without(one, far_one);
        other = without(other, far_other);
    };
    double along = 0;
    if (found.by_probe) { // one bad launch must not decide the slope
        LaunchScores near_a = a;
        LaunchScores near_b = b;
        leave_out_far(near_a, near_b, 0);
        along = slope_of(near_a, near_b).slope;
    }
    leave_out_far(a, b, along);
    found.outliers = all - a.size() - b.size();
    found.reference = a.size();
    found.subject = b.size();
    found.as_measured = mean_y(b) - mean_y(a);
    const Slope slope = found.by_probe ? slope_of(a, b) : Slope();
    const double cost = slope.degrees / 2; // of each side
    const Side first = side_of(rests(a, slope.slope), rule.in_a_row[0], rule.rounding[0], cost);
    const Side second = side_of(rests(b, slope.slope), rule.in_a_row[1], rule.rounding[1], cost);
    found.centre = second.mean - first.mean;
    found.spread = std::sqrt(first.spread + second.spread);
    const double probes_differ_by = found.by_probe ? mean_x(b, probe) - mean_x(a, probe) : 0;
    const double means = first.variance + second.variance;
    found.error = std::sqrt(means + probes_differ_by * probes_differ_by * slope.variance);
    if (!(means > 0))
        return found;
    found.degrees = means * means /
                    (first.variance * first.variance / first.degrees +
                     second.variance * second.variance / second.degrees);
    if (std::max(a.size(), b.size()) > 2 * std::min(a.size(), b.size()))
        found.degrees = std::min({found.degrees, first.degrees, second.degrees});
    found.in_a_row = rule.in_a_row[0] || rule.in_a_row[1];
    return found;
}

namespace {

/// Whether a covariate describes the machine: known for all pairs, and on neither side higher too often for
/// chance.
bool tells_of_machine(const LaunchScores& pairs, std::size_t covariate) {
    constexpr double own = 0.04;
    std::size_t above = 0;
    std::size_t below = 0;
    for (const LaunchScore& each : pairs) {
        if (std::isnan(each.x[covariate]))
            return false;
        above += each.x[covariate] > 0 ? 1 : 0;
        below += each.x[covariate] < 0 ? 1 : 0;
    }
    return above + below > 0 && skalib::sign_test(std::min(above, below), above + below) > own;
}

/// The slope over a covariate in the pairs; 0 if chance can explain it.
Slope slope_shown(const LaunchScores& pairs, std::size_t covariate, double chance) {
    const LaunchScores near = without(pairs, outliers(rests(pairs, 0), launches_to_exclude));
    if (near.size() < launches_needed)
        return {};
    Moments moments;
    moments.add(near, covariate);
    if (!(moments.xx > 0))
        return {};
    const double slope = moments.xy / moments.xx;
    const auto degrees = static_cast<double>(near.size() - 2);
    const double variance = moments.rest(slope) / degrees / moments.xx;
    const bool shown =
        variance > 0 ? skalib::student_two_sided(degrees, slope / std::sqrt(variance)) <= chance : slope != 0;
    return shown ? Slope{slope, variance, 1} : Slope();
}

/// Its significance; 0 = none.
double clearness(const Slope& slope) {
    return slope.slope == 0 ? 0 : std::fabs(slope.slope) / std::sqrt(std::max(slope.variance, 1e-300));
}

/// @param covariates that describe the machine
std::optional<Estimate> mean_of_pairs(LaunchScores pairs, const EstimateRule& rule,
                                      const std::vector<std::size_t>& covariates) {
    if (pairs.size() < 2)
        return std::nullopt;
    Estimate found;
    const std::vector<double> measured = rests(pairs, 0);
    std::array<Slope, 2> slopes{};
    const auto take_out = [&](std::size_t covariate, double chance) { // after what the other one explains
        for (LaunchScore& each : pairs)
            each.y += slopes[covariate].slope * each.x[covariate];
        slopes[covariate] = slope_shown(pairs, covariate, chance);
        for (LaunchScore& each : pairs)
            each.y -= slopes[covariate].slope * each.x[covariate];
    };
    constexpr double chance = 0.003; ///< 3.5 standard errors of many pairs, 7 of five
    const auto clearness_of = [&](std::size_t covariate) {
        return clearness(slope_shown(pairs, covariate, chance));
    };
    if (!covariates.empty()) {
        const std::size_t clearest = *std::ranges::max_element(covariates, {}, clearness_of);
        take_out(clearest, chance);
        if (covariates.size() > 1 && slopes[clearest].slope != 0)
            take_out(1 - clearest, chance);
        if (slopes[0].slope != 0 && slopes[1].slope != 0) // least squares of both together
            for (int step = 0; step < 8; ++step)
                for (const std::size_t covariate : covariates)
                    take_out(covariate, 1);
    }
    double slopes_variance = 0;
    double slopes_degrees = 0;
    for (const std::size_t covariate : covariates) {
        const double x = mean_x(pairs, covariate);
        slopes_variance += x * x * slopes[covariate].variance;
        slopes_degrees += slopes[covariate].degrees;
    }
    const std::vector<double> values = rests(pairs, 0);
    const std::vector<bool> far = outliers(values, launches_to_exclude);
    const LaunchScores kept = without(pairs, far);
    if (kept.size() < 2)
        return std::nullopt;
    const Side side =
        side_of(rests(kept, 0), rule.in_a_row[0], rule.rounding[0] + rule.rounding[1], slopes_degrees);
    found.by_probe = slopes_degrees > 0;
    found.centre = side.mean;
    found.as_measured = skalib::median(measured);
    found.error = std::sqrt(side.variance + slopes_variance);
    found.degrees = std::max(1.0, side.degrees);
    found.spread = std::sqrt(side.spread);
    found.reference = found.subject = kept.size();
    found.outliers = pairs.size() - kept.size();
    found.in_a_row = rule.in_a_row[0];
    note_sides(far, values, found);
    return found;
}

} // namespace

std::optional<Estimate> estimate_pairs(const LaunchScores& pairs, const EstimateRule& rule) {
    constexpr double much_shorter = 0.6;
    constexpr double usual_error = 0.05;
    std::vector<std::size_t> covariates;
    for (std::size_t covariate = 0; rule.by_probe && covariate < 2; ++covariate)
        if (pairs.size() >= launches_needed && tells_of_machine(pairs, covariate))
            covariates.push_back(covariate);
    std::optional<Estimate> all = mean_of_pairs(pairs, rule, covariates);
    if (!all || covariates.empty() || covariates.front() != probe)
        return all;
    LaunchScores in_one_state = pairs;
    std::erase_if(in_one_state,
                  [](const LaunchScore& each) { return std::fabs(each.x[probe]) >= std::log(mode_ratio); });
    if (in_one_state.size() < launches_needed || in_one_state.size() == pairs.size())
        return all;
    std::optional<Estimate> alike = mean_of_pairs(std::move(in_one_state), rule, covariates);
    return alike && alike->reach(usual_error) < much_shorter * all->reach(usual_error) ? alike : all;
}

std::optional<std::size_t> launches_to_decide(double distance, double spread, double error) {
    constexpr std::size_t most = 1000;
    constexpr double missed = 0.1;
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
