#include "analysis/comparison/database_comparison.hpp"

#include "analysis/comparison/comparison_doubts.hpp"
#include "analysis/models/rank_study.hpp"
#include "analysis/subject/common_launches.hpp"
#include "analysis/subject/common_modes.hpp"
#include "model/machine_state.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

namespace skampi {

namespace {

bool is_local(const Curve& curve) {
    return meaning_of(curve) == Meaning::local || curve.suite().operation.pattern == Pattern::simple;
}

/// Arguments of each size that are compared; of a suite over something else than the length all belong to
/// the size of its messages, if it sends any.
std::map<MessageSize, std::pair<std::int64_t, std::int64_t>>
arguments_by_size(const Curve& curve, const std::vector<PointComparison>& points) {
    std::map<MessageSize, std::pair<std::int64_t, std::int64_t>> ranges;
    if (points.empty())
        return ranges;
    if (curve.suite().varied != Varied::message_length) {
        const bool sends = std::ranges::any_of(curve.points, [&](const StoredMeasurement& point) {
            return bytes_moved(curve, point.measurement) > 0;
        });
        if (sends)
            ranges[size_of_message(curve.suite().message_bytes)] = {points.front().argument,
                                                                    points.back().argument};
        return ranges;
    }
    for (const PointComparison& point : points) {
        const auto [range, is_new] =
            ranges.try_emplace(size_of_message(point.argument), point.argument, point.argument);
        range->second.second = point.argument;
    }
    return ranges;
}

} // namespace

namespace {

/// Of points, of suites as wholes, and of messages of one size: each kind has an equal part of the error
/// allowed.
constexpr std::size_t kinds_of_statement = 3;

/// Compares the points of all suites, with what the others show of how times follow the state of the machine.
/// @param aligned one for each suite
std::vector<LaunchScores> compare_curves(DatabaseComparison& comparison, std::vector<InCommonModes> aligned,
                                         Pairing pairing, const LaunchRule& rule) {
    const auto compare_suite = [&](std::size_t i, const LaunchRule& how) {
        DatabaseComparison::Suite& suite = comparison.suites[i];
        const Curve& first = aligned[i].first_or(*suite.reference);
        const Curve& second = aligned[i].second_or(*suite.other);
        suite.curves =
            compare(first, second, pairing, kinds_of_statement * comparison.points, OnPurpose(), how);
        return LaunchScores(first, second, suite.curves.points, how);
    };
    std::vector<LaunchScores> scores;
    std::vector<std::optional<StatePriors>> slopes;
    for (std::size_t i = 0; i < comparison.suites.size(); ++i) {
        scores.push_back(compare_suite(i, rule));
        slopes.push_back(scores.back().slopes());
    }
    for (std::size_t i = 0; i < comparison.suites.size(); ++i) {
        std::vector<StatePriors> others;
        for (std::size_t j = 0; j < slopes.size(); ++j)
            if (j != i && slopes[j])
                others.push_back(*slopes[j]);
        if (others.size() > 1)
            scores[i] = compare_suite(i, {rule.state, rule.in_a_row, priors_from(others)});
        aligned[i] = {}; // of many launches it is large
    }
    return scores;
}

/// All but what is said of the whole.
DatabaseComparison compare_suites(const Subject& reference, const Subject& other) {
    DatabaseComparison comparison;
    comparison.reference = &reference;
    comparison.other = &other;
    comparison.design = launch_design(reference, other);
    // Probes of other machines or libraries are no measure for each other.
    const bool one_rule = !comparison.design.other_machine && !comparison.design.other_software;
    std::vector<InCommonModes> aligned; // one for each suite
    std::size_t wholes = 0;
    for (const Curve& curve : reference.curves) {
        const Curve* twin = matching_curve(other, curve);
        if (!twin || curve.points.empty() || twin->points.empty())
            continue;
        DatabaseComparison::Suite& suite = comparison.suites.emplace_back();
        suite.reference = &curve;
        suite.other = twin;
        suite.in_verdict = in_verdict(comparison, curve);
        InCommonModes common = one_rule ? in_common_launches(curve, *twin) : in_common_modes(curve, *twin);
        suite.in_common_mode = common.apart;
        suite.common_states = common.apart > 0 ? common.states : 0;
        suite.by_one_rule = common.by_one_rule ? common.points : 0;
        const std::size_t points = common_arguments(curve, *twin);
        comparison.points += points;
        wholes += points > 0 ? 1 : 0;
        aligned.push_back(std::move(common));
    }
    std::vector<const Curve*> of_reference;
    std::vector<const Curve*> of_other;
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        of_reference.push_back(suite.reference);
        of_other.push_back(suite.other);
    }
    comparison.launches_of_both = shared_launches(of_reference, of_other);
    const Pairing pairing =
        comparison.launches_of_both.shared > 0 ? Pairing::overlapping : Pairing::independent;
    const LaunchRule rule{comparison.design.state,
                          std::ranges::any_of(comparison.design.in_a_row, [](const LaunchesInARow& side) {
                              return side.launches < launches_in_a_row_needed;
                          })};
    const std::vector<LaunchScores> scores = compare_curves(comparison, std::move(aligned), pairing, rule);
    std::size_t cells = 0;
    for (std::size_t i = 0; i < comparison.suites.size(); ++i) {
        DatabaseComparison::Suite& suite = comparison.suites[i];
        if (suite.curves.points.empty())
            continue;
        suite.whole = scores[i].pooled(kinds_of_statement * wholes);
        suite.ranges = ratio_ranges(suite.curves.points, scores[i], kinds_of_statement * comparison.points);
        if (suite.in_verdict)
            cells += arguments_by_size(*suite.reference, suite.curves.points).size();
        comparison.faster += suite.curves.faster();
        comparison.slower += suite.curves.slower();
        comparison.judged += suite.curves.judged();
        for (const auto& [reason, count] : suite.curves.unjudged())
            comparison.unjudged[reason] += count;
        comparison.launches = std::max(comparison.launches, suite.curves.launches);
    }
    for (std::size_t i = 0; i < comparison.suites.size(); ++i)
        if (DatabaseComparison::Suite& suite = comparison.suites[i]; suite.in_verdict)
            for (const auto& [size, range] : arguments_by_size(*suite.reference, suite.curves.points))
                suite.by_size[size] = scores[i].pooled(kinds_of_statement * cells, range.first, range.second);
    return comparison;
}

/// The mean ratio of several suites.
struct Ratios {
    double log_sum = 0; ///< of the suites' means
    std::size_t points = 0;
    std::size_t suites = 0; ///< with such points

