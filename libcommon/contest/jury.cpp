// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/jury.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

/// SimGrid keeps times to a nanosecond; less than this is rounding.
constexpr double least_simulated = 1e-4;

/// For sides that do not scatter: each may be wrong by a step of the clock.
double step(const ContestTable::Scores& scores) {
    return std::max(least_simulated, 2 * (std::sqrt(scores.rounding[0]) + std::sqrt(scores.rounding[1])));
}

double mean_difference(const ContestTable::Scores& scores, Pairing pairing) {
    const auto mean = [](const LaunchScores& side) {
        double sum = 0;
        for (const LaunchScore& each : side)
            sum += each.y;
        return side.empty() ? no_number : sum / static_cast<double>(side.size());
    };
    return pairing == Pairing::independent ? mean(scores.sides[1]) - mean(scores.sides[0])
                                           : mean(scores.sides[0]);
}

void set_interval(Statement& statement, double reach) {
    statement.low = statement.ratio * std::exp(-reach);
    statement.high = statement.ratio * std::exp(reach);
    statement.verdict = statement.high < 1  ? Verdict::faster
                        : statement.low > 1 ? Verdict::slower
                                            : Verdict::open;
    statement.why = statement.different() ? Why::none : Why::scatter;
}

/// Whether the outliers contradict what the others say.
bool contradicted(const Statement& statement, const Estimate& estimate) {
    return estimate.one_sided && !(estimate.outliers_above ? statement.verdict == Verdict::slower
                                                           : statement.verdict == Verdict::faster);
}

} // namespace

void state_difference(Statement& statement, const Estimate& estimate, double error) {
    statement.error = error;
    statement.ratio = std::exp(estimate.centre);
    statement.as_measured = estimate.by_probe ? std::exp(estimate.as_measured) : no_number;
    statement.reference = estimate.reference;
    statement.subject = estimate.subject;
    statement.outliers = estimate.outliers;
    statement.spread = estimate.spread;
    set_interval(statement, estimate.reach(error));
}

namespace {

/// What an estimate says: different, equal within the margin, or open.
/// @param error of a difference   @param of_equality of equality
void conclude(Statement& statement, const Estimate& estimate, double error, double margin,
              double of_equality) {
    state_difference(statement, estimate, error);
    if (contradicted(statement, estimate)) {
        statement.verdict = Verdict::open;
        statement.why = Why::outliers;
        return;
    }
    if (statement.different())
        return;
    const double distance = std::fabs(estimate.centre);
    if (distance + estimate.reach(of_equality) <= margin) {
        statement.verdict = Verdict::equal;
        statement.why = Why::none;
    } else if (estimate.in_a_row) {
        statement.why = Why::launches_in_a_row;
    } else {
        statement.needed = launches_to_decide(std::max(distance, margin - distance), estimate.spread, error);
        if (statement.needed)
            statement.needed =
                std::max(*statement.needed, std::min(estimate.reference, estimate.subject) + 1);
    }
}

} // namespace

Statement judge_limit(const SideLaunches& launches, std::int64_t argument, double limit_s, EstimateRule rule,
                      double error) {
    Statement statement{.place = {Place::Kind::point, argument, argument}, .error = error};
    ContestTable::Scores scores;
    for (const LaunchValues& values : launches.values)
        if (const std::optional<double> value_s = values.interpolated(argument); value_s && *value_s > 0)
            scores.sides[0].push_back({std::log(*value_s / limit_s), {no_number, no_number}});
    const LaunchScores& own = scores.sides[0];
    statement.reference = statement.subject = own.size();
    statement.ratio = std::exp(mean_difference(scores, Pairing::in_turns));
    if (own.empty()) {
        statement.why = Why::no_values;
        return statement;
    }
    scores.rounding[0] = rule.rounding[0] = rounding_variance(*launches.curve, statement.ratio * limit_s);
    if (launches.curve->simulated) {
        set_interval(statement, step(scores));
        return statement;
    }
    if (!enough_launches(own.size(), launches.uuids.size())) {
        statement.why = Why::few_launches;
        return statement;
    }
    const std::optional<Estimate> found = estimate_pairs(own, rule);
    if (!found || !(found->error > 0)) {
        statement.why = Why::no_scatter;
        return statement;
    }
    conclude(statement, *found, error, 0, error);
    return statement;
}

void Jury::add(SuiteContest& suite, Case tried) {
    const std::vector<ContestTable::Row>& rows = tried.table.rows();
    suite.arguments = static_cast<std::size_t>(
        std::ranges::count(rows, Why::none, [](const ContestTable::Row& row) { return row.why; }));
    if (rows.empty()) {
        suite.why = Why::no_values;
        return;
    }
    suites_.push_back({&suite, std::move(tried)});
}

