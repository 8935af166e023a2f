#include "analysis/comparison/comparison.hpp"

#include "analysis/inference/enough_launches.hpp"
#include "model/machine_state.hpp"
#include "skalib/curve.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace skampi {

namespace {

/// The values of the launches of both sides at one argument; paired, in the same order on both.
struct Sides {
    std::vector<LaunchScore> first;
    std::vector<LaunchScore> second;
    std::size_t first_made = 0; ///< with those that are left out there
    std::size_t second_made = 0;
    bool all_above_zero = true;
};

Sides sides_at(const Curve& first, const Curve& second, std::int64_t argument, Pairing pairing) {
    const std::map<std::string, double> first_values = launch_values(first, argument, true);
    const std::map<std::string, double> second_values = launch_values(second, argument, true);
    Sides sides;
    const auto add = [&](const Curve& curve, const std::string& uuid, double value,
                         std::vector<LaunchScore>& side) {
        side.push_back(launch_score(curve, uuid, std::log(value)));
        sides.all_above_zero = sides.all_above_zero && std::isfinite(value) && value > 0;
    };
    for (const auto& [uuid, value] : first_values)
        if (pairing != Pairing::same_launches || second_values.contains(uuid))
            add(first, uuid, value, sides.first);
    for (const auto& [uuid, value] : second_values)
        if (pairing != Pairing::same_launches || first_values.contains(uuid))
            add(second, uuid, value, sides.second);
    const auto left_out = [&](const Curve& curve) {
        return static_cast<std::size_t>(std::ranges::count_if(
            curve.abstentions, [&](const auto& launch) { return launch.second.contains(argument); }));
    };
    sides.first_made = sides.first.size() + left_out(first);
    sides.second_made = sides.second.size() + left_out(second);
    return sides;
}

/// What forbids an interval of the two sides' ratio, but for a lack of scatter.
/// @param incomparable why the two are points of two quantities
/// @param simulated of whose launches each says the same
std::optional<Unjudged> obstacle(const Sides& sides, Pairing pairing, std::optional<Unjudged> incomparable,
                                 bool simulated) {
    if (pairing == Pairing::overlapping)
        return Unjudged::shared_launches;
    if (incomparable)
        return incomparable;
    const auto enough = [simulated](std::size_t usable, std::size_t made) {
        return simulated ? usable > 0 : enough_launches(usable, made);
    };
    if (!enough(sides.first.size(), sides.first_made) || !enough(sides.second.size(), sides.second_made))
        return Unjudged::few_launches;
    if (!sides.all_above_zero)
        return Unjudged::not_above_zero;
    return std::nullopt;
}

/// Whether every launch of both sides says in which state of the machine it ran.
bool states_known(const Sides& sides) {
    const auto known = [](const LaunchScore& launch) { return launch.probe_s > 0; };
    return std::ranges::all_of(sides.first, known) && std::ranges::all_of(sides.second, known);
}

double mean_log(const std::vector<LaunchScore>& launches) {
    double sum = 0;
    for (const LaunchScore& each : launches)
        sum += each.log_time;
    return sum / static_cast<double>(launches.size());
}

/// Launches that are compared one by one, or do not scatter.
LaunchDifference of_one_estimate(const Estimate& estimate, const Sides& sides) {
    return {.as_measured = estimate,
            .at_equal_state = estimate,
            .first_mean = mean_log(sides.first),
            .second_mean = mean_log(sides.second)};
}

/// The interval of log(second / first); none where neither scatter nor the clock's step is known.
/// @pre nothing is an obstacle
std::optional<LaunchDifference> estimate_ratio(const Curve& first, const Curve& second, const Sides& sides,
                                               Pairing pairing, double error, const LaunchRule& rule) {
    const double mean_a = mean_log(sides.first);
    const double mean_b = mean_log(sides.second);
    const double rounding_a = rounding_variance(first, std::exp(mean_a));
    const double rounding_b = rounding_variance(second, std::exp(mean_b));
    std::optional<Estimate> estimate;
    if (both_simulated(first, second)) {
        estimate = step_interval(mean_b - mean_a, rounding_a, rounding_b);
    } else if (pairing == Pairing::same_launches) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < sides.first.size(); ++i)
            ratios.push_back(sides.second[i].log_time - sides.first[i].log_time);
        const SideMean of_ratios =
            side_mean(ratios, std::max(first.correlation, second.correlation), rounding_a + rounding_b);
        estimate = t_interval(of_ratios.mean, of_ratios.variance, of_ratios.degrees, error);
    } else {
        return launch_difference(sides.first, sides.second,
                                 {.state = rule.state,
                                  .priors = rule.priors,
                                  .error = error,
                                  .first_rounding = rounding_a,
                                  .second_rounding = rounding_b,
                                  .first_correlation = first.correlation,
                                  .second_correlation = second.correlation});
    }
    return estimate ? std::optional(of_one_estimate(*estimate, sides)) : std::nullopt;
}

