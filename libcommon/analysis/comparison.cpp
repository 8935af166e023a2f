#include "analysis/comparison.hpp"

#include "model/quantity.hpp"

#include "model/adjusted.hpp"
#include "skalib/clock.hpp"
#include "skalib/curve.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <numeric>
#include <ranges>
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
        if (pairing != Pairing::same_launches || second_values.contains(uuid))
            add(value, sides.first);
    for (const auto& [uuid, value] : second_values)
        if (pairing != Pairing::same_launches || first_values.contains(uuid))
            add(value, sides.second);
    return sides;
}

/// What forbids an interval of the two sides' ratio, but for a lack of scatter.
/// @param incomparable why the two are points of two quantities
std::optional<Unjudged> obstacle(const Sides& sides, Pairing pairing, std::optional<Unjudged> incomparable,
                                 std::size_t needed) {
    if (pairing == Pairing::overlapping)
        return Unjudged::shared_launches;
    if (incomparable)
        return incomparable;
    if (sides.first.size() < needed || sides.second.size() < needed)
        return Unjudged::few_launches;
    if (!sides.all_above_zero)
        return Unjudged::not_above_zero;
    return std::nullopt;
}

bool both_simulated(const Curve& first, const Curve& second) {
    return first.simulated && second.simulated;
}

/// Launches of a side that are needed: of simulated ones each says the same.
std::size_t needed_of(const Curve& first, const Curve& second) {
    return both_simulated(first, second) ? 1 : launches_needed;
}

/// Of values that do not scatter: each may be wrong by a step of the clock.
std::optional<Estimate> step_interval(double centre, double rounding_variance_a, double rounding_variance_b) {
    const double reach = 2 * (std::sqrt(rounding_variance_a) + std::sqrt(rounding_variance_b));
    return reach > 0 ? std::optional(Estimate{centre, centre - reach, centre + reach}) : std::nullopt;
}

/// What the launches of a side say of their mean.
struct SideMean {
    double mean = 0;
    double variance = 0; ///< of the mean
    double degrees = 0;  ///< of freedom
};

/// @param correlation of launches in a row   @param rounding comes to the variance of the mean
/// @pre at least two values
SideMean side_mean(const std::vector<double>& values, double correlation, double rounding) {
    const double independent = independent_launches(values.size(), correlation);
    return {mean_of(values),
            mean_variance(values) * static_cast<double>(values.size()) / independent + rounding,
            std::max(1.0, independent - 1)};
}

/// Of launches on two sides, with the degrees of freedom of Welch and Satterthwaite.
struct MeanDifference {
    double centre = 0; ///< second - first
    double variance = 0;
    double degrees = 0;
};

MeanDifference difference(const SideMean& a, const SideMean& b) {
    const double variance = a.variance + b.variance;
    return {b.mean - a.mean, variance,
            variance * variance /
                (a.variance * a.variance / a.degrees + b.variance * b.variance / b.degrees)};
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
    if (both_simulated(first, second))
        return step_interval(mean_b - mean_a, rounding_a, rounding_b);
    if (pairing == Pairing::same_launches) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < a.size(); ++i)
            ratios.push_back(b[i] - a[i]);
        const SideMean of_ratios =
            side_mean(ratios, std::max(first.correlation, second.correlation), rounding_a + rounding_b);
        return t_interval(of_ratios.mean, of_ratios.variance, of_ratios.degrees, error);
    }
    const MeanDifference of_sides =
        difference(side_mean(a, first.correlation, rounding_a), side_mean(b, second.correlation, rounding_b));
    return t_interval(of_sides.centre, of_sides.variance, of_sides.degrees, error);
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

