// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/placement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace skampi {

namespace {

struct PartnerWord {
    PartnerChoice::Rule rule;
    std::string_view text;
};

constexpr auto words = std::to_array<PartnerWord>({
    {PartnerChoice::Rule::farthest, "farthest"},
    {PartnerChoice::Rule::nearest, "nearest"},
    {PartnerChoice::Rule::same_socket, "same socket"},
    {PartnerChoice::Rule::other_socket, "other socket"},
    {PartnerChoice::Rule::other_node, "other node"},
});
constexpr std::string_view by_number = "rank ";

struct JoinWord {
    JoinOrder order;
    std::string_view text;
};

constexpr auto join_words = std::to_array<JoinWord>({
    {JoinOrder::by_rank, "rank"},
    {JoinOrder::by_node, "node"},
    {JoinOrder::round_robin, "round-robin"},
});

std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number < 0)
        return std::nullopt;
    return number;
}

bool same(int one, int other) {
    return one >= 0 && one == other;
}

} // namespace

Shared shared_by(const RankFacts& one, const RankFacts& other) {
    if (one.processor != other.processor)
        return Shared::network;
    const Seat& here = one.seat;
    const Seat& there = other.seat;
    if (same(here.core, there.core))
        return Shared::core;
    if (same(here.l2, there.l2))
        return Shared::l2;
    if (same(here.l3, there.l3))
        return Shared::l3;
    if (same(here.numa, there.numa))
        return Shared::numa;
    if (same(here.socket, there.socket))
        return Shared::socket;
    return here.socket >= 0 && there.socket >= 0 ? Shared::node : Shared::unknown;
}

std::string relation_text(const RankFacts& one, const RankFacts& other) {
    const std::string of_node = " of " + one.processor;
    const Seat& here = one.seat;
    const Seat& there = other.seat;
    const auto of_both = [&](int Seat::*part) { return here.*part >= 0 && there.*part >= 0; };
    // A rank that is bound to several parts may move to the other's part.
    const auto unshared = [&](const char* name, int Seat::*part) -> std::string {
        if (of_both(part))
            return ", not the " + std::string(name);
        return of_both(&Seat::core) ? "" : ", within which a rank is free to move between cores";
    };
    switch (shared_by(one, other)) {
    case Shared::core:
        return "shares core " + std::to_string(here.core) + of_node;
    case Shared::l2:
        return "shares L2 cache " + std::to_string(here.l2) + of_node + unshared("core", &Seat::core);
    case Shared::l3:
        return "shares L3 cache " + std::to_string(here.l3) + of_node + unshared("L2 cache", &Seat::l2);
    case Shared::numa:
        return "shares NUMA node " + std::to_string(here.numa) + of_node + unshared("L3 cache", &Seat::l3);
    case Shared::socket:
        return "shares socket " + std::to_string(here.socket) + of_node + unshared("NUMA node", &Seat::numa);
    case Shared::node:
        return "shares " + one.processor + ", not the socket";
    case Shared::unknown:
        return "shares " + one.processor + "; sockets and caches are not known";
    case Shared::network:
        break;
    }
    return "crosses the network, from " + one.processor + " to " + other.processor;
}

std::optional<PartnerChoice> partner_from(std::string_view text) {
    for (const PartnerWord& word : words)
        if (word.text == text)
            return PartnerChoice{word.rule, 0};
    if (!text.starts_with(by_number))
        return std::nullopt;
    const std::optional<int> rank = whole_number(text.substr(by_number.size()));
    if (!rank || *rank == 0)
        return std::nullopt;
    return PartnerChoice{PartnerChoice::Rule::rank, *rank};
}

std::string partner_text(const PartnerChoice& choice) {
    if (choice.rule == PartnerChoice::Rule::rank)
        return std::string(by_number) + std::to_string(choice.rank);
    return std::string(std::ranges::find(words, choice.rule, &PartnerWord::rule)->text);
}

PartnerChoice partner_choice(const Suite& suite) {
    return partner_from(suite.partner).value_or(PartnerChoice{});
}

void set_partner(Suite& suite, const PartnerChoice& choice) {
    suite.partner = choice.rule == PartnerChoice::Rule::farthest ? "" : partner_text(choice);
}

std::vector<std::string_view> partner_words() {
    std::vector<std::string_view> texts;
    for (const PartnerWord& word : words)
        texts.push_back(word.text);
    return texts;
}

