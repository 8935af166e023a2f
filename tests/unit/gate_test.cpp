#include "contest/gate.hpp"
#include "close_to.hpp"
#include "formats/data/junit.hpp"
#include "words/gate_words.hpp"

#include "base/error.hpp"

#include "../tool/invented_results.hpp"

#include <cmath>
#include <doctest/doctest.h>

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
                curve.launches[label + std::to_string(launch)][argument] =
                    value_s * std::exp(launch % 2 == 0 ? 0.01 : -0.01);
        }
        subject.curves.push_back(std::move(curve));
    }
    return subject;
}

std::vector<GateResult> check(const std::vector<Gate>& gates,
                              const std::vector<DatabaseComparison>& comparisons) {
    return check_gates(gates, comparisons);
}

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
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const auto outcome = [&](const char* text, std::size_t place = 0) {
        const std::vector<Gate> gates{parse_gate(text)};
        return check(gates, comparisons).at(place).outcome();
    };
    // 5 % at two arguments, 26 % at the one between them.
    CHECK(outcome("MPI_B* > 1.1") == GateOutcome::failed);
    CHECK(outcome("MPI_Bcast significantly slower") == GateOutcome::failed);
    CHECK(outcome("MPI_Bcast > 1.5") == GateOutcome::passed);
    CHECK(outcome("MPI_Bcast > 1.26") == GateOutcome::open);
    CHECK(outcome("MPI_Reduce significantly slower") == GateOutcome::passed);
    CHECK(outcome("MPI_Reduce < 0.9") == GateOutcome::failed);
    CHECK(outcome("MPI_Reduce < 0.5") == GateOutcome::passed);
    const std::vector<Gate> gates{parse_gate("> 1.1")};
    const std::vector<GateResult> results = check(gates, comparisons);
    REQUIRE(results.size() == 2);
    REQUIRE(results[0].decisive());
    REQUIRE(results[0].decisive()->range);
    CHECK(results[0].decisive()->range->from == 8);
    CHECK(results[0].decisive()->range->to == 8);
    CHECK(results[0].decisive()->pooled->ratio == close_to(1.26));
    CHECK(gate_lines(results, GateOutcome::failed).size() == 1);
    CHECK(gate_lines(results, GateOutcome::open).empty());
}

TEST_CASE("an interval that excludes nothing passes no gate, and says how many launches would decide it") {
    const auto wild = [](const std::string& label, int launches) {
        Subject subject = subject_of(label, {{"MPI_Bcast", 1}}, 1, launches);
        for (auto& [uuid, values] : subject.curves[0].launches)
            for (auto& [argument, value] : values)
                value *= uuid.back() % 3 == 0 ? 0.01 : uuid.back() % 3 == 1 ? 1 : 20;
        return subject;
    };
    const Subject old = wild("old", 6);
    const Subject fresh = wild("new", 6);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("significantly slower"), parse_gate("> 1.1")};
    for (const GateResult& result : check(gates, comparisons))
        CHECK(result.outcome() == GateOutcome::open);
    // With a scatter that more launches overcome their number is said, and it is right.
    const auto noisy = [](const std::string& label, int launches, double factor) {
        Subject subject = subject_of(label, {{"MPI_Bcast", factor}}, 1, launches);
        for (auto& [uuid, values] : subject.curves[0].launches)
            for (auto& [argument, value] : values)
                value *= uuid.back() % 2 == 0 ? 1.05 : 1 / 1.05;
        return subject;
    };
    const auto checked = [&](int launches) {
        const Subject a = noisy("old", launches, 1);
        const Subject b = noisy("new", launches, 1);
        const std::vector<DatabaseComparison> both{compare_databases(a, b)};
        const std::vector<Gate> gate{parse_gate("> 1.1")};
        const GateResult result = check(gate, both).front();
        REQUIRE(result.decisive());
        return std::pair(result.outcome(), result.decisive()->launches);
    };
    const auto [outcome, launches] = checked(6);
    CHECK(outcome == GateOutcome::open);
    REQUIRE(launches.has_value());
    CHECK(*launches > 6);
    CHECK(checked(static_cast<int>(*launches) + *launches % 2).first == GateOutcome::passed);
}

