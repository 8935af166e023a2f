#include "analysis/turns/turns.hpp"

#include "analysis/inference/enough_launches.hpp"
#include "analysis/inference/launch_difference.hpp"
#include "analysis/turns/turn_differences.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace skampi {

namespace {

/// How a statement is judged.
struct TurnsRule {
    double error = 0;
    double margin = 0;
    bool simulated = false;
    int rounds = 0;         ///< of the look
    std::size_t made = 0;   ///< rounds with both launches
    std::size_t states = 0; ///< covariates of the rounds that count
};

TurnsCurves curves_of(const TurnsSuite& suite) {
    return {suite.reference, suite.variant};
}

/// @param reach of the interval; one_sided of that with twice its error
void set_interval(TurnsStatement& statement, double centre, double reach, double one_sided, double margin) {
    statement.ratio = std::exp(centre);
    statement.low = std::exp(centre - reach);
    statement.high = std::exp(centre + reach);
    statement.equal = std::fabs(centre) + one_sided <= std::log1p(margin);
}

std::optional<std::size_t> rounds_needed(const TurnsMean& mean, const TurnsStatement& statement,
                                         const TurnsRule& rule) {
    const double apart = std::fabs(mean.centre);
    const double distance = std::max(apart, std::log1p(rule.margin) - apart);
    const auto pairs = launches_to_decide(distance, mean.spread, 0, rule.error);
    if (!pairs)
        return std::nullopt;
    const double with_pair = static_cast<double>(statement.rounds) / rule.rounds;
    const auto rounds = static_cast<std::size_t>(std::ceil(static_cast<double>(*pairs) / with_pair));
    return std::max(rounds, static_cast<std::size_t>(rule.rounds) + 1);
}

/// @param rounds what each says of the same arguments
TurnsStatement judge_rounds(const std::vector<TurnDifference>& rounds, const TurnsRule& rule) {
    TurnsStatement statement;
    statement.error = rule.error;
    statement.rounds = rounds.size();
    if (rounds.empty() ||
        !(rule.simulated ||
          enough_launches(rounds.size() - std::min(rounds.size(), rule.states), rule.made))) {
        statement.unjudged = Unjudged::few_launches;
        if (!rounds.empty()) {
            std::vector<double> ratios;
            for (const TurnDifference& each : rounds)
                ratios.push_back(each.log_ratio);
            statement.ratio = std::exp(mean_of(ratios));
        }
        return statement;
    }
    if (rule.simulated) {
        // SimGrid keeps times to a nanosecond; less than this is rounding.
        constexpr double least = 1e-4;
        const double half = rounds.front().rounding / 2;
        const std::optional<Estimate> step = step_interval(0, half, half);
        const double reach = std::max(least, step ? step->high : 0);
        set_interval(statement, rounds.front().log_ratio, reach, reach, rule.margin);
        return statement;
    }
    const TurnsMean mean = mean_over(rounds, rule.states);
    statement.rounds = mean.rounds;
    statement.outliers = mean.outliers;
    statement.outliers_slower = mean.outliers_above;
    statement.outlier_ratio = std::exp(mean.outlier_centre);
    if (!(mean.deviation > 0)) {
        statement.ratio = std::exp(mean.centre);
        statement.unjudged = Unjudged::no_scatter;
        return statement;
    }
    const auto reach = [&](double tail) {
        return skalib::student_upper_quantile(mean.degrees, tail) * mean.deviation;
    };
    set_interval(statement, mean.centre, reach(rule.error / 2), reach(rule.error), rule.margin);
    const bool more_are_slower = 2 * statement.outliers_slower > statement.outliers;
    statement.contradicted =
        statement.outliers_on_one_side() && !(more_are_slower ? statement.slower() : statement.faster());
    statement.equal = statement.equal && !statement.contradicted;
    if (statement.open() && !statement.contradicted)
        statement.rounds_to_decide = rounds_needed(mean, statement, rule);
    return statement;
}

/// Judges what rounds say of all arguments, or of a class of lengths.
void add_statement(TurnsSuite& suite, const std::vector<Turn>& turns, std::optional<MessageSize> size,
                   const TurnsRule& rule) {
    std::vector<TurnDifference> rounds;
    for (const Turn& turn : turns)
        if (const auto found = difference_of(curves_of(suite), turn, size))
            rounds.push_back(*found);
    suite.statements.push_back(judge_rounds(rounds, rule));
    suite.statements.back().size = size;
}

/// The classes of lengths in which a suite has arguments; none where it is not over the length.
std::set<MessageSize> sizes_of(const Curve& curve) {
    std::set<MessageSize> sizes;
    if (curve.suite().varied == Varied::message_length)
        for (const auto& [uuid, values] : curve.launches)
            for (const auto& [argument, value] : values)
                sizes.insert(size_of_message(argument));
    return sizes;
}

bool has_times(const Curve& curve) {
    return std::ranges::any_of(curve.launches, [](const auto& launch) { return !launch.second.empty(); });
}

/// Rounds in which both were launched, ascending.
std::vector<Turn> turns_of(const SessionLaunches& launches, std::size_t variant, int rounds) {
    std::vector<Turn> turns;
    for (const auto& [round, uuid] : launches.launches[variant]) {
        const auto reference = launches.launches.front().find(round);
        if (round <= rounds && reference != launches.launches.front().end())
            turns.push_back({reference->second, uuid});
    }
    return turns;
}

TurnsVariant variant_with_suites(const SessionLaunches& launches, std::size_t place, int rounds) {
    TurnsVariant variant;
    variant.place = place;
    variant.rounds = turns_of(launches, place, rounds).size();
    for (const int round : launches.failed[place])
        variant.failed += round <= rounds && !launches.launches[place].contains(round) ? 1 : 0;
    const Subject& reference = launches.variants.front();
    const Subject& subject = launches.variants[place];
    DatabaseComparison sides;
    sides.reference = &reference;
    std::set<const Curve*> twins;
    for (const Curve& curve : reference.curves) {
        const Curve* twin = matching_curve(subject, curve);
        twins.insert(twin);
        if (!in_verdict(sides, curve))
            continue;
        TurnsSuite& suite = variant.suites.emplace_back();
        suite.reference = &curve;
        suite.variant = twin;
        if (!twin)
            continue;
        suite.comparability = comparability(curve, *twin);
        suite.compared = !suite.comparability.other_at_every_point() && has_times(curve) && has_times(*twin);
    }
    for (const Curve& curve : subject.curves)
        if (!twins.contains(&curve) && has_times(curve))
            variant.only_here.push_back(&curve);
    return variant;
}

/// Of a suite that is compared.
struct SuitePoints {
    TurnPoints points;
    std::size_t made = 0;   ///< rounds with both launches
    std::size_t states = 0; ///< covariates that count
};

/// Whether what was found at a point is news to who knows the statement that it is part of: a difference of
/// which that says nothing, or another one, also none where that has one.
bool stands_apart(const TurnsStatement& point, const TurnsStatement& whole, double margin) {
    if (!point.judged())
        return false;
    const double least = std::log1p(margin);
    const double centre = std::log(point.ratio);
    const bool alike = point.slower() ? whole.slower() : point.faster() ? whole.faster() : whole.different();
    if (!alike || whole.span)
        return point.different() && std::fabs(centre) > least;
    return (centre > std::log(*whole.high) + least && *point.low > whole.ratio) ||
           (centre < std::log(*whole.low) - least && *point.high < whole.ratio);
}

/// @pre both are judged
bool overlap(const TurnsStatement& first, const TurnsStatement& second) {
    return *first.low <= *second.high && *first.high >= *second.low;
}

/// Whether two classes of lengths differ in the direction, or one more than twice as much as another
/// (logarithms).
bool classes_are_apart(const TurnsSuite& suite) {
    const auto told = [](const TurnsStatement& each) { return each.different() ? std::log(each.ratio) : 0; };
    const auto are_apart = [&](const TurnsStatement& low, const TurnsStatement& high) {
        const double distance = told(high) - told(low);
        return low.size && high.size && low.judged() && high.judged() && !overlap(low, high) &&
               distance > std::max(std::fabs(told(low)), std::fabs(told(high))) / 2;
    };
    return std::ranges::any_of(suite.statements, [&](const TurnsStatement& low) {
        return std::ranges::any_of(suite.statements,
                                   [&](const TurnsStatement& high) { return are_apart(low, high); });
    });
}

/// @pre there are rounds
double median_reference_s(const std::vector<TurnDifference>& rounds) {
    std::vector<double> times_s;
    for (const TurnDifference& each : rounds)
        times_s.push_back(each.reference_s);
    return skalib::median_in_place(times_s);
}

/// @param rule with the error of one point
void find_ranges(TurnsSuite& suite, const TurnPoints& points, const TurnsRule& rule) {
    suite.points.clear();
    suite.ranges.clear();
    suite.worst.reset();
    bool goes_on = false;
    bool above = false; // what they are part of
    double sum = 0;
    int members = 0;
    TurnsStatement before;
    for (const auto& [argument, rounds] : points) {
        const TurnsStatement& whole = suite.statement_around(argument);
        const TurnsStatement point = judge_rounds(rounds, rule);
        suite.points.push_back({argument, argument, point, median_reference_s(rounds)});
        if (!point.judged() && point.unjudged == Unjudged::few_launches)
            continue; // a length that few rounds have lies between its neighbours without parting them
        if (point.judged() && (!suite.worst || point.ratio > suite.worst->statement.ratio))
            suite.worst = TurnsRange{argument, argument, point};
        const bool apart = stands_apart(point, whole, rule.margin);
        const bool was_above = std::exchange(above, point.ratio > whole.ratio);
        if (apart && goes_on && (rule.simulated || overlap(point, before)) && above == was_above &&
            suite.ranges.back().statement.slower() == point.slower() &&
            suite.ranges.back().statement.faster() == point.faster()) {
            TurnsRange& range = suite.ranges.back();
            const RatioSpan before_it = range.spread();
            range.to = argument;
            range.ratios = {std::min(before_it.low, point.ratio), std::max(before_it.high, point.ratio)};
            TurnsStatement& all = range.statement;
            sum += std::log(point.ratio);
            all.ratio = std::exp(sum / ++members);
            all.low = std::min(*all.low, *point.low);
            all.high = std::max(*all.high, *point.high);
            all.equal = all.equal && point.equal;
            all.rounds = std::min(all.rounds, point.rounds);
            all.outliers = std::max(all.outliers, point.outliers);
        } else if (apart) {
            suite.ranges.push_back({argument, argument, point});
            sum = std::log(point.ratio);
            members = 1;
        }
        goes_on = apart;
        before = point;
    }
}

void judge_suite(TurnsSuite& suite, const std::vector<Turn>& counted, const TurnsRule& rule) {
    TurnsRule own = rule;
    own.simulated = both_simulated(*suite.reference, *suite.variant);
    const std::set<MessageSize> sizes = sizes_of(*suite.reference);
    const bool by_size = sizes.size() > 1;
    own.error = by_size ? rule.error / 2 : rule.error;
    add_statement(suite, counted, std::nullopt, own);
    own.error = rule.error / 2 / static_cast<double>(std::max<std::size_t>(1, sizes.size()));
    if (by_size)
        for (const MessageSize size : sizes)
            add_statement(suite, counted, size, own);
}

TurnsMissing missing_values(const TurnsCurves& curves, const std::vector<Turn>& turns) {
    // A launch without any value here is left out as a whole, and that is said otherwise.
    std::vector<std::pair<const LaunchValues*, const LaunchValues*>> rounds;
    const auto values_of = [](const Curve& curve, const std::string& uuid) -> const LaunchValues* {
        const auto launch = curve.launches.find(uuid);
        return launch == curve.launches.end() || launch->second.empty() ? nullptr : &launch->second;
    };
    for (const Turn& turn : turns)
        if (const auto [own, other] = std::pair(values_of(*curves.reference, turn.reference),
                                                values_of(*curves.variant, turn.variant));
            own && other)
            rounds.emplace_back(own, other);
    // The first round of a scale that refines finds the arguments of the others, and measures others itself.
    const std::size_t usual = skalib::is_dynamic(curves.reference->suite().arguments.scale) ? 1 : 0;
    TurnsMissing missing{0, 0, rounds.size(), rounds.size()};
    std::set<std::int64_t> arguments;
    for (const auto& [own, other] : rounds)
        for (const LaunchValues* const values : {own, other})
            for (const auto& [argument, value] : *values)
                arguments.insert(argument);
    for (const std::int64_t argument : arguments) {
        std::size_t both = 0;
        std::size_t any = 0;
        for (const auto& [own, other] : rounds) {
            both += own->contains(argument) && other->contains(argument) ? 1 : 0;
            any += own->contains(argument) || other->contains(argument) ? 1 : 0;
        }
        if (any <= usual || both + usual >= rounds.size())
            continue;
        ++missing.arguments;
        if (both < missing.rounds_left) {
            missing.most_at = argument;
            missing.rounds_left = both;
        }
    }
    return missing;
}

/// Of the states that are not judged by themselves the one that most pairs met, if these are too few to show
/// reliably that it has a difference of its own, or two others are judged.
std::optional<TurnsStateMet> state_hardly_met(const std::vector<TurnsInState>& states,
                                              const std::vector<TurnsInState>& judged) {
    const auto pairs = [](const TurnsInState& state) { return state.turns.size(); };
    const auto most = std::ranges::max_element(states, {}, pairs);
    const TurnsInState* other = nullptr;
    for (const TurnsInState& state : states)
        if (&state != &*most && (!other || pairs(state) > pairs(*other)) &&
            std::ranges::none_of(
                judged, [&](const TurnsInState& each) { return each.state.probe_s == state.state.probe_s; }))
            other = &state;
    if (!other ||
        (judged.empty() && pairs(*other) >= launches_needed && enough_in_state(pairs(*other), pairs(*most))))
        return std::nullopt;
    return TurnsStateMet{{other->state.probe_s > most->state.probe_s, other->state.probe_s},
                         pairs(*other),
                         most->state.probe_s};
}

/// TurnsStatement::span
std::optional<RatioSpan> span_of(const TurnsSuite& suite, const TurnsStatement& statement) {
    constexpr double far = 1.1;
    const double least_far = std::max(std::log(far), 2 * std::fabs(std::log(statement.ratio)));
    RatioSpan span{std::numeric_limits<double>::infinity(), 0};
    bool each_apart = true;
    bool any_far = false;
    for (const TurnsRange& point : suite.points) {
        if (!suite.is_about(statement, point.from) || point.statement.unjudged == Unjudged::few_launches)
            continue;
        const double ratio = point.statement.different() ? point.statement.ratio : 1;
        const bool is_apart = std::ranges::any_of(suite.ranges, [&](const TurnsRange& range) {
            return range.from <= point.from && point.from <= range.to;
        });
        span = {std::min(span.low, ratio), std::max(span.high, ratio)};
        each_apart = each_apart && is_apart;
        any_far = any_far || (is_apart && std::fabs(std::log(ratio)) > least_far);
    }
    const bool of_classes = !statement.size && suite.statements.size() > 1;
    const bool apart = of_classes ? classes_are_apart(suite) : each_apart || any_far;
    return apart && span.low < span.high ? std::optional(span) : std::nullopt;
}

/// @pre the suite's points and ranges are found
void tell_spans(TurnsSuite& suite) {
    for (TurnsStatement& statement : suite.statements) {
        if (!statement.contradicted)
            statement.span = span_of(suite, statement);
    }
}

/// Judges the suites of a variant, all arguments and classes of lengths.
/// @param points of each suite that is compared, appended in their order
void judge_suites(TurnsVariant& variant, const std::vector<Turn>& turns, TurnsRule rule,
                  std::vector<SuitePoints>& points) {
    std::vector<TurnsSuite> judged;
    rule.made = turns.size();
    const auto judge = [&](TurnsSuite suite, CountedTurns counted, TurnsRule own) {
        const TurnsCurves curves = curves_of(suite);
        // Simulated rounds say the same, but the first of a scale that refines has other arguments.
        if (both_simulated(*suite.reference, *suite.variant) && counted.turns.size() > 1)
            counted.turns = {counted.turns.back()};
        own.states = counted.states.count();
        judge_suite(suite, counted.turns, own);
        points.push_back({points_of(curves, counted.turns), own.made, own.states});
        suite.core_speed_taken_out = counted.states.core_speed;
        suite.core_speeds_apart = counted.core_speeds_apart;
        suite.missing = missing_values(curves, counted.turns);
        judged.push_back(std::move(suite));
    };
    for (TurnsSuite& suite : variant.suites) {
        if (!suite.compared) {
            judged.push_back(std::move(suite));
            continue;
        }
        const CountedTurns counted = counted_turns(curves_of(suite), turns, rule.error);
        suite.states_apart = counted.states_apart;
        suite.variant_in_slower = counted.variant_in_slower;
        const std::vector<TurnsInState> states = states_of(curves_of(suite), turns);
        const std::vector<TurnsInState> by_state =
            turns_by_state(curves_of(suite), states, sizes_of(*suite.reference));
        suite.hardly_met = state_hardly_met(states, by_state);
        if (by_state.empty()) {
            suite.states_taken_out = counted.states.probe;
            judge(std::move(suite), counted, rule);
            continue;
        }
        TurnsRule of_state = rule;
        of_state.error = rule.error / static_cast<double>(by_state.size());
        for (const TurnsInState& state : by_state) {
            TurnsSuite own = suite;
            own.state = state.state;
            judge(std::move(own), counted_turns(curves_of(suite), state.turns, of_state.error), of_state);
        }
    }
    variant.suites = std::move(judged);
}

/// Variants that were slower everywhere at a look before a round, and left the race.
std::set<std::size_t> left_before(const SessionLaunches& launches, int round) {
    std::set<std::size_t> left;
    if (!launches.session.race)
        return left;
    for (const TurnsLook& look : looks_of(launches.session)) {
        if (look.rounds >= round)
            break;
        const Turns turns = judge_turns(launches, look);
        for (const TurnsVariant& variant : turns.variants)
            if (variant.slower_everywhere())
                left.insert(variant.place);
    }
    return left;
}

} // namespace