    void add(const std::vector<const PointComparison*>& of_suite) {
        if (of_suite.empty())
            return;
        std::vector<std::int64_t> arguments;
        for (const PointComparison* point : of_suite)
            arguments.push_back(point->argument);
        const std::vector<double> weights = argument_weights(arguments);
        double sum = 0;
        for (std::size_t i = 0; i < of_suite.size(); ++i)
            sum += weights[i] * std::log(of_suite[i]->ratio);
        log_sum += sum / static_cast<double>(of_suite.size());
        points += of_suite.size();
        ++suites;
    }
};

void set_mean_ratio(DatabaseComparison& comparison) {
    Ratios comparable;
    Ratios judged;
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        if (!suite.in_verdict)
            continue;
        std::vector<const PointComparison*> of_comparable;
        std::vector<const PointComparison*> of_judged;
        for (const PointComparison& point : suite.curves.points) {
            if (point.comparable)
                of_comparable.push_back(&point);
            if (suite.judged() && point.judged())
                of_judged.push_back(&point);
        }
        comparable.add(of_comparable);
        judged.add(of_judged);
    }
    const Ratios& counting = judged.points > 0 ? judged : comparable;
    Verdict& verdict = comparison.verdict;
    if (counting.points > 0)
        verdict.mean_ratio = std::exp(counting.log_sum / static_cast<double>(counting.suites));
    verdict.mean_points = counting.points;
    verdict.mean_suites = counting.suites;
}