std::string significance_text(const CurveComparison& comparison, bool simulated) {
    if (comparison.points.empty())
        return "no common arguments";
    const std::size_t judged = comparison.judged();
    const UnjudgedCounts unjudged = comparison.unjudged();
    if (judged == 0 && comparison.launches < launches_needed &&
        !unjudged.contains(Unjudged::shared_launches) && !unjudged.contains(Unjudged::other_quantity) &&
        !unjudged.contains(Unjudged::other_ranks))
        return fmt::format("{}; {} needed for a statement about significance",
                           count_of(static_cast<std::int64_t>(comparison.launches), "launch", "launches"),
                           launches_needed);
    if (judged == 0)
        return fmt::format("nothing is said of significance, {}", unjudged_text(unjudged));
    const std::size_t rest = comparison.points.size() - judged;
    return fmt::format(
        "{} at {} of {} (faster at {}, slower at {}{})",
        simulated ? "both are simulated: the difference is clear of the clock's step"
                  : fmt::format("over {} launches the difference is clear of the launch-to-launch noise",
                                comparison.launches),
        comparison.faster() + comparison.slower(), count_of(static_cast<std::int64_t>(judged), "argument"),
        comparison.faster(), comparison.slower(),
        rest > 0 ? fmt::format("; {} more not judged, {}", rest, unjudged_text(unjudged)) : "");
}

std::size_t count(const std::vector<PointComparison>& points, bool (PointComparison::*is)() const) {
    return static_cast<std::size_t>(std::count_if(
        points.begin(), points.end(), [is](const PointComparison& point) { return (point.*is)(); }));
}

} // namespace

double independent_launches(std::size_t launches, double correlation) {
    const auto all = static_cast<double>(launches);
    return launches < launches_to_tell_likeness ? all : all * skalib::independent_share(correlation);
}

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

std::string unjudged_text(Unjudged reason) {
    switch (reason) {
    case Unjudged::shared_launches:
        return "because launches are on both sides";
    case Unjudged::other_quantity:
        return "because the suites measure different quantities";
    case Unjudged::other_ranks:
        return "because the numbers of ranks differ";
    case Unjudged::started_differently:
        return "because the ranks were started differently";
    case Unjudged::few_launches:
        return "for want of launches that count";
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

namespace {

struct Matched {
    std::vector<PointComparison> points; ///< with the values shown
    std::set<std::int64_t> on_other_ranks;
    std::set<std::int64_t> started_differently;
    std::set<std::int64_t> in_several_modes;
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
        if (own.probe_s > 0 && left.probe_s > 0 && right.probe_s > 0)
            compared.probe_ratio = std::sqrt(left.probe_s * right.probe_s) / own.probe_s;
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
    }
    return matched;
}

} // namespace

std::size_t common_arguments(const Curve& first, const Curve& second) {
    return match(first, second).points.size();
}

CurveComparison compare(const Curve& first, const Curve& second, Pairing pairing,
                        std::size_t points_in_family, std::optional<OnPurpose> on_purpose) {
    CurveComparison comparison;
    if (on_purpose)
        comparison.comparability = comparability(first, second, *on_purpose);
    // What differs at points is said there.
    const bool other_quantity =
        std::ranges::any_of(comparison.comparability.other_quantity, [](const FieldDifference& each) {
            return each.field != "ranks" && each.field != "synchronization";
        });
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
        point.comparable = !incomparable;
        point.poolable =
            pairing != Pairing::overlapping && sides.all_above_zero && point.comparable && !several_modes;
        point.unjudged = obstacle(sides, pairing, incomparable, needed_of(first, second));
        if (!point.unjudged && several_modes)
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
    }
    std::vector<double> ratios;
    for (const PointComparison* point : comparison.counting())
        ratios.push_back(point->ratio);
    if (!ratios.empty())
        comparison.mean_ratio = std::exp(mean_of(logs(ratios)));
    comparison.significance = significance_text(comparison, both_simulated(first, second));
    return comparison;
}

