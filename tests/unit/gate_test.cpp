// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "contest/estimate.hpp"
#include "contest/gate.hpp"

#include "base/error.hpp"

#include "../tool/invented_results.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

/// Six launches that scatter by 1 %; factor by argument.
Subject subject_of(const std::string& label, const std::vector<std::pair<std::string, double>>& suites,
                   double at_8 = 1, int launches = 6) {
    Subject subject;
    subject.label = label;
    for (const auto& [name, factor] : suites) {
        Curve curve;
        curve.stored.suite =
            test::suite(name, test::operation(17, name, "", Pattern::collective, Varied::message_length),
                        Varied::message_length);
        for (const std::int64_t argument : {1, 8, 64}) {
            const double value_s = 1e-6 * factor * (argument == 8 ? at_8 : 1);
            StoredMeasurement point;
            point.finished = true;
            point.measurement.argument = argument;
            point.measurement.value_s = value_s;
            point.measurement.summary.count = 20;
            curve.points.push_back(point);
            for (int launch = 0; launch < launches; ++launch)
                curve.launches[label + std::to_string(launch)].values[argument] =
                    value_s * std::exp(launch % 2 == 0 ? 0.01 : -0.01);
        }
        subject.curves.push_back(std::move(curve));
    }
    return subject;
}

/// What the gates say of one subject against another, which outlive it.
struct Checked {
    Checked(const Subject& reference, const Subject& subject, const std::vector<const char*>& texts)
        : contests{judge_databases(reference, subject)} {
        for (const char* text : texts)
            gates.push_back(parse_gate(text));
        results = check_gates(gates, contests);
    }
    Checked(const Checked&) = delete;
    std::vector<Contest> contests;
    std::vector<Gate> gates;
    std::vector<GateResult> results;
};

} // namespace

TEST_CASE("a gate names suites, a sign and a ratio, and means what launches show") {
    const Gate ratio = parse_gate("MPI_Bcast* > 1.1");
    CHECK(ratio.suites == "MPI_Bcast*");
    CHECK(ratio.above);
    CHECK(ratio.limit == 1.1);
    CHECK(ratio.margin == 1.1);
    const Gate below = parse_gate(" significantly<0.5 ");
    CHECK(below.suites.empty());
    CHECK_FALSE(below.above);
    CHECK(below.limit == 0.5);
    CHECK(below.margin == 0.5);
    // Nothing shows that there is no difference at all: one of a tenth is excluded.
    for (const char* any : {"significantly slower", "significantly > 1", "> 1"}) {
        const Gate slower = parse_gate(any);
        CHECK(slower.suites.empty());
        CHECK(slower.above);
        CHECK(slower.limit == 1);
        CHECK(slower.margin == default_margin);
    }
    const Gate faster = parse_gate("a suite with > in it  significantly faster");
    CHECK(faster.suites == "a suite with > in it");
    CHECK_FALSE(faster.above);
    CHECK(faster.margin == 1 / default_margin);
    CHECK(parse_gate("1 > 2 > 3").suites == "1 > 2");
    CHECK(parse_gate("x>25").limit == 25);
    for (const char* wrong : {"", "MPI_Bcast", "> 0", "> -1", "> x", "> 1.1x", "> inf", "> nan", "slower",
                              "MPI_Bcast slower", "insignificantly slower", "= 1"})
        CHECK_THROWS_AS((void)parse_gate(wrong), InputError);
}

TEST_CASE("a gate fails beyond its limit, passes within it, and is open where the interval holds the limit") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}, {"MPI_Reduce", 1}});
    const Subject fresh = subject_of("new", {{"MPI_Bcast", 1.05}, {"MPI_Reduce", 0.8}}, 1.2);
    const auto outcome = [&](const char* text) {
        return Checked(old, fresh, {text}).results.at(0).outcome();
    };
    // 5 % at two arguments, 26 % at the one between them.
    CHECK(outcome("MPI_B* > 1.1") == GateOutcome::failed);
    CHECK(outcome("MPI_Bcast significantly slower") == GateOutcome::failed);
    CHECK(outcome("MPI_Bcast > 1.5") == GateOutcome::passed);
    CHECK(outcome("MPI_Bcast > 1.26") == GateOutcome::open);
    CHECK(outcome("MPI_Reduce significantly slower") == GateOutcome::passed);
    CHECK(outcome("MPI_Reduce < 0.9") == GateOutcome::failed);
    CHECK(outcome("MPI_Reduce < 0.5") == GateOutcome::passed);
    const Checked all(old, fresh, {"> 1.1"});
    REQUIRE(all.results.size() == 2);
    const GateFinding* const decisive = all.results[0].decisive();
    REQUIRE(decisive);
    CHECK(decisive->statement->place == Place{Place::Kind::range, 8, 8});
    CHECK(decisive->statement->ratio == close_to(1.26));
    CHECK(decisive->not_excluded.value() == decisive->statement->high);
}

