// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/algorithm_winners.hpp"

#include "contest/contest_table.hpp"
#include "contest/estimate.hpp"
#include "contest/jury.hpp"
#include "contest/weighted_median.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace skampi {

namespace {

/// Neighbouring lengths that are so close need no length between them.
constexpr double close_border = 1.05;
/// Between lengths within this distance, a launch's time is on the line.
constexpr double near_lengths = 2.1;
/// An algorithm within so much of the fastest at a length may be the fastest a little further on.
constexpr double near_best = 1.1;
/// An algorithm this much slower than the default somewhere is not chosen for all lengths.
constexpr double slower_for_all = 0.01;

/// In logarithms of both between the neighbours; none outside the range, or where their ratio exceeds a
/// factor.
std::optional<double> log_time_at(const LaunchValues& values, std::int64_t bytes, double factor) {
    const auto above = values.lower_bound(bytes);
    if (above == values.end())
        return std::nullopt;
    const auto usable = [](double value) { return std::isfinite(value) && value > 0; };
    if (above->first == bytes)
        return usable(above->second) ? std::optional(std::log(above->second)) : std::nullopt;
    if (above == values.begin())
        return std::nullopt;
    const auto below = std::prev(above);
    if (!usable(above->second) || !usable(below->second) ||
        static_cast<double>(above->first) > factor * static_cast<double>(below->first))
        return std::nullopt;
    const auto place = [](std::int64_t length) {
        return std::log(std::max(0.5, static_cast<double>(length)));
    };
    const double share = (place(bytes) - place(below->first)) / (place(above->first) - place(below->first));
    return std::log(below->second) + share * (std::log(above->second) - std::log(below->second));
}

/// A member's values at a length, by launch.
std::vector<std::optional<double>> ratios_by_launch(const AlgorithmGroup& group, std::size_t member,
                                                    std::int64_t bytes) {
    std::vector<std::optional<double>> ratios(group.members.front().launches.size());
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        const auto own = log_time_at(group.members[member].launches[i], bytes, near_lengths);
        const auto usual = log_time_at(group.members.front().launches[i], bytes, near_lengths);
        if (own && usual)
            ratios[i] = *own - *usual;
    }
    return ratios;
}

/// Without an error for one launch, and for simulated ones, which do not scatter.
std::optional<Estimate> mean_over_launches(const std::vector<double>& values, bool simulated) {
    if (values.empty())
        return std::nullopt;
    LaunchScores scores;
    for (const double each : values)
        scores.push_back({each, {}});
    if (const auto found = simulated ? std::nullopt : estimate_pairs(scores, {}))
        return found;
    Estimate mean;
    mean.centre = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    mean.reference = mean.subject = values.size();
    return mean;
}

std::vector<double> those_known(const std::vector<std::optional<double>>& values) {
    std::vector<double> known;
    for (const std::optional<double>& each : values)
        if (each)
            known.push_back(*each);
    return known;
}

bool was_measured(const AlgorithmGroup& group, std::size_t member, std::int64_t bytes) {
    return std::ranges::any_of(group.members[member].launches,
                               [&](const LaunchValues& values) { return values.contains(bytes); });
}

/// A member that no launch measured at a length is on the line between its neighbours, but is never the
/// fastest there: a line runs below a step.
void hold_back_unmeasured(const AlgorithmGroup& group, WinnerPoint& point) {
    double best = 0;
    for (std::size_t m = 1; m < point.members.size(); ++m)
        if (point.members[m] && was_measured(group, m, point.bytes))
            best = std::min(best, point.members[m]->log_ratio);
    for (std::size_t m = 1; m < point.members.size(); ++m)
        if (point.members[m] && !was_measured(group, m, point.bytes))
            point.members[m]->log_ratio = std::max(point.members[m]->log_ratio, best);
}

