// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.hpp"
#include "links/bisection.hpp"
#include "links/link_findings.hpp"
#include "links/link_gate.hpp"
#include "links/link_words.hpp"
#include "links/pair_steps.hpp"
#include "links/retests.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <random>
#include <set>

using namespace skampi;

namespace {

/// A cluster whose times are known, measured as skampi-run does it.
struct InventedCluster {
    int members = 64;
    /// Half a round trip; alone = no one else communicates.
    std::function<double(int, int, std::int64_t bytes, bool alone)> time_s = {};
    double noise = 0;
    int passes = 3;
    std::mt19937_64 random{1};

    PairMap map_of(Company company, int pass, std::int64_t bytes, const std::vector<MemberPair>& pairs) {
        PairMap map{pass, company, bytes, pass + 1, 0, {}};
        std::normal_distribution<double> error(0, noise);
        for (const auto& [first, second] : pairs)
            map.pairs.push_back({first, second,
                                 static_cast<float>(time_s(first, second, bytes, company == Company::none) *
                                                    std::exp(error(random)))});
        return map;
    }

    LinkInput measured() {
        LinkInput input;
        for (int i = 0; i < members; ++i)
            input.names.push_back("n" + std::to_string(i));
        std::vector<MemberPair> all;
        for (int i = 0; i < members; ++i)
            for (int j = i + 1; j < members; ++j)
                all.emplace_back(i, j);
        for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{1} << 20})
            for (int pass = 0; pass < passes; ++pass)
                input.maps.push_back(map_of(Company::all, pass, bytes, all));
        for (const LengthFinding& finding : find_links(input)) {
            const std::vector<MemberPair> again = pairs_to_retest(finding, 7);
            for (int pass = 0; pass < 3; ++pass) {
                input.maps.push_back(map_of(Company::other, pass, finding.message_bytes, again));
                input.maps.push_back(map_of(Company::none, pass, finding.message_bytes, again));
            }
        }
        return input;
    }

    std::vector<LengthFinding> findings() { return find_links(measured()); }
};

double star(int, int, std::int64_t bytes, bool) {
    return 4e-6 + static_cast<double>(bytes) / 1.25e9;
}

/// Two cabinets of other sizes, 50 us apart.
double cabinets(int i, int j, std::int64_t bytes, bool) {
    return star(i, j, bytes, false) + ((i < 24) != (j < 24) ? 50e-6 : 0);
}

} // namespace

TEST_CASE("every pair meets once, and no one has two partners in a step") {
    for (const int members : {2, 3, 8, 9, 64}) {
        const PairSteps steps = all_pairs_in_steps(members, 5);
        CHECK(std::ssize(steps) == members + members % 2 - 1);
        std::set<MemberPair> met;
        for (const auto& step : steps) {
            std::set<int> busy;
            for (const auto& [first, second] : step) {
                CHECK(busy.insert(first).second);
                CHECK(busy.insert(second).second);
                CHECK(met.insert(std::minmax(first, second)).second);
            }
        }
        CHECK(std::ssize(met) == members * (members - 1) / 2);
    }
}

TEST_CASE("pairs are measured again in company of all others") {
    const PairSteps steps = steps_with_company({{0, 1}, {1, 2}, {4, 5}}, 8, 3);
    REQUIRE(steps.size() == 2);
    for (const auto& step : steps)
        CHECK(step.size() == 4);
    CHECK(std::ranges::count(steps[0], MemberPair{0, 1}) + std::ranges::count(steps[0], MemberPair{4, 5}) ==
          2);
    CHECK(std::ranges::count(steps[1], MemberPair{1, 2}) == 1);
}

TEST_CASE("nothing is found in 200 clean runs with noise of 5 %, on a star and in two cabinets") {
    for (int run = 0; run < 200; ++run) {
        InventedCluster cluster{.members = 32, .time_s = run % 2 == 0 ? star : cabinets, .noise = 0.05};
        cluster.random.seed(static_cast<std::uint64_t>(run));
        for (const LengthFinding& finding : cluster.findings()) {
            for (const SlowPart& part : finding.slow) {
                CHECK(part.kind == SlowPart::Kind::pair);
                CHECK(part.verdict == LinkVerdict::not_repeated);
            }
        }
    }
}

