#include "analysis/turns/turn_differences.hpp"

#include "analysis/comparison/launch_scores.hpp"
#include "analysis/inference/covariates.hpp"
#include "analysis/inference/launch_difference.hpp"
#include "analysis/inference/mean_difference.hpp"
#include "analysis/inference/outliers.hpp"
#include "analysis/inference/weighted_median.hpp"
#include "analysis/subject/launch_value.hpp"
#include "model/machine_state.hpp"
#include "model/machine_states.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace skampi {

namespace {

/// What a launch says of a suite.
struct OfLaunch {
    const LaunchValues* values = nullptr;
    const std::set<std::int64_t>* abstained = nullptr; ///< may be null
};

std::optional<OfLaunch> of_launch(const Curve& curve, const std::string& uuid) {
    const auto values = curve.launches.find(uuid);
    if (values == curve.launches.end() || values->second.empty())
        return std::nullopt;
    const auto abstained = curve.abstentions.find(uuid);
    return OfLaunch{&values->second, abstained == curve.abstentions.end() ? nullptr : &abstained->second};
}

/// Above zero, or none: what lies below the measurable has no ratio.
std::optional<double> time_at(const OfLaunch& launch, std::int64_t argument) {
    if (!launch.values->contains(argument) && launch.abstained && launch.abstained->contains(argument))
        return std::nullopt;
    const std::optional<double> value = value_at(*launch.values, argument);
    return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

/// Those that one of two launches measured, ascending.
std::vector<std::int64_t> arguments_of(const OfLaunch& first, const OfLaunch& second,
                                       std::optional<MessageSize> size) {
    std::vector<std::int64_t> all;
    for (const OfLaunch* launch : {&first, &second})
        for (const auto& [argument, value] : *launch->values)
            if (!size || size_of_message(argument) == *size)
                all.push_back(argument);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::optional<TurnDifference> difference_at(const TurnsCurves& curves, const OfLaunch& reference,
                                            const OfLaunch& variant, std::int64_t argument) {
    const std::optional<double> own = time_at(reference, argument);
    const std::optional<double> other = time_at(variant, argument);
    if (!own || !other)
        return std::nullopt;
    return TurnDifference{.log_ratio = std::log(*other) - std::log(*own),
                          .rounding = rounding_variance(*curves.reference, *own) +
                                      rounding_variance(*curves.variant, *other),
                          .reference_s = *own};
}

LaunchState state_in(const Curve& curve, const std::string& uuid) {
    const auto state = curve.launch_states.find(uuid);
    return state == curve.launch_states.end() ? LaunchState() : state->second;
}

/// Of the rows without what the slopes explain.
std::vector<double> rests(const CovariateRows& rows, const Slopes& slopes) {
    std::vector<double> rest;
    for (const CovariateRow& row : rows)
        rest.push_back(row.y - slopes.of(row));
    return rest;
}

} // namespace

std::optional<TurnDifference> difference_of(const TurnsCurves& curves, const Turn& turn,
                                            std::optional<MessageSize> size) {
    const std::optional<OfLaunch> first = of_launch(*curves.reference, turn.reference);
    const std::optional<OfLaunch> second = of_launch(*curves.variant, turn.variant);
    if (!first || !second)
        return std::nullopt;
    const std::vector<std::int64_t> arguments = arguments_of(*first, *second, size);
    const std::vector<double> all_weights = argument_weights(arguments);
    std::vector<double> ratios;
    std::vector<double> weights;
    std::vector<double> roundings;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::optional<TurnDifference> here = difference_at(curves, *first, *second, arguments[i]);
        if (!here)
            continue;
        ratios.push_back(here->log_ratio);
        weights.push_back(all_weights[i]);
        roundings.push_back(here->rounding);
    }
    if (ratios.empty() || 2 * ratios.size() < arguments.size())
        return std::nullopt;
    return TurnDifference{weighted_median(ratios, weights), skalib::median_in_place(roundings),
                          turn.states_apart};
}

TurnPoints points_of(const TurnsCurves& curves, const std::vector<Turn>& turns) {
    TurnPoints points;
    for (const Turn& turn : turns) {
        const std::optional<OfLaunch> first = of_launch(*curves.reference, turn.reference);
        const std::optional<OfLaunch> second = of_launch(*curves.variant, turn.variant);
        if (!first || !second)
            continue;
        for (const std::int64_t argument : arguments_of(*first, *second, std::nullopt)) {
            if (!first->values->contains(argument) || !second->values->contains(argument))
                continue;
            if (auto here = difference_at(curves, *first, *second, argument)) {
                here->states_apart = turn.states_apart;
                points[argument].push_back(*here);
            }
        }
    }
    return points;
}

TurnsMean mean_over(const std::vector<TurnDifference>& rounds, std::size_t states) {
    CovariateRows all;
    std::vector<double> roundings;
    for (const TurnDifference& each : rounds) {
        all.push_back({each.log_ratio, each.states_apart, 1});
        roundings.push_back(each.rounding);
    }
    const std::vector<SlopePrior> nothing_known(states);
    const Slopes robust = least_deviations({&all}, nothing_known);
    const std::vector<bool> far = outliers(rests(all, robust), launches_to_exclude, robust.count);
    CovariateRows kept;
    std::vector<double> left_out;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (far[i])
            left_out.push_back(rounds[i].log_ratio);
        else
            kept.push_back(all[i]);
    const Slopes slopes = least_squares({&kept}, nothing_known);
    const std::vector<double> rest = rests(kept, slopes);
    const auto count = static_cast<double>(kept.size());
    const double degrees = std::max(1.0, count - 1 - slopes.degrees);
    skalib::RunningStatistics scatter;
    for (const double each : rest)
        scatter.add(each);
    const double spread = scatter.variance() * (count - 1) / degrees;
    const double variance = spread * (1 / count + slopes.leverage(mean_covariates(kept)));
    TurnsMean mean{.centre = mean_of(rest),
                   .deviation = std::sqrt(variance + skalib::median_in_place(roundings)),
                   .degrees = degrees,
                   .spread = std::sqrt(spread),
                   .least_slope = slopes.count < states ? 0 : std::numeric_limits<double>::infinity(),
                   .rounds = kept.size(),
                   .outliers = left_out.size()};
    const std::vector<double> rest_of_all = rests(all, slopes);
    for (std::size_t i = 0; i < all.size(); ++i)
        mean.outliers_above += far[i] && rest_of_all[i] > mean.centre ? 1 : 0;
    if (!left_out.empty())
        mean.outlier_centre = skalib::median_in_place(left_out);
    for (std::size_t j = 0; j < slopes.count; ++j)
        mean.least_slope =
            std::min(mean.least_slope, std::fabs(slopes.slope[j]) / std::sqrt(spread * slopes.inverse[j][j]));
    return mean;
}

namespace {

/// How far apart the machine's states were that the launches of a round met: logarithms.
struct StatesApart {
    double probe = 0;        ///< beside the usual; not a number = unknown
    double core_speed = 0;   ///< likewise
    bool other_mode = false; ///< of the machine
    double probe_s = 0;      ///< of both, where these are of one mode; else 0
    /// Of each, where these are of two modes and both launches call the same probe; else 0.
    std::array<double, 2> own_probe_s{};
};

bool lie_together(const std::vector<double>& logs) {
    const double middle = skalib::median(logs);
    return std::ranges::all_of(logs, [&](double each) { return in_one_mode(1, std::exp(each - middle)); });
}

/// How far apart the probes of two launches are that met one state. The probe is a call of the library, and
/// another library or setting has another one in the same state: but only what is always so is taken for
/// that.
/// @param apart logarithms   @return none = it is not known, and what the probes say of a state neither
std::optional<double> usually_apart(const std::vector<double>& apart) {
    constexpr double most_between_libraries = 2;
    constexpr std::size_t enough = 3;
    constexpr std::size_t no_chance = 6; ///< all of so many lie on one side by chance in 3 % of cases
    std::size_t together = 0;
    std::size_t above = 0;
    std::vector<double> near;
    for (const double each : apart) {
        const bool one = in_one_mode(1, std::exp(each));
        together += one ? 1 : 0;
        above += !one && each > 0 ? 1 : 0;
        if (std::fabs(each) < std::log(most_between_libraries))
            near.push_back(each);
    }
    const std::size_t below = apart.size() - together - above;
    if (apart.size() < enough)
        return 0;
    if (3 * together >= apart.size() && (std::min(above, below) > 0 || above + below < no_chance))
        return 0;
    if (near.size() >= enough && 3 * near.size() >= apart.size() && lie_together(near))
        return skalib::median(near);
    if (lie_together(apart))
        return skalib::median(apart);
    return together >= enough && std::min(above, below) > 1 ? std::optional(0.0) : std::nullopt;
}

std::vector<StatesApart> states_apart_in(const TurnsCurves& curves, const std::vector<Turn>& turns) {
    std::vector<StatesApart> all;
    std::vector<double> known;
    for (const Turn& turn : turns) {
        const LaunchState first = state_in(*curves.reference, turn.reference);
        const LaunchState second = state_in(*curves.variant, turn.variant);
        const auto apart = [](double a, double b) { return a > 0 && b > 0 ? std::log(b / a) : std::nan(""); };
        all.push_back(
            {apart(first.probe_s, second.probe_s), apart(first.core_speed, second.core_speed), false,
             in_one_mode(first.probe_s, second.probe_s) ? std::max(first.probe_s, second.probe_s) : 0});
        if (!std::isnan(all.back().probe))
            known.push_back(all.back().probe);
    }
    const std::optional<double> usual = usually_apart(known);
    if (!usual)
        return all;
    std::vector<double> in_one;
    for (std::size_t i = 0; i < all.size(); ++i) {
        StatesApart& each = all[i];
        each.other_mode = !std::isnan(each.probe) && !in_one_mode(1, std::exp(each.probe - *usual));
        if (each.other_mode && *usual == 0)
            each.own_probe_s = {state_in(*curves.reference, turns[i].reference).probe_s,
                                state_in(*curves.variant, turns[i].variant).probe_s};
        if (!each.other_mode && !std::isnan(each.probe))
            in_one.push_back(each.probe);
    }
    const double centre = in_one.empty() ? *usual : skalib::median(in_one);
    for (StatesApart& each : all)
        each.probe -= centre;
    return all;
}

/// The rounds of a suite with what is known of the machine's states in them.
class TurnsInStates {
public:
    TurnsInStates(const TurnsCurves& curves, const std::vector<Turn>& turns)
        : turns_(turns)
        , apart_(states_apart_in(curves, turns)) {
        for (const Turn& turn : turns)
            differences_.push_back(difference_of(curves, turn, std::nullopt));
        /// As between the two hardware threads of a core and one of them; farther apart are two machines.
        constexpr double most_of_speed = 2.5;
        for (const StatesApart& each : apart_) {
            knows_probes_ = knows_probes_ && !std::isnan(each.probe);
            knows_speeds_ = knows_speeds_ && std::fabs(each.core_speed) < std::log(most_of_speed); // no NaN
            any_apart_ = any_apart_ || each.other_mode;
        }
        // What one variant always does to its cores is part of it.
        const auto always = [&](double sign) {
            return std::ranges::all_of(apart_, [&](const StatesApart& each) {
                return sign * each.core_speed > std::log(by_other_work);
            });
        };
        knows_speeds_ = knows_speeds_ && !always(1) && !always(-1);
    }

