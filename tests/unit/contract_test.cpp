// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "contains.hpp"
#include "contest/contract.hpp"
#include "contest/estimate.hpp"
#include "contest/links_contract.hpp"
#include "links/bisection.hpp"

#include "base/error.hpp"

#include "../tool/invented_results.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

std::string refusal_of(const std::string& line) {
    try {
        (void)parse_contract(line, "c.txt");
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

/// Eight launches that scatter by 1 % about a microsecond, and a microsecond for each KiB more.
Curve promised_suite(const std::string& name, Meaning meaning, int ranks) {
    Curve curve;
    curve.stored.suite =
        test::suite(name, test::operation(17, "MPI_" + name, "", Pattern::collective, Varied::message_length),
                    Varied::message_length);
    curve.stored.suite.operation.meaning = meaning;
    for (const std::int64_t bytes : {8, 1024}) {
        StoredMeasurement point;
        point.finished = true;
        point.measurement.argument = point.measurement.message_bytes = bytes;
        point.measurement.ranks = ranks;
        point.measurement.value_s = bytes == 8 ? 1e-6 : 2e-6;
        point.measurement.summary.count = 20;
        for (int launch = 0; launch < 8; ++launch)
            curve.launches[name + std::to_string(launch)].values[bytes] =
                point.measurement.value_s * std::exp(launch % 2 == 0 ? 0.01 : -0.01);
        curve.points.push_back(std::move(point));
    }
    return curve;
}

struct CheckedContract {
    explicit CheckedContract(const std::string& text) {
        Subject subject;
        subject.path = "x.db";
        subject.curves = {promised_suite("Bcast", Meaning::collective, 4),
                          promised_suite("Send", Meaning::round_trip, 2)};
        subjects.push_back(std::move(subject));
        contract = parse_contract(text, "c.txt");
        findings = check_contract(contract, subjects, "c.txt");
    }
    std::vector<Subject> subjects;
    std::vector<Promise> contract;
    std::vector<PromiseFinding> findings;
};

GateOutcome outcome_for(const std::string& line) {
    const CheckedContract checked(line);
    REQUIRE(checked.findings.size() == 1);
    return checked.findings.front().outcome;
}

} // namespace

TEST_CASE("a promise names what was measured, a length, ranks, a quantity and a limit") {
    const std::vector<Promise> contract = parse_contract("# acceptance\n\n"
                                                         "MPI_Allreduce 8 B on 64 ranks: time < 12 us\r\n"
                                                         "  ping-pong: bandwidth at 4MiB >= 11GB/s\n"
                                                         "my-* on 1 rank:latency<1.5µs",
                                                         "c.txt");
    REQUIRE(contract.size() == 3);
    CHECK(contract[0].line == 3);
    CHECK(contract[0].name == "MPI_Allreduce");
    CHECK(contract[0].bytes == 8);
    CHECK(contract[0].ranks == 64);
    CHECK(contract[0].below);
    CHECK(contract[0].limit == close_to(12e-6));
    CHECK(contract[1].name == ping_pong_name);
    CHECK(contract[1].bytes == 4 << 20);
    CHECK_FALSE(contract[1].ranks.has_value());
    CHECK(contract[1].quantity == PromisedQuantity::bandwidth);
    CHECK_FALSE(contract[1].below);
    CHECK(contract[1].limit == close_to(11e9));
    CHECK(contract[2].ranks == 1);
    CHECK(contract[2].quantity == PromisedQuantity::latency);
    CHECK(contract[2].limit == close_to(1.5e-6));
}

TEST_CASE("suites may be called as lines on links begin") {
    for (const char* line : {"pair 8 B: time < 1 s", "node on 2 ranks: latency < 1 s", "links: time < 1 s",
                             "bisection: bandwidth at 8 B > 1 GB/s"})
        CHECK_FALSE(parse_contract(line, "c.txt").front().of_links());
}

TEST_CASE("a mistake in a contract is refused where it stands") {
    for (const auto& each : std::vector<std::pair<std::string, std::string>>{
             {"a 8 X: time < 1 us", "c.txt:1:5: "},
             {"a 1.5 B: time < 1 us", "c.txt:1:3: "},
             {"a: tme < 1 us", "c.txt:1:4: "},
             {"a: time = 1 us", "c.txt:1:9: "},
             {"a: time < 1 uss", "c.txt:1:13: "},
             {"a: time < 0 us", "c.txt:1:11: "},
             {"a: time < -1 us", "c.txt:1:11: "},
             {"a: bandwidth > 1 us", "c.txt:1:18: "},
             {"a: time < 1 us, 2 us", "c.txt:1:13: "},
             {"a: time < 1 us again", "c.txt:1:16: "},
             {"a on ranks: time < 1 us", "c.txt:1:6: "},
             {"a on 0 ranks: time < 1 us", "c.txt:1:6: "},
             {"a 8 B: time at 8 B < 1 us", "c.txt:1:16: "},
             {": time < 1 us", "c.txt:1:1: "},
             {"a: time < inf us", "c.txt:1:11: "},
             {"bisection: minimum < 1 GB/s", "c.txt:1:20: "},
             {"bisection: minimum > 1 GB", "c.txt:1:24: "},
             {"bisection: least > 1 GB/s", "c.txt:1:12: "},
             {"node speed > 0.9 of its class", "c.txt:1:6: "},
             {"node bandwidth < 0.9 of its class", "c.txt:1:16: "},
             {"node bandwidth > 1.1 of its class", "c.txt:1:18: "},
             {"pair latency < 0.9 of its class", "c.txt:1:16: "},
             {"pair latency < 2 of its kind", "c.txt:1:25: "},
             {"links: none slow today", "c.txt:1:18: "},
         }) {
        CAPTURE(each.first);
        CHECK(refusal_of(each.first).starts_with(each.second));
    }
    CHECK(contains(refusal_of("a: tme < 1 us"), "\"time\""));
    CHECK(refusal_of("# nothing\n").starts_with("c.txt: "));
}

TEST_CASE("a promise is kept if the whole interval keeps it, broken if none of it does, else open") {
    CHECK(outcome_for("MPI_Bcast 8 B: time < 1.1 us") == GateOutcome::passed);
    CHECK(outcome_for("MPI_Bcast 8 B: time < 0.9 us") == GateOutcome::failed);
    CHECK(outcome_for("MPI_Bcast 8 B: time < 1 us") == GateOutcome::open);
    CHECK(outcome_for("MPI_Bcast 8 B: time > 0.9 us") == GateOutcome::passed);
    CHECK(outcome_for("Bc* 1 KiB on 4 ranks: bandwidth > 0.5 GB/s") == GateOutcome::passed);
    CHECK(outcome_for("Bcast 1 KiB: bandwidth > 0.52 GB/s") == GateOutcome::failed);
    const CheckedContract open("Bcast 8 B: time < 1005 ns");
    CHECK(open.findings[0].measured == close_to(1e-6));
    CHECK(open.findings[0].low < 1e-6);
    CHECK(open.findings[0].high > 1.005e-6);
    CHECK(open.findings[0].needed > std::size_t{8});
}

TEST_CASE("latency is half a round trip, and bandwidth that of one direction") {
    CHECK(outcome_for("ping-pong 8 B: latency < 0.51 us") == GateOutcome::passed);
    CHECK(outcome_for("ping-pong 8 B: latency < 0.49 us") == GateOutcome::failed);
    const CheckedContract checked("ping-pong: bandwidth at 1 KiB > 1 GB/s");
    CHECK(checked.findings[0].measured == close_to(2 * 1024 / 2e-6));
    CHECK(checked.findings[0].low < checked.findings[0].measured);
    CHECK(checked.findings[0].measured < checked.findings[0].high);
    CHECK_THROWS_AS(CheckedContract("Bcast 8 B: latency < 1 us"), InputError);
    CheckedContract one_sided(
        "Send 8 B: latency < 1.1 us"); // the time of the call, however many messages it has
    Curve& curve = one_sided.subjects[0].curves[1];
    curve.stored.suite.operation.meaning = Meaning::one_sided;
    for (StoredMeasurement& point : curve.points)
        point.measurement.messages = 2;
    CHECK(check_contract(one_sided.contract, one_sided.subjects, "c.txt")[0].measured == close_to(1e-6));
}

TEST_CASE("what was not measured is open, and what nobody knows is refused") {
    const CheckedContract ranks("MPI_Bcast 8 B on 64 ranks: time < 12 us");
    CHECK(ranks.findings[0].outcome == GateOutcome::open);
    CHECK(ranks.findings[0].missing == NotMeasured::ranks);
    CHECK(CheckedContract("MPI_Bcast 24 B: time < 12 us").findings[0].missing == NotMeasured::length);
    CHECK(CheckedContract("* 8 B: time < 1.1 us").findings.size() == 2); // each suite has to keep it
    CHECK(CheckedContract("* 8 B on 4 ranks: time < 1.1 us").findings.size() == 1);
    // A suite that should have measured the length does not drop out.
    CheckedContract lost("* 1 KiB: time < 1 s");
    lost.subjects[0].curves[1].points.pop_back();
    lost.subjects[0].curves[1].stored.suite.arguments = {.start = 1, .end = 512};
    CHECK(check_contract(lost.contract, lost.subjects, "c.txt").size() == 1);
    lost.subjects[0].curves[1].stored.suite.arguments.end = 4096;
    CHECK(check_contract(lost.contract, lost.subjects, "c.txt")[1].missing == NotMeasured::length);
    // Nor does one that failed.
    CheckedContract failed("* 8 B on 4 ranks: time < 1 s");
    failed.subjects[0].curves[1].points.clear();
    REQUIRE(check_contract(failed.contract, failed.subjects, "c.txt").size() == 2);
    CHECK(check_contract(failed.contract, failed.subjects, "c.txt")[1].missing == NotMeasured::value);
    CHECK_THROWS_AS(CheckedContract("MPI_Bcat 8 B: time < 12 us"), InputError);
    CHECK_THROWS_AS(CheckedContract("MPI_Bcast: time < 12 us"), InputError); // at which length?
}

TEST_CASE("few launches keep and break nothing") {
    CheckedContract checked("Bcast 8 B: time < 2 us");
    auto& launches = checked.subjects[0].curves[0].launches;
    while (launches.size() > 3)
        launches.erase(launches.begin());
    const auto findings = check_contract(checked.contract, checked.subjects, "c.txt");
    CHECK(findings[0].outcome == GateOutcome::open);
    CHECK(findings[0].statement.why == Why::few_launches);
    CHECK(findings[0].needed == launches_needed);
    CHECK(findings[0].more_launches() == 2);
    for (int lost = 0; lost < 3; ++lost) // of six launches only three were usable
        launches["lost" + std::to_string(lost)];
    CHECK(check_contract(checked.contract, checked.subjects, "c.txt")[0].more_launches() == 4);
}

namespace {

/// Eight nodes, of which n3 has half of the bandwidth, and a bisection of 2 GB/s.
LinkInput invented_links() {
    LinkInput input;
    for (int i = 0; i < 8; ++i)
        input.names.push_back("n" + std::to_string(i));
    const auto add = [&](Company company, std::int64_t bytes) {
        PairMap map{.company = company, .message_bytes = bytes};
        for (int i = 0; i < 8; ++i)
            for (int j = i + 1; j < 8; ++j) {
                const bool slow = bytes > 8 && (i == 3 || j == 3);
                map.pairs.push_back({i, j, slow ? 2e-3F : 1e-3F});
            }
        for (int pass = 0; pass < 3; ++pass) {
            map.pass = pass;
            input.maps.push_back(map);
        }
    };
    for (const std::int64_t bytes : {8, 1 << 20})
        for (const Company company : {Company::all, Company::other, Company::none})
            add(company, bytes);
    for (const Company company : {Company::halves, Company::halves_again})
        for (const float time_s : {0.95e-3F, 1e-3F, 1.05e-3F}) {
            PairMap map{.company = company, .message_bytes = bisection_bytes};
            for (const auto& step : steps_across_halves(8, 1))
                for (const auto& [first, second] : step)
                    map.pairs.push_back({first, second, time_s * (bisection_bytes / 250e3F)});
            input.maps.push_back(map);
        }
    return input;
}

PromiseFinding link_finding(const std::string& line, const LinkInput& input = invented_links()) {
    static std::vector<Promise> contract;
    contract = parse_contract(line, "c.txt");
    const std::vector<PromiseFinding> findings = check_links_contract(contract, input, "l.db");
    REQUIRE(findings.size() == 1);
    return findings.front();
}

} // namespace

TEST_CASE("promises on links: a bisection by its interval, nodes and pairs by what repeats") {
    CHECK(link_finding("bisection: minimum >= 1.7 GB/s").outcome == GateOutcome::passed);
    CHECK(link_finding("bisection: minimum > 1.95 GB/s").outcome == GateOutcome::open);
    CHECK(link_finding("bisection: minimum > 2.4 GB/s").outcome == GateOutcome::failed);
    CHECK(link_finding("bisection: minimum > 1.7 GB/s").measured == doctest::Approx(2e9).epsilon(0.01));
    CHECK(link_finding("node bandwidth > 0.9 of its class").outcome == GateOutcome::failed);
    CHECK(contains(link_finding("node bandwidth > 0.9 of its class").found, "n3"));
    CHECK(link_finding("node bandwidth >= 0.4 of its class").outcome == GateOutcome::passed);
    CHECK(link_finding("pair bandwidth > 0.9 of its class").outcome == GateOutcome::passed);
    CHECK(link_finding("node latency < 1.5 of its class").outcome == GateOutcome::passed);
    CHECK(link_finding("links: none slow").outcome == GateOutcome::failed);
    LinkInput short_only = invented_links();
    std::erase_if(short_only.maps, [](const PairMap& map) { return map.message_bytes > 8; });
    CHECK(link_finding("node bandwidth > 0.9 of its class", short_only).outcome == GateOutcome::open);
    CHECK(link_finding("bisection: minimum > 1 GB/s", short_only).outcome == GateOutcome::open);
    CHECK(link_finding("links: none slow", {}).outcome == GateOutcome::open);
    const CheckedContract both("links: none slow\nBcast 8 B: time < 2 us");
    CHECK(both.findings.size() == 1);
}
