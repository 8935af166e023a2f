// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/run.hpp"
#include "model/suite.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The smallest part of the machine that two ranks share.
enum class Shared {
    core,
    l2,
    l3,
    numa,
    socket,
    node,    ///< different sockets
    unknown, ///< a node whose parts are not known
    network, ///< different nodes
};
[[nodiscard]] Shared shared_by(const RankFacts& one, const RankFacts& other);
/// "shares core 0 of node1", "crosses the network, from node1 to node2", ... Only ranks that are bound to one
/// smaller part each are said not to share it: others may move to a shared one.
[[nodiscard]] std::string relation_text(const RankFacts& one, const RankFacts& other);

/// The partner of rank 0 in ping-pongs (keyword Partner).
struct PartnerChoice {
    enum class Rule { farthest, nearest, rank, same_socket, other_socket, other_node };
    Rule rule = Rule::farthest;
    int rank = 0; ///< Rule::rank
    bool operator==(const PartnerChoice&) const = default;
};
/// "farthest", "nearest", "rank 3", "same socket", "other socket", "other node"
[[nodiscard]] std::optional<PartnerChoice> partner_from(std::string_view text);
[[nodiscard]] std::string partner_text(const PartnerChoice& choice);
/// What a suite asks for.
[[nodiscard]] PartnerChoice partner_choice(const Suite& suite);
void set_partner(Suite& suite, const PartnerChoice& choice);
/// All words that stand alone, for messages.
[[nodiscard]] std::vector<std::string_view> partner_words();

/// The ranks that a choice leaves, all others of the run for farthest and nearest; the farthest or nearest of
/// them is the partner. @param ranks of the run in their order, empty = not known
/// @param problem set to the reason if no rank remains
[[nodiscard]] std::vector<int> partner_candidates(const PartnerChoice& choice,
                                                  const std::vector<RankFacts>& ranks, int ranks_there,
                                                  std::string& problem);

/// The candidates that are measured: all up to `most`. If there are more, those of rank 0's own node, at most
/// a quarter, and for the remaining places one from each of equal stretches of the others, drawn with a fixed
/// seed so that the stretches do not follow a regular placement.
[[nodiscard]] std::vector<int> sampled_candidates(const std::vector<int>& candidates,
                                                  const std::vector<RankFacts>& ranks, int most);

/// The order in which ranks join collectives with fewer ranks than the run has (keyword Join).
enum class JoinOrder {
    by_rank,     ///< as the launcher numbered them
    by_node,     ///< all of a node before the next one
    round_robin, ///< one of each node, then the next of each
};
/// "rank", "node", "round-robin"
[[nodiscard]] std::optional<JoinOrder> join_order_from(std::string_view text);
[[nodiscard]] std::vector<std::string_view> join_order_words();
/// What a suite asks for.
[[nodiscard]] JoinOrder join_order(const Suite& suite);

/// All ranks in the order in which they join, rank 0 first. @param node of each rank, any numbers
[[nodiscard]] std::vector<int> joining_ranks(JoinOrder order, const std::vector<int>& node);
/// Numbers the hosts from 0, in the order of their first ranks.
[[nodiscard]] std::vector<int> nodes_of(const std::vector<RankFacts>& ranks);

/// Hosts with the same name, as containers and wrong settings make them, get different names: "node",
/// "node (2)", in the order of their first ranks. @param machines which one each rank runs on, any numbers
void give_hosts_unique_names(std::vector<RankFacts>& ranks, const std::vector<std::uint64_t>& machines);

/// With more ranks than this a database does not keep a row for each.
inline constexpr std::size_t most_stored_ranks = 1024;
/// All ranks up to most_stored_ranks; from more, those with the largest clock offset and drift, and others at
/// equal distances, including rank 0, in their order.
[[nodiscard]] std::vector<RankFacts> bounded_ranks(std::vector<RankFacts> ranks);

} // namespace skampi