TEST_CASE("a slow node is named, by latency or by bandwidth, near and far, and nothing else") {
    for (const auto& network : {star, cabinets})
        for (const bool latency : {true, false}) {
            InventedCluster cluster{.noise = 0.02};
            cluster.time_s = [&](int i, int j, std::int64_t bytes, bool alone) {
                const bool slow = i == 17 || j == 17;
                return network(i, j, bytes, alone) + (!slow     ? 0
                                                      : latency ? 4e-6
                                                                : static_cast<double>(bytes) / 1.25e9);
            };
            for (const LengthFinding& finding : cluster.findings()) {
                REQUIRE(finding.slow.size() == (finding.is_latency() == latency ? 1 : 0));
                if (finding.slow.empty())
                    continue;
                const SlowPart& node = finding.slow.front();
                CHECK(node.kind == SlowPart::Kind::node);
                CHECK(node.members == std::vector<int>{17});
                CHECK(node.ratio == doctest::Approx(2).epsilon(0.05));
                CHECK(node.verdict == LinkVerdict::slow);
            }
        }
}

TEST_CASE("a slow link is named and neither of its nodes") {
    InventedCluster cluster{.noise = 0.02};
    cluster.time_s = [](int i, int j, std::int64_t bytes, bool alone) {
        return cabinets(i, j, bytes, alone) / (i == 3 && j == 41 && bytes > 8 ? 0.6 : 1);
    };
    const std::vector<LengthFinding> findings = cluster.findings();
    CHECK(findings[0].slow.empty());
    REQUIRE(findings[1].slow.size() == 1);
    const SlowPart& pair = findings[1].slow[0];
    CHECK(pair.kind == SlowPart::Kind::pair);
    CHECK(pair.members == std::vector<int>{3, 41});
    CHECK(pair.verdict == LinkVerdict::slow);
    CHECK(pair.ratio == doctest::Approx(1 / 0.6).epsilon(0.05));
}

TEST_CASE("nodes behind a route that only several users slow down are named as its users") {
    InventedCluster cluster{.noise = 0.02};
    const auto leaf = [](int member) { return member / 8; };
    cluster.time_s = [&](int i, int j, std::int64_t bytes, bool alone) {
        const double far = leaf(i) != leaf(j) ? 4e-6 : 0;
        const bool congested = (leaf(i) == 2) != (leaf(j) == 2) && bytes > 8 && !alone;
        return (star(i, j, bytes, alone) + far) * (congested ? 4 : 1);
    };
    const std::vector<LengthFinding> findings = cluster.findings();
    CHECK(findings[0].classes.size() == 2);
    REQUIRE(findings[1].slow.size() == 1);
    const SlowPart& group = findings[1].slow[0];
    CHECK(group.kind == SlowPart::Kind::group);
    CHECK(group.members == std::vector<int>{16, 17, 18, 19, 20, 21, 22, 23});
    CHECK(group.pairs.size() == 8 * 56);
    CHECK(group.verdict == LinkVerdict::only_together);
}

TEST_CASE("what was slow in all passes and not afterwards did not repeat") {
    InventedCluster cluster{.members = 16};
    int calls = 0;
    cluster.time_s = [&](int i, int j, std::int64_t bytes, bool alone) {
        const bool slow = i == 1 && j == 2 && bytes == 8 && ++calls <= 3;
        return star(i, j, bytes, alone) * (slow ? 3 : 1);
    };
    const std::vector<LengthFinding> findings = cluster.findings();
    REQUIRE(findings[0].slow.size() == 1);
    CHECK(findings[0].slow[0].verdict == LinkVerdict::not_repeated);
}

TEST_CASE("two or three members are measured and not judged as nodes") {
    for (const int members : {2, 3}) {
        InventedCluster cluster{.members = members, .time_s = star, .noise = 0.01};
        for (const LengthFinding& finding : cluster.findings()) {
            CHECK(finding.pairs == members * (members - 1) / 2);
            CHECK(finding.slow.empty());
        }
    }
}