/// Lengths that half of the launches, or more, have of the member and of the default.
std::vector<WinnerPoint> points_of(const AlgorithmGroup& group) {
    std::set<std::int64_t> lengths;
    for (const AlgorithmTimes& member : group.members)
        for (const LaunchValues& values : member.launches)
            for (const auto& [bytes, value] : values)
                lengths.insert(bytes);
    std::vector<WinnerPoint> points;
    for (const std::int64_t bytes : lengths) {
        WinnerPoint point;
        point.bytes = bytes;
        point.members.resize(group.members.size());
        std::size_t measured = 0;
        for (std::size_t m = 0; m < group.members.size(); ++m) {
            const std::vector<double> ratios = those_known(ratios_by_launch(group, m, bytes));
            const auto over = 2 * ratios.size() < group.launches
                                  ? std::nullopt
                                  : mean_over_launches(ratios, group.simulated);
            if (over)
                point.members[m] = AgainstDefault{over->centre, over->error};
            measured += over && m > 0 ? 1 : 0;
        }
        point.members.front() = AgainstDefault{};
        hold_back_unmeasured(group, point);
        if (measured > 0)
            points.push_back(std::move(point));
    }
    return points;
}

/// The loss of taking a member at a point, in logarithms. The default may be taken everywhere, and loses
/// nothing where less than half of the smallest gain is possible; another member without a gain costs a
/// little, so that a region ends with its gain.
double loss_of(const WinnerPoint& point, std::size_t member, double least) {
    if (!point.members[member])
        return 1; // nothing is known about it there: far
    const double best = point.members[point.best]->log_ratio;
    if (member == 0)
        return std::max(0.0, -best - least / 2);
    const AgainstDefault& own = *point.members[member];
    constexpr double price_without_gain = 0.005;
    // Within its error an algorithm is as good as the best one.
    return std::max(0.0, own.log_ratio - best - 2 * own.standard_error) +
           price_without_gain * std::clamp(1 + own.log_ratio / least, 0.0, 1.0);
}

/// The cost of a border, as loss times octaves: neither 0.1 % over an octave nor noise justifies one.
double cost_of_switch(const std::vector<WinnerPoint>& points) {
    std::vector<double> errors;
    for (const WinnerPoint& point : points)
        for (const std::optional<AgainstDefault>& ratio : point.members)
            if (ratio)
                errors.push_back(ratio->standard_error);
    return 0.001 + skalib::median_in_place(errors) / 2;
}

std::vector<double> octaves_of(const std::vector<WinnerPoint>& points) {
    const auto place = [&](std::size_t i) {
        return std::log2(std::max(0.5, static_cast<double>(points[i].bytes)));
    };
    std::vector<double> octaves(points.size(), 0);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const double half = (place(i + 1) - place(i)) / 2;
        octaves[i] += half;
        octaves[i + 1] += half;
    }
    if (points.size() == 1)
        octaves.front() = 1;
    return octaves;
}

/// The choices of the least loss over all points (Viterbi).
void choose_members(std::vector<WinnerPoint>& points, std::size_t members, double least) {
    const std::vector<double> octaves = octaves_of(points);
    std::vector<std::vector<std::size_t>> from(points.size(), std::vector<std::size_t>(members, 0));
    const double switch_cost = cost_of_switch(points);
    std::vector<double> cost(members, 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto cheapest = static_cast<std::size_t>(std::ranges::min_element(cost) - cost.begin());
        std::vector<double> next(members);
        for (std::size_t m = 0; m < members; ++m) {
            const bool stays = i == 0 || cost[m] <= cost[cheapest] + switch_cost;
            from[i][m] = stays ? m : cheapest;
            next[m] = (stays ? cost[m] : cost[cheapest] + switch_cost) +
                      octaves[i] * loss_of(points[i], m, least) +
                      (m == 0 ? 0 : 1e-12); // if two are alike, the default
        }
        cost = std::move(next);
    }
    auto member = static_cast<std::size_t>(std::ranges::min_element(cost) - cost.begin());
    for (std::size_t i = points.size(); i-- > 0;) {
        points[i].chosen = member;
        member = from[i][member];
    }
}

