// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "links/pair_classes.hpp"
#include "links/pair_steps.hpp"
#include "model/pair_map.hpp"
#include "model/run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What was measured of pairs, and of cores. The numbers of members stand in place of ranks.
struct LinkInput {
    std::vector<std::string> names; ///< of members: their hosts, with the rank where a host has several
    std::vector<PairMap> maps;
    std::vector<CoreDetours> detours = {};
};
/// @param run whose rank_facts are the members   @param maps of its ranks
[[nodiscard]] LinkInput link_input(const Run& run, std::vector<PairMap> maps);

/// Messages up to this length show latency, longer ones bandwidth.
inline constexpr std::int64_t longest_latency_bytes = 4096;

/// What of a node, a pair or a group lasted when it was measured again.
enum class LinkVerdict {
    slow,          ///< alone, too
    only_together, ///< not alone: a route that others use, too
    not_repeated,
    not_retested,
};

/// What is slow: a member with its partners; a pair, slower than both of its members explain; or a group,
/// members that are slow with most of those outside and not among themselves: a route they share. A ratio is
/// the time divided by what is expected: 2 = twice the latency, or half of the bandwidth.
struct SlowPart {
    enum class Kind { node, group, pair };
    Kind kind = Kind::node;
    std::vector<int> members;
    std::vector<MemberPair> pairs = {}; ///< of a node all in which its effect can be seen, else the slow ones
    int slow_pairs = 1;
    double ratio = 1; ///< of a group the median of its pairs
    double low = 1;   ///< Student's interval over passes, 95 %; of a group, and below three passes, the ratio
    double high = 1;
    std::optional<double> together = {}; ///< retested in other company
    std::optional<double> alone = {};    ///< retested while no one else communicates
    LinkVerdict verdict = LinkVerdict::not_retested;
    /// A node that is slow only while others communicate has a route in common with them.
    [[nodiscard]] bool of_one_node() const {
        return kind == Kind::node && verdict != LinkVerdict::only_together;
    }
};

/// Pairs that are equally far apart, beginning with the nearest.
struct DistanceClass {
    double time_s = 0; ///< half a round trip between members without an effect of their own
    std::int64_t pairs = 0;
    std::optional<double> alone_s = {}; ///< the same while no one else communicates
};

/// What messages of one length say.
struct LengthFinding {
    std::int64_t message_bytes = 0;
    std::int64_t pairs = 0; ///< measured
    int passes = 0;
    std::vector<DistanceClass> classes;
    std::vector<double> ratios; ///< of all members
    std::vector<SlowPart> slow; ///< nodes, groups, then pairs; of these the slowest first
    PairValues time_of_pair_s;  ///< median over passes
    PairValues ratio_of_pair;   ///< to what is expected of members without effects of their own
    PairValues class_of_pair;   ///< a place in `classes`
    [[nodiscard]] bool is_latency() const { return message_bytes <= longest_latency_bytes; }
    /// As readers expect it: a multiple of the latency, or a share of the bandwidth.
    [[nodiscard]] double shown(double ratio) const { return is_latency() ? ratio : 1 / ratio; }
};

/// What must be exceeded to be slow.
struct LinkLimits {
    double latency = 1.5;       ///< ratio of times
    double bandwidth = 1 / 0.9; ///< likewise
    double deviations = 6;      ///< median absolute deviations
    double retest_share = 0.8;  ///< of the excess, that a retest must show
    double node_share = 0.8;    ///< of a node's partners, in each class
    int least_partners = 5;     ///< with fewer nothing is called slow
};

/// Half a round trip is c + a_i + a_j for short messages and c a_i a_j for long ones: c of the pair's
/// class, a of its members, found by median polish (Tukey 1977) over the medians of passes. A member or pair
/// is slow above LinkLimits, if the interval over passes is clear of 1.
[[nodiscard]] std::vector<LengthFinding> find_links(const LinkInput& input, const LinkLimits& limits = {});

/// What cores lose to other work.
struct BusyCores {
    double usual_share = 0;         ///< of their time, median
    std::vector<CoreDetours> cores; ///< that lose far more, the worst first
};
/// Far more is more than six median absolute deviations above the median, as of links, and at least 0.5 %:
/// a kernel's own timer may take as much (1,000 interrupts of 5 us a second).
[[nodiscard]] BusyCores find_busy_cores(const std::vector<CoreDetours>& detours);

} // namespace skampi