namespace {

/// What the launches say at a point in one mode.
struct InMode {
    ModeValue mode;
    std::map<std::string, double> launches;
};

/// All modes of a curve at a point, the one shown first.
std::vector<InMode> modes_at(const Curve& curve, const Measurement& shown) {
    std::vector<InMode> modes(1);
    modes[0].mode.mode = shown.mode;
    modes[0].mode.value_s = shown.value_s;
    modes[0].mode.probe_s = shown.probe_s;
    modes[0].launches = launch_values(curve, shown.argument);
    for (const ModeValue& mode : shown.modes)
        if (mode.mode != shown.mode && mode.value_s > 0 && mode.probe_s > 0)
            modes.push_back({mode, {}});
    for (const auto& [uuid, values] : curve.in_other_modes)
        for (const InOtherMode& value :
             std::ranges::equal_range(values, shown.argument, {}, &InOtherMode::argument))
            for (InMode& mode : modes)
                if (mode.mode.mode == value.mode && value.mode != shown.mode)
                    mode.launches[uuid] = value.value_s;
    return modes;
}

/// Makes a curve say at a point what it says in one of its modes.
void take_mode(Curve& curve, StoredMeasurement& point, const InMode& mode) {
    Measurement& shown = point.measurement;
    if (shown.mode != mode.mode.mode) { // errors, interval and range are those of the mode shown
        shown.standard_error_s = std::numeric_limits<double>::quiet_NaN();
        if (point.merge) {
            MergeFacts& merge = *point.merge;
            merge.runs = static_cast<int>(mode.launches.size());
            merge.interval_low_s = mode.mode.interval_low_s;
            merge.interval_high_s = mode.mode.interval_high_s;
            merge.interval_confidence = mode.mode.interval_confidence;
            const auto [least, most] = std::ranges::minmax(mode.launches | std::views::values);
            merge.minimum_s = least;
            merge.maximum_s = most;
        }
    }
    shown.value_s = mode.mode.value_s;
    shown.probe_s = mode.mode.probe_s;
    shown.mode = mode.mode.mode;
    shown.modes.clear();
    for (auto& [uuid, values] : curve.launches) {
        values.erase(shown.argument);
        if (!mode.launches.contains(uuid)) // nor is it interpolated between values of other modes
            curve.abstentions[uuid].insert(shown.argument);
    }
    for (const auto& [uuid, value] : mode.launches) {
        curve.launches[uuid][shown.argument] = value;
        if (const auto abstained = curve.abstentions.find(uuid); abstained != curve.abstentions.end())
            abstained->second.erase(shown.argument);
    }
}

/// A mode that a point may be shown in.
struct Choice {
    int mode = 0;
    double probe_s = 0;
    std::size_t launches = 0;
};
/// By place of the point in its curve.
using Choices = std::map<std::size_t, std::vector<Choice>>;

void add_choices(Choices& choices, const Curve& curve, std::size_t place) {
    if (choices.contains(place))
        return;
    std::vector<Choice>& here = choices[place];
    for (const InMode& mode : modes_at(curve, curve.points[place].measurement))
        if (!mode.launches.empty())
            here.push_back({mode.mode.mode, mode.mode.probe_s, mode.launches.size()});
}

/// Of those in the state that a probe tells the one that most launches know; null where there is none.
const Choice* choice_in(const std::vector<Choice>& choices, double probe_s) {
    const Choice* best = nullptr;
    for (const Choice& each : choices)
        if (in_one_mode(each.probe_s, probe_s) && (!best || each.launches > best->launches))
            best = &each;
    return best;
}

/// A point of the first curve and the two of the second that it is compared with, often the same.
struct Opposite {
    std::size_t own = 0;
    std::size_t left = 0;
    std::size_t right = 0;
};

/// Those with probes.
std::vector<Opposite> opposite_points(const Curve& first, const Curve& second) {
    std::vector<std::size_t> timed;
    std::set<std::int64_t> without_time;
    for (std::size_t i = 0; i < second.points.size(); ++i) {
        const Measurement& other = second.points[i].measurement;
        if (above_zero(other))
            timed.push_back(i);
        else
            without_time.insert(other.argument);
    }
    const auto argument_of = [&](std::size_t place) { return second.points[place].measurement.argument; };
    const auto has_probe = [](const Curve& curve, std::size_t place) {
        return curve.points[place].measurement.probe_s > 0;
    };
    std::vector<Opposite> found;
    for (std::size_t i = 0; i < first.points.size(); ++i) {
        const Measurement& own = first.points[i].measurement;
        if (!above_zero(own) || !has_probe(first, i) || without_time.contains(own.argument))
            continue;
        const auto place = skalib::place_on_curve(timed.begin(), timed.end(), own.argument, argument_of);
        if (place && has_probe(second, *place->left) && has_probe(second, *place->right))
            found.push_back({i, *place->left, *place->right});
    }
    return found;
}

/// The probes of states, each the lowest of its own.
std::vector<double> states_of(const std::vector<Opposite>& apart, const Choices& choices) {
    std::vector<double> probes;
    for (const Opposite& each : apart)
        for (const Choice& choice : choices.at(each.own))
            probes.push_back(choice.probe_s);
    std::ranges::sort(probes);
    std::vector<double> states;
    for (const double probe_s : probes)
        if (states.empty() || !in_one_mode(states.back(), probe_s))
            states.push_back(probe_s);
    return states;
}

} // namespace

