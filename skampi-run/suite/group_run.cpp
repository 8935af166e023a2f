// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/group_run.hpp"

#include "base/hash.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <random>
#include <set>
#include <utility>

namespace skampi {
namespace {

/// A member within so much of the lowest may be the fastest a little further on, or in another launch.
constexpr double near_lowest = 1.1;
constexpr double errors_for_near = 2; ///< standard errors, that may be its value's alone
/// A member beyond so much of the lowest at two lengths is not the fastest between them.
constexpr double hopeless = 2;
/// A member within so much of the lowest at one of two neighbouring lengths may be the fastest between them:
/// an algorithm that cuts messages into segments has steps there, or its rule of choice has one.
constexpr double near_between = 1.5;
/// Lengths beyond this ratio say nothing about those in between. A little more than four, since arguments are
/// rounded.
constexpr double longest_gap = 4.5;

bool is_default(const SuiteRun& member) {
    return member.suite().algorithm.empty();
}

/// In the middle of the logarithms; none where no argument lies there.
std::optional<std::int64_t> middle_of(const skalib::RefinementLimits& limits, std::int64_t below,
                                      std::int64_t above) {
    const std::int64_t unit = std::max<std::int64_t>(1, limits.multiple_of);
    const double middle = std::sqrt(static_cast<double>(below) * static_cast<double>(above));
    const std::int64_t argument = std::llround(middle / static_cast<double>(unit)) * unit;
    return below < argument && argument < above ? std::optional(argument) : std::nullopt;
}

/// Whether it could be measured on both sides, within a factor of four: what holds for both holds between
/// them.
bool lies_between_near(const Points& points, std::int64_t argument) {
    const auto above = points.upper_bound(argument);
    if (above == points.end() || above == points.begin())
        return false;
    const auto below = std::prev(above);
    return !below->second.impossible && !above->second.impossible &&
           static_cast<double>(above->first) <= longest_gap * static_cast<double>(below->first);
}

bool has_usable_time(const Point& point) {
    return std::isfinite(point.measurement.value_s) && point.measurement.value_s > 0;
}

/// It will never be chosen: a member that is slower than only this one may be the fastest.
bool delivers_wrong_data(const SuiteRun& member) {
    return std::ranges::any_of(member.points(), [](const auto& point) {
        return has(point.second.measurement.flags, Flag::wrong_result);
    });
}

} // namespace

bool differ_in_algorithm(const Suite& a, const Suite& b) {
    const auto without_names = [](Suite suite) {
        suite.name.clear();
        suite.algorithm.clear();
        std::string text;
        for_each_field(suite, [&](const Field&, const auto& value) { text += field_text(value) + '\n'; });
        return text;
    };
    return a.algorithm != b.algorithm && a.family == b.family && without_names(a) == without_names(b);
}

GroupRun::GroupRun(const std::vector<SuiteOfRun>& members, Laboratory& laboratory, const Tempo& tempo,
                   Database& database, RunState& run, std::uint64_t seed)
    : laboratory_(laboratory)
    , database_(database)
    , seed_(seed)
    , simulated_(tempo.is_simulated())
    , shares_(members.size(), 0.0) {
    for (SuiteOfRun member : members) {
        member.in_turns = true;
        members_.push_back(std::make_unique<SuiteRun>(member, laboratory, tempo, database, run));
    }
}

GroupRun::~GroupRun() = default;

void GroupRun::listen(std::size_t member) {
    members_[member]->begin({.on_point =
                                 [this, member](const Measurement& m) {
                                     if (listener_.on_point)
                                         listener_.on_point(member, m);
                                 },
                             .on_visit =
                                 [this, member](std::int64_t argument, double share) {
                                     shares_[member] = share;
                                     if (listener_.on_visit)
                                         listener_.on_visit(
                                             argument, std::accumulate(shares_.begin(), shares_.end(), 0.0) /
                                                           static_cast<double>(shares_.size()));
                                 },
                             .on_ready =
                                 [this, member] {
                                     if (listener_.on_ready)
                                         listener_.on_ready(member);
                                 }});
}

std::vector<SuiteOutcome> GroupRun::measure(GroupListener listener) {
    listener_ = std::move(listener);
    for (std::size_t i = 0; i < members_.size(); ++i)
        listen(i);
    for (const auto part : {&GroupRun::first_pass, &GroupRun::refine, &GroupRun::later_passes})
        if (!stopped())
            (this->*part)();
    const bool all_stopped = stopped();
    std::vector<SuiteOutcome> outcomes;
    for (const auto& member : members_) {
        if (all_stopped)
            member->stop();
        outcomes.push_back(member->end());
    }
    return outcomes;
}

bool GroupRun::stopped() const {
    return stop_between_turns_ ||
           std::ranges::any_of(members_, [](const auto& member) { return member->was_stopped(); });
}

void GroupRun::begin_turn(std::size_t member) {
    if (in_turn_ == member)
        return;
    database_.hand_over(in_turn_ ? std::optional(members_[*in_turn_]->id()) : std::nullopt,
                        members_[member]->id());
    in_turn_ = member;
}

bool GroupRun::stay(std::int64_t argument, int pass, const Wanted& wanted, const Turn& turn) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < members_.size(); ++i)
        if (!members_[i]->ended_early() && wanted(i))
            order.push_back(i);
    Fnv1a drawn;
    drawn.add(fmt::format("{} {} {} {}", seed_, members_.front()->suite().family, argument, pass));
    std::mt19937_64 random(drawn.value());
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t member : order) {
        stop_between_turns_ = stop_between_turns_ || laboratory_.stop_wanted();
        if (stopped()) // no one has the turn, and all will be continued
            break;
        begin_turn(member);
        turn(member);
    }
    return !order.empty();
}

