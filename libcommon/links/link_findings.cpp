// SPDX-License-Identifier: LGPL-2.1-or-later
#include "links/link_findings.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace skampi {

namespace {

constexpr double confidence = 0.95;

std::size_t index(int number) {
    return static_cast<std::size_t>(number);
}

/// The median of values with weights; ends at half of their sum.
double median_by_weight(std::vector<std::pair<double, double>>& values) {
    std::ranges::sort(values);
    double total = 0;
    for (const auto& [value, weight] : values)
        total += weight;
    double sum = 0;
    for (const auto& [value, weight] : values)
        if ((sum += weight) >= total / 2)
            return value;
    return 0;
}

/// The times of one company and length, a matrix for each pass, and the median over passes.
struct Passes {
    std::vector<PairValues> time_s;
    PairValues median_s;
    std::int64_t pairs = 0;
};

Passes passes_of(const LinkInput& input, Company company, std::int64_t message_bytes) {
    const auto n = static_cast<int>(input.names.size());
    std::map<int, PairValues> by_pass;
    for (const PairMap& map : input.maps)
        if (map.company == company && map.message_bytes == message_bytes) {
            PairValues& times = by_pass.try_emplace(map.pass, n).first->second;
            for (const PairTime& pair : map.pairs)
                times.set(pair.first, pair.second, static_cast<double>(pair.time_s));
        }
    Passes passes{{}, PairValues(n), 0};
    for (auto& [pass, times] : by_pass)
        passes.time_s.push_back(std::move(times));
    std::vector<double> values;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) {
            values.clear();
            for (const PairValues& times : passes.time_s)
                if (times(i, j) > 0)
                    values.push_back(times(i, j));
            if (values.empty())
                continue;
            passes.median_s.set(i, j, skalib::median_in_place(values));
            ++passes.pairs;
        }
    return passes;
}

/// Classes and members' effects: in seconds, added, for latencies; else logarithms.
class Model {
public:
    Model(const PairValues& time_s, const PairClasses& classes, bool latency)
        : time_s_(time_s)
        , classes_(classes)
        , latency_(latency)
        , of_class_(index(classes.count))
        , of_member_(index(time_s.members())) {
        constexpr int rounds = 8;
        for (int round = 0; round < rounds; ++round) {
            fit_classes();
            for (int i = 0; i < time_s.members(); ++i)
                of_member_[index(i)] = effect_in(time_s_, i);
            const double middle = skalib::median(of_member_);
            for (double& effect : of_member_)
                effect -= middle;
        }
        fit_classes();
    }

    [[nodiscard]] const std::vector<double>& of_member() const { return of_member_; }
    [[nodiscard]] int class_of(int i, int j) const { return static_cast<int>(classes_.of_pair(i, j)); }
    [[nodiscard]] double class_time_s(int number) const {
        return latency_ ? of_class_[index(number)] : std::exp(of_class_[index(number)]);
    }
    /// The member's own effect in other times, if those of all others stay.
    [[nodiscard]] double effect_in(const PairValues& time_s, int i) const {
        std::vector<std::pair<double, double>> effects;
        for (int j = 0; j < time_s.members(); ++j)
            if (j != i && time_s(i, j) > 0)
                effects.emplace_back(scaled(time_s(i, j)) - of_class_[index(class_of(i, j))] -
                                         of_member_[index(j)],
                                     latency_ ? 1 / std::max(class_time_s(class_of(i, j)), 1e-12) : 1);
        return median_by_weight(effects);
    }
    /// A member's effect as a ratio of times, in the nearest class in which it has several partners.
    [[nodiscard]] double ratio(int i, double effect) const {
        if (!latency_)
            return std::exp(effect);
        std::map<int, int> partners;
        for (int j = 0; j < time_s_.members(); ++j)
            if (j != i && time_s_(i, j) > 0)
                ++partners[class_of(i, j)];
        for (const auto& [number, count] : partners)
            if (count >= std::min(5, time_s_.members() - 1))
                return 1 + effect / class_time_s(number);
        return 1;
    }
    /// With effects given for the two members.
    [[nodiscard]] double expected_s(int i, int j, double effect_i, double effect_j) const {
        const double sum = of_class_[index(class_of(i, j))] + effect_i + effect_j;
        return latency_ ? sum : std::exp(sum);
    }

private:
    [[nodiscard]] double scaled(double time_s) const { return latency_ ? time_s : std::log(time_s); }
    void fit_classes() {
        std::vector<std::vector<double>> values(of_class_.size());
        for (int i = 0; i < time_s_.members(); ++i)
            for (int j = i + 1; j < time_s_.members(); ++j)
                if (time_s_(i, j) > 0)
                    values[index(class_of(i, j))].push_back(scaled(time_s_(i, j)) - of_member_[index(i)] -
                                                            of_member_[index(j)]);
        for (std::size_t c = 0; c < values.size(); ++c)
            of_class_[c] = skalib::median_in_place(values[c]);
    }