    /// Where the times do not follow the state of the machine, each round says as much as any other. Where
    /// they do, what the state changes is taken out, unless rounds in one state say much more alone.
    [[nodiscard]] CountedTurns counted(double error) const {
        /// What is taken out leaves more rounds: so much shorter an interval of fewer is no accident.
        constexpr double much_shorter = 0.6;
        const StateCovariates of_all = what_shows(false);
        if (!any_apart_)
            return counted_by(of_all, false);
        const StateCovariates of_left = what_shows(true);
        const std::optional<double> reach_of_all = reach(of_all, false, error);
        const std::optional<double> reach_of_left = reach(of_left, true, error);
        const double least = of_all.probe ? much_shorter : 1;
        const bool leaves_out = reach_of_left && (!reach_of_all || *reach_of_left < least * *reach_of_all);
        return leaves_out ? counted_by(of_left, true) : counted_by(of_all, false);
    }

private:
    static constexpr double by_other_work = 1.1; ///< ratio of the speeds of cores

    /// By what of the state the times show: so many standard errors are no chance.
    [[nodiscard]] StateCovariates what_shows(bool leaves_out) const {
        constexpr double shows = 3.5;
        StateCovariates best;
        double clearest = shows;
        for (const StateCovariates& states :
             {StateCovariates{true, true}, StateCovariates{true, false}, StateCovariates{false, true}}) {
            if ((states.probe && (leaves_out || !any_apart_ || !knows_probes_)) ||
                (states.core_speed && !knows_speeds_))
                continue;
            const std::optional<TurnsMean> mean = mean_by(states, leaves_out);
            if (!mean || mean->least_slope < clearest)
                continue;
            if (states.count() == 2)
                return states;
            clearest = mean->least_slope;
            best = states;
        }
        return best;
    }