/// Counts a suite of the verdict. @param place in the comparison
void add(const DatabaseComparison::Suite& suite, std::size_t place, Verdict& verdict) {
    ++verdict.suites;
    verdict.points += suite.curves.points.size();
    if (!suite.sizes_alone().empty())
        verdict.at_sizes.push_back(place);
    if (!suite.judged()) {
        ++verdict.open;
        verdict.partly_judged =
            verdict.partly_judged || suite.curves.judged() > 0 ||
            std::ranges::any_of(suite.by_size, [](const auto& each) { return each.second.judged(); });
        ++verdict.reasons[suite.reason()];
        return;
    }
    switch (suite.outcome()) {
    case Outcome::none:
        if (suite.whole.explained()) {
            verdict.explained.push_back(place);
        } else if (suite.sizes_alone().empty()) {
            verdict.none.push_back(place);
            if (suite.whole.detectable)
                verdict.detectable = std::max(verdict.detectable.value_or(1), *suite.whole.detectable);
        }
        break;
    case Outcome::faster:
        verdict.faster.push_back(place);
        break;
    case Outcome::slower:
        verdict.slower.push_back(place);
        break;
    case Outcome::few_faster:
        verdict.few_faster.push_back(place);
        break;
    case Outcome::few_slower:
        verdict.few_slower.push_back(place);
        break;
    case Outcome::both:
        verdict.both.push_back(place);
        break;
    }
}

VerdictKind kind_of(const DatabaseComparison& comparison) {
    const Verdict& verdict = comparison.verdict;
    if (verdict.points == 0)
        return VerdictKind::nothing_in_common;
    bool faster = !verdict.faster.empty() || !verdict.few_faster.empty();
    bool slower = !verdict.slower.empty() || !verdict.few_slower.empty();
    for (const std::size_t place : verdict.at_sizes)
        for (const MessageSize size : comparison.suites[place].sizes_alone())
            (comparison.suites[place].by_size.at(size).faster() ? faster : slower) = true;
    if (!verdict.both.empty() || (faster && slower))
        return VerdictKind::mixed;
    if (faster || slower)
        return faster ? VerdictKind::faster : VerdictKind::slower;
    if (verdict.open == verdict.suites)
        return VerdictKind::open;
    return verdict.explained.empty() ? VerdictKind::no_difference : VerdictKind::explained;
}

// --- effects

using Where = Effect::Where;

Effect effect_of(const PooledComparison& pooled, Where where, std::size_t range = 0) {
    return {.where = where,
            .range = range,
            .ratio = pooled.ratio,
            .low = pooled.ratio_low,
            .high = pooled.ratio_high,
            .sure = pooled.faster() || pooled.slower(),
            .usable = std::min(pooled.first_launches, pooled.second_launches)};
}

/// A large one that is not certain. @param many_elsewhere other suites have launches enough
void add_unsure(const PooledComparison& pooled, Where where, std::size_t range, bool many_elsewhere,
                std::vector<Effect>& effects) {
    const double distance = std::fabs(std::log(pooled.ratio));
    // What other work made longer on one side alone says nothing of what is compared, nor do values that no
    // launch of the state compared had. Nor, where other suites have launches enough, does what one or two
    // say: which they are is chance.
    constexpr std::size_t few = 3;
    const std::size_t usable = std::min(pooled.first_launches, pooled.second_launches);
    const bool of_no_launch =
        pooled.unjudged == Unjudged::few_launches && (pooled.arguments == 0 || usable == 0);
    const bool chance = many_elsewhere && usable < few && !pooled.judged();
    if (distance < std::log(large_ratio) || pooled.explained() || of_no_launch || chance ||
        pooled.unjudged == Unjudged::disturbed_on_one_side)
        return;
    Effect& effect = effects.emplace_back(effect_of(pooled, where, range));
    effect.sure = false;
    if (pooled.as_measured && pooled.as_measured->bounded)
        return;
    effect.launches =
        pooled.first_spread > 0 && pooled.second_spread > 0
            ? launches_to_decide(distance, pooled.first_spread, pooled.second_spread, pooled.error)
            : launches_needed;
}

/// Neighbouring arguments that differ significantly and in one direction, an effect for each stretch of them.
std::vector<Effect> effects_at_points(const std::vector<PointComparison>& points) {
    std::vector<Effect> effects;
    std::size_t count = 0;
    const PointComparison* before = nullptr;
    for (const PointComparison& point : points) {
        if (point.significant()) {
            if (!before || before->slower() != point.slower()) {
                effects.push_back({.where = Where::points,
                                   .from = point.argument,
                                   .to = point.argument,
                                   .ratio = point.ratio,
                                   .low = point.ratio_low,
                                   .high = point.ratio_high});
                count = 1;
            } else {
                Effect& effect = effects.back();
                effect.to = point.argument;
                const bool second = count == 1;
                effect.low =
                    second ? std::min(effect.ratio, point.ratio) : std::min(*effect.low, point.ratio);
                effect.high =
                    second ? std::max(effect.ratio, point.ratio) : std::max(*effect.high, point.ratio);
                const auto n = static_cast<double>(count);
                effect.ratio = std::exp((n * std::log(effect.ratio) + std::log(point.ratio)) / (n + 1));
                ++count;
            }
        }
        before = point.significant() ? &point : nullptr;
    }
    return effects;
}

