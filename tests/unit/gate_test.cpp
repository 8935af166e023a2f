#include "analysis/gate.hpp"
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

TEST_CASE("a gate names suites, a sign, a ratio and whether its interval counts") {
    const Gate ratio = parse_gate("MPI_Bcast* > 1.1");
    CHECK(ratio.suites == "MPI_Bcast*");
    CHECK(ratio.above);
    CHECK(ratio.limit == 1.1);
    CHECK_FALSE(ratio.significantly);
    const Gate below = parse_gate(" significantly<0.5 ");
    CHECK(below.suites.empty());
    CHECK_FALSE(below.above);
    CHECK(below.limit == 0.5);
    CHECK(below.significantly);
    const Gate slower = parse_gate("significantly slower");
    CHECK(slower.suites.empty());
    CHECK(slower.above);
    CHECK(slower.limit == 1);
    CHECK(slower.significantly);
    const Gate faster = parse_gate("a suite with > in it  significantly faster");
    CHECK(faster.suites == "a suite with > in it");
    CHECK_FALSE(faster.above);
    CHECK(parse_gate("1 > 2 > 3").suites == "1 > 2");
    CHECK(parse_gate("x>25").limit == 25);
    for (const char* wrong : {"", "MPI_Bcast", "> 0", "> -1", "> x", "> 1.1x", "> inf", "> nan", "slower",
                              "MPI_Bcast slower", "insignificantly slower", "= 1"})
        CHECK_THROWS_AS((void)parse_gate(wrong), InputError);
}

TEST_CASE("a gate fails at the arguments where its condition holds, and nowhere else") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}, {"MPI_Reduce", 1}});
    const Subject fresh = subject_of("new", {{"MPI_Bcast", 1.05}, {"MPI_Reduce", 0.8}}, 1.2);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("MPI_B* > 1.1"), parse_gate("significantly slower"),
                                  parse_gate("MPI_Bcast significantly > 1.25"), parse_gate("< 0.81"),
                                  parse_gate("MPI_Bcast > 1.25")};
    const std::vector<GateResult> results = check(gates, comparisons);
    REQUIRE(results.size() == 7); // two gates are of both suites
    CHECK(results[0].failed.size() == 1);
    CHECK(results[0].failed[0]->argument == 8);
    CHECK(results[0].checked == 3);
    CHECK(results[1].failed.size() == 3); // 5 % at two, 26 % at one argument
    CHECK(results[2].passed());           // 4 % faster or 20 %
    CHECK(results[3].passed());           // 1.26 is above the limit, its interval is not
    CHECK(results[4].passed());
    CHECK(results[5].failed.size() == 2);
    CHECK(results[6].failed.size() == 1);
    CHECK(results[0].failed[0]->ratio == close_to(1.26));
    CHECK(failing_lines({results[0]}).size() == 1);
    CHECK(results[1].failed_as_a_whole);
    CHECK(failing_lines({results[1]}).size() == 4); // together, and each
    CHECK(failing_lines({results[2], results[3]}).empty());
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
    const std::vector<Gate> gates{parse_gate("significantly slower"), parse_gate("significantly > 1.2"),
                                  parse_gate("significantly faster"),
                                  parse_gate("mem* significantly slower")};
    const std::vector<GateResult> results = check(gates, comparisons);
    REQUIRE(results.size() == 4); // memcpy only where it is named
    CHECK(results[0].failed.empty());
    CHECK(results[0].failed_as_a_whole);
    CHECK_FALSE(results[0].passed());
    CHECK(results[1].passed());
    CHECK(results[2].passed());
    CHECK(results[3].reference->suite().name == "memcpy");
    CHECK_FALSE(results[3].passed());
    REQUIRE(failing_lines({results[0]}).size() == 1);
    const std::string xml = junit_report({results[0], results[1]});
    CHECK(xml.find("failures=\"1\"") != std::string::npos);
}

TEST_CASE("a ratio at the limit is on neither side of it") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}}, 1, 1);
    const Subject fresh = subject_of("new", {{"MPI_Bcast", 2}}, 1, 1);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("> 2"), parse_gate("< 2"), parse_gate("> 1.99"),
                                  parse_gate("< 2.01")};
    const std::vector<GateResult> results = check(gates, comparisons);
    CHECK(results[0].passed());
    CHECK(results[1].passed());
    CHECK_FALSE(results[2].passed());
    CHECK_FALSE(results[3].passed());
}