std::vector<int> partner_candidates(const PartnerChoice& choice, const std::vector<RankFacts>& ranks,
                                    int ranks_there, std::string& problem) {
    using Rule = PartnerChoice::Rule;
    const std::string asked = "Partner = " + partner_text(choice);
    if (choice.rule == Rule::rank) {
        if (choice.rank < ranks_there)
            return {choice.rank};
        problem = asked + ", but the run's last rank is " + std::to_string(ranks_there - 1);
        return {};
    }
    std::vector<int> others(static_cast<std::size_t>(std::max(ranks_there - 1, 0)));
    std::iota(others.begin(), others.end(), 1);
    if (choice.rule == Rule::farthest || choice.rule == Rule::nearest)
        return others;
    const bool about_sockets = choice.rule != Rule::other_node;
    if (ranks.empty() || (about_sockets && ranks.front().seat.socket < 0)) {
        problem = asked + ", but " +
                  (ranks.empty() ? "nothing is known of where the ranks are"
                                 : "it is not known on which socket rank 0 is: it is bound to several or to "
                                   "none, or skampi-run was built without hwloc");
        return {};
    }
    const Seat& mine = ranks.front().seat;
    std::erase_if(others, [&](int rank) {
        const RankFacts& other = ranks[static_cast<std::size_t>(rank)];
        const bool here = other.processor == ranks.front().processor;
        const int socket = other.seat.socket;
        switch (choice.rule) {
        case Rule::same_socket:
            return !here || socket != mine.socket;
        case Rule::other_socket:
            return !here || socket < 0 || socket == mine.socket;
        default:
            return here;
        }
    });
    if (others.empty())
        problem = asked + ", but there is no such rank: " +
                  (choice.rule == Rule::other_node
                       ? "all run on " + ranks.front().processor
                       : "rank 0 is on socket " + std::to_string(mine.socket) + " of " +
                             ranks.front().processor + ", and no other is known to be on " +
                             (choice.rule == Rule::same_socket ? "it" : "another socket there"));
    return others;
}

std::vector<int> sampled_candidates(const std::vector<int>& candidates, const std::vector<RankFacts>& ranks,
                                    int most) {
    const auto room = static_cast<std::size_t>(most);
    if (candidates.size() <= room)
        return candidates;
    std::vector<int> chosen;
    std::vector<int> rest;
    for (const int rank : candidates) {
        const bool here =
            !ranks.empty() && ranks[static_cast<std::size_t>(rank)].processor == ranks.front().processor;
        (here && chosen.size() < room / 4 ? chosen : rest).push_back(rank);
    }
    const std::size_t stretches = std::min(room - chosen.size(), rest.size());
    std::mt19937 random(1);
    for (std::size_t i = 0; i < stretches; ++i) {
        const std::size_t begin = rest.size() * i / stretches;
        const std::size_t end = rest.size() * (i + 1) / stretches;
        chosen.push_back(rest[begin + random() % (end - begin)]);
    }
    std::ranges::sort(chosen);
    return chosen;
}

std::optional<JoinOrder> join_order_from(std::string_view text) {
    for (const JoinWord& word : join_words)
        if (word.text == text)
            return word.order;
    return std::nullopt;
}

std::vector<std::string_view> join_order_words() {
    std::vector<std::string_view> texts;
    for (const JoinWord& word : join_words)
        texts.push_back(word.text);
    return texts;
}

JoinOrder join_order(const Suite& suite) {
    return join_order_from(suite.join).value_or(JoinOrder::by_rank);
}

std::vector<int> joining_ranks(JoinOrder order, const std::vector<int>& node) {
    std::vector<int> joining(node.size());
    std::iota(joining.begin(), joining.end(), 0);
    if (order == JoinOrder::by_rank)
        return joining;
    std::map<int, int> first; // rank of each node
    std::map<int, int> members;
    std::vector<int> place(node.size()); // within its node
    for (std::size_t rank = 0; rank < node.size(); ++rank) {
        first.try_emplace(node[rank], static_cast<int>(rank));
        place[rank] = members[node[rank]]++;
    }
    std::ranges::stable_sort(joining, {}, [&](int rank) {
        const auto at = static_cast<std::size_t>(rank);
        const int begins = first[node[at]];
        return order == JoinOrder::by_node ? std::pair{begins, place[at]} : std::pair{place[at], begins};
    });
    return joining;
}

std::vector<int> nodes_of(const std::vector<RankFacts>& ranks) {
    std::map<std::string_view, int> numbers;
    std::vector<int> nodes;
    for (const RankFacts& rank : ranks)
        nodes.push_back(numbers.try_emplace(rank.processor, static_cast<int>(numbers.size())).first->second);
    return nodes;
}

void give_hosts_unique_names(std::vector<RankFacts>& ranks, const std::vector<std::uint64_t>& machines) {
    std::map<std::string, std::vector<std::uint64_t>> namesakes; // in the order of their first ranks
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        std::vector<std::uint64_t>& known = namesakes[ranks[i].processor];
        const auto at = std::ranges::find(known, machines[i]) - known.begin();
        if (at == std::ssize(known))
            known.push_back(machines[i]);
        if (at > 0)
            ranks[i].processor += " (" + std::to_string(at + 1) + ")";
    }
}

std::vector<RankFacts> bounded_ranks(std::vector<RankFacts> ranks) {
    if (ranks.size() <= most_stored_ranks)
        return ranks;
    const auto largest = [&](double RankFacts::*fact) {
        const auto at = std::ranges::max_element(
            ranks, {}, [fact](const RankFacts& rank) { return std::abs(rank.*fact); });
        return static_cast<std::size_t>(at - ranks.begin());
    };
    std::set<std::size_t> kept = {largest(&RankFacts::clock_offset_s), largest(&RankFacts::clock_drift)};
    const std::size_t spread = most_stored_ranks - 2;
    for (std::size_t i = 0; i < spread; ++i)
        kept.insert(i * ranks.size() / spread);
    std::vector<RankFacts> bounded;
    for (const std::size_t at : kept)
        bounded.push_back(std::move(ranks[at]));
    return bounded;
}

} // namespace skampi