/// Judges the ranges of a group.
class Judging {
public:
    Judging(AlgorithmWinners& found, const WinnerRule& rule)
        : found_(found)
        , group_(*found.of)
        , least_(std::log1p(rule.gain))
        , gain_(rule.gain) {
        std::size_t statements = 0;
        for (const WinnerPoint& point : found.points)
            for (std::size_t m = 1; m < point.members.size(); ++m)
                statements += point.members[m] ? 1 : 0;
        error_ = rule.error / static_cast<double>(std::max<std::size_t>(1, statements));
    }

    void find_regions() {
        std::vector<WinnerPoint>& points = found_.points;
        choose_members(points, group_.members.size(), least_);
        cut();
        bool joined = false;
        for (const WinnerRegion& region : found_.regions)
            if (region.why_not == WhyNot::short_region) {
                joined = true;
                for (std::size_t i = region.first; i <= region.last; ++i)
                    points[i].chosen = neighbour_for(region);
            }
        if (joined)
            cut();
        set_borders();
        for (WinnerRegion& region : found_.regions)
            if (region.why_not == WhyNot::none)
                region.as_fast = as_fast_in(region);
    }

    /// @return a region of all points
    [[nodiscard]] WinnerRegion for_all() const {
        WinnerRegion best = whole();
        best.why_not = WhyNot::default_is_best;
        double highest = 0;
        for (std::size_t m = 1; m < group_.members.size(); ++m) {
            const bool nowhere_slower = std::ranges::all_of(found_.points, [&](const WinnerPoint& point) {
                return point.members[m] && point.members[m]->log_ratio - point.members[m]->standard_error <=
                                               std::log1p(slower_for_all);
            });
            WinnerRegion each = whole();
            each.member = each.candidate = m;
            state_gain(each, false);
            if (!nowhere_slower || !(each.gain() > highest))
                continue;
            highest = each.gain();
            best = each;
        }
        if (best.why_not != WhyNot::none)
            best.member = 0;
        return best;
    }

private:
    [[nodiscard]] WinnerRegion whole() const {
        WinnerRegion region;
        region.last = found_.points.size() - 1;
        region.bytes_low = found_.points.front().bytes;
        region.bytes_high = found_.points.back().bytes;
        return region;
    }

    /// Regions of equal choices, judged.
    void cut() {
        found_.regions.clear();
        const std::vector<WinnerPoint>& points = found_.points;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (i == 0 || points[i].chosen != points[i - 1].chosen)
                begin_region(i);
            else
                found_.regions.back().last = i;
        for (WinnerRegion& region : found_.regions) {
            region.bytes_low = points[region.first].bytes;
            region.bytes_high = points[region.last].bytes;
            region.candidate = region.member != 0 ? region.member : best_within(region);
            state_gain(region, true);
            if (region.member == 0 && region.why_not != WhyNot::few_launches)
                region.why_not = WhyNot::default_is_best;
            else if (region.why_not == WhyNot::none && is_short(region) && region.gain() <= 4 * gain_)
                region.why_not = WhyNot::short_region;
        }
    }

    void begin_region(std::size_t point) {
        WinnerRegion region;
        region.first = region.last = point;
        region.member = found_.points[point].chosen;
        found_.regions.push_back(region);
    }

    [[nodiscard]] bool is_short(const WinnerRegion& region) const {
        if (group_.simulated || found_.points.size() == 1)
            return false;
        const double low = std::max(0.5, static_cast<double>(region.bytes_low));
        return static_cast<double>(region.bytes_high) < 2 * low;
    }

    /// The neighbour whose algorithm loses least in a region; else the default.
    [[nodiscard]] std::size_t neighbour_for(const WinnerRegion& region) const {
        std::size_t best = 0;
        double least = 0; // the mean log ratio of the default
        for (const std::size_t place : {region.first - 1, region.last + 1}) {
            if (place >= found_.points.size())
                continue;
            const std::size_t member = found_.points[place].chosen;
            double sum = 0;
            bool known = true;
            for (std::size_t i = region.first; i <= region.last; ++i) {
                const std::optional<AgainstDefault>& ratio = found_.points[i].members[member];
                known = known && ratio;
                sum += ratio ? ratio->log_ratio : 0;
            }
            if (known && sum < least) {
                least = sum;
                best = member;
            }
        }
        return best;
    }