void Jury::add_statement(SuiteContest& suite, const Case& tried, const Place& place) {
    const Pairing pairing = tried.table.pairing();
    const ContestTable::Scores scores = tried.table.scores(place, tried.pairs);
    Statement& statement = suite.statements.emplace_back();
    statement.place = place;
    statement.error = rule_.error;
    if (scores.arguments == 0) {
        statement.verdict = Verdict::not_comparable;
        statement.why = scores.why == Why::none ? Why::no_values : scores.why;
        return;
    }
    statement.reference = scores.sides[0].size();
    statement.subject = pairing == Pairing::independent ? scores.sides[1].size() : statement.reference;
    statement.ratio = std::exp(mean_difference(scores, pairing));
    if (tried.obstacle || std::isnan(statement.ratio)) {
        statement.why = tried.obstacle.value_or(Why::few_launches);
        return;
    }
    if (tried.simulated) {
        set_interval(statement, step(scores));
        if (!statement.different() && std::max(statement.high, 1 / statement.low) <= 1 + rule_.margin)
            statement.verdict = Verdict::equal;
        return;
    }
    const bool paired = pairing != Pairing::independent;
    const auto enough = [&](std::size_t side) {
        const std::size_t made = paired ? tried.pairs.size() : tried.table.sides()[side].uuids.size();
        return enough_launches(scores.sides[side].size(), made);
    };
    if (!enough(0) || (!paired && !enough(1))) {
        statement.why = Why::few_launches;
        return;
    }
    EstimateRule rule = tried.estimate;
    rule.rounding = scores.rounding;
    const std::optional<Estimate> found = paired ? estimate_pairs(scores.sides[0], rule)
                                                 : estimate_sides(scores.sides[0], scores.sides[1], rule);
    if (!found || !(found->error > 0)) {
        statement.why = Why::no_scatter;
        return;
    }
    (place.kind == Place::Kind::point  ? points_
     : place.kind == Place::Kind::size ? sizes_
                                       : wholes_)
        .push_back({&statement, *found});
}

void Jury::decide(std::vector<Pending>& pending, double error, std::size_t statements) const {
    std::ranges::stable_sort(pending, {}, [](const Pending& each) { return each.estimate.chance(); });
    statements = std::max(statements, pending.size());
    bool goes_on = true;
    for (const Pending& each : pending) {
        const double step = error / static_cast<double>(statements);
        const bool whole = each.statement->place.kind == Place::Kind::whole;
        conclude(*each.statement, each.estimate, step, std::log1p(rule_.margin),
                 whole ? rule_.error : 2 * step);
        goes_on = goes_on && each.estimate.chance() <= step;
        statements -= goes_on ? 1 : 0;
    }
}

void Jury::judge(std::size_t statements) {
    for (Suite& suite : suites_) {
        const std::vector<ContestTable::Row>& rows = suite.tried.table.rows();
        std::vector<Place> places{{Place::Kind::whole, rows.front().argument, rows.back().argument}};
        std::ranges::copy(suite.tried.table.sizes(), std::back_inserter(places));
        if (rows.size() > 1)
            for (const ContestTable::Row& row : rows)
                places.push_back({Place::Kind::point, row.argument, row.argument});
        suite.contest->statements.reserve(places.size()); // they are pointed to
        for (const Place& place : places)
            add_statement(*suite.contest, suite.tried, place);
    }
    decide(wholes_, rule_.error / 2, 0);
    decide(sizes_, rule_.error / 4, 0);
    decide(points_, rule_.error / 4, statements);
    for (Suite& suite : suites_) {
        std::vector<Statement>& all = suite.contest->statements;
        if (suite.tried.table.rows().size() == 1) { // the whole is the only point
            all.push_back(all.front());
            all.back().place.kind = Place::Kind::point;
        }
        for (Statement& each : all)
            if (each.place.kind == Place::Kind::point) {
                const auto row = std::ranges::find(suite.tried.table.rows(), each.place.from,
                                                   &ContestTable::Row::argument);
                each.interpolated = row->interpolated;
                each.reference_s = suite.tried.table.reference_s(*row, suite.tried.pairs);
            }
        add_ranges(*suite.contest);
    }
}

namespace {

/// Whether a point's finding differs from the statement about its class: a difference where that has none,
/// another difference, or none where that has one.
bool is_news(const Statement& point, const Statement& around, double margin) {
    if (!point.judged())
        return false;
    const double distance = std::fabs(std::log(point.ratio / around.ratio));
    if (point.different() && point.verdict != around.verdict)
        return std::fabs(std::log(point.ratio)) > std::log1p(margin);
    const bool excludes = point.low > around.ratio || point.high < around.ratio;
    return around.different() && excludes && distance > std::log1p(margin) &&
           (point.ratio < around.low / (1 + margin) || point.ratio > around.high * (1 + margin));
}

bool overlap(const Statement& a, const Statement& b) {
    return a.low <= b.high && b.low <= a.high && a.different() == b.different();
}

} // namespace

void Jury::add_ranges(SuiteContest& suite) const {
    std::vector<Statement> ranges;
    const Statement* before = nullptr; // a point, if it is in the last range
    std::size_t points = 0;
    for (const Statement& point : suite.statements) {
        if (point.place.kind != Place::Kind::point || &point == &suite.statements.front())
            continue;
        const Statement& around = suite.around(point.place.from);
        if (!is_news(point, around, rule_.margin)) {
            before = point.judged() ? nullptr : before; // few launches do not split neighbours
            continue;
        }
        if (before && overlap(*before, point) && &suite.around(before->place.from) == &around) {
            Statement& range = ranges.back();
            const auto n = static_cast<double>(points++);
            range.ratio = std::exp((n * std::log(range.ratio) + std::log(point.ratio)) / (n + 1));
            range.low = std::min(range.low, point.low);
            range.high = std::max(range.high, point.high);
            range.place.to = point.place.from;
            range.reference = std::min(range.reference, point.reference);
            range.subject = std::min(range.subject, point.subject);
        } else {
            ranges.push_back(point);
            ranges.back().place.kind = Place::Kind::range;
            points = 1;
        }
        before = &point;
    }
    const auto first_point = std::ranges::find(suite.statements, Place::Kind::point,
                                               [](const Statement& each) { return each.place.kind; });
    suite.statements.insert(first_point, ranges.begin(), ranges.end());
}

} // namespace skampi
