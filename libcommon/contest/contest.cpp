// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/contest.hpp"

#include "contest/contest_doubts.hpp"
#include "contest/jury.hpp"
#include "launches/study.hpp"
#include "model/machine_state.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace skampi {

namespace {

bool is_local(const Curve& curve) {
    return meaning_of(curve) == Meaning::local || curve.suite().operation.pattern == Pattern::simple;
}

std::set<std::string> launches_of(const Curve& curve) {
    std::set<std::string> uuids;
    for (const auto& [uuid, launch] : curve.launches)
        if (!launch.values.empty() || !launch.others.empty())
            uuids.insert(uuid);
    return uuids;
}

std::size_t in_common(const std::set<std::string>& launches, const std::set<std::string>& others) {
    return static_cast<std::size_t>(
        std::ranges::count_if(launches, [&](const std::string& uuid) { return others.contains(uuid); }));
}

/// Pairs of the same launch.
LaunchPairs same_launches(const SideLaunches& first, const SideLaunches& second) {
    LaunchPairs pairs;
    for (std::size_t i = 0; i < first.uuids.size(); ++i) {
        const auto twin = std::ranges::find(second.uuids, first.uuids[i]);
        if (twin != second.uuids.end())
            pairs.emplace_back(i, static_cast<std::size_t>(twin - second.uuids.begin()));
    }
    return pairs;
}

/// Whether the launches of both sides met two states of the machine, by the medians of their probes.
bool met_two_states(const ContestTable& table) {
    std::array<double, 2> middles{};
    for (std::size_t side = 0; side < 2; ++side) {
        std::vector<double> known;
        for (const double each : table.sides()[side].log_probes)
            if (!std::isnan(each))
                known.push_back(each);
        if (known.empty())
            return false;
        middles[side] = std::exp(skalib::median(std::move(known)));
    }
    return !in_one_mode(middles[0], middles[1]);
}

SuiteContest matched(const Curve& reference, const Curve* subject) {
    SuiteContest suite{.reference = &reference, .subject = subject};
    if (!subject) {
        suite.why = Why::only_in_reference;
        return suite;
    }
    suite.comparability = comparability(reference, *subject);
    if (suite.comparability.other_at_every_point())
        suite.why = Why::other_quantity;
    return suite;
}

} // namespace

bool in_answer(const Subject& reference, const Curve& curve) {
    return !is_local(curve) || std::ranges::all_of(reference.curves, is_local);
}

Contest judge_databases(const Subject& reference, const Subject& subject, const ContestRule& rule) {
    Contest contest{.rule = rule, .reference = &reference, .subject = &subject};
    contest.design = launch_design(reference, subject);
    std::set<const Curve*> twins;
    std::set<std::string> launches;
    std::set<std::string> of_subject;
    for (const Curve& curve : reference.curves) {
        const Curve* const twin = matching_curve(subject, curve);
        twins.insert(twin);
        if (curve.points.empty())
            continue;
        contest.suites.push_back(matched(curve, twin && !twin->points.empty() ? twin : nullptr));
        contest.suites.back().in_answer = in_answer(reference, curve);
        launches.merge(launches_of(curve));
        if (twin)
            of_subject.merge(launches_of(*twin));
    }
    for (const Curve& curve : subject.curves)
        if (!twins.contains(&curve) && !curve.points.empty())
            contest.only_in_subject.push_back(&curve);
    contest.shared_launches = in_common(launches, of_subject);
    contest.simulated = !contest.suites.empty();
    Jury jury(rule);
    for (SuiteContest& suite : contest.suites) {
        if (suite.why != Why::none)
            continue;
        Jury::Case tried{.table = ContestTable(side_launches(*suite.reference, reference.launch_times),
                                               side_launches(*suite.subject, subject.launch_times),
                                               Pairing::independent, {})};
        tried.simulated = suite.reference->simulated && suite.subject->simulated;
        tried.estimate.by_probe = contest.design.by_probe;
        tried.estimate.in_a_row = {contest.design.sides[0].in_a_row, contest.design.sides[1].in_a_row};
        if (contest.shared_launches > 0)
            tried.obstacle = Why::shared_launches;
        else if (contest.design.other_software && !contest.design.other_machine && !contest.design.in_turns &&
                 met_two_states(tried.table))
            tried.obstacle = Why::machine_states;
        contest.simulated = contest.simulated && tried.simulated;
        jury.add(suite, std::move(tried));
    }
    jury.judge();
    for (const SuiteContest& suite : contest.suites)
        for (const Statement& each : suite.statements)
            contest.launches = std::max(contest.launches, std::min(each.reference, each.subject));
    contest.doubts = doubts_of(contest);
    return contest;
}

SuiteContest judge_suites(const Curve& reference, const Curve& subject, Pairing pairing,
                          std::optional<OnPurpose> on_purpose, std::size_t places, const ContestRule& rule) {
    SuiteContest suite{.reference = &reference, .subject = &subject};
    if (on_purpose)
        suite.comparability = comparability(reference, subject, *on_purpose);
    if (suite.comparability.other_at_every_point()) {
        suite.why = Why::other_quantity;
        return suite;
    }
    SideLaunches first = side_launches(reference, {});
    SideLaunches second = side_launches(subject, {});
    LaunchPairs pairs = pairing == Pairing::independent ? LaunchPairs() : same_launches(first, second);
    Jury::Case tried{.table = ContestTable(std::move(first), std::move(second), pairing, pairs),
                     .pairs = pairs};
    tried.simulated = reference.simulated && subject.simulated;
    tried.estimate.by_probe = true;
    if (pairing == Pairing::independent && in_common(launches_of(reference), launches_of(subject)) > 0)
        tried.obstacle = Why::shared_launches;
    Jury jury(rule);
    jury.add(suite, std::move(tried));
    jury.judge(places);
    return suite;
}

namespace {

/// Whether every common suite depends on the number of ranks, which differs: nothing could be judged.
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
    if (!is_other_size(reference, other))
        return true;
    return other.path != reference.path && !(all.size() > 2 && is_study(all)) &&
           !nothing_but_ranks(reference, other);
}

std::vector<Contest> judge_subjects(const std::vector<Subject>& subjects, bool baseline) {
    std::vector<Contest> contests;
    if (subjects.empty())
        return contests;
    const Subject& reference = baseline ? subjects.back() : subjects.front();
    for (const Subject& other : subjects)
        if (are_rivals(reference, other, subjects))
            contests.push_back(judge_databases(reference, other));
    return contests;
}

} // namespace skampi
