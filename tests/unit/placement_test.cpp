// SPDX-License-Identifier: GPL-2.0-or-later
// Who shares what on invented machines, which partners that leaves, and in which order ranks join.
#include "model/placement.hpp"

#include "../golden.hpp"
#include "host/topology.hpp"
#include "patterns/team.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace skampi;

namespace {

RankFacts rank_at(int rank, const std::string& host, const Seat& seat) {
    RankFacts facts;
    facts.rank = rank;
    facts.processor = host;
    facts.seat = seat;
    return facts;
}

/// Two nodes of two sockets of two L3 caches of two cores, a rank on each core, numbered through.
std::vector<RankFacts> two_nodes() {
    std::vector<RankFacts> ranks;
    for (int rank = 0; rank < 16; ++rank) {
        const int core = rank % 8;
        ranks.push_back(
            rank_at(rank, rank < 8 ? "n1" : "n2",
                    {.socket = core / 4, .numa = core / 4, .l3 = core / 2, .l2 = core, .core = core}));
    }
    return ranks;
}

std::vector<int> candidates(const char* words, const std::vector<RankFacts>& ranks, std::string& problem) {
    return partner_candidates(partner_from(words).value(), ranks, static_cast<int>(ranks.size()), problem);
}

} // namespace

TEST_CASE("a rank that may use several hardware threads is bound to what they share") {
    const std::map<int, Seat> seats = {{0, {.socket = 0, .numa = 0, .l3 = 0, .l2 = 0, .core = 0}},
                                       {1, {.socket = 0, .numa = 0, .l3 = 0, .l2 = 1, .core = 1}},
                                       {2, {.socket = 1, .numa = 1, .l3 = 1, .l2 = 2, .core = 2}},
                                       {4, {.socket = 0, .numa = 0, .l3 = 0, .l2 = 0, .core = 0}}};
    CHECK(common_seat(seats, {1}) == seats.at(1));
    CHECK(common_seat(seats, {0, 4}) == seats.at(0)); // two threads of a core
    CHECK(common_seat(seats, {0, 1}) == Seat{.socket = 0, .numa = 0, .l3 = 0, .l2 = -1, .core = -1});
    CHECK(common_seat(seats, {0, 2}) == Seat{});
    CHECK(common_seat(seats, {0, 3}) == Seat{}); // 3 is not known
    CHECK(common_seat(seats, {}) == Seat{});
}

TEST_CASE("two ranks share the smallest part that both are bound to") {
    const auto shared = [](const Seat& one, const Seat& other, const char* other_host = "n1") {
        return shared_by(rank_at(0, "n1", one), rank_at(1, other_host, other));
    };
    const Seat seat{.socket = 0, .numa = 0, .l3 = 0, .l2 = 0, .core = 0};
    CHECK(shared(seat, seat) == Shared::core);
    CHECK(shared(seat, seat, "n2") == Shared::network);
    CHECK(shared(seat, {.socket = 0, .numa = 0, .l3 = 0, .l2 = 0, .core = 1}) == Shared::l2);
    CHECK(shared(seat, {.socket = 0, .numa = 0, .l3 = 0, .l2 = 1, .core = 1}) == Shared::l3);
    CHECK(shared(seat, {.socket = 0, .numa = 0, .l3 = 1, .l2 = 1, .core = 1}) == Shared::numa);
    CHECK(shared(seat, {.socket = 0, .numa = 1, .l3 = 1, .l2 = 1, .core = 1}) == Shared::socket);
    CHECK(shared(seat, {.socket = 1, .numa = 1, .l3 = 1, .l2 = 1, .core = 1}) == Shared::node);
    CHECK(shared(seat, {}) == Shared::unknown);
    CHECK(shared({}, {}) == Shared::unknown); // two unknown cores are not the same one
}

namespace {

/// Why no rank is left, by the partner asked for.
std::vector<std::pair<std::string, std::string>> impossible_partners() {
    std::vector<std::pair<std::string, std::string>> problems;
    std::vector<RankFacts> ranks = two_nodes();
    const auto ask = [&](const char* partner) {
        std::string problem;
        CHECK(candidates(partner, ranks, problem).empty());
        problems.emplace_back(partner, problem);
    };
    ask("rank 16");
    ranks.resize(4);
    ask("other node");
    ask("other socket");
    ranks.front().seat = {};
    ask("same socket");
    return problems;
}

} // namespace