bool TurnsStatement::outliers_on_one_side() const {
    constexpr std::size_t many = 10;
    constexpr double chance = 1.0 / 16; // five of five, eight of nine on one side
    const std::size_t fewer = std::min(outliers_slower, outliers - outliers_slower);
    return outliers > 0 && many * outliers >= rounds + outliers &&
           skalib::sign_test(fewer, outliers) <= chance;
}

const TurnsStatement* TurnsSuite::of_size(MessageSize size) const {
    const auto found = std::ranges::find(statements, std::optional(size), &TurnsStatement::size);
    return found == statements.end() ? nullptr : &*found;
}

const TurnsStatement& TurnsSuite::statement_around(std::int64_t argument) const {
    const bool over_length = reference->suite().varied == Varied::message_length;
    const TurnsStatement* const around = over_length ? of_size(size_of_message(argument)) : nullptr;
    return around ? *around : statements.front();
}

bool TurnsSuite::is_about(const TurnsStatement& statement, std::int64_t argument) const {
    return !statement.size || &statement_around(argument) == &statement;
}

std::size_t TurnsSuite::rounds() const {
    std::size_t most = 0;
    for (const TurnsStatement& statement : statements)
        most = std::max(most, statement.rounds);
    for (const TurnsRange& range : ranges)
        most = std::max(most, range.statement.rounds);
    return most;
}