TEST_CASE("a gate on significance that nothing can be said of does not pass") {
    const Subject old = subject_of("old", {{"MPI_Bcast", 1}}, 1, 4);
    const Subject fresh = subject_of("new", {{"MPI_Bcast", 1}}, 1, 6);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("significantly slower"), parse_gate("> 1.1")};
    const std::vector<GateResult> results = check(gates, comparisons);
    CHECK_FALSE(results[0].passed());
    CHECK(results[0].open());
    CHECK(results[0].outcome() == GateOutcome::open);
    CHECK(results[0].unknown() == UnjudgedCounts{{Unjudged::few_launches, 3}});
    CHECK(failing_lines(results).size() == 1);
    CHECK(results[1].passed());
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

TEST_CASE("an argument at which the machine was in another state says so") {
    Subject old = subject_of("old", {{"MPI_Bcast", 1}}, 1, 1);
    Subject fresh = subject_of("new", {{"MPI_Bcast", 2}}, 1, 1);
    for (auto* subject : {&old, &fresh})
        for (StoredMeasurement& point : subject->curves[0].points)
            point.measurement.probe_s = subject == &old ? 1e-6 : 2.5e-6;
    fresh.curves[0].points[1].measurement.probe_s = 1e-6;
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("> 1.5")};
    const std::vector<GateResult> results = check(gates, comparisons);
    REQUIRE(results[0].failed.size() == 3);
    CHECK(results[0].failed[0]->in_other_state());
    CHECK(results[0].failed[0]->probe_ratio == close_to(2.5));
    CHECK_FALSE(results[0].failed[1]->in_other_state());
    CHECK(results[0].failed[2]->in_other_state());
}

TEST_CASE("a gate says every argument at which it fails, however many there are") {
    const auto long_suite = [](const std::string& label, double factor) {
        Subject subject = subject_of(label, {{"MPI_Bcast", factor}});
        Curve& curve = subject.curves[0];
        const StoredMeasurement point = curve.points[0];
        curve.points.clear();
        curve.launches.clear();
        for (int i = 1; i <= 100; ++i) {
            curve.points.push_back(point);
            curve.points.back().measurement.argument = i;
            curve.launches[label][i] = point.measurement.value_s;
        }
        return subject;
    };
    const Subject old = long_suite("old", 1);
    const Subject fresh = long_suite("new", 2);
    const std::vector<DatabaseComparison> comparisons{compare_databases(old, fresh)};
    const std::vector<Gate> gates{parse_gate("> 1.5")};
    const std::vector<GateResult> results = check(gates, comparisons);
    CHECK(failing_lines(results).size() == 100);
    const std::string xml = junit_report(results);
    CHECK(std::ranges::count(xml, '\n') > 100);
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
        CHECK(results[0].failed.empty());
        CHECK(results[0].open());
        CHECK_FALSE(results[0].passed());
        CHECK(results[0].unknown() == UnjudgedCounts{{Unjudged::other_ranks, 3}});
        CHECK(results[1].failed.size() == 3);
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
    CHECK_FALSE(results[0].passed());
    CHECK_FALSE(results[1].passed());
    CHECK(results[0].checked == 2);
    CHECK(results[0].wanted == 3);
    CHECK(results[0].unknown().empty());
    CHECK(results[1].suite == nullptr);
    CHECK(failing_lines(results).size() == 2);
    CHECK(junit_report(results).find("failures=\"2\"") != std::string::npos);
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
    // Some of them: ratios are ratios, significance is none.
    for (auto* curve : {&copy.curves[0]})
        std::erase_if(curve->launches, [](const auto& each) { return each.first != "old3"; });
    const std::vector<DatabaseComparison> some{compare_databases(old, copy)};
    CHECK_THROWS_AS((void)check({parse_gate("significantly faster")}, some), InputError);
    CHECK(check({parse_gate("> 1.5")}, some).front().passed());
}

TEST_CASE("JUnit's form counts and names what failed, whatever the names are") {
    const std::string nasty = "<a> & \"b\"";
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
        "name=\"&lt;a&gt; &amp; &quot;b&quot;: &gt; 1.5\"><failure message=\"fails at 3 of 3 arguments\">at "
        "1 B: 2.000 µs against 1.000 µs, ratio 2.00, interval 1.9"));
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