    [[nodiscard]] std::size_t best_within(const WinnerRegion& region) const {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = region.first; i <= region.last; ++i)
            for (std::size_t m = 1; m < group_.members.size(); ++m)
                if (const auto& ratio = found_.points[i].members[m]; ratio && ratio->log_ratio < least) {
                    least = ratio->log_ratio;
                    best = m;
                }
        return best;
    }

    /// Each launch's ratio over the lengths of a region: the median, or the mean where each length counts.
    [[nodiscard]] std::vector<double> launch_ratios(const WinnerRegion& region, bool median) const {
        std::vector<std::int64_t> lengths;
        for (std::size_t i = region.first; i <= region.last; ++i)
            lengths.push_back(found_.points[i].bytes);
        const std::vector<double> all_weights = argument_weights(lengths);
        std::vector<std::vector<double>> ratios(group_.members.front().launches.size());
        std::vector<std::vector<double>> weights(ratios.size());
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            const auto of_launches = ratios_by_launch(group_, region.candidate, lengths[i]);
            for (std::size_t launch = 0; launch < of_launches.size(); ++launch)
                if (of_launches[launch]) {
                    ratios[launch].push_back(*of_launches[launch]);
                    weights[launch].push_back(all_weights[i]);
                }
        }
        std::vector<double> values;
        for (std::size_t launch = 0; launch < ratios.size(); ++launch) {
            if (ratios[launch].empty() || 2 * ratios[launch].size() < lengths.size())
                continue;
            if (median) {
                values.push_back(weighted_median(ratios[launch], weights[launch]));
                continue;
            }
            double sum = 0;
            double total = 0;
            for (std::size_t i = 0; i < ratios[launch].size(); ++i) {
                sum += weights[launch][i] * ratios[launch][i];
                total += weights[launch][i];
            }
            values.push_back(sum / total);
        }
        return values;
    }

    [[nodiscard]] std::vector<std::size_t> as_fast_in(const WinnerRegion& region) const {
        constexpr double alike_without_noise = 0.002;
        std::vector<std::size_t> members;
        for (std::size_t m = 1; m < group_.members.size(); ++m) {
            bool alike = m != region.candidate;
            for (std::size_t i = region.first; alike && i <= region.last; ++i) {
                const WinnerPoint& point = found_.points[i];
                const auto& own = point.members[m];
                const auto& best = point.members[region.candidate];
                alike = own && best && was_measured(group_, m, point.bytes) &&
                        std::fabs(own->log_ratio - best->log_ratio) <=
                            std::min(least_ / 2,
                                     alike_without_noise + 2 * (own->standard_error + best->standard_error));
            }
            if (alike)
                members.push_back(m);
        }
        return members;
    }

    /// States the candidate against the default, and why it gives no rule.
    void state_gain(WinnerRegion& region, bool median) const {
        const std::vector<double> values =
            region.candidate == 0 ? std::vector<double>{} : launch_ratios(region, median);
        const std::optional<Estimate> over = mean_over_launches(values, group_.simulated);
        region.statement.place = {Place::Kind::range, region.bytes_low, region.bytes_high};
        if (!over) {
            region.why_not = WhyNot::undecided;
            return;
        }
        state_difference(region.statement, *over, error_);
        if (!group_.simulated && !enough_launches(over->reference, group_.launches)) {
            region.statement.low = region.statement.high = no_number;
            region.statement.verdict = Verdict::open;
            region.statement.why = Why::few_launches;
            region.why_not = WhyNot::few_launches;
        } else if (over->centre > -least_) {
            region.why_not = WhyNot::default_is_best;
        } else if (region.statement.verdict != Verdict::faster) {
            region.why_not = WhyNot::undecided;
        }
    }

    /// What lies between two regions belongs to the one whose algorithm gains on both sides, else to the
    /// default; none of them reaches beyond what was measured.
    void set_borders() {
        std::vector<WinnerRegion>& regions = found_.regions;
        for (std::size_t i = 1; i < regions.size(); ++i) {
            WinnerRegion& below = regions[i - 1];
            WinnerRegion& above = regions[i];
            const WinnerPoint& last = found_.points[below.last];
            const WinnerPoint& next = found_.points[above.first];
            above.from_low = last.bytes;
            const std::size_t lower = below.why_not == WhyNot::none ? below.member : 0;
            const std::size_t upper = above.why_not == WhyNot::none ? above.member : 0;
            const auto gains = [&](const WinnerPoint& point, std::size_t member) {
                return point.members[member] && point.members[member]->log_ratio < -least_;
            };
            if (lower == 0 || (upper != 0 && !gains(last, upper) && gains(next, lower)))
                below.bytes_high = next.bytes - 1;
            else if (upper == 0 || gains(last, upper))
                above.bytes_low = last.bytes + 1;
            add_open_border(last, next);
        }
    }

    void add_open_border(const WinnerPoint& last, const WinnerPoint& next) {
        const auto low = static_cast<double>(std::max<std::int64_t>(1, last.bytes));
        constexpr std::size_t launches_to_look = 3;
        if (static_cast<double>(next.bytes) <= close_border * low || next.bytes - last.bytes < 2 ||
            (!group_.simulated && group_.launches < launches_to_look))
            return;
        const auto differ = [&](const WinnerPoint& point) {
            const std::optional<AgainstDefault>& one = point.members[last.chosen];
            const std::optional<AgainstDefault>& other = point.members[next.chosen];
            // Where noise made the border, a length in between adds nothing.
            return one && other &&
                   std::fabs(one->log_ratio - other->log_ratio) -
                           2 * (one->standard_error + other->standard_error) >=
                       std::log1p(gain_ / 2);
        };
        if (!differ(last) && !differ(next))
            return;
        const auto middle =
            static_cast<std::int64_t>(std::llround(std::sqrt(low * static_cast<double>(next.bytes))));
        OpenBorder border{std::clamp(middle, last.bytes + 1, next.bytes - 1), last.chosen, next.chosen, {}};
        for (std::size_t m = 1; m < group_.members.size(); ++m)
            if (m == last.chosen || m == next.chosen || is_near_best(last, m) || is_near_best(next, m))
                border.members.push_back(m);
        found_.open_borders.push_back(std::move(border));
    }

    /// Where it was measured.
    [[nodiscard]] bool is_near_best(const WinnerPoint& point, std::size_t member) const {
        return point.members[member] && was_measured(group_, member, point.bytes) &&
               point.members[member]->log_ratio <= point.members[point.best]->log_ratio + std::log(near_best);
    }

    AlgorithmWinners& found_;
    const AlgorithmGroup& group_;
    double least_; ///< logarithm of the smallest gain
    double gain_;
    double error_ = 0; ///< of a statement
};