namespace {

template <typename Property>
std::size_t count_statements(const TurnsVariant& variant, Property property) {
    std::size_t count = 0;
    for (const TurnsSuite& suite : variant.suites)
        count += static_cast<std::size_t>(std::ranges::count_if(suite.statements, property));
    return count;
}

template <typename Property>
std::size_t count_statements(const Turns& turns, Property property) {
    std::size_t count = 0;
    for (const TurnsVariant& variant : turns.variants)
        count += count_statements(variant, property);
    return count;
}

} // namespace

std::size_t TurnsVariant::open() const {
    return count_statements(*this, &TurnsStatement::open);
}

bool TurnsVariant::depends_on_state() const {
    return std::ranges::any_of(suites, [](const TurnsSuite& suite) { return suite.state.has_value(); });
}

bool Turns::depends_on_state() const {
    return std::ranges::any_of(variants, &TurnsVariant::depends_on_state);
}

bool Turns::has_ranges() const {
    return std::ranges::any_of(variants, [](const TurnsVariant& variant) {
        return std::ranges::any_of(variant.suites,
                                   [](const TurnsSuite& suite) { return !suite.ranges.empty(); });
    });
}

bool TurnsVariant::found_any() const {
    return std::ranges::any_of(suites, [](const TurnsSuite& suite) {
        return !suite.ranges.empty() || std::ranges::any_of(suite.statements, &TurnsStatement::different);
    });
}