TEST_CASE("an interval that excludes nothing passes no gate, and says how many launches would decide it") {
    const auto noisy = [](const std::string& label, int launches, double factor) {
        Subject subject = subject_of(label, {{"MPI_Bcast", 1}}, 1, launches);
        for (auto& [uuid, launch] : subject.curves[0].launches)
            for (auto& [argument, value] : launch.values)
                value *= uuid.back() % 2 == 0 ? factor : 1 / factor;
        return subject;
    };
    const Checked wild(noisy("old", 6, 20), noisy("new", 6, 20), {"significantly slower", "> 1.1"});
    for (const GateResult& result : wild.results)
        CHECK(result.outcome() == GateOutcome::open);
    // Where more launches overcome the scatter their number is said, and it is right.
    const auto checked = [&](int launches) {
        const Checked gate(noisy("old", launches, 1.05), noisy("new", launches, 1.05), {"> 1.1"});
        return std::pair(gate.results.at(0).outcome(), gate.results[0].decisive()->launches);
    };
    const auto [outcome, launches] = checked(6);
    CHECK(outcome == GateOutcome::open);
    REQUIRE(launches.has_value());
    CHECK(*launches > 6);
    CHECK(checked(static_cast<int>(*launches) + *launches % 2).first == GateOutcome::passed);
}

TEST_CASE("what the machine may explain does not fail a gate") {
    // Both sides' probes differ by as much as their times.
    const auto in_state = [](const std::string& label, double factor) {
        Subject subject = subject_of(label, {{"MPI_Bcast", factor}}, 1, 7);
        int number = 0;
        for (auto& [uuid, launch] : subject.curves[0].launches) {
            const double state = factor * (1 + 0.02 * (number++ % 4));
            launch.probe_s = 1e-6 * state;
            for (auto& [argument, value] : launch.values)
                value *= state / factor;
        }
        return subject;
    };
    const Subject old = in_state("old", 1);
    const Subject fresh = in_state("new", 1.2);
    const Checked checked(old, fresh, {"significantly slower", "> 1.1", "> 1.5"});
    CHECK(checked.contests[0].suites[0].whole()->as_measured == close_to(1.2).epsilon(0.001));
    CHECK(checked.results[0].outcome() != GateOutcome::failed);
    CHECK(checked.results[1].outcome() != GateOutcome::failed);
    CHECK(checked.results[2].outcome() == GateOutcome::passed);
}

TEST_CASE("a gate on significance finds a shift that all arguments share and none shows") {
    // Launches differ by 1 % as wholes, their points by 30 % beside that, each in its own order.
    const auto noisy = [](const std::string& label, double factor) {
        Subject subject = subject_of(label, {{"MPI_Bcast", factor}, {"memcpy", factor}}, 1, 8);
        subject.curves[1].stored.suite.operation.pattern = Pattern::simple;
        for (Curve& curve : subject.curves)
            for (auto& [uuid, launch] : curve.launches)
                for (auto& [argument, value] : launch.values) {
                    const int launch = uuid.back() - '0';
                    const int turn = argument == 1 ? 0 : argument == 8 ? 1 : 2;
                    const int place = (launch + turn) % 3; // one argument of three is far up, one far down
                    value *= std::exp(place == 0 ? 0.3 : place == 1 ? -0.3 : 0);
                }
        return subject;
    };
    const Subject old = noisy("old", 1);
    const Subject fresh = noisy("new", 1.1);
    const Checked checked(
        old, fresh, {"significantly slower", "> 1.2", "significantly faster", "mem* significantly slower"});
    const std::vector<GateResult>& results = checked.results;
    REQUIRE(results.size() == 4); // memcpy only where it is named
    REQUIRE(results[0].outcome() == GateOutcome::failed);
    CHECK(results[0].decisive()->statement->place.kind == Place::Kind::whole);
    CHECK(results[1].passed());
    CHECK(results[2].passed());
    CHECK(results[3].suite->reference->suite().name == "memcpy");
    CHECK_FALSE(results[3].passed());
}