TEST_CASE("what the machine may explain neither fails a gate nor passes it") {
    // Both sides' probes differ by as much as their times.
    const auto in_state = [](const std::string& label, double factor) {
        Subject subject = subject_of(label, {{"MPI_Bcast", factor}}, 1, 7);
        int launch = 0;
        for (auto& [uuid, values] : subject.curves[0].launches) {
            const double state = factor * (1 + 0.02 * (launch++ % 4));
            subject.curves[0].launch_states[uuid] = {1e-6 * state, 0.5, 0};
            for (auto& [argument, value] : values)
                value *= state / factor;
        }
        return subject;
    };
    const Subject old = in_state("old", 1);
    const Subject fresh = in_state("new", 1.2);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    REQUIRE(comparisons[0].suites[0].whole.as_measured.has_value());
    CHECK(comparisons[0].suites[0].whole.explained());
    CHECK(comparisons[0].verdict.kind == VerdictKind::explained);
    CHECK(comparisons[0].verdict.explained == std::vector<std::size_t>{0});
    const std::vector<Gate> gates{parse_gate("> 1.1"), parse_gate("> 1.5")};
    const std::vector<GateResult> results = check(gates, comparisons);
    CHECK(results[0].outcome() == GateOutcome::open);
    CHECK(results[1].outcome() == GateOutcome::passed);
}

TEST_CASE("a gate on significance finds a shift that all arguments share and none shows") {
    // Launches differ by 1 % as wholes, their points by 8 % beside that, each in its own order.
    const auto noisy = [](const std::string& label, double factor) {
        Subject subject = subject_of(label, {{"MPI_Bcast", factor}, {"memcpy", factor}}, 1, 8);
        subject.curves[1].stored.suite.operation.pattern = Pattern::simple;
        for (Curve& curve : subject.curves)
            for (auto& [uuid, values] : curve.launches)
                for (auto& [argument, value] : values) {
                    const int launch = uuid.back() - '0';
                    const int turn = argument == 1 ? 0 : argument == 8 ? 1 : 2;
                    const int place = (launch + turn) % 3; // one argument of three is far up, one far down
                    value *= std::exp(place == 0 ? 0.3 : place == 1 ? -0.3 : 0);
                }
        return subject;
    };
    const Subject old = noisy("old", 1);
    const Subject fresh = noisy("new", 1.1);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("significantly slower"), parse_gate("> 1.2"),
                                  parse_gate("significantly faster"),
                                  parse_gate("mem* significantly slower")};
    const std::vector<GateResult> results = check(gates, comparisons);
    REQUIRE(results.size() == 4); // memcpy only where it is named
    REQUIRE(results[0].outcome() == GateOutcome::failed);
    CHECK(results[0].decisive()->range == nullptr);
    CHECK(results[1].passed());
    CHECK(results[2].passed());
    CHECK(results[3].reference->suite().name == "memcpy");
    CHECK_FALSE(results[3].passed());
    const std::string xml = junit_report({results[0], results[1]});
    CHECK(xml.find("failures=\"1\"") != std::string::npos);
}

TEST_CASE("too few launches leave a gate open: neither a success nor a failure") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}}, 1, 4);
    const Subject fresh = subject_of("new", {{"MPI_Bcast", 1.5}}, 1, 6);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("significantly slower"), parse_gate("> 1.1")};
    const std::vector<GateResult> results = check(gates, comparisons);
    for (const GateResult& result : results) {
        CHECK(result.outcome() == GateOutcome::open);
        CHECK(result.unknown() == UnjudgedCounts{{Unjudged::few_launches, 3}});
        REQUIRE(result.decisive());
        CHECK(result.decisive()->launches.has_value());
    }
    CHECK(gate_lines(results, GateOutcome::failed).empty());
    CHECK(gate_lines(results, GateOutcome::open).size() == 2);
    const std::string xml = junit_report(results);
    CHECK(xml.find("failures=\"0\" errors=\"2\"") != std::string::npos);
}