void GroupRun::first_pass() {
    while (!stopped()) {
        std::optional<std::int64_t> argument;
        for (const auto& member : members_)
            if (!argument && !member->ended_early())
                if (const auto next = member->next_of_first_pass())
                    argument = next->argument;
        if (!argument)
            return;
        for (const auto& member : members_)
            if (!member->ended_early() && member->is_open_in_first_pass(*argument) &&
                lies_between_near(member->points(), *argument) &&
                (!is_near(*member, *argument, hopeless) || has_twin(*member, *argument)))
                member->leave_in_first_pass(*argument);
        stay(
            *argument, 0,
            [&](std::size_t i) {
                return members_[i]->is_open_in_first_pass(*argument) &&
                       members_[i]->next_of_first_pass().has_value();
            },
            [&](std::size_t i) { members_[i]->visit_first(*argument, *members_[i]->next_of_first_pass()); });
    }
}

void GroupRun::refine() {
    for (const auto& member : members_)
        if (!member->ended_early() && !member->may_be_refined())
            return;
    look_between();
    refine_lowest();
    refine_members();
}

void GroupRun::look_between() {
    const skalib::RefinementLimits& limits = members_.front()->suite().arguments;
    if (limits.scale != skalib::Scale::dynamic_log || !simulated_)
        return;
    const std::vector<std::int64_t> arguments = skalib::Refinement(limits).first_pass();
    for (std::size_t i = 1; i < arguments.size() && !stopped(); ++i)
        if (arguments[i] >= 2 * arguments[i - 1])
            if (const auto middle = middle_of(limits, arguments[i - 1], arguments[i]))
                stay_of_refinement(*middle, near_between);
}

bool GroupRun::stay_of_refinement(std::int64_t argument, double factor) {
    return stay(
        argument, 0,
        [&](std::size_t i) {
            const SuiteRun& member = *members_[i];
            return !member.points().contains(argument) && is_near(member, argument, factor) &&
                   !has_twin(member, argument) && member.left_for_refinement_s() > 0;
        },
        [&](std::size_t i) { members_[i]->visit_refined(argument); });
}

/// Between winners the lowest curve has a bend, not a jump: it is worst where one of them has one.
void GroupRun::refine_lowest() {
    skalib::Refinement lowest(members_.front()->suite().arguments);
    const auto learn = [&](std::int64_t argument) {
        if (const auto there = lowest_at(argument))
            lowest.add(argument, there->value_s, there->error_s);
        else
            lowest.exclude(argument);
    };
    std::set<std::int64_t> measured(lowest.first_pass().begin(), lowest.first_pass().end());
    for (const auto& member : members_)
        for (const auto& [argument, there] : member->points())
            if (there.visits > 0)
                measured.insert(argument);
    std::ranges::for_each(measured, learn);
    while (const auto next = lowest.next()) {
        if (!stay_of_refinement(*next, near_lowest) || stopped())
            return;
        learn(*next);
    }
}

void GroupRun::refine_members() {
    for (const auto& member : members_)
        while (!member->ended_early()) {
            const auto next = member->next_of_refinement();
            if (!next || stopped())
                break;
            if (!is_near(*member, *next, near_lowest) || has_twin(*member, *next))
                member->leave_unrefined(*next);
            else if (!stay_of_refinement(*next, near_lowest))
                break;
        }
}