InCommonModes in_common_modes(const Curve& first, const Curve& second) {
    Choices of_first;
    Choices of_second;
    std::vector<Opposite> apart;
    const std::vector<Opposite> all = opposite_points(first, second);
    const auto probe = [](const Curve& curve, std::size_t place) {
        return curve.points[place].measurement.probe_s;
    };
    const auto in_one_state = [&](const Opposite& each) {
        const double own_s = probe(first, each.own);
        return in_one_mode(own_s, probe(second, each.left)) && in_one_mode(own_s, probe(second, each.right));
    };
    std::ranges::remove_copy_if(all, std::back_inserter(apart), in_one_state);
    InCommonModes common;
    if (apart.empty())
        return common;
    for (const Opposite& each : apart) {
        add_choices(of_first, first, each.own);
        add_choices(of_second, second, each.left);
        add_choices(of_second, second, each.right);
    }
    // What is of one state already stays as it is shown.
    const auto stay = [&](Choices& choices, const Curve& curve, std::size_t place) {
        if (const auto found = choices.find(place); found != choices.end())
            std::erase_if(found->second, [&](const Choice& choice) {
                return choice.mode != curve.points[place].measurement.mode;
            });
    };
    for (const Opposite& each : all)
        if (in_one_state(each)) {
            stay(of_second, second, each.left);
            stay(of_second, second, each.right);
        }
    const auto launches_in = [&](const Opposite& each, double state_probe_s) {
        const Choice* own = choice_in(of_first.at(each.own), state_probe_s);
        const Choice* left = choice_in(of_second.at(each.left), state_probe_s);
        const Choice* right = choice_in(of_second.at(each.right), state_probe_s);
        return own && left && right ? std::min({own->launches, left->launches, right->launches})
                                    : std::size_t{0};
    };
    const auto take = [](Choices& choices, const Curve& from, Curve& into, std::size_t place,
                         double probe_s) {
        std::vector<Choice>& here = choices.at(place);
        here = {*choice_in(here, probe_s)}; // neighbours in another state cannot have it otherwise
        for (const InMode& mode : modes_at(from, from.points[place].measurement))
            if (mode.mode.mode == here.front().mode)
                take_mode(into, into.points[place], mode);
    };
    // One state for as many arguments as it can be, rather than for each that of most launches.
    while (!apart.empty()) {
        double state_probe_s = 0;
        std::size_t most = 0;
        for (const double probe_s : states_of(apart, of_first)) {
            std::size_t launches = 0;
            for (const Opposite& each : apart)
                launches += launches_in(each, probe_s);
            if (launches > most) {
                most = launches;
                state_probe_s = probe_s;
            }
        }
        if (most == 0)
            break;
        ++common.states;
        std::erase_if(apart, [&](const Opposite& each) {
            if (launches_in(each, state_probe_s) == 0)
                return false;
            if (common.points++ == 0) {
                common.first = first;
                common.second = second;
            }
            take(of_first, first, common.first, each.own, state_probe_s);
            take(of_second, second, common.second, each.left, state_probe_s);
            if (each.right != each.left)
                take(of_second, second, common.second, each.right, state_probe_s);
            return true;
        });
    }
    return common;
}

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