TEST_CASE("of arguments that are lost and others that cannot be judged both reasons are told") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}}, 1, 4);
    Subject fresh = subject_of("new", {{"MPI_Bcast", 1}}, 1, 6);
    fresh.curves[0].points.pop_back();
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("significantly slower")};
    const std::vector<GateResult> results = check(gates, comparisons);
    CHECK(results[0].outcome() == GateOutcome::open);
    CHECK(results[0].wanted == 3);
    CHECK(results[0].suite->curves.points.size() == 2);
    CHECK(results[0].unknown() == UnjudgedCounts{{Unjudged::few_launches, 2}});
}

TEST_CASE("a gate says one line of a suite, however many arguments fail") {
    const auto long_suite = [](const std::string& label, double factor) {
        Subject subject = subject_of(label, {{"MPI_Bcast", factor}});
        Curve& curve = subject.curves[0];
        const StoredMeasurement point = curve.points[0];
        const std::map<std::string, LaunchValues> launches = curve.launches;
        curve.points.clear();
        curve.launches.clear();
        for (int i = 1; i <= 100; ++i) {
            curve.points.push_back(point);
            curve.points.back().measurement.argument = i;
            for (const auto& [uuid, values] : launches)
                curve.launches[uuid][i] = values.at(1);
        }
        return subject;
    };
    const Subject old = long_suite("old", 1);
    const Subject fresh = long_suite("new", 2);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("> 1.5")};
    CHECK(gate_lines(check(gates, comparisons), GateOutcome::failed).size() == 1);
}

TEST_CASE("a gate finds no fault with a collective on another number of ranks, but does not pass it either") {
    Subject old = subject_of("old", {{"MPI_Bcast", 1}, {"MPI_Send", 1}});
    Subject fresh = subject_of("new", {{"MPI_Bcast", 2}, {"MPI_Send", 2}});
    for (Subject* subject : {&old, &fresh})
        for (Curve& curve : subject->curves)
            for (StoredMeasurement& point : curve.points)
                point.measurement.ranks = curve.suite().name == "MPI_Send" ? 2 : subject == &old ? 4 : 16;
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    for (const char* gate : {"> 1.5", "significantly slower"}) {
        const std::vector<Gate> gates{parse_gate(gate)};
        const std::vector<GateResult> results = check(gates, comparisons);
        REQUIRE(results.size() == 2);
        CHECK(results[0].outcome() == GateOutcome::open);
        CHECK(results[0].unknown() == UnjudgedCounts{{Unjudged::other_ranks, 3}});
        CHECK(results[1].outcome() == GateOutcome::failed);
    }
}

TEST_CASE("what the other side has lost does not pass, as a suite or at an argument") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}, {"MPI_Reduce", 1}});
    Subject fresh = subject_of("new", {{"MPI_Bcast", 1}});
    fresh.curves[0].points.pop_back();
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("> 1.5")};
    const std::vector<GateResult> results = check(gates, comparisons);
    REQUIRE(results.size() == 2);
    CHECK(results[0].outcome() == GateOutcome::open);
    CHECK(results[1].outcome() == GateOutcome::open);
    CHECK(results[0].there == 2);
    CHECK(results[0].wanted == 3);
    CHECK(results[0].unknown().empty());
    CHECK(results[1].suite == nullptr);
    CHECK(gate_lines(results, GateOutcome::open).size() == 2);
    CHECK(junit_report(results).find("errors=\"2\"") != std::string::npos);
}

TEST_CASE("a gate that means no suite is a mistake of who wrote it") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}});
    const Subject fresh = subject_of("new", {{"MPI_Bcast", 1}});
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    CHECK_THROWS_WITH_AS((void)check({parse_gate("MPI_Gather* > 2")}, comparisons),
                         doctest::Contains("the baseline has no time of such a suite"), InputError);
}