TEST_CASE("words for what two ranks share, and for why no partner is left") {
    const auto relation = [](const Seat& one, const Seat& other) {
        return relation_text(rank_at(0, "n1", one), rank_at(1, "n1", other));
    };
    const Seat seat{.socket = 0, .numa = 0, .l3 = 0, .l2 = 0, .core = 0};
    const Seat moving{.socket = 0, .numa = 0, .l3 = 0};
    CHECK(relation(moving, seat) == relation(moving, moving));
    CHECK(relation(seat, moving) == relation(moving, moving));

    Golden golden("placement");
    golden.add("two hosts", relation_text(rank_at(0, "n1", seat), rank_at(1, "n2", seat)));
    golden.add("one core", relation(seat, seat));
    golden.add("one L3 cache", relation(seat, {.socket = 0, .numa = 0, .l3 = 0, .l2 = 1, .core = 1}));
    golden.add("one NUMA node", relation(seat, {.socket = 0, .numa = 0, .l3 = 1, .l2 = 1, .core = 1}));
    golden.add("one L3 cache, moving between cores", relation(moving, moving));
    golden.add("one socket, moving between cores", relation({.socket = 0}, {.socket = 0}));
    golden.add("one socket, each on its core", relation({.socket = 0, .core = 0}, {.socket = 0, .core = 1}));
    golden.add("two sockets, which they cannot leave", relation({.socket = 0}, {.socket = 1}));
    for (const auto& [partner, problem] : impossible_partners())
        golden.add("no partner: " + partner, problem);
    golden.check();
}

TEST_CASE("hosts of one name are told apart") {
    std::vector<RankFacts> ranks;
    for (const char* const host : {"box", "n1", "box", "box", "n1", "box"})
        ranks.push_back(rank_at(static_cast<int>(ranks.size()), host, {}));
    give_hosts_unique_names(ranks, {7, 7, 5, 7, 7, 3});
    std::vector<std::string> names;
    for (const RankFacts& rank : ranks)
        names.push_back(rank.processor);
    CHECK(names == std::vector<std::string>{"box", "n1", "box (2)", "box", "n1", "box (3)"});
    std::string problem;
    CHECK(candidates("other node", ranks, problem) == std::vector{1, 2, 4, 5});
    CHECK(nodes_of(ranks) == std::vector{0, 1, 2, 0, 1, 3});
}

TEST_CASE("each word for a partner leaves the ranks that it names") {
    const std::vector<RankFacts> ranks = two_nodes();
    std::string problem;
    CHECK(candidates("farthest", ranks, problem).size() == 15);
    CHECK(candidates("nearest", ranks, problem).front() == 1);
    CHECK(candidates("rank 9", ranks, problem) == std::vector{9});
    CHECK(candidates("same socket", ranks, problem) == std::vector{1, 2, 3});
    CHECK(candidates("other socket", ranks, problem) == std::vector{4, 5, 6, 7});
    CHECK(candidates("other node", ranks, problem) == std::vector{8, 9, 10, 11, 12, 13, 14, 15});
    CHECK(problem.empty());
}

TEST_CASE("words for partners are read and written alike") {
    for (const char* const words :
         {"farthest", "nearest", "rank 12", "same socket", "other socket", "other node"}) {
        Suite suite;
        set_partner(suite, partner_from(words).value());
        CHECK(partner_text(partner_choice(suite)) == words);
    }
    for (const char* const none : {"", "rank 0", "rank -1", "rank", "rank 1x", "socket", "Farthest"})
        CHECK_FALSE(partner_from(none));
    Suite suite;
    set_partner(suite, {PartnerChoice::Rule::nearest, 0});
    CHECK(suite.partner == "nearest");
    set_partner(suite, {});
    CHECK(suite.partner.empty());
}