    /// Of what counts in a round. Between states of one mode the probe is not asked: it is a call of the
    /// library.
    [[nodiscard]] std::array<double, 2> apart_in(std::size_t round, const StateCovariates& states) const {
        std::array<double, 2> apart{};
        std::size_t place = 0;
        if (states.probe)
            apart[place++] = apart_[round].other_mode ? apart_[round].probe : 0;
        if (states.core_speed)
            apart[place] = apart_[round].core_speed;
        return apart;
    }

    /// Of all arguments together; none = there are too few rounds.
    [[nodiscard]] std::optional<TurnsMean> mean_by(const StateCovariates& states, bool leaves_out) const {
        std::vector<TurnDifference> rounds;
        for (std::size_t i = 0; i < turns_.size(); ++i)
            if (differences_[i] && !(leaves_out && apart_[i].other_mode)) {
                rounds.push_back(*differences_[i]);
                rounds.back().states_apart = apart_in(i, states);
            }
        if (rounds.size() < launches_needed + states.count())
            return std::nullopt;
        return mean_over(rounds, states.count());
    }

    /// Half of the interval of all arguments together.
    [[nodiscard]] std::optional<double> reach(const StateCovariates& states, bool leaves_out,
                                              double error) const {
        const std::optional<TurnsMean> mean = mean_by(states, leaves_out);
        return mean
                   ? std::optional(skalib::student_upper_quantile(mean->degrees, error / 2) * mean->deviation)
                   : std::nullopt;
    }