TEST_CASE("launches that are compared with themselves pass no gate: they are refused") {
    Subject old = subject_of("old", {{"MPI_Bcast", 1}}, 1, 8);
    old.path = "a/old.db";
    Subject copy = old;
    copy.path = "b/copy.db";
    const std::vector<DatabaseComparison> same{compare_databases(old, copy)};
    for (const char* gate : {"significantly slower", "> 1.5"})
        CHECK_THROWS_WITH_AS((void)check({parse_gate(gate)}, same),
                             (std::string("--fail-if '") + gate +
                              "': a/old.db and b/copy.db hold 8 launches, of 8 and 8, in common and so are "
                              "compared with themselves, expected databases of different launches")
                                 .c_str(),
                             InputError);
    // Some of them are no better.
    for (auto* curve : {&copy.curves[0]})
        std::erase_if(curve->launches, [](const auto& each) { return each.first != "old3"; });
    const std::vector<DatabaseComparison> some{compare_databases(old, copy)};
    CHECK_THROWS_AS((void)check({parse_gate("significantly faster")}, some), InputError);
    CHECK_THROWS_AS((void)check({parse_gate("> 1.5")}, some), InputError);
}

TEST_CASE("JUnit's form counts and names what failed, whatever the names are") {
    const std::string nasty = "<a> & \"b\"\xEF\xBF\xBE"; // U+FFFE, which XML forbids
    const Subject old = subject_of("old", {{nasty, 1}, {"MPI_Reduce", 1}});
    const Subject fresh = subject_of("new", {{nasty, 2}, {"MPI_Reduce", 1}});
    const Subject other = subject_of("other", {{nasty, 1}, {"MPI_Reduce", 1}});
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh),
                                                      compare_databases(old, other)};
    const std::vector<Gate> gates{parse_gate("> 1.5"), parse_gate("< 0.5")};
    const std::string xml = junit_report(check(gates, comparisons));
    const auto contains = [&](const std::string& part) { return xml.find(part) != std::string::npos; };
    CHECK(contains("<testsuite name=\"new against old\" tests=\"4\" failures=\"1\""));
    CHECK(contains("<testsuite name=\"other against old\" tests=\"4\" failures=\"0\""));
    CHECK(contains(
        "name=\"&lt;a&gt; &amp; &quot;b&quot;\xEF\xBF\xBD: &gt; 1.5\"><failure message=\"fails: ratio 2.00"));
    CHECK_FALSE(contains("<a>"));
}

TEST_CASE("a gate cannot compare ping-pongs with different partners, or collectives with different roots") {
    const auto suites = [](const std::string& label, double factor, const char* partner, int root) {
        Subject subject = subject_of(label, {{"ping-pong", factor}, {"MPI_Bcast", factor}});
        subject.curves[0].stored.suite.operation.pattern = Pattern::ping_pong;
        subject.curves[0].stored.suite.partner = partner;
        subject.curves[1].stored.suite.operation.pattern = Pattern::collective;
        subject.curves[1].stored.suite.root = root;
        return subject;
    };
    const Subject old = suites("old", 1, "rank 1", 0);
    const Subject fresh = suites("new", 3.77, "rank 2", 1);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    CHECK(comparisons[0].judged == 0);
    CHECK(comparisons[0].verdict.kind == VerdictKind::open);
    CHECK_FALSE(comparisons[0].verdict.mean_ratio.has_value());
    const std::vector<Gate> gates{parse_gate("significantly slower"), parse_gate("> 1.5")};
    const std::vector<GateResult> results = check(gates, comparisons);
    REQUIRE(results.size() == 4);
    for (const GateResult& result : results) {
        CHECK(result.outcome() == GateOutcome::open);
        CHECK(result.unknown() == UnjudgedCounts{{Unjudged::other_quantity, 3}});
    }
}
