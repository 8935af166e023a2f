// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/session_contest.hpp"

#include "contest/contest_states.hpp"
#include "contest/jury.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace skampi {

namespace {

bool has_times(const Curve& curve) {
    return !curve.launches_with_values().empty();
}

/// Launches of the rounds in which both were launched, ascending.
std::vector<std::pair<std::string, std::string>> rounds_of(const SessionLaunches& launches,
                                                           std::size_t variant, int rounds) {
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& [round, uuid] : launches.launches[variant]) {
        const auto reference = launches.launches.front().find(round);
        if (round <= rounds && reference != launches.launches.front().end())
            found.emplace_back(reference->second, uuid);
    }
    return found;
}

/// The same launches, one side only.
SideLaunches only(const SideLaunches& all, const std::set<std::string>& uuids) {
    SideLaunches side{.curve = all.curve};
    for (std::size_t i = 0; i < all.uuids.size(); ++i)
        if (uuids.contains(all.uuids[i])) {
            side.uuids.push_back(all.uuids[i]);
            side.log_probes.push_back(all.log_probes[i]);
            side.log_speeds.push_back(all.log_speeds[i]);
            side.values.push_back(all.values[i]);
        }
    return side;
}

ContestTable table_of(const SuiteContest& suite,
                      const std::vector<std::pair<std::string, std::string>>& rounds) {
    std::set<std::string> references;
    std::set<std::string> variants;
    for (const auto& [reference, variant] : rounds) {
        references.insert(reference);
        variants.insert(variant);
    }
    SideLaunches first = only(side_launches(*suite.reference, {}), references);
    SideLaunches second = only(side_launches(*suite.subject, {}), variants);
    const auto place_in = [](const SideLaunches& side, const std::string& uuid) {
        return static_cast<std::size_t>(std::ranges::find(side.uuids, uuid) - side.uuids.begin());
    };
    LaunchPairs pairs;
    for (const auto& [reference, variant] : rounds)
        if (const LaunchPair pair(place_in(first, reference), place_in(second, variant));
            pair.first < first.uuids.size() && pair.second < second.uuids.size())
            pairs.push_back(pair);
    return {std::move(first), std::move(second), Pairing::in_turns, std::move(pairs)};
}

void match_suites(const SessionLaunches& launches, VariantContest& variant) {
    const Subject& reference = launches.variants.front();
    const Subject& subject = launches.variants[variant.place];
    Contest& contest = variant.contest;
    contest.pairing = Pairing::in_turns;
    contest.reference = &reference;
    contest.subject = &subject;
    std::set<const Curve*> twins;
    for (const Curve& curve : reference.curves) {
        const Curve* twin = matching_curve(subject, curve);
        twins.insert(twin);
        if (!in_answer(reference, curve))
            continue;
        SuiteContest& suite = contest.suites.emplace_back(SuiteContest{.reference = &curve, .subject = twin});
        if (!twin) {
            suite.why = Why::only_in_reference;
            continue;
        }
        suite.comparability = comparability(curve, *twin);
        if (suite.comparability.other_at_every_point())
            suite.why = Why::other_quantity;
        else if (!has_times(curve) || !has_times(*twin))
            suite.why = Why::no_values;
    }
    for (const Curve& curve : subject.curves)
        if (!twins.contains(&curve) && has_times(curve))
            contest.only_in_subject.push_back(&curve);
}

/// A suite with its table, and the state of the machine that its pairs met.
struct Tried {
    SuiteContest suite;
    std::optional<Jury::Case> by;
};

/// One for each state where the difference depends on the state of the machine.
std::vector<Tried> tried(const SuiteContest& suite,
                         const std::vector<std::pair<std::string, std::string>>& rounds) {
    if (suite.why != Why::none)
        return {{suite, std::nullopt}};
    Jury::Case all{.table = table_of(suite, rounds)};
    all.pairs = all.table.pairs();
    all.estimate.by_probe = true;
    all.simulated = suite.reference->simulated && suite.subject->simulated;
    if (all.simulated && all.pairs.size() > 1) // all rounds agree, except the first on a refined scale
        all.pairs = {all.pairs.back()};
    std::vector<PairsInState> states;
    if (!all.simulated && !all.table.rows().empty())
        states = pairs_by_state(all.table);
    if (states.empty())
        return {{suite, std::move(all)}};
    std::vector<Tried> found;
    for (PairsInState& state : states) {
        found.push_back({suite, all});
        found.back().suite.state = state.state;
        found.back().by->pairs = std::move(state.pairs);
    }
    return found;
}

/// Variants that were slower everywhere at an earlier look, and left the race.
std::set<std::size_t> left_before(const SessionLaunches& launches, int round) {
    std::set<std::size_t> left;
    if (!launches.session.race)
        return left;
    for (const SessionLook& look : looks_of(launches.session)) {
        if (look.rounds >= round)
            break;
        for (const VariantContest& variant : judge_session(launches, look).variants)
            if (variant.slower_everywhere())
                left.insert(variant.place);
    }
    return left;
}

} // namespace

bool is_asked(const Statement& statement) {
    return statement.place.kind == Place::Kind::whole || statement.place.kind == Place::Kind::size;
}

std::size_t VariantContest::open() const {
    std::size_t count = 0;
    for (const SuiteContest& suite : contest.suites)
        for (const Statement& each : suite.statements)
            count += is_asked(each) && each.verdict == Verdict::open ? 1 : 0;
    return count;
}

bool VariantContest::found_any() const {
    return std::ranges::any_of(contest.suites,
                               [](const SuiteContest& suite) { return suite.largest() != nullptr; });
}

