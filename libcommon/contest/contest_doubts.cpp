// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/contest_doubts.hpp"

#include "model/machine_state.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

using Kind = ContestDoubtKind;
using Doubts = std::vector<ContestDoubt>;

/// The median machine state in a side's measurements of the compared suites; 0 = not known.
double median_recorded(const Contest& contest, const Curve* SuiteContest::*side,
                       double Measurement::*member) {
    std::vector<double> known;
    for (const SuiteContest& suite : contest.suites)
        if (suite.subject) // suites of one side only say nothing about how both were measured
            for (const StoredMeasurement& point : (suite.*side)->points)
                if (point.measurement.*member > 0)
                    known.push_back(point.measurement.*member);
    return known.empty() ? 0 : skalib::median(std::move(known));
}

bool differ_by_5_percent(double a, double b) {
    constexpr double most = 1.05;
    return a > 0 && b > 0 && std::max(a, b) > most * std::min(a, b);
}

void doubt_launches(const Contest& contest, Doubts& doubts) {
    if (contest.shared_launches > 0)
        doubts.push_back({.kind = Kind::shared_launches, .points = contest.shared_launches});
    if (contest.design.sides[0].in_a_row || contest.design.sides[1].in_a_row) {
        ContestDoubt doubt{.kind = Kind::in_a_row};
        for (const auto& [side, subject] : {std::pair(&contest.design.sides[0], contest.reference),
                                            std::pair(&contest.design.sides[1], contest.subject)})
            if (side->in_a_row)
                doubt.names.push_back(subject->label);
        doubt.reference = contest.design.sides[0].in_a_row ? contest.design.sides[0].length_s : 0;
        doubt.subject = contest.design.sides[1].in_a_row ? contest.design.sides[1].length_s : 0;
        doubts.push_back(std::move(doubt));
    }
    ContestDoubt unknown{.kind = Kind::times_unknown};
    for (const auto& [side, subject] : {std::pair(&contest.design.sides[0], contest.reference),
                                        std::pair(&contest.design.sides[1], contest.subject)})
        if (side->unknown && contest.any_judged())
            unknown.names.push_back(subject->label);
    if (!unknown.names.empty())
        doubts.push_back(std::move(unknown));
}

/// Statements of the answer that would differ if the state of the machine did not count.
void doubt_state_counts(const Contest& contest, Doubts& doubts) {
    ContestDoubt doubt{.kind = Kind::state_counts};
    for (const SuiteContest& suite : contest.suites)
        if (const Statement* whole = suite.whole();
            whole && suite.in_answer && !whole->different() && whole->as_measured == whole->as_measured) {
            const double half = std::sqrt(whole->high / whole->low);
            if (whole->as_measured > half || whole->as_measured < 1 / half) {
                doubt.names.push_back(title_of(*suite.reference));
                doubt.subject = std::max(doubt.subject, std::max(whole->as_measured, 1 / whole->as_measured));
            }
        }
    doubt.suites = doubt.names.size();
    if (doubt.suites > 0)
        doubts.push_back(std::move(doubt));
}

void doubt_machines(const Contest& contest, Doubts& doubts) {
    const auto add = [&](Kind kind, double Measurement::*member) {
        const double reference = median_recorded(contest, &SuiteContest::reference, member);
        const double subject = median_recorded(contest, &SuiteContest::subject, member);
        if (!differ_by_5_percent(reference, subject))
            return;
        if (kind == Kind::probes_differ && !in_one_mode(reference, subject))
            kind = Kind::states_apart;
        doubts.push_back({.kind = kind, .reference = reference, .subject = subject});
    };
    add(Kind::probes_differ, &Measurement::probe_s);
    add(Kind::clocks_differ, &Measurement::core_clock_hz);
    add(Kind::throughputs_differ, &Measurement::core_throughput);
    if (!contest.reference->run || !contest.subject->run)
        return;
    const Run& a = *contest.reference->run;
    const Run& b = *contest.subject->run;
    if (a.ranks != b.ranks)
        doubts.push_back({.kind = Kind::ranks_differ,
                          .reference = static_cast<double>(a.ranks),
                          .subject = static_cast<double>(b.ranks)});
    if (!a.plan_hash.empty() && !b.plan_hash.empty() && a.plan_hash != b.plan_hash)
        doubts.push_back({.kind = Kind::plans_differ});
}

void doubt_lonely_suites(const Contest& contest, Doubts& doubts) {
    ContestDoubt of_reference{.kind = Kind::only_in_reference};
    for (const SuiteContest& suite : contest.suites)
        if (suite.why == Why::only_in_reference)
            of_reference.names.push_back(title_of(*suite.reference));
    ContestDoubt of_subject{.kind = Kind::only_in_subject};
    for (const Curve* curve : contest.only_in_subject)
        of_subject.names.push_back(title_of(*curve));
    for (ContestDoubt* doubt : {&of_reference, &of_subject}) {
        doubt->suites = doubt->names.size();
        if (doubt->suites > 0)
            doubts.push_back(std::move(*doubt));
    }
}

/// One doubt for all suites that differ in the same fields.
void doubt_fields(const Contest& contest, Doubts& doubts) {
    const auto add = [&](Kind kind, const std::vector<FieldDifference>& fields, std::size_t points) {
        if (fields.empty())
            return;
        auto found = std::ranges::find_if(
            doubts, [&](const ContestDoubt& each) { return each.kind == kind && each.fields == fields; });
        if (found == doubts.end())
            found = doubts.insert(doubts.end(), ContestDoubt{.kind = kind, .fields = fields});
        ++found->suites;
        found->points += points;
    };
    ContestDoubt other_start{.kind = Kind::other_start};
    std::map<std::vector<std::string_view>, std::size_t> unknown; // suites
    for (const SuiteContest& suite : contest.suites) {
        std::vector<FieldDifference> other = suite.comparability.other_quantity;
        std::erase_if(other,
                      [](const FieldDifference& each) { return each.field == "ranks"; }); // already reported
        add(Kind::other_quantity, other, suite.arguments);
        add(Kind::computed_differently, suite.comparability.computed_differently, suite.arguments);
        if (!suite.comparability.unknown.empty())
            ++unknown[suite.comparability.unknown];
        const auto started =
            static_cast<std::size_t>(std::ranges::count_if(suite.statements, [](const Statement& each) {
                return each.place.kind == Place::Kind::point && each.why == Why::other_start;
            }));
        other_start.points += started;
        other_start.suites += started > 0 ? 1 : 0;
    }
    if (other_start.suites > 0)
        doubts.push_back(std::move(other_start));
    for (const auto& [fields, suites] : unknown)
        doubts.push_back(
            {.kind = Kind::unknown_fields, .suites = suites, .names = {fields.begin(), fields.end()}});
}

} // namespace

std::vector<ContestDoubt> doubts_of(const Contest& contest) {
    Doubts doubts;
    doubt_launches(contest, doubts);
    doubt_state_counts(contest, doubts);
    doubt_machines(contest, doubts);
    doubt_lonely_suites(contest, doubts);
    doubt_fields(contest, doubts);
    std::ranges::stable_sort(doubts, {}, &ContestDoubt::kind);
    return doubts;
}

} // namespace skampi