TEST_CASE("above the limit so many ranks are asked, spread over all, some of rank 0's own node among them") {
    std::vector<RankFacts> ranks;
    std::vector<int> others;
    for (int rank = 0; rank < 1024; ++rank) {
        ranks.push_back(rank_at(rank, "n" + std::to_string(rank % 128), {})); // round-robin
        if (rank > 0)
            others.push_back(rank);
    }
    CHECK(sampled_candidates(others, ranks, 1023) == others);
    const std::vector<int> asked = sampled_candidates(others, ranks, 256);
    CHECK(asked.size() == 256);
    const std::set<int> unique(asked.begin(), asked.end());
    CHECK(unique.size() == asked.size());
    CHECK(*unique.begin() > 0);
    for (const int own : {128, 256, 384, 512, 640, 768, 896})
        CHECK(unique.contains(own));
    std::set<int> nodes;
    int longest_gap = 0;
    for (int last = 0; const int rank : unique) {
        longest_gap = std::max(longest_gap, rank - last);
        last = rank;
        nodes.insert(rank % 128);
    }
    CHECK(longest_gap <= 9);   // two stretches of 1016 / 249 ranks and one of rank 0's node
    CHECK(nodes.size() > 100); // a fixed step would meet 32 of them again and again
    CHECK(sampled_candidates(others, {}, 256).size() == 256);
}

TEST_CASE("ranks join by number, node by node, or one of each node in turn") {
    const std::vector<int> node = {0, 1, 0, 2, 1, 0};
    CHECK(joining_ranks(JoinOrder::by_rank, node) == std::vector{0, 1, 2, 3, 4, 5});
    CHECK(joining_ranks(JoinOrder::by_node, node) == std::vector{0, 2, 5, 1, 4, 3});
    CHECK(joining_ranks(JoinOrder::round_robin, node) == std::vector{0, 1, 3, 2, 4, 5});
    std::vector<RankFacts> ranks;
    for (const char* const host : {"b", "a", "b", "c"})
        ranks.push_back(rank_at(0, host, {}));
    CHECK(nodes_of(ranks) == std::vector{0, 1, 0, 2});
    CHECK(join_order_from("rank") == JoinOrder::by_rank);
    CHECK(join_order_from("node") == JoinOrder::by_node);
    CHECK(join_order_from("round-robin") == JoinOrder::round_robin);
    CHECK_FALSE(join_order_from("host"));
    CHECK(join_order(Suite{}) == JoinOrder::by_rank);
}

TEST_CASE(
    "of many ranks rank 0, those whose clocks are farthest off, and others at equal distances are stored") {
    std::vector<RankFacts> ranks(100'000);
    for (std::size_t i = 0; i < ranks.size(); ++i)
        ranks[i].rank = static_cast<int>(i);
    ranks[77].clock_offset_s = -2;
    ranks[78].clock_offset_s = 1;
    ranks[99'999].clock_drift = 1e-5;
    const std::vector<RankFacts> few(ranks.begin(), ranks.begin() + most_stored_ranks);
    CHECK(bounded_ranks(few).size() == most_stored_ranks);
    const std::vector<RankFacts> kept = bounded_ranks(ranks);
    CHECK(kept.size() == most_stored_ranks);
    CHECK(kept.front().rank == 0);
    CHECK(kept.back().rank == 99'999);
    CHECK(std::ranges::count(kept, 77, &RankFacts::rank) == 1);
    for (std::size_t i = 1; i < kept.size(); ++i) {
        CHECK(kept[i - 1].rank < kept[i].rank);
        CHECK(kept[i].rank - kept[i - 1].rank <= 98);
    }
}

TEST_CASE("a team is the ranks that join first") {
    const TeamShape shape{Pattern::collective, 3, 0, JoinOrder::by_node};
    CHECK(shape.has(5, 2));
    CHECK_FALSE(shape.has(2, 3));
    const TeamShape pair{Pattern::ping_pong, 2, 7, JoinOrder::by_rank};
    CHECK(pair.has(7, 100));
    CHECK_FALSE(pair.has(1, 1));
}

#ifdef SKAMPI_HAVE_HWLOC
TEST_CASE("this host has sockets, cores and a seat for each hardware thread") {
    const Topology& here = host_topology();
    REQUIRE_FALSE(here.seats.empty());
    CHECK(here.facts.at("topology").find(" core") != std::string::npos);
    for (const auto& [cpu, seat] : here.seats) {
        CHECK(cpu >= 0);
        CHECK(seat.core >= 0);
    }
}
#endif
