// SPDX-License-Identifier: GPL-2.0-or-later
// skampi-run links on clusters whose faults are planted: the platform file is the truth.
#include "links/bisection.hpp"
#include "links/link_findings.hpp"
#include "links/link_words.hpp"
#include "simulated_run.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace skampi;
using namespace skampi::sim;

namespace {

constexpr double bandwidth = 1.25e9;
constexpr double latency_s = 2e-6;
constexpr std::int64_t long_bytes = 64 * 1024;

/// Hosts behind switches of so many hosts each, these behind one.
struct Cluster {
    int hosts = 64;
    int of_switch = 64;
    double far_latency_s = 0; ///< of a switch's uplink
    int slow_host = -1;       ///< by these factors
    double slow_bandwidth = 1;
    double slow_latency = 1;
    int slow_first = -1, slow_second = -1; ///< a pair with a link of its own of 0.6 of the bandwidth
    int slow_switch = -1;                  ///< whose uplink has the bandwidth of one host

    [[nodiscard]] std::string xml() const {
        std::string text = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                           "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                           "<zone id=\"z\" routing=\"Full\">\n";
        for (int i = 0; i < hosts; ++i) {
            const bool slow = i == slow_host;
            text += fmt::format("<host id=\"n{0}\" speed=\"1Gf\"/><link id=\"l{0}\" bandwidth=\"{1}Bps\" "
                                "latency=\"{2}s\"/>\n",
                                i, bandwidth * (slow ? slow_bandwidth : 1),
                                latency_s * (slow ? slow_latency : 1));
        }
        for (int s = 0; s < hosts / of_switch; ++s)
            text += fmt::format("<link id=\"u{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", s,
                                bandwidth * (s == slow_switch ? 1 : of_switch), far_latency_s);
        text += fmt::format("<link id=\"slow\" bandwidth=\"{}Bps\" latency=\"0s\"/>\n", 0.6 * bandwidth);
        for (int i = 0; i < hosts; ++i)
            for (int j = i + 1; j < hosts; ++j) {
                const int a = i / of_switch;
                const int b = j / of_switch;
                text += fmt::format("<route src=\"n{0}\" dst=\"n{1}\"><link_ctn id=\"l{0}\"/>", i, j);
                if (a != b)
                    text += fmt::format("<link_ctn id=\"u{}\"/><link_ctn id=\"u{}\"/>", a, b);
                if (i == slow_first && j == slow_second)
                    text += "<link_ctn id=\"slow\"/>";
                text += fmt::format("<link_ctn id=\"l{}\"/></route>\n", j);
            }
        return text + "</zone>\n</platform>\n";
    }
};

struct Found {
    LinkInput input;
    std::vector<LengthFinding> lengths; ///< short, long
};

/// One pass, since simulated ones are alike.
Found links_of(const std::string& xml, int hosts, std::vector<std::string> options = {"--passes", "1"}) {
    const ScratchFolder scratch;
    std::ofstream(scratch / "cluster.xml") << xml;
    options.insert(options.begin(), {"links", "-d", "l.db", "--lengths", fmt::format("8,{}", long_bytes)});
    const ChildResult result =
        run(simulated(scratch, scratch / "cluster.xml", numbered("n", hosts), options,
                      {"smpi/lat-factor:0:1", "smpi/bw-factor:0:1", "network/TCP-gamma:0",
                       "network/crosstraffic:0", "smpi/bcast:binomial_tree"}));
    INFO(result.err);
    MESSAGE(result.out);
    REQUIRE(result.ok());
    const Database database = Database::open(scratch / "l.db");
    CHECK_NOTHROW(database.check_integrity());
    const RunId id = database.runs().back();
    CHECK(database.run(id).detours.empty()); // simulated cores do no other work
    Found found{link_input(database.run(id), database.pair_maps(id)), {}};
    found.lengths = find_links(found.input);
    REQUIRE(found.lengths.size() == 2);
    if (std::ranges::find(options, "--quick") == options.end())
        for (const LengthFinding& finding : found.lengths)
            CHECK(finding.pairs == static_cast<std::int64_t>(hosts) * (hosts - 1) / 2);
    return found;
}

Found links_of(const Cluster& cluster) {
    return links_of(cluster.xml(), cluster.hosts);
}

/// That one thing is slow, and nothing else.
void check_slow(const LengthFinding& finding, SlowPart::Kind kind, const std::vector<int>& members,
                LinkVerdict verdict = LinkVerdict::slow) {
    REQUIRE(finding.slow.size() == 1);
    CHECK(finding.slow[0].kind == kind);
    CHECK(finding.slow[0].members == members);
    CHECK(finding.slow[0].verdict == verdict);
}

void check_clean(const LengthFinding& finding) {
    CHECK(finding.slow.empty());
}

constexpr Cluster star{};
constexpr Cluster fat_tree{.of_switch = 8, .far_latency_s = 1e-6};
constexpr Cluster cabinets{.of_switch = 32, .far_latency_s = 25e-6};

} // namespace