TEST_CASE("cores that lose far more time to other work than others are named, and no node is bad for it") {
    LinkInput input = InventedCluster{.members = 16, .time_s = star}.measured();
    for (int i = 0; i < 16; ++i)
        input.detours.push_back({i, 1, 4e-4 + 1e-5 * (i % 3), 250, 1e-5});
    const auto named = [&] {
        std::vector<int> members;
        for (const CoreDetours& core : find_busy_cores(input.detours).cores)
            members.push_back(core.rank);
        return members;
    };
    CHECK(named().empty());
    input.detours[3].lost_s = 0.0049; // ten times as much as others, and little
    CHECK(named().empty());
    input.detours[5] = {5, 2, 0.013, 2, 0.007};
    input.detours[12] = {12, 1, 0.013, 100, 1.3e-4};
    CHECK(named() == std::vector<int>{12, 5});
    CHECK(find_busy_cores(input.detours).usual_share == doctest::Approx(4.1e-4));
    const std::vector<LengthFinding> findings = find_links(input);
    CHECK(link_answer(input, findings)
              .facts.back()
              .ends_with("(median); n12 1.3 %: 100 detours a second, the longest 130 µs; "
                         "n5 0.65 %: 1 detour a second, the longest 7.0 ms"));
    CHECK(bad_nodes(input, findings).empty());
    for (int i = 0; i < 16; ++i) // half of them much, half little
        input.detours[static_cast<std::size_t>(i)].lost_s = i % 2 == 0 ? 0.2 : 1e-4;
    CHECK(named().empty());
}

TEST_CASE("only names of bad nodes, each host once") {
    LinkInput input{{"a:0", "a:1", "b"}, {}};
    LengthFinding finding;
    for (const int member : {0, 1, 2})
        finding.slow.push_back({.members = {member}, .verdict = LinkVerdict::slow});
    finding.slow.back().verdict = LinkVerdict::only_together;
    CHECK(bad_nodes(input, {finding}) == std::vector<std::string>{"a"});
}

TEST_CASE(
    "a gate on nodes has its own limit, and one that was not reached by what was measured again is open") {
    InventedCluster cluster{.members = 16};
    cluster.time_s = [](int i, int j, std::int64_t bytes, bool alone) {
        return star(i, j, bytes, alone) * (bytes > 8 && (i == 3 || j == 3) ? 1.3 : 1);
    };
    const LinkInput input = cluster.measured();
    const auto check = [&](const char* text) { return check_link_gate(parse_link_gate(text), input); };
    CHECK(check("node bandwidth < 0.9").failed.size() == 1);
    CHECK(check("node bandwidth < 0.7").failed.empty());
    CHECK(check("pair bandwidth < 0.9").failed.empty());
    CHECK(check("node latency > 1.1").failed.empty());
    LinkInput before = input;
    std::erase_if(before.maps, [](const PairMap& map) { return map.company != Company::all; });
    CHECK(check_link_gate(parse_link_gate("node bandwidth < 0.9"), before).open.size() == 1);
    for (const char* text : {"", "node", "node bandwidth > 0.9", "node bandwidth < 1.1", "link latency > 2",
                             "pair latency > 0.5", "pair latency > 2 now", "node bandwidth < 0"})
        CHECK_THROWS_AS((void)parse_link_gate(text), InputError);
}

TEST_CASE("halves: every pair across them meets once, in steps that are known by their number") {
    for (const int members : {2, 3, 8, 9}) {
        const PairSteps steps = steps_across_halves(members, 5);
        CHECK(std::ssize(steps) == members / 2);
        std::set<MemberPair> met;
        std::set<int> numbers;
        for (const auto& step : steps) {
            CHECK(std::ssize(step) == members / 2);
            numbers.insert(step_across_halves(step.front(), members));
            for (const MemberPair& pair : step) {
                CHECK(pair.first < members / 2);
                CHECK(pair.second >= members / 2);
                CHECK(step_across_halves(pair, members) == step_across_halves(step.front(), members));
                CHECK(met.insert(pair).second);
            }
        }
        CHECK(std::ssize(numbers) == members / 2);
    }
}