/// What a point's launches say of it.
void take(const LaunchDifference& found, PointComparison& point) {
    point.first_s = std::exp(found.first_mean);
    point.second_s = std::exp(found.second_mean);
    point.ratio = std::exp(found.at_equal_state.centre);
    point.ratio_low = std::exp(found.at_equal_state.low);
    point.ratio_high = std::exp(found.at_equal_state.high);
    point.as_measured = as_measured(found);
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

std::size_t count(const std::vector<PointComparison>& points, bool (PointComparison::*is)() const) {
    return static_cast<std::size_t>(std::count_if(
        points.begin(), points.end(), [is](const PointComparison& point) { return (point.*is)(); }));
}

} // namespace

bool PointComparison::in_other_state() const {
    return probe_ratio > 0 && !in_one_mode(1, probe_ratio);
}

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

std::vector<const PointComparison*> CurveComparison::counting() const {
    const bool any_judged = judged() > 0;
    std::vector<const PointComparison*> found;
    for (const PointComparison& point : points)
        if (any_judged ? point.judged() : point.comparable)
            found.push_back(&point);
    return found;
}

namespace {

struct Matched {
    std::vector<PointComparison> points; ///< with the values shown
    std::set<std::int64_t> on_other_ranks;
    std::set<std::int64_t> started_differently;
    std::set<std::int64_t> in_several_modes;
    std::set<std::int64_t> disturbed_on_one_side;
};

/// What two curves have at the first one's arguments.
Matched match(const Curve& first, const Curve& second) {
    Matched matched;
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
        if (own.probe_s > 0 && left.probe_s > 0 && right.probe_s > 0) {
            compared.probe_s = own.probe_s;
            compared.probe_ratio = std::sqrt(left.probe_s * right.probe_s) / own.probe_s;
        }
        matched.points.push_back(compared);
        for (const Measurement* other : {&left, &right}) {
            const std::string_view differs = compare_points(first, own, second, *other);
            if (differs == "ranks")
                matched.on_other_ranks.insert(own.argument);
            else if (!differs.empty())
                matched.started_differently.insert(own.argument);
        }
        const bool several = own.modes.size() > 1 || left.modes.size() > 1 || right.modes.size() > 1;
        if (several && (compared.in_other_state() || !in_one_mode(compared.first_s, compared.second_s)))
            matched.in_several_modes.insert(own.argument);
        const auto disturbed = [](const Measurement& each) { return has(each.flags, Flag::disturbed); };
        if (disturbed(own) != (disturbed(left) || disturbed(right)))
            matched.disturbed_on_one_side.insert(own.argument);
    }
    return matched;
}

} // namespace

LaunchScore launch_score(const Curve& curve, const std::string& uuid, double log_time) {
    const auto state = curve.launch_states.find(uuid);
    return state == curve.launch_states.end()
               ? LaunchScore{log_time}
               : LaunchScore{log_time, state->second.probe_s, state->second.core_speed};
}