bool Turns::found_any() const {
    return std::ranges::any_of(variants, &TurnsVariant::found_any);
}

bool Turns::open_in_tables() const {
    return count_statements(*this, &TurnsStatement::open_in_tables) > 0;
}

bool TurnsVariant::slower_everywhere() const {
    const auto slower = [](const TurnsSuite& suite) {
        return !suite.compared || suite.statements.front().slower();
    };
    return std::ranges::any_of(suites, &TurnsSuite::compared) && std::ranges::all_of(suites, slower);
}

std::size_t Turns::open() const {
    return count_statements(*this, &TurnsStatement::open);
}

std::size_t Turns::contradicted() const {
    return count_statements(*this, &TurnsStatement::contradicted);
}

std::size_t Turns::different() const {
    return count_statements(*this, &TurnsStatement::different);
}

std::optional<std::size_t> Turns::rounds_to_decide() const {
    std::optional<std::size_t> most;
    for (const TurnsVariant& variant : variants)
        for (const TurnsSuite& suite : variant.suites)
            for (const TurnsStatement& each : suite.statements) {
                if (!each.open_in_tables() || each.contradicted)
                    continue;
                if (!each.rounds_to_decide)
                    return std::nullopt;
                most = std::max(most.value_or(0), *each.rounds_to_decide);
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
    // A variant takes part that has not failed for good, nor left the race.
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

std::vector<TurnsLook> looks_of(const Session& session) {
    if (!session.decides)
        return {{1, 1, session.most_rounds, 1}};
    const std::vector<int> rounds = rounds_of_looks(session);
    const double all = std::accumulate(rounds.begin(), rounds.end(), 0.0);
    std::vector<TurnsLook> looks;
    for (const int each : rounds)
        looks.push_back(
            {static_cast<int>(looks.size()) + 1, static_cast<int>(rounds.size()), each, each / all});
    return looks;
}

TurnsLook look_due(const SessionLaunches& launches) {
    const Session& session = launches.session;
    const int rounds = complete_rounds(launches);
    if (!session.decides)
        return {rounds > 0 ? 1 : 0, 1, rounds, 1};
    const std::vector<TurnsLook> looks = looks_of(session);
    TurnsLook due{0, static_cast<int>(looks.size()), 0, 1};
    double spent = 0;
    double spent_before = 0;
    for (const TurnsLook& look : looks)
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

Turns judge_turns(const SessionLaunches& launches, const TurnsLook& look) {
    Turns turns;
    turns.of = &launches;
    turns.look = look;
    std::size_t compared = 0;
    for (std::size_t place = 1; place < launches.variants.size(); ++place) {
        turns.variants.push_back(variant_with_suites(launches, place, look.rounds));
        compared += static_cast<std::size_t>(
            std::ranges::count_if(turns.variants.back().suites, &TurnsSuite::compared));
    }
    turns.simulated = compared > 0;
    TurnsRule rule;
    rule.error =
        launches.session.error * look.share / static_cast<double>(std::max<std::size_t>(1, compared));
    rule.margin = launches.session.margin;
    rule.rounds = look.rounds;
    std::vector<SuitePoints> all_points;
    for (TurnsVariant& variant : turns.variants)
        judge_suites(variant, turns_of(launches, variant.place, look.rounds), rule, all_points);
    std::size_t points = 0;
    for (const SuitePoints& each : all_points)
        points += each.points.size();
    rule.error = launches.session.error * look.share / static_cast<double>(std::max<std::size_t>(1, points));
    auto of_suite = all_points.begin();
    for (TurnsVariant& variant : turns.variants)
        for (TurnsSuite& suite : variant.suites) {
            if (!suite.compared)
                continue;
            rule.made = of_suite->made;
            rule.states = of_suite->states;
            rule.simulated = both_simulated(*suite.reference, *suite.variant);
            turns.simulated = turns.simulated && rule.simulated;
            find_ranges(suite, of_suite->points, rule);
            tell_spans(suite);
            if (std::ranges::any_of(suite.statements, [](const auto& each) { return each.span.has_value(); }))
                find_ranges(suite, of_suite->points, rule); // what these said is told of each length now
            ++of_suite;
        }
    return turns;
}

} // namespace skampi