/// The statement about messages of one size that are those of a range, where it is certain: it stands in a
/// smaller family than the ranges do.
const PooledComparison* certain_by_size(const DatabaseComparison::Suite& suite, const RatioRange& range) {
    if (suite.reference->suite().varied != Varied::message_length)
        return nullptr;
    for (const auto& [size, pooled] : suite.by_size) {
        const auto inside = [&](std::int64_t bytes) { return range.from <= bytes && bytes <= range.to; };
        const bool same =
            std::ranges::all_of(suite.curves.points, [&, wanted = size](const PointComparison& point) {
                return inside(point.argument) == (size_of_message(point.argument) == wanted);
            });
        if (same && (pooled.faster() || pooled.slower()))
            return &pooled;
    }
    return nullptr;
}

std::vector<Effect> effects_of(const DatabaseComparison::Suite& suite, bool many_elsewhere) {
    std::vector<Effect> effects;
    std::vector<std::size_t> uncertain; // ranges
    const bool changes = suite.ranges.size() > 1;
    for (std::size_t i = 0; changes && i < suite.ranges.size(); ++i) {
        const PooledComparison& pooled = suite.ranges[i].pooled;
        if (pooled.faster() || pooled.slower())
            effects.push_back(effect_of(pooled, Where::range, i));
        else if (const PooledComparison* certain = certain_by_size(suite, suite.ranges[i]))
            effects.push_back(effect_of(*certain, Where::range, i));
        else
            uncertain.push_back(i);
    }
    if (effects.empty() && (suite.whole.faster() || suite.whole.slower()))
        effects.push_back(effect_of(suite.whole, Where::whole));
    if (effects.empty() && suite.judged() && suite.outcome() != Outcome::none)
        effects = effects_at_points(suite.curves.points);
    if (effects.empty())
        for (const MessageSize size : suite.sizes_alone()) {
            Effect& effect = effects.emplace_back(effect_of(suite.by_size.at(size), Where::size));
            effect.size = size;
        }
    const bool nothing_certain = effects.empty();
    for (const std::size_t i : uncertain) {
        const RatioRange& range = suite.ranges[i];
        const bool partly_certain = std::ranges::any_of(effects, [&](const Effect& effect) {
            return effect.where == Where::points && effect.from >= range.from && effect.to <= range.to;
        });
        // What a few launches say of one argument is chance.
        const bool chance = range.from == range.to && !range.pooled.judged();
        if (!partly_certain && !chance)
            add_unsure(range.pooled, Where::range, i, many_elsewhere, effects);
    }
    if (!changes && nothing_certain)
        add_unsure(suite.whole, Where::whole, 0, many_elsewhere, effects);
    return effects;
}

/// Where the suites of a verdict differ, the largest difference first.
std::vector<Effect> effects_of(const DatabaseComparison& comparison) {
    std::vector<Effect> all;
    for (std::size_t i = 0; i < comparison.suites.size(); ++i) {
        const DatabaseComparison::Suite& suite = comparison.suites[i];
        if (!suite.in_verdict || suite.curves.counting().empty())
            continue;
        for (Effect& effect : effects_of(suite, comparison.launches >= launches_needed)) {
            effect.suite = i;
            all.push_back(effect);
        }
    }
    std::ranges::stable_sort(all, std::greater{},
                             [](const Effect& effect) { return std::fabs(std::log(effect.ratio)); });
    return all;
}

/// Of each side, for what is not certain; 0 = nothing is known to decide it.
std::size_t launches_for_all(const DatabaseComparison& comparison) {
    if (both_simulated(comparison) || comparison.launches_of_both.shared > 0)
        return 0;
    const UnjudgedCounts& reasons = comparison.verdict.reasons;
    const bool few = comparison.launches < launches_needed && reasons.contains(Unjudged::few_launches);
    std::size_t wanted = few ? launches_needed : 0;
    for (const Effect& effect : comparison.verdict.effects)
        if (!effect.sure && effect.launches)
            wanted = std::max(wanted, *effect.launches);
    constexpr std::size_t most = 200; // what needs more has a cause that launches do not remove
    return wanted > comparison.launches && wanted <= most ? wanted : 0;
}