    const PairValues& time_s_;
    const PairClasses& classes_;
    bool latency_;
    std::vector<double> of_class_;
    std::vector<double> of_member_;
};

/// What one length says, step by step.
class LengthJudge {
public:
    LengthJudge(const LinkInput& input, std::int64_t message_bytes, const PairClasses& classes,
                const LinkLimits& limits)
        : all_(passes_of(input, Company::all, message_bytes))
        , together_(passes_of(input, Company::other, message_bytes))
        , alone_(passes_of(input, Company::none, message_bytes))
        , limits_(limits)
        , n_(static_cast<int>(input.names.size()))
        , latency_(message_bytes <= longest_latency_bytes)
        , model_(all_.median_s, classes, latency_) {
        finding_.message_bytes = message_bytes;
        finding_.pairs = all_.pairs;
        finding_.passes = static_cast<int>(all_.time_s.size());
        finding_.classes.resize(index(classes.count));
        finding_.class_of_pair = classes.of_pair;
        finding_.time_of_pair_s = all_.median_s;
    }

    [[nodiscard]] LengthFinding judged() {
        judge_nodes();
        judge_pairs();
        describe_classes();
        for (SlowPart& part : finding_.slow)
            retest(part);
        return std::move(finding_);
    }

private:
    [[nodiscard]] double limit() const { return latency_ ? limits_.latency : limits_.bandwidth; }
    [[nodiscard]] double retest_limit() const { return 1 + limits_.retest_share * (limit() - 1); }
    [[nodiscard]] bool measured(int i, int j) const { return i != j && all_.median_s(i, j) > 0; }
    [[nodiscard]] double expected_s(int i, int j) const {
        return model_.expected_s(i, j, effects_[index(i)], effects_[index(j)]);
    }

    /// Over passes: whether all agree that a ratio is above 1.
    static bool clear_of_one(const std::vector<double>& ratios, SlowPart& of) {
        of.low = of.high = of.ratio;
        if (std::ranges::any_of(ratios, [](double ratio) { return ratio <= 1; }))
            return false;
        if (ratios.size() < 3)
            return true;
        std::vector<double> logarithms;
        for (const double ratio : ratios)
            logarithms.push_back(std::log(ratio));
        const skalib::Interval interval = skalib::mean_interval(logarithms, confidence);
        of.low = std::exp(interval.low);
        of.high = std::exp(interval.high);
        return of.low > 1;
    }

    /// Whether most partners that can see a member's effect do, in all and in each class.
    [[nodiscard]] bool slow_with_most(int i, SlowPart& node) const {
        const double effect = model_.of_member()[index(i)];
        std::map<int, std::pair<int, int>> of_class; // slow ones, all
        node.slow_pairs = 0;
        for (int j = 0; j < n_; ++j) {
            const double other = model_.of_member()[index(j)];
            if (!measured(i, j) ||
                model_.expected_s(i, j, effect, other) < retest_limit() * model_.expected_s(i, j, 0, other))
                continue;
            const bool slow = all_.median_s(i, j) > model_.expected_s(i, j, effect / 2, other);
            auto& [slow_ones, partners] = of_class[model_.class_of(i, j)];
            ++partners;
            slow_ones += slow ? 1 : 0;
            node.slow_pairs += slow ? 1 : 0;
            node.pairs.push_back(std::minmax(i, j));
        }
        const auto most = [&](auto slow, auto all) {
            return static_cast<double>(slow) >= limits_.node_share * static_cast<double>(all);
        };
        return std::ssize(node.pairs) >= limits_.least_partners && most(node.slow_pairs, node.pairs.size()) &&
               std::ranges::all_of(of_class, [&](const auto& each) {
                   return each.second.second < limits_.least_partners ||
                          most(each.second.first, each.second.second);
               });
    }