TEST_CASE("the bandwidth of a bisection is the sum of a step's pairs, its minimum that of repetitions") {
    LinkInput input;
    input.names.resize(8);
    const auto measure = [&](Company company, const std::vector<MemberPair>& pairs, double factor) {
        PairMap map{.company = company, .message_bytes = bisection_bytes};
        for (const MemberPair& pair : pairs) // steps 0 to 3 have 8, 4, 8/3 and 2 GB/s
            map.pairs.push_back({pair.first, pair.second,
                                 static_cast<float>(1e-9 * static_cast<double>(bisection_bytes) *
                                                    (1 + step_across_halves(pair, 8)) / factor)});
        input.maps.push_back(std::move(map));
    };
    CHECK_FALSE(find_bisection(input).has_value());
    std::vector<MemberPair> all;
    for (const auto& step : steps_across_halves(8, 1))
        all.insert(all.end(), step.begin(), step.end());
    for (const double factor : {1.0, 0.5, 1.1})
        measure(Company::halves, all, factor);
    std::optional<Bisection> found = find_bisection(input);
    REQUIRE(found.has_value());
    CHECK(found->members == 8);
    CHECK(found->passes == 3);
    CHECK(found->minimum == doctest::Approx(2e9));
    CHECK(found->mean == doctest::Approx((8e9 + 4e9 + 8e9 / 3 + 2e9) / 4));
    CHECK(found->maximum == doctest::Approx(8e9));
    CHECK_FALSE(found->interval.has_value());
    const std::vector<MemberPair> slowest = slowest_steps(input);
    CHECK(slowest.size() == 12);
    CHECK(std::ranges::none_of(slowest,
                               [](const MemberPair& pair) { return step_across_halves(pair, 8) == 0; }));
    for (const double factor : {0.9, 1 / 0.9})
        measure(Company::halves_again, slowest, factor);
    found = find_bisection(input);
    CHECK(found->minimum == doctest::Approx(2e9));
    REQUIRE(found->interval.has_value());
    // Student's t of one degree of freedom times the standard error of two values
    CHECK(found->interval->high == doctest::Approx(2e9 * std::exp(12.706 * -std::log(0.9))).epsilon(1e-4));
    CHECK(find_links(input).empty());
    CHECK(found->complete);
    const LinkInput whole = input;
    input.maps.front().unmeasured = 1;
    CHECK_FALSE(find_bisection(input)->complete);
    input = whole;
    for (PairMap& map : input.maps) // a step is missing, and what is no pair across the halves does not help
        for (PairTime& pair : map.pairs)
            if (pair.first == 0 && step_across_halves({pair.first, pair.second}, 8) == 3)
                pair = {pair.second, pair.first, pair.time_s};
    CHECK(find_bisection(input)->steps == 3);
    CHECK_FALSE(find_bisection(input)->complete);
    input.names = {"alone"};
    CHECK_FALSE(find_bisection(input).has_value());
}

TEST_CASE("pairs that are slow like others name the few members that they have in common") {
    LinkInput input;
    for (int i = 0; i < 64; ++i)
        input.names.push_back("n" + std::to_string(i));
    LengthFinding finding;
    finding.message_bytes = 1 << 20;
    finding.class_of_pair = PairValues(64, 0);
    finding.classes.resize(1);
    const auto last_line = [&] { return link_answer(input, {finding}).slow.back(); };
    for (int i = 0; i < 12; ++i)
        finding.slow.push_back({.kind = SlowPart::Kind::pair,
                                .members = {i, 40 + i % 2},
                                .pairs = {{i, 40 + i % 2}},
                                .verdict = LinkVerdict::only_together});
    CHECK(last_line().ends_with("all with n40 and n41"));
    for (int i = 0; i < 12; ++i) // pairs that have no member in common
        finding.slow[static_cast<std::size_t>(i)].pairs = {{i, 40 + i}};
    CHECK(last_line().find("n40 and") == std::string::npos);
}