    [[nodiscard]] CountedTurns counted_by(const StateCovariates& states, bool leaves_out) const {
        CountedTurns counted;
        counted.states = states;
        for (std::size_t i = 0; i < turns_.size(); ++i) {
            if (apart_[i].other_mode && (leaves_out || states.probe)) {
                ++counted.states_apart;
                counted.variant_in_slower += apart_[i].probe > 0 ? 1 : 0;
            }
            if (leaves_out && apart_[i].other_mode)
                continue;
            if (states.core_speed && std::fabs(apart_[i].core_speed) > std::log(by_other_work))
                ++counted.core_speeds_apart;
            counted.turns.push_back(turns_[i]);
            counted.turns.back().states_apart = apart_in(i, states);
        }
        return counted;
    }

    const std::vector<Turn>& turns_;
    std::vector<StatesApart> apart_;
    std::vector<std::optional<TurnDifference>> differences_; ///< of the turns, over all arguments
    bool knows_probes_ = true;
    bool knows_speeds_ = true;
    bool any_apart_ = false;
};

} // namespace

bool enough_in_state(std::size_t pairs, std::size_t others) {
    constexpr double least_share = 0.1;
    return pairs >= least_in_state &&
           static_cast<double>(pairs) >= least_share * static_cast<double>(pairs + others);
}

CountedTurns counted_turns(const TurnsCurves& curves, const std::vector<Turn>& turns, double error) {
    return TurnsInStates(curves, turns).counted(error);
}

namespace {

/// Whether the means of the rounds in two states are apart, by more than a tenth, whether both scatter alike
/// (Student's t) or not (Welch's). Where one has few rounds Welch's alone is wrong in up to one of 20
/// sessions: a few values may agree by chance, and so many arguments are asked.
bool means_are_apart(const std::vector<TurnDifference>& fast, const std::vector<TurnDifference>& slow,
                     double error) {
    constexpr double least = 1.1;
    const auto side = [](const std::vector<TurnDifference>& rounds) {
        std::vector<double> logs;
        for (const TurnDifference& each : rounds)
            logs.push_back(each.log_ratio);
        return logs;
    };
    const std::vector<double> in_fast = side(fast);
    const std::vector<double> in_slow = side(slow);
    const auto [few, many] = std::minmax({in_fast.size(), in_slow.size()});
    if (!enough_in_state(few, many))
        return false;
    const double apart = std::fabs(skalib::median(in_slow) - skalib::median(in_fast));
    const auto exceeds = [&](double degrees, double variance) {
        return variance > 0 &&
               apart > skalib::student_upper_quantile(degrees, error / 2) * std::sqrt(variance);
    };
    skalib::RunningStatistics of_fast;
    skalib::RunningStatistics of_slow;
    std::ranges::for_each(in_fast, [&](double each) { of_fast.add(each); });
    std::ranges::for_each(in_slow, [&](double each) { of_slow.add(each); });
    const auto degrees = static_cast<double>(few + many - 2);
    const double pooled = (of_fast.variance() * static_cast<double>(in_fast.size() - 1) +
                           of_slow.variance() * static_cast<double>(in_slow.size() - 1)) /
                          degrees;
    const MeanDifference welch = difference(side_mean(in_fast, 0, 0), side_mean(in_slow, 0, 0));
    return apart > std::log(least) && exceeds(welch.degrees, welch.variance) &&
           exceeds(degrees, pooled * (1 / static_cast<double>(few) + 1 / static_cast<double>(many)));
}

/// So often chance tells two states apart whose differences are alike, by each of the following.
constexpr double false_states = 0.001;

/// Whether the difference over all arguments is another one in each state, or that in a class of lengths.
bool are_apart_in_classes(const TurnsCurves& curves, const TurnsInState& fast, const TurnsInState& slow,
                          const std::set<MessageSize>& sizes) {
    std::vector<std::optional<MessageSize>> classes{std::nullopt};
    classes.insert(classes.end(), sizes.begin(), sizes.end());
    return std::ranges::any_of(classes, [&](const std::optional<MessageSize>& size) {
        const auto differences = [&](const TurnsInState& state) {
            std::vector<TurnDifference> all;
            for (const Turn& turn : state.turns)
                if (const auto found = difference_of(curves, turn, size))
                    all.push_back(*found);
            return all;
        };
        return means_are_apart(differences(fast), differences(slow),
                               false_states / static_cast<double>(classes.size()));
    });
}

/// Arguments at which the rounds of both states together find the variant slower, or faster, with their mean.
/// Whether that differs from 0 says nothing of the distance between the states.
std::map<std::int64_t, double> arguments_that_differ(const TurnPoints& points, bool slower) {
    constexpr double error = 0.05; // of all arguments together
    std::map<std::int64_t, double> found;
    for (const auto& [argument, rounds] : points) {
        const TurnsMean mean = mean_over(rounds, 0);
        if (mean.rounds >= launches_needed && mean.deviation > 0 && (mean.centre > 0) == slower &&
            std::fabs(mean.centre) >
                skalib::student_upper_quantile(mean.degrees, error / 2 / static_cast<double>(points.size())) *
                    mean.deviation)
            found[argument] = mean.centre;
    }
    return found;
}

/// What each round says of some arguments together, relative to their means. A round needs half of them.
std::vector<TurnDifference> scores_over(const TurnsCurves& curves, const std::vector<Turn>& turns,
                                        const std::map<std::int64_t, double>& means) {
    std::vector<TurnDifference> scores;
    for (const Turn& turn : turns) {
        skalib::RunningStatistics score;
        for (const auto& [argument, rounds] : points_of(curves, {turn}))
            if (const auto mean = means.find(argument); mean != means.end())
                score.add(rounds.front().log_ratio - mean->second);
        if (2 * score.count() >= std::ssize(means))
            scores.push_back({.log_ratio = score.mean()});
    }
    return scores;
}

/// Whether the difference at the arguments that differ is another one in each state. Many arguments together
/// show in few rounds what none of them shows alone.
bool are_apart_where_different(const TurnsCurves& curves, const TurnsInState& fast,
                               const TurnsInState& slow) {
    std::vector<Turn> both = fast.turns;
    both.insert(both.end(), slow.turns.begin(), slow.turns.end());
    const TurnPoints points = points_of(curves, both);
    return std::ranges::any_of(std::array{true, false}, [&](bool slower) {
        const std::map<std::int64_t, double> means = arguments_that_differ(points, slower);
        return !means.empty() && means_are_apart(scores_over(curves, fast.turns, means),
                                                 scores_over(curves, slow.turns, means), false_states / 2);
    });
}

/// Whether the difference at any argument is another one in each state. What acts at a few lengths alone, as
/// the threshold of a protocol, is not seen in the median of many.
bool are_apart_anywhere(const TurnsCurves& curves, const TurnsInState& fast, const TurnsInState& slow) {
    const TurnPoints in_fast = points_of(curves, fast.turns);
    const TurnPoints in_slow = points_of(curves, slow.turns);
    return std::ranges::any_of(in_fast, [&](const auto& point) {
        const auto there = in_slow.find(point.first);
        return there != in_slow.end() && means_are_apart(point.second, there->second,
                                                         false_states / static_cast<double>(in_fast.size()));
    });
}

/// Launches of one side that met a state, and whose round met another one, too.
struct LoneLaunches {
    std::array<std::vector<const Turn*>, 2> of_side; ///< the reference's and the variant's, by rounds
};

/// Pairs of launches that met a state, each in one pair: in the order of rounds, so that what neighbouring
/// rounds share falls out of most of them.
void pair_anew(const LoneLaunches& lone, TurnsInState& state) {
    const auto& [references, variants] = lone.of_side;
    for (std::size_t i = 0; i < std::min(references.size(), variants.size()); ++i)
        state.turns.push_back({references[i]->reference, variants[i]->variant});
}

} // namespace

std::vector<TurnsInState> states_of(const TurnsCurves& curves, const std::vector<Turn>& turns) {
    // Between modes that measuring tells apart: what lies closer is scatter of one.
    constexpr StateRule rule{.least_ratio = mode_ratio, .lone = true};
    const std::vector<StatesApart> apart = states_apart_in(curves, turns);
    std::vector<Observation> probes;
    const auto observe = [&](double probe_s) {
        if (probe_s > 0)
            probes.push_back({probes.size(), probe_s});
    };
    for (const StatesApart& each : apart) {
        observe(each.probe_s);
        std::ranges::for_each(each.own_probe_s, observe);
    }
    if (probes.empty())
        return {};
    const std::vector<double> bounds = state_bounds(probes, rule);
    std::vector<TurnsInState> states(bounds.size() + 1);
    std::vector<std::vector<double>> probes_s(states.size());
    std::vector<LoneLaunches> lone(states.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
        if (apart[i].probe_s > 0) {
            const std::size_t state = state_of(apart[i].probe_s, bounds);
            states[state].turns.push_back(turns[i]);
            probes_s[state].push_back(apart[i].probe_s);
        }
        for (std::size_t side = 0; side < 2; ++side)
            if (const double own_s = apart[i].own_probe_s[side]; own_s > 0) {
                const std::size_t state = state_of(own_s, bounds);
                lone[state].of_side[side].push_back(&turns[i]);
                probes_s[state].push_back(own_s);
            }
    }
    for (std::size_t state = 0; state < states.size(); ++state) {
        pair_anew(lone[state], states[state]);
        if (!probes_s[state].empty())
            states[state].state.probe_s = skalib::median(probes_s[state]);
    }
    std::erase_if(states, [](const TurnsInState& state) { return state.turns.empty(); });
    return states;
}

std::vector<TurnsInState> turns_by_state(const TurnsCurves& curves, const std::vector<TurnsInState>& states,
                                         const std::set<MessageSize>& sizes) {
    std::vector<TurnsInState> two = states;
    std::ranges::stable_sort(two, std::greater{},
                             [](const TurnsInState& state) { return state.turns.size(); });
    if (two.size() < 2)
        return {};
    two.resize(2);
    std::ranges::sort(two, {}, [](const TurnsInState& state) { return state.state.probe_s; });
    two.back().state.slower = true;
    const bool apart = are_apart_in_classes(curves, two[0], two[1], sizes) ||
                       are_apart_anywhere(curves, two[0], two[1]) ||
                       are_apart_where_different(curves, two[0], two[1]);
    return apart ? two : std::vector<TurnsInState>();
}

} // namespace skampi