std::optional<AsMeasured> as_measured(const LaunchDifference& found) {
    if (!found.state_counts)
        return std::nullopt;
    return AsMeasured{std::exp(found.as_measured.centre), std::exp(found.as_measured.low),
                      std::exp(found.as_measured.high), found.state_bounded, found.explained()};
}

std::size_t common_arguments(const Curve& first, const Curve& second) {
    return match(first, second).points.size();
}

CurveComparison compare(const Curve& first, const Curve& second, Pairing pairing,
                        std::size_t points_in_family, std::optional<OnPurpose> on_purpose,
                        const LaunchRule& rule) {
    CurveComparison comparison;
    if (on_purpose)
        comparison.comparability = comparability(first, second, *on_purpose);
    comparison.simulated = both_simulated(first, second);
    const bool other_quantity = comparison.comparability.other_at_every_point();
    Matched matched = match(first, second);
    comparison.points = std::move(matched.points);
    if (points_in_family == 0)
        points_in_family = comparison.points.size();
    for (PointComparison& point : comparison.points) {
        const Sides sides = sides_at(first, second, point.argument, pairing);
        point.first_launches = sides.first.size();
        point.second_launches = sides.second.size();
        std::optional<Unjudged> incomparable;
        if (other_quantity)
            incomparable = Unjudged::other_quantity;
        else if (on_purpose && matched.on_other_ranks.contains(point.argument))
            incomparable = Unjudged::other_ranks;
        else if (matched.started_differently.contains(point.argument))
            incomparable = Unjudged::started_differently;
        // What a launch does to both suites cancels out of their ratio, but for a change of its state between
        // them; and one machine has no other reason for probes of another state.
        const bool several_modes = pairing == Pairing::same_launches
                                       ? point.in_other_state()
                                       : matched.in_several_modes.contains(point.argument);
        const bool one_disturbed =
            pairing == Pairing::independent && matched.disturbed_on_one_side.contains(point.argument);
        point.comparable = !incomparable;
        point.poolable = pairing != Pairing::overlapping && sides.all_above_zero && point.comparable &&
                         !several_modes && !one_disturbed;
        point.unjudged = obstacle(sides, pairing, incomparable, both_simulated(first, second));
        if (!point.unjudged && several_modes)
            point.unjudged = Unjudged::several_modes;
        if (!point.unjudged && one_disturbed)
            point.unjudged = Unjudged::disturbed_on_one_side;
        if (!point.unjudged && rule.in_a_row && !states_known(sides))
            point.unjudged = Unjudged::launches_in_a_row;
        std::optional<LaunchDifference> found;
        if (!point.unjudged) {
            found = estimate_ratio(first, second, sides, pairing,
                                   family_error / static_cast<double>(points_in_family), rule);
            if (!found)
                point.unjudged = Unjudged::no_scatter;
        }
        if (found)
            take(*found, point);
        else
            point.ratio = point.second_s / point.first_s;
        comparison.launches =
            std::max(comparison.launches, std::min(point.first_launches, point.second_launches));
    }
    std::vector<double> ratios;
    for (const PointComparison* point : comparison.counting())
        ratios.push_back(point->ratio);
    if (!ratios.empty())
        comparison.mean_ratio = std::exp(mean_of(logs(ratios)));
    return comparison;
}

SharedLaunches shared_launches(const std::vector<const Curve*>& first,
                               const std::vector<const Curve*>& second) {
    const auto uuids_of = [](const std::vector<const Curve*>& curves) {
        std::set<std::string> uuids;
        for (const Curve* curve : curves) {
            for (const auto& [uuid, values] : curve->launches)
                uuids.insert(uuid);
            for (const auto& [uuid, values] : curve->not_shown)
                uuids.insert(uuid);
        }
        return uuids;
    };
    const std::set<std::string> a = uuids_of(first);
    const std::set<std::string> b = uuids_of(second);
    return {static_cast<std::size_t>(
                std::ranges::count_if(a, [&](const std::string& uuid) { return b.contains(uuid); })),
            a.size(), b.size()};
}

} // namespace skampi