TEST_CASE("values are the route's to 1 %, and a clean cluster is clean") {
    for (const Cluster& cluster : {star, fat_tree, cabinets}) {
        const Found found = links_of(cluster);
        for (const LengthFinding& finding : found.lengths) {
            check_clean(finding);
            CHECK(finding.classes.size() == (cluster.of_switch < cluster.hosts ? 2 : 1));
            double largest = 0;
            for (int i = 0; i < cluster.hosts; ++i)
                for (int j = i + 1; j < cluster.hosts; ++j) {
                    const bool far = i / cluster.of_switch != j / cluster.of_switch;
                    const double truth_s = 2 * latency_s + (far ? 2 * cluster.far_latency_s : 0) +
                                           static_cast<double>(finding.message_bytes) / bandwidth;
                    largest = std::max(largest, std::abs(finding.time_of_pair_s(i, j) / truth_s - 1));
                }
            CHECK(largest <= 0.01);
        }
    }
}

TEST_CASE("a host with half the bandwidth or three times the latency is named, and nothing else") {
    for (const Cluster& network : {star, fat_tree, cabinets})
        for (const bool latency : {false, true}) {
            Cluster cluster = network;
            cluster.slow_host = 17;
            (latency ? cluster.slow_latency : cluster.slow_bandwidth) = latency ? 3 : 0.5;
            const Found found = links_of(cluster);
            check_clean(found.lengths[latency ? 1 : 0]);
            check_slow(found.lengths[latency ? 0 : 1], SlowPart::Kind::node, {17});
            CHECK(bad_nodes(found.input, found.lengths) == std::vector<std::string>{"n17"});
        }
}

TEST_CASE("a slow route between two hosts is named, and neither host") {
    for (const Cluster& network : {star, fat_tree, cabinets}) {
        Cluster cluster = network;
        cluster.slow_first = 3;
        cluster.slow_second = 41;
        const Found found = links_of(cluster);
        check_clean(found.lengths[0]);
        check_slow(found.lengths[1], SlowPart::Kind::pair, {3, 41});
        CHECK(bad_nodes(found.input, found.lengths).empty());
    }
}

TEST_CASE("an uplink that is slow for many at a time is named by its hosts, and none of them") {
    Cluster cluster = fat_tree;
    cluster.slow_switch = 2;
    const Found found = links_of(cluster);
    check_clean(found.lengths[0]);
    check_slow(found.lengths[1], SlowPart::Kind::group, {16, 17, 18, 19, 20, 21, 22, 23},
               LinkVerdict::only_together);
}

TEST_CASE(
    "on a dragonfly distances are found, and pairs that share its few global links are slow only together") {
    const Found found =
        links_of("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                 "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" radical=\"0-63\" suffix=\"\" "
                 "speed=\"1Gf\" bw=\"1.25GBps\" lat=\"1us\" topology=\"DRAGONFLY\" "
                 "topo_parameters=\"4,1;4,1;4,1;1\"/></platform>\n",
                 64);
    check_clean(found.lengths[0]);
    CHECK(found.lengths[0].classes.size() == 5);
    for (const SlowPart& part : found.lengths[1].slow) {
        CHECK(part.kind != SlowPart::Kind::node);
        CHECK(part.verdict != LinkVerdict::slow);
    }
}

TEST_CASE("a slow host is named by fewer than four pairs for each host") {
    for (const Cluster& network : {star, fat_tree}) {
        Cluster cluster = network;
        cluster.slow_host = 17;
        cluster.slow_bandwidth = 0.5;
        const Found found = links_of(cluster.xml(), cluster.hosts, {"--quick"});
        CHECK(found.lengths[1].pairs <= 4 * cluster.hosts);
        CHECK(bad_nodes(found.input, found.lengths) == std::vector<std::string>{"n17"});
        check_slow(found.lengths[1], SlowPart::Kind::node, {17});
    }
}

TEST_CASE("the bandwidth between two halves is that of the narrowest part between them, in both directions") {
    constexpr int hosts = 16; // each message of 16 MiB is copied
    for (const Cluster& cluster : {Cluster{.hosts = hosts, .of_switch = hosts},
                                   Cluster{.hosts = hosts, .of_switch = hosts / 2, .slow_switch = 0}}) {
        const Found found = links_of(cluster.xml(), hosts, {"--bisection"});
        const std::optional<Bisection> bisection = find_bisection(found.input);
        REQUIRE(bisection.has_value());
        const double truth =
            bandwidth * (cluster.slow_switch < 0 ? hosts / 2 : 1); // a link's is that of both directions
        CHECK(bisection->members == hosts);
        for (const double value : {bisection->minimum, bisection->mean, bisection->maximum})
            CHECK(std::abs(value / truth - 1) <= 0.01);
        REQUIRE(bisection->interval.has_value());
        CHECK(bisection->interval->low <= bisection->interval->high);
    }
}

TEST_CASE("an odd number of hosts, and the smallest numbers") {
    for (const int hosts : {2, 3, 9})
        for (const LengthFinding& finding : links_of({.hosts = hosts, .of_switch = hosts}).lengths)
            check_clean(finding);
}