    void judge_nodes() {
        effects_ = model_.of_member();
        const double deviation = skalib::median_absolute_deviation(effects_);
        for (int i = 0; i < n_; ++i) {
            SlowPart node{.kind = SlowPart::Kind::node, .members = {i}};
            double& effect = effects_[index(i)];
            node.ratio = model_.ratio(i, effect);
            finding_.ratios.push_back(node.ratio);
            std::vector<double> of_passes;
            for (const PairValues& times : all_.time_s)
                of_passes.push_back(model_.ratio(i, model_.effect_in(times, i)));
            if (node.ratio > limit() && effect > limits_.deviations * deviation &&
                clear_of_one(of_passes, node) && slow_with_most(i, node)) {
                finding_.slow.push_back(node);
                slow_nodes_.insert(i);
            }
            if (node.ratio > limit() || node.ratio < 1 / limit())
                effect = 0; // so much is expected of no one; perhaps it is that of some of its pairs
        }
    }

    void judge_pairs() {
        finding_.ratio_of_pair = PairValues(n_);
        std::vector<double> logarithms;
        for (int i = 0; i < n_; ++i)
            for (int j = i + 1; j < n_; ++j)
                if (measured(i, j)) {
                    finding_.ratio_of_pair.set(i, j, all_.median_s(i, j) / model_.expected_s(i, j, 0, 0));
                    logarithms.push_back(std::log(all_.median_s(i, j) / expected_s(i, j)));
                }
        const double deviation = skalib::median_absolute_deviation(logarithms);
        std::vector<SlowPart> slow;
        for (int i = 0; i < n_; ++i)
            for (int j = i + 1; j < n_; ++j) {
                SlowPart pair{.kind = SlowPart::Kind::pair, .members = {i, j}, .pairs = {{i, j}}};
                pair.ratio = all_.median_s(i, j) / expected_s(i, j);
                if (n_ <= limits_.least_partners || !(pair.ratio > limit()) || slow_nodes_.contains(i) ||
                    slow_nodes_.contains(j) || std::log(pair.ratio) < limits_.deviations * deviation)
                    continue;
                std::vector<double> of_passes;
                for (const PairValues& times : all_.time_s)
                    if (times(i, j) > 0)
                        of_passes.push_back(times(i, j) / expected_s(i, j));
                if (clear_of_one(of_passes, pair))
                    slow.push_back(std::move(pair));
            }
        std::ranges::stable_sort(slow, std::greater<>{}, &SlowPart::ratio);
        take_group(slow);
        std::ranges::move(slow, std::back_inserter(finding_.slow));
    }

    /// Members of whose pairs in some class most are slow, with these pairs.
    void take_group(std::vector<SlowPart>& slow) {
        std::map<std::pair<int, int>, int> counts; // of a member, in a class
        for (const SlowPart& pair : slow)
            for (const int member : pair.members)
                ++counts[{member, model_.class_of(pair.members[0], pair.members[1])}];
        std::set<int> members;
        for (const auto& [of, count] : counts) {
            int partners = 0;
            for (int j = 0; j < n_; ++j)
                if (measured(of.first, j) && model_.class_of(of.first, j) == of.second)
                    ++partners;
            if (partners >= limits_.least_partners && count >= limits_.node_share * partners)
                members.insert(of.first);
        }
        if (members.empty())
            return;
        SlowPart group{.kind = SlowPart::Kind::group, .members = {members.begin(), members.end()}};
        std::vector<double> ratios;
        std::erase_if(slow, [&](const SlowPart& pair) {
            if (!members.contains(pair.members[0]) && !members.contains(pair.members[1]))
                return false;
            group.pairs.push_back(pair.pairs.front());
            ratios.push_back(pair.ratio);
            return true;
        });
        group.slow_pairs = static_cast<int>(ratios.size());
        group.ratio = group.low = group.high = skalib::median_in_place(ratios);
        finding_.slow.push_back(std::move(group));
    }