TuningRule rule_of(const AlgorithmWinners& winners, const WinnerRegion& region) {
    const AlgorithmGroup& group = *winners.of;
    const AlgorithmTimes& candidate = group.members[region.candidate];
    TuningRule rule;
    rule.operation = group.operation;
    rule.layer = candidate.layer;
    rule.ranks_low = rule.ranks_high = group.ranks;
    rule.bytes_low = region.bytes_low;
    rule.bytes_high = region.bytes_high;
    rule.algorithm = candidate.word;
    rule.number = candidate.number;
    rule.gain = std::isnan(region.gain()) ? 0 : region.gain();
    if (region.statement.judged()) {
        rule.gain_low = 1 / region.statement.high - 1;
        rule.gain_high = 1 / region.statement.low - 1;
    }
    rule.launches = static_cast<int>(region.statement.subject);
    rule.from_bytes_low = region.from_low;
    rule.from_bytes_high = winners.points[region.first].bytes;
    rule.written = region.why_not == WhyNot::none;
    rule.why_not = region.why_not;
    return rule;
}

/// The rule that holds between two numbers of ranks, if one does.
std::optional<TuningRule> rule_between(const TuningRule& fewer, const TuningRule& more) {
    if (!fewer.written || !more.written || fewer.operation != more.operation || fewer.layer != more.layer ||
        fewer.algorithm != more.algorithm || more.ranks_low - fewer.ranks_high < 2)
        return std::nullopt;
    TuningRule rule = fewer.gain <= more.gain ? fewer : more;
    rule.ranks_low = fewer.ranks_high + 1;
    rule.ranks_high = more.ranks_low - 1;
    rule.bytes_low = std::max(fewer.bytes_low, more.bytes_low);
    rule.bytes_high = std::min(fewer.bytes_high, more.bytes_high);
    return rule.bytes_low <= rule.bytes_high ? std::optional(rule) : std::nullopt;
}