void set_verdict(DatabaseComparison& comparison) {
    Verdict& verdict = comparison.verdict;
    for (std::size_t i = 0; i < comparison.suites.size(); ++i)
        if (const DatabaseComparison::Suite& suite = comparison.suites[i];
            suite.in_verdict && !suite.curves.points.empty())
            add(suite, i, verdict);
    const auto size = [&](std::size_t place) {
        return std::fabs(std::log(comparison.suites[place].ratio_found()));
    };
    std::ranges::stable_sort(verdict.faster, std::greater{}, size);
    std::ranges::stable_sort(verdict.slower, std::greater{}, size);
    verdict.kind = kind_of(comparison);
    verdict.effects = effects_of(comparison);
    verdict.launches_to_decide = launches_for_all(comparison);
    set_mean_ratio(comparison);
}

void set_ranks(DatabaseComparison& comparison) {
    OtherRanks& ranks = comparison.ranks;
    if (comparison.reference->run && comparison.other->run) {
        ranks.reference = comparison.reference->run->ranks;
        ranks.other = comparison.other->run->ranks;
    }
    for (std::size_t i = 0; i < comparison.suites.size(); ++i) {
        const DatabaseComparison::Suite& suite = comparison.suites[i];
        if (!suite.in_verdict)
            continue;
        ++ranks.of_suites;
        if (ranks_differ(ranks_of(*suite.reference), ranks_of(*suite.other)))
            ranks.suites.push_back(i);
    }
}

double median_ratio(std::vector<double> ratios) {
    return ratios.empty() ? 1 : skalib::median(std::move(ratios));
}

void set_states(DatabaseComparison& comparison) {
    MachineStates& states = comparison.states;
    std::vector<double> slower; // probes of other by those of reference
    std::vector<double> faster; // the other way round
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        if (!suite.in_verdict)
            continue;
        states.points += suite.curves.points.size();
        states.in_common_mode += suite.in_common_mode;
        states.by_one_rule += suite.by_one_rule;
        states.common_states = std::max(states.common_states, suite.common_states);
        for (const PointComparison& point : suite.curves.points)
            if (point.in_other_state())
                point.probe_ratio > 1 ? slower.push_back(point.probe_ratio)
                                      : faster.push_back(1 / point.probe_ratio);
    }
    states.other_slower = slower.size();
    states.other_slower_ratio = median_ratio(std::move(slower));
    states.reference_slower = faster.size();
    states.reference_slower_ratio = median_ratio(std::move(faster));
    states.other_machine = comparison.design.other_machine;
    states.other_software = comparison.design.other_software;
}

} // namespace

DatabaseComparison compare_databases(const Subject& reference, const Subject& other) {
    DatabaseComparison comparison = compare_suites(reference, other);
    set_verdict(comparison);
    set_ranks(comparison);
    set_states(comparison);
    comparison.doubts = doubts_of(comparison);
    return comparison;
}

bool in_verdict(const DatabaseComparison& comparison, const Curve& reference) {
    return !is_local(reference) || std::ranges::all_of(comparison.reference->curves, is_local);
}

namespace {

/// Whether every suite that both have depends on the number of ranks, which differs: nothing could be judged.
bool nothing_but_ranks(const Subject& reference, const Subject& other) {
    bool any = false;
    for (const Curve& curve : reference.curves)
        if (const Curve* twin = curve.points.empty() ? nullptr : matching_curve(other, curve)) {
            if (!ranks_differ(ranks_of(curve), ranks_of(*twin)))
                return false;
            any = true;
        }
    return any;
}

} // namespace

bool are_rivals(const Subject& reference, const Subject& other, const std::vector<Subject>& all) {
    if (&other == &reference)
        return false;
    return !is_other_size(reference, other) ||
           !(other.path == reference.path || (all.size() > 2 && is_study(all)) ||
             nothing_but_ranks(reference, other));
}

std::vector<DatabaseComparison> compare_subjects(const std::vector<Subject>& subjects, bool baseline) {
    const Subject& reference = baseline ? subjects.back() : subjects.front();
    std::vector<DatabaseComparison> comparisons;
    for (const Subject& other : subjects)
        if (are_rivals(reference, other, subjects))
            comparisons.push_back(compare_databases(reference, other));
    return comparisons;
}

} // namespace skampi