void GroupRun::later_passes() {
    const int planned = members_.front()->suite().passes;
    for (int pass = 1; !stopped(); ++pass) {
        const bool wanted = std::ranges::any_of(members_, [&](const auto& member) {
            return !member->ended_early() && !member->open_in_pass(pass).empty();
        });
        if (pass >= planned && !wanted)
            return;
        pass_over(pass);
    }
}

void GroupRun::pass_over(int pass) {
    // What the default takes in the same stay is what others are compared with. In a simulation all stays are
    // alike.
    const bool accompanies = pass >= members_.front()->suite().passes && !simulated_;
    std::set<std::int64_t> all;
    std::vector<std::set<std::int64_t>> open; // of each member
    std::vector<double> kept_s;               // by each for later passes
    for (const auto& member : members_) {
        const auto theirs = member->open_in_pass(pass);
        kept_s.push_back(member->kept_by_pass_s(pass));
        open.emplace_back(theirs.begin(), theirs.end());
        if (!member->ended_early())
            all.insert(theirs.begin(), theirs.end());
    }
    std::vector<std::int64_t> order(all.begin(), all.end());
    if (pass % 2 == 1)
        std::ranges::reverse(order);
    for (const std::int64_t argument : order) {
        bool others = false;
        for (const bool usual : {false, true}) // the default last: it goes where others do
            for (std::size_t i = 0; i < members_.size(); ++i) {
                SuiteRun& member = *members_[i];
                if (is_default(member) != usual || member.ended_early())
                    continue;
                const auto there = member.points().find(argument);
                if (usual && others && accompanies && there != member.points().end() &&
                    !there->second.impossible) {
                    open[i].insert(argument);
                } else if (open[i].contains(argument) && !(usual && pass == 1) &&
                           !is_near(member, argument, near_lowest)) {
                    member.keep_early_passes(argument);
                    open[i].erase(argument);
                }
                others = others || open[i].contains(argument);
            }
        stay(
            argument, pass, [&](std::size_t i) { return open[i].contains(argument); },
            [&](std::size_t i) {
                members_[i]->visit_later(argument, pass, kept_s[i], open[i].size());
                open[i].erase(argument);
            });
        if (stopped())
            return;
    }
}

std::optional<GroupRun::Lowest> GroupRun::lowest_at(std::int64_t argument) const {
    std::optional<Lowest> lowest;
    for (const auto& member : members_) {
        const auto there = member->points().find(argument);
        if (there == member->points().end() || !has_usable_time(there->second) ||
            delivers_wrong_data(*member))
            continue;
        const Measurement& m = there->second.measurement;
        if (!lowest || m.value_s < lowest->value_s)
            lowest = {m.value_s, m.standard_error_s};
    }
    return lowest;
}

bool GroupRun::is_near_at(const SuiteRun& member, const Points::value_type& there, double factor) const {
    const auto& [argument, point] = there;
    if (point.impossible)
        return false;
    const auto lowest = lowest_at(argument);
    if (!has_usable_time(point) || !lowest)
        return true;
    // Whom other work disturbed may be as fast as any, and its lowest quarter shows it before its mean does.
    const Measurement& m = point.measurement;
    const bool doubtful = m.summary.count < member.suite().repetition.min_count ||
                          (m.flags & (Flag::disturbed | Flag::unreliable)) != 0;
    const double lowest_of_it_s =
        std::min(m.value_s - errors_for_near * m.standard_error_s, m.summary.quartile25 - m.overhead_s);
    return doubtful || lowest_of_it_s <= factor * lowest->value_s;
}

bool GroupRun::is_near(const SuiteRun& member, std::int64_t argument, double factor) const {
    const Points& points = member.points();
    const auto above = points.lower_bound(argument);
    if (above != points.end() && above->first == argument)
        return is_near_at(member, *above, factor);
    return is_default(member) || (above != points.end() && is_near_at(member, *above, factor)) ||
           (above != points.begin() && is_near_at(member, *std::prev(above), factor));
}

bool GroupRun::has_twin(const SuiteRun& member, std::int64_t argument) const {
    const auto above = member.points().lower_bound(argument);
    if (is_default(member) || !simulated_ || above == member.points().begin() ||
        above == member.points().end())
        return false;
    const auto is_alike = [](const SuiteRun& other, const Points::value_type& there) {
        const auto same = other.points().find(there.first);
        return has_usable_time(there.second) && same != other.points().end() &&
               same->second.measurement.value_s == there.second.measurement.value_s;
    };
    for (const auto& other : members_) {
        if (other.get() == &member)
            return false;
        if (!is_default(*other) && !other->ended_early() && is_alike(*other, *above) &&
            is_alike(*other, *std::prev(above)))
            return true;
    }
    return false;
}

} // namespace skampi