void add_between(std::vector<TuningRule>& rules) {
    std::vector<TuningRule> further;
    for (const TuningRule& fewer : rules) {
        std::int64_t next = std::numeric_limits<std::int64_t>::max();
        for (const TuningRule& each : rules)
            if (each.operation == fewer.operation && each.layer == fewer.layer &&
                each.ranks_low > fewer.ranks_high)
                next = std::min(next, each.ranks_low);
        for (const TuningRule& more : rules)
            if (more.ranks_low == next)
                if (const auto rule = rule_between(fewer, more))
                    further.push_back(*rule);
    }
    rules.insert(rules.end(), further.begin(), further.end());
    std::ranges::stable_sort(rules, [](const TuningRule& a, const TuningRule& b) {
        return std::tie(a.operation, a.ranks_low, a.bytes_low) <
               std::tie(b.operation, b.ranks_low, b.bytes_low);
    });
}

} // namespace

bool AlgorithmWinners::keeps_default() const {
    return std::ranges::none_of(regions,
                                [](const WinnerRegion& region) { return region.why_not == WhyNot::none; });
}

AlgorithmWinners judge_algorithms(const AlgorithmGroup& group, const WinnerRule& rule) {
    AlgorithmWinners found;
    found.of = &group;
    found.points = points_of(group);
    std::vector<AlgorithmRatios> ratios;
    for (std::size_t m = 0; m < group.members.size(); ++m) {
        AlgorithmRatios of_member{group.members[m].word, {}};
        for (const WinnerPoint& point : found.points)
            if (point.members[m])
                of_member.at[point.bytes] = *point.members[m];
        found.effects.push_back(effect_of(of_member));
        if (m > 0)
            ratios.push_back(std::move(of_member));
    }
    found.default_is = default_is(ratios);
    if (found.points.empty())
        return found;
    for (WinnerPoint& point : found.points)
        for (std::size_t m = 0; m < point.members.size(); ++m)
            if (point.members[m] && point.members[m]->log_ratio < point.members[point.best]->log_ratio)
                point.best = m;
    Judging judging(found, rule);
    judging.find_regions();
    found.for_all = judging.for_all();
    return found;
}

std::vector<TuningRule> tuning_rules(const std::vector<AlgorithmWinners>& winners) {
    std::vector<TuningRule> rules;
    for (const AlgorithmWinners& each : winners)
        for (const WinnerRegion& region : each.regions)
            rules.push_back(rule_of(each, region));
    add_between(rules);
    return rules;
}

std::vector<TuningRule> rules_for_all_lengths(const std::vector<AlgorithmWinners>& winners) {
    std::vector<TuningRule> rules;
    for (const AlgorithmWinners& each : winners)
        if (!each.points.empty()) {
            rules.push_back(rule_of(each, each.for_all));
            rules.back().bytes_low = rules.back().from_bytes_low = rules.back().from_bytes_high = 0;
            rules.back().bytes_high = any_length;
        }
    add_between(rules);
    return rules;
}

} // namespace skampi