    void describe_classes() {
        std::vector<std::vector<double>> alone(finding_.classes.size());
        std::set<MemberPair> suspects;
        for (const SlowPart& part : finding_.slow)
            suspects.insert(part.pairs.begin(), part.pairs.end());
        for (int i = 0; i < n_; ++i)
            for (int j = i + 1; j < n_; ++j) {
                const std::size_t number = index(model_.class_of(i, j));
                if (measured(i, j))
                    ++finding_.classes[number].pairs;
                if (alone_.median_s(i, j) > 0 && !suspects.contains({i, j}))
                    alone[number].push_back(alone_.median_s(i, j));
            }
        for (std::size_t number = 0; number < finding_.classes.size(); ++number) {
            finding_.classes[number].time_s = model_.class_time_s(static_cast<int>(number));
            if (!alone[number].empty())
                finding_.classes[number].alone_s = skalib::median_in_place(alone[number]);
        }
    }

    void retest(SlowPart& part) const {
        std::vector<double> together;
        std::vector<double> alone;
        for (const auto& [i, j] : part.pairs) {
            if (together_.median_s(i, j) > 0)
                together.push_back(together_.median_s(i, j) / expected_s(i, j));
            if (!(alone_.median_s(i, j) > 0))
                continue;
            const DistanceClass& distance = finding_.classes[index(model_.class_of(i, j))];
            const double contention = distance.alone_s.value_or(distance.time_s) / distance.time_s;
            alone.push_back(alone_.median_s(i, j) / (expected_s(i, j) * std::min(contention, 1.0)));
        }
        if (together.empty() || alone.empty())
            return;
        part.together = skalib::median_in_place(together);
        part.alone = skalib::median_in_place(alone);
        part.verdict = *part.alone > retest_limit()      ? LinkVerdict::slow
                       : *part.together > retest_limit() ? LinkVerdict::only_together
                                                         : LinkVerdict::not_repeated;
    }

    Passes all_;
    Passes together_;
    Passes alone_;
    const LinkLimits& limits_;
    int n_;
    bool latency_;
    Model model_;
    std::vector<double> effects_; ///< that are expected of each member in its pairs
    std::set<int> slow_nodes_;
    LengthFinding finding_;
};

} // namespace

LinkInput link_input(const Run& run, std::vector<PairMap> maps) {
    LinkInput input;
    std::map<int, int> member_of_rank;
    std::map<std::string, int> on_host;
    for (const RankFacts& rank : run.rank_facts)
        ++on_host[rank.processor];
    for (const RankFacts& rank : run.rank_facts) {
        member_of_rank[rank.rank] = static_cast<int>(input.names.size());
        input.names.push_back(rank.processor);
        if (on_host[rank.processor] > 1)
            input.names.back() += ":" + std::to_string(rank.rank);
    }
    for (PairMap& map : maps) {
        std::erase_if(map.pairs, [&](const PairTime& pair) {
            return !member_of_rank.contains(pair.first) || !member_of_rank.contains(pair.second);
        });
        for (PairTime& pair : map.pairs) {
            pair.first = member_of_rank[pair.first];
            pair.second = member_of_rank[pair.second];
        }
    }
    input.maps = std::move(maps);
    for (CoreDetours each : run.detours)
        if (member_of_rank.contains(each.rank)) {
            each.rank = member_of_rank[each.rank];
            input.detours.push_back(each);
        }
    return input;
}

std::vector<LengthFinding> find_links(const LinkInput& input, const LinkLimits& limits) {
    std::set<std::int64_t> lengths;
    for (const PairMap& map : input.maps)
        if (map.company == Company::all)
            lengths.insert(map.message_bytes);
    std::vector<LengthFinding> findings;
    if (lengths.empty() || input.names.size() < 2)
        return findings;
    const PairClasses classes = classes_by_time(passes_of(input, Company::all, *lengths.begin()).median_s);
    for (const std::int64_t length : lengths)
        findings.push_back(LengthJudge(input, length, classes, limits).judged());
    return findings;
}

BusyCores find_busy_cores(const std::vector<CoreDetours>& detours) {
    std::vector<double> shares;
    for (const CoreDetours& each : detours)
        shares.push_back(each.lost_share());
    BusyCores busy{skalib::median(shares), {}};
    constexpr double least_share = 0.005;
    const double limit =
        busy.usual_share + LinkLimits().deviations * skalib::median_absolute_deviation(shares);
    for (const CoreDetours& each : detours)
        if (each.lost_share() > limit && each.lost_share() >= least_share)
            busy.cores.push_back(each);
    std::ranges::sort(busy.cores, std::greater(), &CoreDetours::lost_share);
    return busy;
}

} // namespace skampi