PooledComparison LaunchScores::pooled(std::size_t statements_in_family, std::int64_t least,
                                      std::int64_t most) const {
    assert(statements_in_family > 0);
    PooledComparison result;
    result.simulated = simulated_;
    std::vector<const Argument*> arguments;
    std::vector<double> shown;
    std::vector<double> rounding;
    for (const Argument& each : arguments_) {
        if (each.argument < least || each.argument > most)
            continue;
        if (each.comparable)
            shown.push_back(each.log_ratio);
        if (each.left_out) {
            if (!result.unjudged)
                result.unjudged = each.left_out;
            continue;
        }
        arguments.push_back(&each);
        rounding.push_back(each.rounding_variance);
    }
    if (!shown.empty())
        result.ratio = std::exp(skalib::median(std::move(shown)));
    result.arguments = arguments.size();
    if (arguments.empty())
        return result;
    const auto scores = [&](std::vector<std::pair<std::size_t, double>> Argument::*side,
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
    };
    const std::vector<double> first = scores(&Argument::first, first_launches_);
    const std::vector<double> second = scores(&Argument::second, second_launches_);
    result.first_launches = first.size();
    result.second_launches = second.size();
    result.unjudged.reset();
    const std::size_t needed = simulated_ ? 1 : launches_needed;
    if (first.size() < needed || second.size() < needed) {
        result.unjudged = Unjudged::few_launches;
        return result;
    }
    const double rounding_each_side = skalib::median(std::move(rounding)) / 2;
    if (simulated_) {
        if (const std::optional<Estimate> estimate =
                step_interval(mean_of(second) - mean_of(first), rounding_each_side, rounding_each_side)) {
            result.ratio = std::exp(estimate->centre);
            result.ratio_low = std::exp(estimate->low);
            result.ratio_high = std::exp(estimate->high);
            result.detectable = std::exp(estimate->high - estimate->centre);
        } else {
            result.unjudged = Unjudged::no_scatter;
        }
        return result;
    }
    const MeanDifference of_sides = difference(side_mean(first, first_correlation_, rounding_each_side),
                                               side_mean(second, second_correlation_, rounding_each_side));
    const double error = family_error / static_cast<double>(statements_in_family);
    const std::optional<Estimate> estimate =
        t_interval(of_sides.centre, of_sides.variance, of_sides.degrees, error);
    if (!estimate) {
        result.unjudged = Unjudged::no_scatter;
        return result;
    }
    result.ratio = std::exp(estimate->centre);
    result.ratio_low = std::exp(estimate->low);
    result.ratio_high = std::exp(estimate->high);
    constexpr double missed = 0.1;
    result.detectable =
        std::exp(estimate->high - estimate->centre +
                 skalib::student_upper_quantile(of_sides.degrees, missed) * std::sqrt(of_sides.variance));
    return result;
}

SharedLaunches shared_launches(const std::vector<const Curve*>& first,
                               const std::vector<const Curve*>& second) {
    const auto uuids_of = [](const std::vector<const Curve*>& curves) {
        std::set<std::string> uuids;
        for (const Curve* curve : curves) {
            for (const auto& [uuid, values] : curve->launches)
                uuids.insert(uuid);
            for (const auto& [uuid, values] : curve->in_other_modes)
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

namespace {

/// One row of the standard list. Types are the seeds' numbers; fixed_bytes picks among several suites of one
/// operation over the nodes.
struct StandardRow {
    int first;
    int second;
    Varied varied;
    std::int64_t first_bytes; ///< 0 = any
    std::int64_t second_bytes;
    [[nodiscard]] OnPurpose on_purpose() const {
        return first == second ? OnPurpose(two_lengths) : OnPurpose(two_operations);
    }
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

/// The suites that fit: a block multiplied by a list has several.
std::vector<const Curve*> curves_of(const Subject& subject, int type, Varied varied, std::int64_t bytes) {
    std::vector<const Curve*> found;
    for (const Curve& curve : subject.curves) {
        const Suite& suite = curve.suite();
        if (suite.operation.type == type && suite.varied == varied && !curve.points.empty() &&
            (bytes == 0 || suite.message_bytes == bytes))
            found.push_back(&curve);
    }
    return found;
}

/// Of a row, the first pair that differs in nothing but the operation; else the first one.
std::pair<const Curve*, const Curve*> curves_of(const Subject& subject, const StandardRow& row) {
    const std::vector<const Curve*> first = curves_of(subject, row.first, row.varied, row.first_bytes);
    const std::vector<const Curve*> second = curves_of(subject, row.second, row.varied, row.second_bytes);
    if (first.empty() || second.empty())
        return {};
    for (const Curve* one : first)
        for (const Curve* other : second)
            if (comparability(*one, *other, row.on_purpose()).kind() != Comparable::other_quantity)
                return {one, other};
    return {first.front(), second.front()};
}

} // namespace

std::vector<StandardPair> standard_comparisons(const Subject& subject) {
    std::vector<StandardPair> pairs;
    for (const StandardRow& row : standard_rows) {
        const auto [first, second] = curves_of(subject, row);
        if (!first)
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
        pairs.push_back({title, first, second, row.on_purpose()});
    }
    return pairs;
}

} // namespace skampi