bool VariantContest::slower_everywhere() const {
    bool any = false;
    for (const SuiteContest& suite : contest.suites)
        if (const Statement* const whole = suite.whole()) {
            if (whole->verdict != Verdict::slower)
                return false;
            any = true;
        }
    return any;
}

std::size_t SessionContest::open() const {
    std::size_t count = 0;
    for (const VariantContest& variant : variants)
        count += variant.open();
    return count;
}

bool SessionContest::found_any() const {
    return std::ranges::any_of(variants, &VariantContest::found_any);
}

std::optional<std::size_t> SessionContest::rounds_to_decide() const {
    std::optional<std::size_t> most;
    for (const VariantContest& variant : variants)
        for (const SuiteContest& suite : variant.contest.suites)
            for (const Statement& each : suite.statements) {
                if (!is_asked(each) || each.verdict != Verdict::open || each.why == Why::outliers)
                    continue;
                if (!each.needed || each.reference == 0)
                    return std::nullopt;
                const double pairs_a_round = static_cast<double>(each.reference) / look.rounds;
                most = std::max(most.value_or(0), static_cast<std::size_t>(std::ceil(
                                                      static_cast<double>(*each.needed) / pairs_a_round)));
            }
    return most;
}

int complete_rounds(const SessionLaunches& launches) {
    int begun = 0;
    for (const auto& of_variant : launches.launches)
        if (!of_variant.empty())
            begun = std::max(begun, of_variant.rbegin()->first);
    for (const auto& of_variant : launches.failed)
        if (!of_variant.empty())
            begun = std::max(begun, *of_variant.rbegin());
    if (begun == 0 || !launches.session.ended_utc.empty())
        return begun;
    // Variants take part until they fail for good or leave the race.
    constexpr std::size_t failures_to_leave = 3;
    const std::set<std::size_t> left = left_before(launches, begun);
    for (std::size_t i = 0; i < launches.launches.size(); ++i) {
        const auto& launched = launches.launches[i];
        const auto& failed = launches.failed[i];
        const auto gave_none = static_cast<std::size_t>(
            std::ranges::count_if(failed, [&](int round) { return !launched.contains(round); }));
        if (!launched.contains(begun) && !failed.contains(begun) && gave_none < failures_to_leave &&
            !left.contains(i))
            return begun - 1;
    }
    return begun;
}

std::vector<SessionLook> looks_of(const Session& session) {
    if (!session.decides)
        return {{1, 1, session.most_rounds, 1}};
    const std::vector<int> rounds = rounds_of_looks(session);
    const double all = std::accumulate(rounds.begin(), rounds.end(), 0.0);
    std::vector<SessionLook> looks;
    for (const int each : rounds)
        looks.push_back(
            {static_cast<int>(looks.size()) + 1, static_cast<int>(rounds.size()), each, each / all});
    return looks;
}

SessionLook look_due(const SessionLaunches& launches) {
    const Session& session = launches.session;
    const int rounds = complete_rounds(launches);
    if (!session.decides)
        return {rounds > 0 ? 1 : 0, 1, rounds, 1};
    const std::vector<SessionLook> looks = looks_of(session);
    SessionLook due{0, static_cast<int>(looks.size()), 0, 1};
    double spent = 0;
    double spent_before = 0;
    for (const SessionLook& look : looks)
        if (look.rounds <= rounds) {
            due = look;
            spent_before = spent;
            spent += look.share;
        }
    if (session.ended_utc.empty() || session.end == SessionEnd::decided)
        return due;
    const bool at_look = due.number > 0 && due.rounds == rounds;
    if (!at_look) {
        due.number = std::min(due.number + 1, due.looks);
        due.rounds = rounds;
    }
    due.share = 1 - (at_look ? spent_before : spent);
    return due;
}

SessionContest judge_session(const SessionLaunches& launches, const SessionLook& look) {
    SessionContest session{.of = &launches, .look = look};
    const ContestRule rule{launches.session.error * look.share, launches.session.margin};
    std::vector<std::vector<Tried>> cases; // of each variant
    bool any_scatters = false;
    bool any_tried = false;
    for (std::size_t place = 1; place < launches.variants.size(); ++place) {
        VariantContest& variant = session.variants.emplace_back(VariantContest{.place = place});
        const auto rounds = rounds_of(launches, place, look.rounds);
        variant.rounds = rounds.size();
        for (const int round : launches.failed[place])
            variant.failed += round <= look.rounds && !launches.launches[place].contains(round) ? 1 : 0;
        match_suites(launches, variant);
        variant.contest.rule = rule;
        std::vector<Tried>& of_variant = cases.emplace_back();
        for (const SuiteContest& suite : variant.contest.suites)
            for (Tried& each : tried(suite, rounds)) {
                any_tried = any_tried || each.by;
                any_scatters = any_scatters || (each.by && !each.by->simulated);
                of_variant.push_back(std::move(each));
            }
        variant.contest.suites.clear();
        for (const Tried& each : of_variant)
            variant.contest.suites.push_back(each.suite);
    }
    session.simulated = any_tried && !any_scatters;
    Jury jury(rule); // from here on the suites stay in place
    for (std::size_t i = 0; i < cases.size(); ++i)
        for (std::size_t k = 0; k < cases[i].size(); ++k)
            if (cases[i][k].by)
                jury.add(session.variants[i].contest.suites[k], std::move(*cases[i][k].by));
    jury.judge();
    for (VariantContest& variant : session.variants) {
        variant.contest.simulated = session.simulated;
        variant.contest.rule.error = launches.session.error; // for all looks together
        for (const SuiteContest& suite : variant.contest.suites)
            if (const Statement* const whole = suite.whole())
                variant.contest.launches = std::max(variant.contest.launches, whole->reference);
    }
    return session;
}

} // namespace skampi