TEST_CASE("too few launches leave a gate open: neither a success nor a failure") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}}, 1, 4);
    const Subject fresh = subject_of("new", {{"MPI_Bcast", 1.5}}, 1, 6);
    const Checked checked(old, fresh, {"significantly slower", "> 1.1"});
    for (const GateResult& result : checked.results) {
        CHECK(result.outcome() == GateOutcome::open);
        CHECK(result.why() == Why::few_launches);
        REQUIRE(result.decisive());
        CHECK(result.decisive()->launches == launches_needed);
    }
}

TEST_CASE("a gate finds no fault with a collective on another number of ranks, but does not pass it either") {
    Subject old = subject_of("old", {{"MPI_Bcast", 1}, {"MPI_Send", 1}});
    Subject fresh = subject_of("new", {{"MPI_Bcast", 2}, {"MPI_Send", 2}});
    for (Subject* subject : {&old, &fresh})
        for (Curve& curve : subject->curves)
            for (StoredMeasurement& point : curve.points)
                point.measurement.ranks = curve.suite().name == "MPI_Send" ? 2 : subject == &old ? 4 : 16;
    const Checked checked(old, fresh, {"> 1.5", "significantly slower"});
    REQUIRE(checked.results.size() == 4);
    for (const std::size_t place : {0U, 2U}) {
        CHECK(checked.results[place].outcome() == GateOutcome::open);
        CHECK(checked.results[place].why() == Why::other_ranks);
        CHECK(checked.results[place + 1].outcome() == GateOutcome::failed);
    }
}

TEST_CASE("what the other side has lost does not pass, as a suite or at an argument") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}, {"MPI_Reduce", 1}});
    Subject fresh = subject_of("new", {{"MPI_Bcast", 1}});
    fresh.curves[0].points.pop_back();
    for (auto& [uuid, launch] : fresh.curves[0].launches)
        launch.values.erase(64);
    const Checked checked(old, fresh, {"> 1.5"});
    REQUIRE(checked.results.size() == 2);
    CHECK(checked.results[0].outcome() == GateOutcome::open);
    CHECK(checked.results[0].there == 2);
    CHECK(checked.results[0].wanted == 3);
    CHECK(checked.results[0].why() == Why::no_values);
    CHECK(checked.results[1].outcome() == GateOutcome::open);
    CHECK(checked.results[1].why() == Why::only_in_reference);
    CHECK(checked.results[1].suite->subject == nullptr);
}

TEST_CASE("a gate that means no suite is a mistake of who wrote it") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}});
    const Subject fresh = subject_of("new", {{"MPI_Bcast", 1}});
    CHECK_THROWS_WITH_AS(Checked(old, fresh, {"MPI_Gather* > 2"}),
                         doctest::Contains("the baseline has no time of such a suite"), InputError);
}

TEST_CASE("launches that are compared with themselves pass no gate: they are refused") {
    Subject old = subject_of("old", {{"MPI_Bcast", 1}}, 1, 8);
    old.path = "a/old.db";
    Subject copy = old;
    copy.path = "b/copy.db";
    for (const char* gate : {"significantly slower", "> 1.5"})
        CHECK_THROWS_WITH_AS(Checked(old, copy, {gate}), doctest::Contains("a/old.db and b/copy.db hold 8 "),
                             InputError);
    // Some of them are no better.
    std::erase_if(copy.curves[0].launches, [](const auto& each) { return each.first != "old3"; });
    CHECK_THROWS_AS(Checked(old, copy, {"significantly faster"}), InputError);
}

TEST_CASE("a gate cannot compare ping-pongs with different partners, or collectives with different roots") {
    const auto suites = [](const std::string& label, double factor, const char* partner, int root) {
        Subject subject = subject_of(label, {{"ping-pong", factor}, {"MPI_Bcast", factor}});
        subject.curves[0].stored.suite.operation.pattern = Pattern::ping_pong;
        subject.curves[0].stored.suite.partner = partner;
        subject.curves[1].stored.suite.root = root;
        return subject;
    };
    const Subject old = suites("old", 1, "rank 1", 0);
    const Subject fresh = suites("new", 3.77, "rank 2", 1);
    const Checked checked(old, fresh, {"significantly slower", "> 1.5"});
    CHECK_FALSE(checked.contests[0].any_judged());
    REQUIRE(checked.results.size() == 4);
    for (const GateResult& result : checked.results) {
        CHECK(result.outcome() == GateOutcome::open);
        CHECK(result.why() == Why::other_quantity);
    }
}
